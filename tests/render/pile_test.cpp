// Piles in the picture: what is drawn and how finely, chains, walls, new shapes, and its cost.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "render/frame/scene_view.h"
#include "render/gl/offscreen.h"
#include "render/quantities/contact_glyphs.h"
#include "render/quantities/force_chains.h"
#include "render/quantities/outlines.h"
#include "render/quantities/picking.h"
#include "render/scene/meshes.h"
#include "tests/render/fake_pile.h"

namespace slip::render {
namespace {

class PileTest : public testing::Test {
 protected:
  DrawContext Context() const {
    return {snapshot_, request_, camera_, {1280, 720}, ColoursOf(request_.theme)};
  }
  DrawList Build() const {
    DrawList list;
    BuildScene(Context(), &list);
    AppendGlyphs(Context(), &list);
    return list;
  }

  Snapshot snapshot_ = MakePileSnapshot(400);
  ViewRequest request_;
  Camera camera_{PileCamera()};
};

TEST_F(PileTest, EveryBodyIsOneInstanceOfASharedMesh) {
  snapshot_ = MakePileSnapshot(384, 8, true);
  snapshot_.model = std::make_shared<Model>(*snapshot_.model);
  const_cast<Model&>(*snapshot_.model).surfaces.clear();
  const DrawList list = Build();
  EXPECT_EQ(list.solids.size(), 384u);
  ASSERT_EQ(list.solids.own.size(), 2u);  // all convex meshes are one object, all clouds another
  EXPECT_EQ(list.solids.own[0].instances.size(), 64u);
  EXPECT_TRUE(list.ghosts.own.empty());
}

TEST_F(PileTest, FarBodiesAreCoarse) {
  const Shape box{.kind = ShapeKind::kBox}, ball{.kind = ShapeKind::kSphere};
  EXPECT_EQ(ChooseMesh(box, 50), Mesh::kBlock);
  EXPECT_EQ(ChooseMesh(box, 1000), Mesh::kBevelled);
  EXPECT_EQ(ChooseMesh(box, 9000), Mesh::kBox);
  EXPECT_EQ(ChooseMesh(ball, 50), Mesh::kDomeSpeck);
  EXPECT_EQ(ChooseMesh(ball, 50000), Mesh::kDomeHuge);
  EXPECT_EQ(ChooseBall(5), Mesh::kBallTiny);
  EXPECT_EQ(ChooseBall(50), Mesh::kBallNear);
  const Shape drum{.kind = ShapeKind::kCylinder, .radius = 0.05, .length = 0.1};
  EXPECT_EQ(ChooseMesh(drum, 50), Mesh::kDrumFar);
  EXPECT_EQ(ChooseMesh(drum, 5000), Mesh::kDrum);
}

TEST_F(PileTest, TheRimOfADomeIsTheCircleThatIsSeen) {
  // what each ball is drawn with at its largest, and how far its outline is off then
  constexpr struct {
    int sides, rings;
    double radius;  // [px]
  } kDomes[] = {{8, 1, 6}, {10, 2, 14}, {16, 4, 36}, {26, 6, 96}, {44, 10, 275}, {96, 20, 1000}};
  for (const auto& dome : kDomes) {
    const MeshData mesh = MakeDome(dome.sides, dome.rings);
    ASSERT_EQ(mesh.vertices.size(), 6u * static_cast<std::size_t>(1 + dome.sides * dome.rings));
    double reach = 0;
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < mesh.vertices.size(); i += 6) {
      const float* v = &mesh.vertices[i];
      const double angle = M_PI / 2 * static_cast<double>(v[3]);
      points.push_back(static_cast<double>(v[0]) *
                       Vec3(std::cos(angle), std::sin(angle) * static_cast<double>(v[4]),
                            std::sin(angle) * static_cast<double>(v[5])));
      reach = std::max(reach, points.back().tail<2>().norm());
    }
    // corners out, middles of the edges in
    EXPECT_LT(dome.radius * (reach - 1), 0.36) << dome.sides;
    EXPECT_LT(dome.radius * (1 - reach * std::cos(M_PI / dome.sides)), 0.36) << dome.sides;
    // every triangle is seen from the front, and together they cover the disc once
    double area = 0;
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
      const Vec3 &p = points[mesh.indices[i]], &q = points[mesh.indices[i + 1]],
                 &r = points[mesh.indices[i + 2]];
      const double twice = (q - p).cross(r - p).x();
      EXPECT_GT(twice, 0);
      area += 0.5 * twice;
    }
    const double rim = 0.5 * dome.sides * reach * reach * std::sin(2 * M_PI / dome.sides);
    EXPECT_NEAR(area, rim, 1e-5) << dome.sides;
  }
}

