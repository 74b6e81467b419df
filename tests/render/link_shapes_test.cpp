// What of a robot is drawn beside its meshes: shapes that collide, axes, masses, frames, inertias.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/run/scope/scope.h"
#include "engine/scene/scene.h"
#include "render/quantities/link_marks.h"
#include "render/quantities/picking.h"
#include "render/quantities/quantity.h"
#include "tests/support/folders.h"
#include "tests/support/geometry.h"
#include "tests/support/temp_folder.h"
#include "tests/support/urdf.h"

namespace slip::render {
namespace {

class LinkShapesTest : public testing::Test {
 protected:
  void SetUp() override { Load(SourceFolder() + "/assets/robots/quadruped.urdf"); }
  void Load(const std::string& name) {
    const auto scene = FindScene(name);
    ASSERT_TRUE(scene.ok());
    scope_.Apply(LoadScene{*scene});
    scope_.Fill(&snapshot_);
    camera_.Set((*scene)->camera);
    request_.contact_points = request_.forces = request_.support = false;
    request_.foot_forces = request_.outlines = false;
  }
  DrawList Build() const {
    const DrawContext context{snapshot_, request_, camera_, {800, 600}, ColoursOf(request_.theme)};
    DrawList list;
    ViewPicture picture;
    BuildScene(context, &list);
    DrawQuantities(context, &list, &picture);
    return list;
  }
  /// Bodies of the model, by what they are.
  template <class Is>
  std::size_t Count(const Is& is) const {
    const auto& bodies = snapshot_.model->bodies;
    return static_cast<std::size_t>(std::count_if(bodies.begin(), bodies.end(), is));
  }
  static std::size_t Lines(const DrawList& list, const Colour& colour) {
    return static_cast<std::size_t>(
        std::count_if(list.lines.begin(), list.lines.end(),
                      [&](const LineBatch& batch) { return batch.colour == colour; }));
  }
  Scope scope_;
  Snapshot snapshot_;
  Camera camera_;
  ViewRequest request_;
};

TEST_F(LinkShapesTest, AllShapesThatCollideAreDrawnInOneColour) {
  const std::size_t parts = Count([](const Body& b) { return b.collides; });
  ASSERT_GT(parts, 8u);
  EXPECT_EQ(Build().shapes.size(), 0u);
  for (const Theme theme : {Theme::kDark, Theme::kLight}) {
    request_.theme = theme;
    request_.collision_shapes = true;
    const DrawList list = Build();
    EXPECT_EQ(list.shapes.size(), parts);
    float amber[4];
    SetColour(ColoursOf(theme).shape_fill, amber);
    EXPECT_EQ(amber[3], 0.5f);
    for (const auto& own : list.shapes.own)
      for (const SolidInstance& solid : own.instances)
        EXPECT_TRUE(std::equal(amber, amber + 4, solid.colour));
    // outlines in one batch, seen through everything
    ASSERT_EQ(Lines(list, ColoursOf(theme).shape_line), 1u);
    for (const LineBatch& batch : list.lines) {
      if (batch.colour != ColoursOf(theme).shape_line) continue;
      EXPECT_EQ(batch.width, 1.5);
      EXPECT_FALSE(batch.tested);
    }
    request_.collision_shapes = false;
  }
}

TEST_F(LinkShapesTest, OfManyPartsOfMeshesLinesAndFillsAreFaint) {
  const TempFolder folder;
  WriteText(folder.path("part.obj"), test::ObjText(test::BoxSoup({0.05, 0.05, 0.05})));
  constexpr int kFew = 8, kMany = 9;
  const auto link = [](int parts) {
    std::string text = test::kBody;
    for (int i = 0; i < parts; ++i)
      text += "<collision><origin xyz=\"0 0 " + std::to_string(0.1 * i) +
              "\"/><geometry><mesh filename=\"part.obj\"/></geometry></collision>";
    return text;
  };
  WriteText(
      folder.path("parts.urdf"),
      test::RobotText(test::LinkText("many", link(kMany)) + test::LinkText("few", link(kFew)) +
                      test::JointText("j", "continuous", "base", "many") +
                      test::JointText("k", "continuous", "base", "few")));
  Load(folder.path("parts.urdf"));
  request_.collision_shapes = true;
  const DrawList list = Build();
  const SceneColours& colours = ColoursOf(request_.theme);
  ASSERT_EQ(Lines(list, colours.shape_line), 1u);
  ASSERT_EQ(Lines(list, colours.shape_line.WithAlpha(0.4f)), 1u);
  int faint = 0, full = 0;
  for (const auto& own : list.shapes.own)
    for (const SolidInstance& solid : own.instances) {
      if (solid.colour[3] == colours.shape_fill.a) ++full;
      if (solid.colour[3] == 0.5f * colours.shape_fill.a) ++faint;
    }
  EXPECT_EQ(faint, kMany);
  EXPECT_EQ(full, kFew);
}

TEST_F(LinkShapesTest, TheirOutlinesStandForThoseOfTheMeshes) {
  // of robots with many parts nobody is outlined
  Load(SourceFolder() + "/assets/robots/arm.urdf");
  request_.outlines = true;
  const Colour channel = StyleOfChannel(snapshot_, 0, request_.theme).colour;
  EXPECT_GT(Lines(Build(), channel), 0u);
  request_.collision_shapes = true;
  EXPECT_EQ(Lines(Build(), channel), 0u);
  // but who is picked is seen
  request_.selected_body = 0;
  EXPECT_GT(Lines(Build(), ColoursOf(request_.theme).accent), 0u);
}

TEST_F(LinkShapesTest, OfTheLeadAloneWhicheverItIs) {
  Load("quadruped-stand");
  ASSERT_GT(snapshot_.channels.size(), 1u);
  request_.collision_shapes = true;
  const std::size_t shapes = Build().shapes.size();
  request_.compare = CompareMode::kSingle;
  EXPECT_EQ(Build().shapes.size(), shapes);
  // as the second pane of a split view has it
  request_.lead = request_.solo = 1;
  const int part = [&] {
    for (int b = 0;; ++b)
      if (snapshot_.model->body(b).collides) return b;
  }();
  At(snapshot_.channels[1].bodies, part).X_WB.p += Vec3(0, 0, 0.1);
  EXPECT_EQ(Build().shapes.size(), shapes);
  request_.visible[1] = false;
  EXPECT_LE(Build().shapes.size(), shapes);
  // points of feet are no shapes
  EXPECT_EQ(shapes, Count([](const Body& b) { return b.collides; }));
}

TEST_F(LinkShapesTest, HiddenMeshesAreNeitherDrawnNorPicked) {
  const auto visuals = snapshot_.model->visuals.size();
  ASSERT_GT(visuals, 0u);
  const std::size_t before = Build().solids.size() + Build().casters.size();
  request_.visual_meshes = false;
  EXPECT_EQ(Build().solids.size() + Build().casters.size() + visuals, before);
  const Pose base = DrawnPose(snapshot_, request_, 0, 0);
  const Viewport viewport{800, 600};
  const Vec2 pixel = camera_.Project(base.p, viewport)->head<2>();
  EXPECT_FALSE(PickBody(snapshot_, request_, camera_, viewport, pixel).has_value());
  request_.collision_shapes = true;
  const auto hit = PickBody(snapshot_, request_, camera_, viewport, pixel);
  ASSERT_TRUE(hit.has_value());
  EXPECT_EQ(hit->body, 0) << "a click on a shape means its link";
  // they throw the shadow then
  EXPECT_GE(Build().casters.size(), Build().shapes.size());
}

TEST_F(LinkShapesTest, MassesAreMarkedWhereLinksHaveThem) {
  request_.com_marks = true;
  const DrawList list = Build();
  const std::size_t links =
      Count([](const Body& b) { return b.shape_of_link < 0 && b.Moves() && b.mass > 0; });
  ASSERT_EQ(list.marks.size(), links);
  const Vec3 base = DrawnPose(snapshot_, request_, 0, 0).p - camera_.spec().target;
  EXPECT_TRUE(std::any_of(list.marks.begin(), list.marks.end(), [&](const SolidInstance& mark) {
    return std::abs(mark.rows[0][3] - base.x()) < 1e-6 &&
           std::abs(mark.rows[2][3] - base.z()) < 1e-6;
  }));
}

TEST_F(LinkShapesTest, AxesAndFrames) {
  const SceneColours& colours = ColoursOf(request_.theme);
  const DrawList plain = Build();
  request_.joint_axes = true;
  const std::size_t joints = Count([](const Body& b) { return b.shape_of_link < 0 && b.nv == 1; });
  // two dashed halves and a point for each
  EXPECT_EQ(Build().lines.size(), plain.lines.size() + 3 * joints);
  request_.joint_axes = false;
  request_.link_frames = true;
  const DrawList frames = Build();
  for (const Colour& axis : colours.axis)
    EXPECT_EQ(Lines(frames, axis), snapshot_.model->robots[0].frames.size());
}

TEST_F(LinkShapesTest, InertiaBoxesHaveTheInertia) {
  // m/12 (b² + c²)
  const Vec3 size(0.1, 0.2, 0.3), squares = size.cwiseProduct(size);
  const Vec3 moments = 2.0 / 12 * (squares.sum() * Vec3::Ones() - squares);
  const auto found = CalcInertiaBox(2, moments);
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR((*found - size).norm(), 0, 1e-12);
  EXPECT_FALSE(CalcInertiaBox(0, moments));
  // digits of files may leave none
  EXPECT_EQ(CalcInertiaBox(1, Vec3(1, 1, 2.001))->z(), 0);
  request_.inertia_boxes = true;
  EXPECT_GT(Build().lines.size(), 0u);
}

TEST_F(LinkShapesTest, ARobotWithoutShapesIsSeenAndPicked) {
  const TempFolder folder;
  const std::string body =
      "<inertial><origin xyz='0 0 0.5'/><mass value='1'/><inertia ixx='.1' iyy='.1' izz='.1' "
      "ixy='0' ixz='0' iyz='0'/></inertial>";
  WriteText(folder.path("r.urdf"),
            "<robot name='r'><link name='a'>" + body + "</link><link name='b'>" + body +
                "</link><joint name='j' type='continuous'><origin xyz='0 0 1'/><parent "
                "link='a'/><child link='b'/><axis xyz='0 1 0'/></joint></robot>");
  Load(folder.path("r.urdf"));
  EXPECT_GE(Build().solids.size(), 3u);
  const Viewport viewport{800, 600};
  for (const int body_index : {0, 1}) {
    const Pose pose = DrawnPose(snapshot_, request_, 0, body_index);
    const Vec2 pixel = camera_.Project(pose.p, viewport)->head<2>();
    const auto hit = PickBody(snapshot_, request_, camera_, viewport, pixel);
    ASSERT_TRUE(hit.has_value());
    EXPECT_EQ(hit->body, body_index);
  }
}

TEST_F(LinkShapesTest, NothingOfThemIsThereWithoutARobot) {
  Load("conveyor");
  const std::size_t lines = Build().lines.size(), solids = Build().solids.size();
  request_.collision_shapes = request_.joint_axes = request_.link_frames = true;
  request_.inertia_boxes = true;
  request_.visual_meshes = false;
  const DrawList list = Build();
  EXPECT_EQ(list.shapes.size(), 0u);
  EXPECT_EQ(list.lines.size(), lines);
  EXPECT_EQ(list.solids.size(), solids);
}

}  // namespace
}  // namespace slip::render
