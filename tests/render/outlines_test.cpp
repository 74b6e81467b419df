// Which bodies are outlined.
#include "render/quantities/outlines.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "engine/geometry/mesh.h"
#include "tests/render/fake_pile.h"

namespace slip::render {
namespace {

// Outlined, a link from a fine mesh shows every hole; a ghost needs the line.
TEST(Outlines, FineLinksAreOutlinedWhenChosenOrGhosts) {
  Snapshot snapshot;
  ViewRequest request;
  Camera camera{PileCamera()};
  const auto lines_of = [&](int turns, int robot, int channels) {
    snapshot = MakePileSnapshot(1, 8, false, channels);
    auto model = std::make_shared<Model>(*snapshot.model);
    auto mesh = std::make_shared<TriangleMesh>();
    for (int i = 0; i <= turns; ++i) {
      for (int j = 0; j < turns; ++j) {
        const double down = M_PI * i / turns, round = 2 * M_PI * j / turns;
        mesh->vertices.push_back(0.05 * Vec3(std::sin(down) * std::cos(round),
                                             std::sin(down) * std::sin(round), std::cos(down)));
        if (i == turns) continue;
        const int a = i * turns + j, b = i * turns + (j + 1) % turns;
        mesh->triangles.push_back({a, a + turns, b});
        mesh->triangles.push_back({b, a + turns, b + turns});
      }
    }
    Body& body = model->bodies.front();
    body.robot = robot;
    if (robot >= 0) model->robots.resize(1);
    body.shape = {.kind = ShapeKind::kTriangleMesh, .triangles = mesh};
    snapshot.model = model;
    DrawList list;
    const DrawContext context{snapshot, request, camera, {1280, 720}, ColoursOf(request.theme)};
    AppendOutlineLines(context, BuildOutlines(context), &list);
    return list.lines.size();
  };
  EXPECT_EQ(lines_of(10, 0, 1), 1u);
  EXPECT_EQ(lines_of(40, -1, 1), 1u);
  EXPECT_EQ(lines_of(40, 0, 1), 0u);
  EXPECT_EQ(lines_of(40, 0, 2), 1u);
  request.selected_body = 0;
  EXPECT_EQ(lines_of(40, 0, 1), 1u);
}

}  // namespace
}  // namespace slip::render
