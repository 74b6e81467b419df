// Slip velocity: an arrow along the slip.
#include "render/quantities/contact_glyphs.h"
#include "render/quantities/quantity.h"

namespace slip::render {
namespace {

void AppendSlipVelocity(const DrawContext& context, const ContactGlyph& glyph, ForceArrows* arrows,
                        DrawList*) {
  if (!context.request.slip_velocity || glyph.of.pile) return;
  const double length = kMetresPerSpeed * glyph.contact.vt * glyph.d;
  arrows->AddArrow(glyph.p, glyph.contact.vt_W, length, glyph.d, context.colours.slip);
}

}  // namespace

constinit const Quantity kSlipVelocity{.name = "Slip velocity",
                                       .doc = "Arrow along the slip at every contact.",
                                       .on = &ViewStyle::slip_velocity,
                                       .of_contact = AppendSlipVelocity};

}  // namespace slip::render
