#include "render/quantities/mass_centres.h"

#include <algorithm>

#include "render/quantities/quantity.h"

namespace slip::render {

void AppendCentreOfMass(const DrawContext& context, const Pose& pose, DrawList* list) {
  const double r = 0.006 * std::max(context.camera.Depth(pose.p), 0.0);
  SolidInstance ball = MakeSolid(context.camera, pose, Vec3::Constant(r), r, Colour::Hex(0xFFFFFF));
  ball.params[0] = 3;
  ball.params[1] = 0.7f;
  list->marks.push_back(ball);
}

// added body by body, with what the picture knows of each (bodies.cpp)
constinit const Quantity kMassCentres{.name = "Centres of mass",
                                      .doc = "A mark in every body and link.",
                                      .key = 'M',
                                      .section = kBodiesSection,
                                      .on = &ViewStyle::com_marks};

}  // namespace slip::render