TEST_F(PileTest, WhatIsOutOfSightIsNotDrawn) {
  const Frustum frustum(camera_, {1280, 720});
  EXPECT_TRUE(frustum.Sees(camera_.spec().target, 0.1));
  EXPECT_FALSE(frustum.Sees(camera_.eye_W() - 2 * camera_.forward_W(), 0.1));
  EXPECT_FALSE(frustum.Sees(camera_.spec().target + 5 * camera_.right_W(), 0.1));
  EXPECT_TRUE(frustum.Sees(camera_.spec().target + 5 * camera_.right_W(), 5));
  // close up, most of the pile is outside; without shadows nothing of it is kept
  CameraSpec close = PileCamera(0.4);
  close.target.x() = 0.3;
  camera_.Set(close);
  request_.quality = Quality::kLow;
  const DrawList low = Build();
  EXPECT_LT(low.solids.size(), 300u);
  EXPECT_EQ(low.casters.size(), 0u);
  request_.quality = Quality::kHigh;
  EXPECT_GT(Build().casters.size(), 100u);
}

TEST_F(PileTest, ManyGhostsAreDrawnNearestFirst) {
  snapshot_ = MakePileSnapshot(100, 5, false, 3);
  const DrawList list = Build();
  EXPECT_EQ(list.ghosts.size(), 200u);
  EXPECT_TRUE(list.ghosts_in_front);
  const Vec3 forward = camera_.forward_W();
  double last = -1e9;
  for (const SolidInstance& ghost : list.ghosts.Of(Mesh::kBevelled)) {
    const double depth = forward.dot(Vec3(static_cast<double>(ghost.rows[0][3]),
                                          static_cast<double>(ghost.rows[1][3]),
                                          static_cast<double>(ghost.rows[2][3])));
    EXPECT_GE(depth, last - 1e-6);
    last = depth;
  }
}

TEST_F(PileTest, OutlinesOfManyBodiesAreThoseOfTheChosen) {
  EXPECT_TRUE(BuildOutlines(Context()).empty());
  request_.selected_body = 390;
  request_.hover_body = 391;
  const auto outlines = BuildOutlines(Context());
  ASSERT_EQ(outlines.size(), 2u);
  EXPECT_TRUE(outlines[0].selected);
  EXPECT_TRUE(outlines[1].hovered);
}

TEST_F(PileTest, OneChainPerPair) {
  const ChannelFrame& frame = snapshot_.channels[0];
  const auto links = CollectLinks(*snapshot_.model, frame, 0);
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < frame.contacts.size(); ++i) {
    pairs += i == 0 || frame.contacts[i].body != frame.contacts[i - 1].body ||
             frame.contacts[i].body_a != frame.contacts[i - 1].body_a;
  }
  EXPECT_EQ(links.size(), pairs);
  EXPECT_LT(links.size(), frame.contacts.size());
  EXPECT_TRUE(
      std::is_sorted(links.begin(), links.end(),
                     [](const ForceLink& a, const ForceLink& b) { return a.force < b.force; }));
  // four corners of a box carry its load together
  double sum = 0;
  for (const ContactFrame& c : frame.contacts) {
    if (c.body == 64 && c.body_a == 0) sum += c.fn;
  }
  const auto link = std::find_if(links.begin(), links.end(),
                                 [](const ForceLink& l) { return l.body == 64 && l.body_a == 0; });
  ASSERT_NE(link, links.end());
  EXPECT_NEAR(link->force_W.z(), sum, 1e-9);
}

TEST_F(PileTest, ChainsJoinTheCentresThroughTheContact) {
  snapshot_ = MakePileSnapshot(30, 5);
  snapshot_.channels[0].contacts.resize(1);
  ContactFrame& contact = snapshot_.channels[0].contacts[0];
  contact.body = 3;
  contact.body_a = 4;
  contact.surface = -1;
  contact.fn = 20;
  contact.p_W = Vec3(0.1, 0.2, 0.3);
  request_.contact_points = false;
  DrawList list;
  AppendChains(Context(), 0, &list);
  ASSERT_EQ(list.strokes.size(), 2u);
  const Vec3 target = camera_.spec().target;
  for (int i = 0; i < 3; ++i) {
    const auto at = [&](const Vec3& p) { return static_cast<float>(p[i] - target[i]); };
    EXPECT_FLOAT_EQ(list.strokes[0].from[i], at(contact.p_W));
    EXPECT_FLOAT_EQ(list.strokes[0].to[i], at(snapshot_.channels[0].bodies[3].X_WB.p));
    EXPECT_FLOAT_EQ(list.strokes[1].to[i], at(snapshot_.channels[0].bodies[4].X_WB.p));
  }
  // a surface has no centre: one bar, and never an index into the surfaces for a body
  contact.body_a = -1;
  contact.surface = 0;
  list.clear();
  AppendChains(Context(), 0, &list);
  EXPECT_EQ(list.strokes.size(), 1u);
  // far weaker than the weight: nothing
  contact.fn = contact.ft = 1e-3;
  contact.ft_W.setZero();
  list.clear();
  AppendChains(Context(), 0, &list);
  EXPECT_TRUE(list.strokes.empty());
}

