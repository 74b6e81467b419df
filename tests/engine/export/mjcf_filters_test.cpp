// Models of MuJoCo exported and read again: whoever touches there touches here, joints of one body
// stay in one body, and every file is one that its readers take.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>
#include <tinyxml2.h>

#include "engine/export/touch.h"
#include "engine/urdf/robot_description.h"
#include "tests/engine/export/exported_scenes.h"
#include "tests/support/temp_folder.h"

namespace slip {
namespace {

class MjcfFilters : public testing::Test {
 protected:
  test::ExportedScene Read(const std::string& text, const std::string& name = "m.xml") {
    WriteText(folder_.path(name), text);
    return test::ExportedFile(folder_.path(name));
  }
  test::ExportedScene Again(const test::ExportedScene& scene) {
    const Export exported = WriteMjcf(scene.Input());
    for (const ExportFile& mesh : exported.meshes) WriteText(folder_.path(mesh.name), mesh.text);
    WriteText(folder_.path("again.xml"), exported.text);
    LoadInMuJoCo();
    return test::ExportedFile(folder_.path("again.xml"));
  }
  void LoadInMuJoCo() {
    char error[1000] = "";
    mjModel* m = mj_loadXML(folder_.path("again.xml").c_str(), nullptr, error, sizeof error);
    EXPECT_NE(m, nullptr) << error << ReadText(folder_.path("again.xml"));
    mj_deleteModel(m);
  }
  TempFolder folder_;
};

/// Last part of a name: what is left of "m/b" when it is read again as "again/m/b", or as "b:1" of
/// another shape of what stands.
std::string Own(const std::string& name) {
  const std::string last = name.substr(name.rfind('/') + 1);
  return last.substr(0, last.find(':'));
}

/// Who touches whom, by the names of links and surfaces.
std::set<std::string> Touching(const Model& model) {
  std::set<std::string> pairs;
  const int count = static_cast<int>(model.bodies.size());
  const auto name = [&](int b) { return Own(model.body(model.body(b).Owner(b)).name); };
  const auto touches = [](const Body& body) { return body.collides || body.probes; };
  for (int b = 0; b < count; ++b) {
    const Body& B = model.body(b);
    // points of feet touch surfaces alone
    for (std::size_t s = 0; s < model.surfaces.size() && B.Moves(); ++s)
      if ((B.collides || !B.points_B.empty()) && model.CanTouch(static_cast<std::size_t>(b), s))
        pairs.insert(name(b) + " " + model.surfaces[s].name);
    for (int a = 0; a < b && touches(B); ++a) {
      const Body& A = model.body(a);
      if (touches(A) && (A.Moves() || B.Moves()) && !model.Linked(a, b))
        pairs.insert(std::min(name(a), name(b)) + " " + std::max(name(a), name(b)));
    }
  }
  return pairs;
}

std::string World(const std::string& inside, const std::string& more = {}) {
  return "<mujoco><worldbody>" + inside + "</worldbody>" + more + "</mujoco>";
}
std::string Ball(const std::string& name, double x, const std::string& bits) {
  return fmt::format(
      R"(<body name="{}" pos="{} 0 .6"><freejoint/><geom size=".1" mass="1" {}/></body>)", name, x,
      bits);
}
constexpr const char* kSecondBit = R"(contype="2" conaffinity="2")";
constexpr const char* kPlane = R"(<geom name="f" type="plane" size="2 2 .1" {}/>)";

std::string Plane(const std::string& bits = {}) { return fmt::format(fmt::runtime(kPlane), bits); }
std::string Table(const std::string& bits) {
  return R"(<geom name="tab" type="box" size=".5 .5 .1" )" + bits + "/>";
}

std::vector<std::string> FilteredModels() {
  return {
      World(Table(kSecondBit) + Ball("b", 0, kSecondBit)),
      World(Table(R"(contype="0")") +
            R"(<body name="a" pos="0 0 .5"><joint type="slide" axis="0 0 1"/>)"
            R"(<geom type="box" size=".1 .1 .1" mass="1" contype="0"/></body>)"),
      World(Plane() + Ball("b", 0, "") + Ball("c", 0, kSecondBit)),
      World(Plane() + Ball("b", 0, "") + Ball("c", 0, ""),
            R"(<contact><exclude body1="b" body2="c"/></contact>)"),
      World(Plane() + Table(kSecondBit) + Ball("a", 0, "") + Ball("b", .3, kSecondBit) +
            Ball("c", -.3, R"(contype="4" conaffinity="0")") +
            Ball("d", 1, R"(contype="0" conaffinity="2")")),
      World(Plane(R"(contype="2" conaffinity="1")") + Ball("a", 0, kSecondBit) + Ball("b", 1, "")),
      // two that a pair brings together, though a joint links them
      World(Plane() +
                R"(<body name="a" pos="0 0 1"><freejoint/><geom name="A" size=".1" mass="1"/>)"
                R"(<body name="b" pos=".15 0 0"><joint axis="0 1 0"/>)"
                R"(<geom name="B" size=".1" mass="1"/></body></body>)",
            R"(<contact><pair geom1="A" geom2="B"/></contact>)"),
      // one shape of two touches
      World(Plane() +
            R"(<body name="a" pos="0 0 1"><freejoint/><geom size=".1" mass="1"/>)"
            R"(<geom size=".2" mass="1" pos=".5 0 0" contype="2" conaffinity="2"/></body>)" +
            Ball("b", 2, "")),
  };
}

TEST_F(MjcfFilters, TheSamePairsTouchAfterReadingAgain) {
  for (const std::string& text : FilteredModels()) {
    SCOPED_TRACE(text);
    const test::ExportedScene scene = Read(text);
    const test::ExportedScene again = Again(scene);
    EXPECT_EQ(Touching(*again.model), Touching(*scene.model));
  }
}

TEST_F(MjcfFilters, OfEveryOwnSceneTheSamePairsTouchAfterReadingAgain) {
  std::size_t pairs = 0;
  for (const std::string& name : ListScenes()) {
    SCOPED_TRACE(name);
    const test::ExportedScene scene = test::ExportedFile(name);
    const std::set<std::string> own = Touching(*scene.model);
    const test::ExportedScene again = Again(scene);
    EXPECT_EQ(Touching(*again.model), own);
    pairs += own.size();
  }
  EXPECT_GT(pairs, 1000u);
}

TEST_F(MjcfFilters, ABallRestsOnATableOfItsOwnBits) {
  const test::ExportedScene again =
      Again(Read(World(Table(kSecondBit) + Ball("b", 0, kSecondBit))));
  Simulation simulation(again.model, again.config);
  for (int step = 0; step < 1000; ++step) ASSERT_EQ(simulation.Step(), StepStatus::kConverged);
  double lowest = 1;
  for (const Body& body : again.model->bodies)
    if (Own(body.name) == "b")
      lowest = simulation.state()
                   .X_WB[static_cast<std::size_t>(&body - again.model->bodies.data())]
                   .p.z();
  EXPECT_NEAR(lowest, 0.2, 2e-3);
}

// Points in place of a shape, beside shapes with bits of their own.
TEST_F(MjcfFilters, RolesAndBitsComeTogether) {
  const test::ExportedScene scene =
      Read(World(Plane() + Ball("b", 0, kSecondBit) + Ball("c", 1, "")));
  Model model = *scene.model;
  for (Body& body : model.bodies)
    if (body.collides && Own(body.name).starts_with("b")) body.points_B = {Vec3(0, 0, -0.1)};
  model.Finish();
  const LinkFrames frames(model, scene.start);
  Losses losses;
  std::vector<std::vector<ExportGeom>> geoms(model.bodies.size());
  for (std::size_t b = 0; b < geoms.size(); ++b)
    if (model.bodies[b].shape_of_link < 0)
      geoms[b] = GeomsOf(model, frames, static_cast<int>(b), &losses);
  const TouchTable table(model, geoms);
  EXPECT_TRUE(table.exact());
  int touching = 0, apart = 0;
  std::vector<ExportGeom> all;
  for (const auto& of_link : geoms)
    for (const ExportGeom& geom : of_link)
      if (geom.role != GeomRole::kVisual) all.push_back(geom);
  for (const ExportGeom& one : all) {
    const Meetings::Mask bits = table.Of(one.role, one.body);
    const bool surface =
        TouchesSurfaces(one.role) && model.CanTouch(static_cast<std::size_t>(one.body), 0);
    EXPECT_EQ(bits.Meets(table.OfSurface(0)), surface);
    (surface ? touching : apart) += 1;
    for (const ExportGeom& other : all) {
      const auto mask = [&](const ExportGeom& geom) {
        return Meetings::MaskOf(model.meetings.bodies, static_cast<std::size_t>(geom.body));
      };
      EXPECT_EQ(bits.Meets(table.Of(other.role, other.body)),
                RolesTouch(one.role, other.role) && mask(one).Meets(mask(other)));
    }
  }
  EXPECT_GT(touching, 0);
  EXPECT_GT(apart, 0);
}

// SDF has one mask for both sides; the list says what URDF cannot.
TEST_F(MjcfFilters, SdfHasBitsAndUrdfListsWhoDoesNotTouch) {
  const test::ExportedScene scene =
      Read(World(Plane() + Ball("b", 0, "") + Ball("c", 0, kSecondBit)));
  EXPECT_TRUE(test::Kinds(WriteUrdf(scene.Input())).contains("filter"));
  const Export sdf = WriteSdf(scene.Input());
  EXPECT_FALSE(test::Kinds(sdf).contains("filter"));
  EXPECT_NE(sdf.text.find("<collide_bitmask>"), std::string::npos);
  Losses losses;
  const std::vector<uint32_t> bits = CalcCollideBits(*scene.model, &losses);
  const Model& model = *scene.model;
  const int count = static_cast<int>(model.bodies.size());
  ASSERT_EQ(bits.size(), model.bodies.size() + 1);
  int pairs = 0;
  for (int b = 0; b < count; ++b) {
    if (!model.body(b).collides || !model.body(b).Moves()) continue;
    EXPECT_EQ((bits[static_cast<std::size_t>(b)] & bits.back()) != 0,
              model.CanTouch(static_cast<std::size_t>(b), 0));
    for (int a = 0; a < b; ++a)
      if (model.body(a).collides && !KeptApartByJoints(model, a, b)) {
        ++pairs;
        EXPECT_EQ((bits[static_cast<std::size_t>(a)] & bits[static_cast<std::size_t>(b)]) != 0,
                  !model.Linked(a, b));
      }
  }
  EXPECT_GT(pairs, 0);
}

TEST(CommonBits, AreNoneWhereTheyDoNotSuffice) {
  // each touches only the next one: no bit serves two pairs
  const auto next = [](int i, int j) { return std::abs(i - j) == 1; };
  const auto other = [](int i, int j) { return std::abs(i - j) > 1; };
  EXPECT_FALSE(CalcCommonBits(5, 3, next, other));
  const auto bits = CalcCommonBits(5, 4, next, other);
  ASSERT_TRUE(bits);
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < i; ++j)
      EXPECT_EQ(((*bits)[static_cast<std::size_t>(i)] & (*bits)[static_cast<std::size_t>(j)]) != 0,
                next(i, j));
}

// A slide, and then a hinge off the centre, that does not turn about an axis of the body.
constexpr const char* kSeveral = R"(<mujoco><worldbody><body name="a" pos="0 0 .5" euler="0 20 0">
<joint name="x" type="slide" axis="1 0 0"/><joint name="h" axis="0 1 1" pos=".1 0 .05"/>
<joint name="i" axis="1 0 0"/><geom size=".1" mass="1" pos=".3 0.1 0"/>
<body name="b" pos=".5 0 0"><joint name="j" axis="0 1 0"/><geom size=".1" mass="1" pos=".2 0 0"/>
</body></body></worldbody></mujoco>)";

