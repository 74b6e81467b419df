// The list of quantities, and the order in which a picture is made of them.
#include "render/quantities/quantity.h"

#include "render/quantities/contact_glyphs.h"

namespace slip::render {
namespace {

#define SLIP_QUANTITY(constant, ...) &constant,
constexpr const Quantity* kQuantities[] = {SLIP_QUANTITIES(SLIP_QUANTITY, SLIP_QUANTITY)};
#undef SLIP_QUANTITY

}  // namespace

std::span<const Quantity* const> Quantities() { return kQuantities; }

void DrawQuantities(const DrawContext& context, DrawList* list, ViewPicture* picture) {
  const auto draw = [&](Layer layer) {
    for (const Quantity* quantity : kQuantities) {
      if (quantity->draw != nullptr && quantity->layer == layer)
        quantity->draw(context, list, picture);
    }
  };
  draw(Layer::kBodies);
  draw(Layer::kGround);
  draw(Layer::kRobots);
  picture->labels = AppendGlyphs(context, list);
  draw(Layer::kOver);
}

}  // namespace slip::render