TEST_F(PileTest, ThicknessFollowsTheLogarithm) {
  const ForceRange range{0.1, 100};
  EXPECT_EQ(ChainStrength(0.05, range), 0);
  EXPECT_NEAR(ChainStrength(10, range), 2.0 / 3, 1e-12);
  EXPECT_EQ(ChainStrength(1e6, range), 1);
  EXPECT_GT(ChainHalfWidth(1), 4 * ChainHalfWidth(0.3));
  // one power of ten below the mean weight, whatever the scene
  EXPECT_NEAR(ChainRange(snapshot_, request_).least, 0.1, 1e-12);
  // deeper piles carry more: the same bodies, many of them
  for (const int count : {64, 1728}) {
    snapshot_ = MakePileSnapshot(count, 12);
    for (Body& body : const_cast<Model&>(*snapshot_.model).bodies) body.mass = 1;
    EXPECT_NEAR(ChainRange(snapshot_, request_).least, count < 100 ? 0.1 : 1, 1e-9) << count;
  }
}

TEST_F(PileTest, OfTooManyLinksTheStrongestStay) {
  snapshot_ = MakePileSnapshot(4000, 16);
  const auto links = CollectLinks(*snapshot_.model, snapshot_.channels[0], 0);
  ASSERT_EQ(links.size(), kMostLinks);
  const auto weaker = [](const ForceLink& a, const ForceLink& b) { return a.force < b.force; };
  EXPECT_TRUE(std::is_sorted(links.begin(), links.end(), weaker));
  const auto strong =
      CollectLinks(*snapshot_.model, snapshot_.channels[0], links[links.size() - 1000].force);
  ASSERT_EQ(strong.size(), 1000u);
  EXPECT_EQ(strong.front().force, links[links.size() - 1000].force);
}

TEST_F(PileTest, GapsOfAPileAreNotPicked) {
  for (ContactFrame& contact : snapshot_.channels[0].contacts) contact.mode = ContactMode::kOpen;
  const Viewport viewport{1280, 720};
  EXPECT_FALSE(PickContact(snapshot_, request_, camera_, viewport, {640, 360}, 300));
  snapshot_.channels[0].contacts[500].mode = ContactMode::kStick;
  const auto hit = PickContact(snapshot_, request_, camera_, viewport, {640, 360}, 900);
  ASSERT_TRUE(hit.has_value());
  EXPECT_EQ(hit->index, 500);
}

TEST_F(PileTest, FewLabelsAndTheSelectedContactsOwn) {
  DrawList list;
  EXPECT_EQ(AppendGlyphs(Context(), &list).size(), kChainLabels);
  EXPECT_TRUE(list.arrows.empty());
  request_.selected_key = snapshot_.channels[0].contacts[700].key;
  list.clear();
  const auto labels = AppendGlyphs(Context(), &list);
  EXPECT_EQ(labels.size(), 2u);
  EXPECT_EQ(list.arrows.size(), 2u);
  EXPECT_EQ(NewtonsPer10cm(snapshot_, request_), 0);  // logarithmic by itself
  request_.force_style = ForceStyle::kArrows;
  list.clear();
  AppendGlyphs(Context(), &list);
  EXPECT_GT(list.arrows.size(), 400u);
}

TEST_F(PileTest, WallsDoNotHideThePile) {
  auto model = std::make_shared<Model>(*snapshot_.model);
  snapshot_.model = model;
  // two walls face the eye, two turn their back on it; widths end at the neighbours, heights go on
  // beside what leans on them
  const DrawList list = Build();
  EXPECT_EQ(list.panes.size(), 2u);
  double top = 0;
  for (const BodyFrame& body : snapshot_.channels[0].bodies) top = std::max(top, body.X_WB.p.z());
  for (const SolidInstance& pane : list.panes) {
    EXPECT_NEAR(static_cast<double>(pane.half[0]), 0.37, 1e-6);
    EXPECT_GE(static_cast<double>(2 * pane.half[1]), top);
  }
  EXPECT_EQ(list.ground.size(), 1u);
  // a wall that nothing bounds and nobody measured is not drawn; a given size is
  model->surfaces.resize(2);
  EXPECT_TRUE(Build().panes.empty());
  model->surfaces[1].display_given = true;
  model->surfaces[1].display_size = Vec2(0.7, 0.5);
  model->surfaces[1].normal = -camera_.forward_W();
  model->surfaces[1].normal.z() = 0;
  EXPECT_EQ(Build().panes.size(), 1u);
}

