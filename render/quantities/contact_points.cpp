// Contact points: a mark at every contact, square where it sticks and round where it slips.
#include "render/quantities/contact_glyphs.h"
#include "render/quantities/quantity.h"

namespace slip::render {
namespace {

constexpr double kPointRadius = 0.0042;  // per metre of distance to the eye

void AppendContactPoint(const DrawContext& context, const ContactGlyph& glyph, ForceArrows*,
                        DrawList* list) {
  const ContactFrame& contact = glyph.contact;
  const bool closed = contact.mode != ContactMode::kOpen;
  // the only contact that a pile shows is the selected one, which always has its mark
  if (!glyph.of.pile && !(context.request.contact_points && closed)) return;
  const bool slip = contact.mode == ContactMode::kSlip;
  const bool selected = contact.key == context.request.selected_key;
  const double r = kPointRadius * glyph.d * (selected ? 1.7 : 1.0);
  // square = stick, round = slip: colour is not the only sign
  SolidInstance point =
      MakeSolid(context.camera, Pose{glyph.p, Quat::Identity()}, Vec3::Constant(slip ? r : 0.8 * r),
                slip ? r : 0.15 * r, slip ? context.colours.slip : glyph.of.colour);
  point.params[1] = 0.6f;
  list->marks.push_back(point);
}

}  // namespace

constinit const Quantity kContactPoints{.name = "Contact points",
                                        .doc = "A mark at every contact.",
                                        .key = 'C',
                                        .on = &ViewStyle::contact_points,
                                        .setting = "contact_points",
                                        .of_contact = AppendContactPoint};

}  // namespace slip::render