TEST_F(MjcfFilters, JointsOfOneBodyStayInOneBodyAndMoveAlike) {
  const test::ExportedScene scene = Read(kSeveral);
  const test::ExportedScene again = Again(scene);
  ASSERT_EQ(again.model->nv, scene.model->nv);
  Simulation one(scene.model, scene.config), other(again.model, again.config);
  for (int step = 0; step < 500; ++step) {
    ASSERT_EQ(one.Step(), StepStatus::kConverged);
    ASSERT_EQ(other.Step(), StepStatus::kConverged);
  }
  EXPECT_GT((one.state().q - scene.start.q).cwiseAbs().maxCoeff(), 0.1);
  EXPECT_LT((one.state().q - other.state().q).cwiseAbs().maxCoeff(), 1e-8);
}

TEST_F(MjcfFilters, AJointThatCannotMoveIsReadAgain) {
  const test::ExportedScene scene = Read(
      R"(<robot name="z"><link name="b"/><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="j" type="revolute"><parent link="b"/><child link="a"/><axis xyz="0 1 0"/><limit lower="0" upper="0" effort="1" velocity="1"/></joint></robot>)",
      "z.urdf");
  const test::ExportedScene again = Again(scene);
  for (const Body& body : again.model->bodies) {
    if (body.nv != 1) continue;
    EXPECT_EQ(body.joint.lower, 0);
    EXPECT_EQ(body.joint.upper, 0);
  }
  EXPECT_EQ(again.model->nv, scene.model->nv);
}

