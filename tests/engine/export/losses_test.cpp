// What a format cannot say is in its list.
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include "tests/engine/export/exported_scenes.h"
#include "tests/support/temp_folder.h"

namespace slip {
namespace {

// Something of everything that some format has no word for.
constexpr const char* kTrouble = R"(
title = "Trouble"
time_step = "5 ms"
[material.steel]
stiffness = 1e8
dissipation = 5
relaxation_time = "1 ms"
friction = 0.5
torsional_friction = "5 mm"
[material.wood]
stiffness = 1e3
dissipation = 0.2
relaxation_time = "1 ms"
friction = 0.3
[surface.belt]
belt_speed = 0.1
[body.plate]
shape = "box"
size = [0.1, 0.1, 0.1]
mass = 1
material = "steel"
motion = "xz"
position = [0, 0, 0.05]
velocity = [0.1, 0, 0]
contact_points = [[0, 0, -0.05]]
start_offset = "glide"
[body.soft]
shape = "sphere"
radius = 0.05
mass = 0.2
material = "wood"
position = [0.5, 0, 0.05]
[body.pin]
shape = "capsule"
radius = 0.02
length = 0.1
mass = 0.5
material = "wood"
motion = "upright"
position = [1, 0, 0.5]
[body.cloud]
shape = "cloud"
file = "bunny.xyz"
radius = 0
center_of_mass = [0, 0, 0.055]
mass = 0.4
inertia = [4.84e-4, 3.4e-4, 3.4e-4]
material = "wood"
position = [2, 0, 0.5]
[body.stone]
shape = "mesh"
file = "MESH"
material = "wood"
motion = "fixed"
position = [-1, 0, 0]
[robot.hand]
file = "gripper.urdf"
base = "fixed"
weightless = true
material = "wood"
position = [0, 2, 0.5]
joints = { w = 0.02 }
joint_stiffness = 1e7
joint_damping = 10
target_paths = { x = [[0, 0], [1, 0.1]] }
[push.gust]
body = "soft"
force = [[0, [0, 0, 0]], [1, [1, 0, 0]]]
[[channel]]
model = "similar"
)";

// An open surface.
constexpr const char* kMesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n";

class Trouble : public testing::Test {
 protected:
  Trouble() {
    WriteText(folder_.path("open.obj"), kMesh);
    std::string text = kTrouble;
    text.replace(text.find("MESH"), 4, folder_.path("open.obj"));
    scene_ = std::make_unique<test::ExportedScene>(test::ExportedText(text));
    auto model = std::make_shared<Model>(*scene_->model);
    // what no scene has today
    for (Body& body : model->bodies) {
      if (body.nv != 1) continue;
      body.joint.armature = 0.01;
      body.joint.limit_stiffness = 100;
      body.joint.lower = -1;
      body.joint.upper = 1;
    }
    model->Finish();
    scene_->model = model;
    for (RobotDrive& drive : scene_->config.robots)
      drive.controller = static_cast<int>(ControllerId::kStand);
  }
  ExportInput Input() const {
    ExportInput input = scene_->Input();
    input.load = ExportLoad{0, -1, 0, 10, 1};
    return input;
  }

  TempFolder folder_;
  std::unique_ptr<test::ExportedScene> scene_;
};

using Kinds = std::set<std::string>;

// of the scene, whatever the format
const Kinds kOwn = {"belt", "contact-law", "contact-points", "point-cloud",
                    "mesh", "motor",       "target-path",    "controller",
                    "push", "weightless",  "start-offset"};

Kinds With(Kinds more) {
  more.insert(kOwn.begin(), kOwn.end());
  return more;
}

TEST_F(Trouble, IsListedForMjcf) {
  EXPECT_EQ(test::Kinds(WriteMjcf(Input())),
            With({"stiffness", "damping", "creep", "combining", "limits", "follower"}));
}

TEST_F(Trouble, IsListedForUrdf) {
  EXPECT_EQ(test::Kinds(WriteUrdf(Input())),
            With({"surface", "motion", "capsule", "limits", "armature", "self-collision", "start",
                  "world"}));
}

TEST_F(Trouble, IsListedForSdf) {
  EXPECT_EQ(test::Kinds(WriteSdf(Input())),
            With({"motion", "damping", "creep", "combining", "armature", "start", "follower"}));
}

TEST_F(Trouble, StandsAtTheHeadOfEveryFile) {
  for (const ExportFormat& format : ExportFormats()) {
    SCOPED_TRACE(format.id);
    const Export exported = format.write(Input());
    tinyxml2::XMLDocument document;
    ASSERT_EQ(document.Parse(exported.text.c_str()), tinyxml2::XML_SUCCESS);
    const tinyxml2::XMLNode* head = document.RootElement()->FirstChild();
    ASSERT_NE(head->ToComment(), nullptr);
    for (const ExportLoss& loss : exported.losses)
      EXPECT_NE(std::string(head->Value()).find(loss.Line()), std::string::npos) << loss.Line();
    EXPECT_EQ(exported.meshes.size(), 1u);
  }
}

TEST(Losses, ALineNamesAFewAndCountsTheRest) {
  ExportLoss loss{LossId::kBelt, "no belts", {}};
  EXPECT_EQ(loss.Line(), "no belts");
  loss.names = {"a", "b"};
  EXPECT_EQ(loss.Line(), "no belts: a, b");
  loss.names = {"a", "b", "c", "d", "e", "f"};
  EXPECT_EQ(loss.Line(), "no belts: a, b, c, d, e, f");
  loss.names.emplace_back("g");
  EXPECT_EQ(loss.Line(), "no belts: a, b, c, d, e and 2 more");
}

// A scene that a format says in full.
TEST(Losses, AreNoneWhereThereIsNothingToLose) {
  const test::ExportedScene scene = test::ExportedText(R"(
title = "Ball in flight"
[material.rubber]
stiffness = 1e5
[body.ball]
shape = "sphere"
radius = 0.05
mass = 1
position = [0, 0, 1]
[[channel]]
model = "sap"
)");
  const Kinds mjcf = test::Kinds(WriteMjcf(scene.Input()));
  EXPECT_EQ(mjcf, (Kinds{"contact-law", "creep"}));
}

TEST(SdfExport, EverySceneHasItsBodiesAndMasses) {
  int links = 0;
  for (const std::string& name : ListScenes()) {
    SCOPED_TRACE(name);
    const test::ExportedScene scene = test::ExportedFile(name);
    const Export exported = WriteSdf(scene.Input());
    tinyxml2::XMLDocument document;
    ASSERT_EQ(document.Parse(exported.text.c_str()), tinyxml2::XML_SUCCESS);
    std::map<std::string, double> masses;
    const tinyxml2::XMLElement* world = document.RootElement()->FirstChildElement("world");
    ASSERT_NE(world, nullptr);
    for (auto* model = world->FirstChildElement("model"); model != nullptr;
         model = model->NextSiblingElement("model")) {
      for (auto* link = model->FirstChildElement("link"); link != nullptr;
           link = link->NextSiblingElement("link")) {
        ++links;
        const auto* inertial = link->FirstChildElement("inertial");
        if (inertial != nullptr)
          masses[link->Attribute("name")] = inertial->FirstChildElement("mass")->DoubleText();
      }
    }
    for (const Body& body : scene.model->bodies)
      if (body.shape_of_link < 0 && body.mass > 0)
        EXPECT_EQ(masses[body.name.substr(body.name.find('/') + 1)], body.mass) << body.name;
  }
  EXPECT_GT(links, 200);
}

}  // namespace
}  // namespace slip