TEST_F(PileTest, AFixedBoxBetweenEyeAndPileIsGlass) {
  Body wall;
  wall.SetJoint(JointKind::kFixed);
  wall.shape.kind = ShapeKind::kBox;
  wall.shape.size = Vec3(0.02, 1, 0.5);
  Pose pose;
  const Vec3 eye = camera_.eye_W();
  pose.p = 0.5 * (Vec3(eye.x(), eye.y(), 0) + Vec3(camera_.spec().target.x(), 0, 0));
  EXPECT_TRUE(IsGlassWall(camera_, wall, pose));
  pose.p *= -1;  // behind the pile
  EXPECT_FALSE(IsGlassWall(camera_, wall, pose));
  wall.SetJoint(JointKind::kFree);
  pose.p *= -1;
  EXPECT_FALSE(IsGlassWall(camera_, wall, pose));
}

TEST_F(PileTest, CostOfFourHundredBodies) {
  auto context = OffscreenContext::Create();
  if (!context) GTEST_SKIP() << context.error().Text();
  auto view = SceneView::Create();
  ASSERT_TRUE(view.ok());
  request_.quality = Quality::kLow;
  request_.msaa = 1;
  request_.resolution = 0.75;
  double best = 1e9;
  const ViewPicture* picture = nullptr;
  for (int i = 0; i < 10; ++i) {
    picture = &(*view)->Draw(snapshot_, camera_, request_, 1280, 720);
    best = std::min(best, picture->cost.build_ms);
  }
  RecordProperty("build_us", static_cast<int>(1e3 * best));
  EXPECT_LT(best, 4);  // 0.5 ms on an idle machine; tests share theirs
  EXPECT_LE(picture->cost.draws, 8);
  EXPECT_EQ(picture->width, 960);
  EXPECT_TRUE(picture->chains);
}

double Volume(const MeshData& mesh, const Vec3& half, double radius) {
  double sum = 0;
  const auto at = [&](std::size_t i) {
    const float* v = &mesh.vertices[6 * mesh.indices[i]];
    Vec3 p;
    for (int k = 0; k < 3; ++k) {
      p[k] =
          static_cast<double>(v[k]) * (half[k] - radius) + radius * static_cast<double>(v[k + 3]);
    }
    return p;
  };
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    sum += at(i).dot(at(i + 1).cross(at(i + 2))) / 6;
  }
  return sum;
}

// positive and right: closed, wound outwards
TEST(MeshesTest, VolumesAreRight) {
  EXPECT_NEAR(Volume(MakeBlock(), Vec3(1, 2, 3), 0), 48, 1e-4);
  EXPECT_NEAR(Volume(MakeCylinder(64, 3), Vec3(2, 1, 1), 0.01), 4 * M_PI, 0.05);
  EXPECT_NEAR(Volume(MakePill(40, 12), Vec3::Ones(), 1), 4.0 / 3 * M_PI, 0.05);
  EXPECT_NEAR(Volume(MakePill(40, 12), Vec3(2, 1, 1), 1), 4.0 / 3 * M_PI + 2 * M_PI, 0.1);
  Shape convex{.kind = ShapeKind::kConvex, .convex = FakeConvex(Vec3(1, 2, 3))};
  EXPECT_NEAR(Volume(MakeOwnMesh(convex), Vec3::Ones(), 0), 48, 1e-4);
}