TEST_F(MjcfFilters, UrdfOfAWorldHasOneWorld) {
  for (const std::string& text : FilteredModels()) {
    SCOPED_TRACE(text);
    const Export exported = WriteUrdf(Read(text).Input());
    WriteText(folder_.path("again.urdf"), exported.text);
    const Result<RobotDescription> read = ReadUrdf(folder_.path("again.urdf"));
    EXPECT_TRUE(read) << read.error().Text();
  }
  // a root that stands at the origin starts where the file has it
  const Export alone = WriteUrdf(Read(kSeveral).Input());
  EXPECT_FALSE(test::Kinds(alone).contains("start"));
}

TEST_F(MjcfFilters, SdfNamesAreFreeAndDiffer) {
  const Export exported =
      WriteSdf(Read(World(Plane() + Table("") + Ball("a", 0, "") + Ball("b", 1, ""))).Input());
  EXPECT_TRUE(test::Kinds(exported).contains("name"));
  tinyxml2::XMLDocument document;
  ASSERT_EQ(document.Parse(exported.text.c_str()), tinyxml2::XML_SUCCESS);
  std::set<std::string> models;
  const tinyxml2::XMLElement* world = document.RootElement()->FirstChildElement("world");
  for (auto* model = world->FirstChildElement("model"); model != nullptr;
       model = model->NextSiblingElement("model")) {
    EXPECT_TRUE(models.insert(model->Attribute("name")).second) << model->Attribute("name");
    std::set<std::string> names = {"world"};
    for (const char* element : {"link", "joint"})
      for (auto* part = model->FirstChildElement(element); part != nullptr;
           part = part->NextSiblingElement(element))
        EXPECT_TRUE(names.insert(part->Attribute("name")).second) << part->Attribute("name");
  }
  EXPECT_GE(models.size(), 4u);
}

}  // namespace
}  // namespace slip
