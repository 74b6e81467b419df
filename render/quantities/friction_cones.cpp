// Friction cones: as high as the normal force's arrow is long.
#include <algorithm>

#include "render/quantities/contact_glyphs.h"
#include "render/quantities/quantity.h"

namespace slip::render {
namespace {

constexpr double kRimRadius = 0.0011;  // per metre of distance to the eye

void AppendCone(const DrawContext& context, const ContactGlyph& glyph, ForceArrows* arrows,
                DrawList* list) {
  const ContactFrame& contact = glyph.contact;
  if (!context.request.friction_cone || !glyph.of.lead) return;
  if (!(contact.friction > 0) || !(contact.fn > 0)) return;
  const Vec3 n = contact.n_W.normalized();
  const double height = arrows->Length(contact.fn, glyph.d);
  const double radius = std::min(contact.friction, 3.0) * height;
  // a cone is an arrow that is all head, turned round: its tip is the contact
  const Vec3 top = glyph.p + height * n;
  ArrowInstance cone{};
  const Vec3 origin = top - context.camera.spec().target;
  for (int i = 0; i < 3; ++i) {
    cone.origin[i] = static_cast<float>(origin[i]);
    cone.direction[i] = static_cast<float>(-n[i]);
  }
  cone.length = cone.head_length = static_cast<float>(height);
  cone.head_radius = static_cast<float>(radius);
  cone.emissive = 0.7f;
  SetColour(glyph.of.colour.WithAlpha(0.15f), cone.colour);
  list->cones.push_back(cone);
  // rim
  Vec3 e = n.unitOrthogonal();
  constexpr int kSides = 24;
  for (int i = 0; i < kSides; ++i) {
    const Vec3 next = Eigen::AngleAxisd(2 * M_PI / kSides, n) * e;
    SolidInstance bar = MakeBar(context.camera, top + radius * e, top + radius * next,
                                kRimRadius * glyph.d, glyph.of.colour);
    bar.params[1] = 0.9f;
    list->marks.push_back(bar);
    e = next;
  }
}

}  // namespace

constinit const Quantity kCone{.name = "Friction cones",
                               .doc = "The cone of admissible forces at every contact.",
                               .key = 'K',
                               .on = &ViewStyle::friction_cone,
                               .of_contact = AppendCone};

}  // namespace slip::render