TEST(PickingTest, NewShapes) {
  const Ray along{Vec3(-2, 0.3, 0), Vec3::UnitX()}, across{Vec3(0.1, -2, 0), Vec3::UnitY()};
  const Shape drum{.kind = ShapeKind::kCylinder, .radius = 0.5, .length = 1};
  EXPECT_NEAR(*HitShape(along, drum), 1.5, 1e-12);
  EXPECT_NEAR(*HitShape(across, drum), 1.5, 1e-12);
  EXPECT_FALSE(HitShape({Vec3(-2, 0.6, 0), Vec3::UnitX()}, drum).has_value());
  EXPECT_FALSE(HitShape({Vec3(0.6, -2, 0), Vec3::UnitY()}, drum).has_value());
  EXPECT_FALSE(HitShape({Vec3(2, 0.3, 0), Vec3::UnitX()}, drum).has_value());  // behind
  const Shape convex{.kind = ShapeKind::kConvex, .convex = FakeConvex(Vec3(0.2, 0.4, 0.4))};
  EXPECT_NEAR(*HitShape(along, convex), 1.8, 1e-12);
  EXPECT_FALSE(HitShape({Vec3(-2, 0.5, 0), Vec3::UnitX()}, convex).has_value());
  auto triangles = std::make_shared<TriangleMesh>();
  triangles->vertices = {Vec3(0, -1, -1), Vec3(0, 1, -1), Vec3(0, 0, 1)};
  triangles->triangles = {{0, 1, 2}};
  const Shape sheet{.kind = ShapeKind::kTriangleMesh, .triangles = triangles};
  EXPECT_NEAR(*HitShape(along, sheet), 2, 1e-12);
  EXPECT_FALSE(HitShape({Vec3(-2, 1, 0.9), Vec3::UnitX()}, sheet).has_value());
  auto cloud = std::make_shared<PointCloud>();
  cloud->points = {Vec3(0, 0.3, 0)};
  cloud->radius = 0.1;
  const Shape points{.kind = ShapeKind::kPointCloud, .cloud = cloud};
  EXPECT_NEAR(*HitShape(along, points), 1.85, 1e-12);
  // shapes whose mesh is missing are not hit, and do not crash
  EXPECT_FALSE(HitShape(along, Shape{.kind = ShapeKind::kConvex}).has_value());
}

TEST_F(PileTest, PickingFindsTheBodyAndItsOwnContacts) {
  const Pose pose = DrawnPose(snapshot_, request_, 0, 393);
  const auto pixel = camera_.Project(pose.p, {1280, 720});
  ASSERT_TRUE(pixel.has_value());
  const auto hit = PickBody(snapshot_, request_, camera_, {1280, 720}, pixel->head<2>());
  ASSERT_TRUE(hit.has_value());
  // on each point of its contacts that contact is picked, and in the middle of the body none
  const PilePoints points(snapshot_, request_, 0);
  int found = 0;
  const auto pick = [&](const Vec2& at) {
    return PickContact(snapshot_, request_, camera_, {1280, 720}, at, 8, hit->body);
  };
  for (const ContactFrame& c : snapshot_.channels[0].contacts) {
    const bool own = c.body == hit->body || c.body_a == hit->body;
    const auto at = camera_.Project(c.p_W, {1280, 720});
    ASSERT_TRUE(at.has_value());
    const auto contact = pick(at->head<2>());
    if (!own || !points.Shows(c)) continue;
    ASSERT_TRUE(contact.has_value());
    EXPECT_EQ(contact->key, c.key);
    ++found;
  }
  EXPECT_GT(found, 2);
  const Vec3 centre = DrawnPose(snapshot_, request_, 0, hit->body).p;
  EXPECT_FALSE(pick(camera_.Project(centre, {1280, 720})->head<2>()));
  // far away the same pixels are nearly all the body's
  camera_.Set(PileCamera(30));
  const auto far = camera_.Project(centre, {1280, 720});
  const double third = 0.08 / 3 / camera_.MetresPerPixel(camera_.Depth(centre), {1280, 720});
  ASSERT_LT(third, 2);
  for (int x = -3; x <= 3; ++x) {
    const auto contact = pick(far->head<2>() + Vec2(x, 0));
    EXPECT_LT(contact ? contact->pixels : 0.0, third) << x;
  }
}

TEST_F(PileTest, OnlyPointsThatAreDrawnArePicked) {
  const ContactFrame weak = snapshot_.channels[0].contacts[500];
  const auto at = camera_.Project(weak.p_W, {1280, 720});
  ASSERT_TRUE(at.has_value());
  const auto pick = [&] {
    const auto hit = PickContact(snapshot_, request_, camera_, {1280, 720}, at->head<2>(), 1);
    return hit ? hit->key : -1;
  };
  EXPECT_EQ(pick(), weak.key);
  snapshot_.channels[0].contacts[500].fn = 0.03;
  EXPECT_NE(pick(), weak.key);
  request_.selected_body = weak.body;  // the weak ones of a selected body are drawn
  EXPECT_EQ(pick(), weak.key);
  request_.contact_points = false;
  EXPECT_EQ(pick(), -1);
  request_.force_style = ForceStyle::kArrows;
  EXPECT_EQ(pick(), weak.key);
}

}  // namespace
}  // namespace slip::render
