// The table of parameters and the paths that address them.
#include "engine/method/config.h"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <set>

#include "engine/convex/convex_params.h"
#include "engine/core/param_text.h"
#include "engine/dynamics/model.h"
#include "engine/geometry/mesh.h"
#include "engine/method/param_reasons.h"
#include "engine/sim/method_list.h"

namespace slip {
namespace {

Config TwoMaterials() {
  Config config;
  config.materials.push_back({.name = "steel"});
  config.materials.push_back({.name = "rubber"});
  config.surfaces.push_back({.name = "belt"});
  return config;
}

template <class T>
void ExpectSoundTable(std::span<const Param<T>> table) {
  std::set<std::string_view> names;
  const T defaults;
  for (const Param<T>& row : table) {
    const ParamInfo& info = row.info;
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_FALSE(info.label.empty()) << info.name;
    EXPECT_FALSE(info.doc.empty()) << info.name;
    EXPECT_LT(info.min, info.max) << info.name;
    EXPECT_TRUE(info.scale != Scale::kLog || info.min > 0) << info.name;
    if (info.scale == Scale::kChoice) {
      EXPECT_EQ(static_cast<double>(info.choices.size()), info.max + 1) << info.name;
    }
    EXPECT_TRUE(CheckValue(info, row.Get(defaults)).ok()) << info.name;
    EXPECT_TRUE(ParseQuantity("1", info.unit).ok()) << info.name;
    if (!info.unit.empty()) {
      EXPECT_TRUE(UnitScale(info.unit).has_value()) << info.name << " " << info.unit;
    }
  }
}

TEST(Config, EveryRowIsSoundAndItsDefaultLegal) {
  ExpectSoundTable(StepParamTable());
  ExpectSoundTable(MaterialTable());
  ExpectSoundTable(SurfaceTable());
}

TEST(Config, PathsReadAndWrite) {
  Config config = TwoMaterials();
  EXPECT_TRUE(SetParam(&config, "time_step", 2e-3).ok());
  EXPECT_EQ(config.step.time_step, 2e-3);
  EXPECT_TRUE(SetParam(&config, "material.rubber.stiffness", 1e4).ok());
  EXPECT_EQ(config.materials[0].stiffness, 1e6);
  EXPECT_EQ(GetParam(config, "material.rubber.stiffness"), 1e4);
  EXPECT_TRUE(SetParam(&config, "stiffness", 1e8).ok());
  EXPECT_EQ(config.materials[0].stiffness, 1e8);
  EXPECT_EQ(config.materials[1].stiffness, 1e8);
  EXPECT_TRUE(SetParam(&config, "belt_speed", -0.1).ok());
  EXPECT_EQ(GetParam(config, "surface.belt.belt_speed"), -0.1);
  EXPECT_FALSE(GetParam(config, "material.gold.stiffness").has_value());
  EXPECT_FALSE(GetParam(config, "material.stiffness").has_value());
  for (const ParamEntry& entry : ListParams(config)) {
    EXPECT_TRUE(GetParam(config, entry.path).has_value()) << entry.path;
    EXPECT_EQ(FindParam(config, entry.path), entry.info) << entry.path;
  }
}

TEST(Config, RefusalsLeaveTheConfigUntouched) {
  const Config before = TwoMaterials();
  Config config = before;
  const double nan = std::nan("");
  EXPECT_FALSE(SetParam(&config, "friction", -0.2).ok());
  EXPECT_FALSE(SetParam(&config, "friction", nan).ok());
  EXPECT_FALSE(SetParam(&config, "time_step", std::numeric_limits<double>::infinity()).ok());
  EXPECT_FALSE(SetParam(&config, "time_step", 0).ok());
  EXPECT_FALSE(SetParam(&config, "max_iterations", 2.5).ok());
  EXPECT_FALSE(SetParam(&config, "method", 17).ok());
  EXPECT_FALSE(SetParam(&config, "frictoin", 1).ok());
  EXPECT_EQ(config, before);
  EXPECT_EQ(SetParam(&config, "friction", -0.2).error().message,
            "friction must be >= 0 (found -0.2)");
  EXPECT_NE(SetParam(&config, "frictoin", 1).error().hint.find("'friction'"), std::string::npos);
}

TEST(Config, ZeroIsLegalWhereTheTableSaysSo) {
  Config config = TwoMaterials();
  EXPECT_TRUE(SetParam(&config, "dissipation", 0).ok());
  EXPECT_TRUE(SetParam(&config, "relaxation_time", 0).ok());
  EXPECT_FALSE(SetParam(&config, "dissipation", 1e-5).ok());
  EXPECT_FALSE(SetParam(&config, "stiffness", 0).ok());
}

TEST(Config, AssignmentsTakeUnitsAndChoices) {
  Config config = TwoMaterials();
  EXPECT_TRUE(ApplyAssignment(&config, "time_step=2ms").ok());
  EXPECT_EQ(config.step.time_step, 2e-3);
  EXPECT_TRUE(ApplyAssignment(&config, "material.steel.stiffness=10 MN/m").ok());
  EXPECT_EQ(config.materials[0].stiffness, 1e7);
  EXPECT_TRUE(ApplyAssignment(&config, "normal_law=hertz").ok());
  EXPECT_EQ(config.step.part<ConvexParams>().law(), NormalLawId::kHertz);
  EXPECT_TRUE(ApplyAssignment(&config, "tilt=10 deg").ok());
  EXPECT_NEAR(config.step.tilt, 0.17453292519943295, 1e-16);
  EXPECT_EQ(config.step.narrow_phase, 0);
  EXPECT_TRUE(ApplyAssignment(&config, "narrow_phase=libccd").ok());
  EXPECT_EQ(config.step.narrow_phase, 1);
  for (const char* bad :
       {"narrow_phase=fcl", "", "=", "time_step", "time_step=", "=5", "time_step=5 kg",
        "normal_law=herz", "stiffness=1e400", "friction=nan", "line_search=2", "time_step=1e-9"}) {
    EXPECT_FALSE(ApplyAssignment(&config, bad).ok()) << bad;
  }
}

TEST(Config, ValuesAsTextReadBack) {
  const Config config = TwoMaterials();
  for (const ParamEntry& entry : ListParams(config)) {
    const double value = *GetParam(config, entry.path);
    const Result<double> back = ParseValue(*entry.info, FormatValue(*entry.info, value));
    ASSERT_TRUE(back.ok()) << entry.path;
    EXPECT_EQ(*back, value) << entry.path;
  }
}

TEST(Config, ModelsAndLawsAreFoundByName) {
  for (const std::string_view id : MethodIds()) {
    ASSERT_TRUE(FindMethod(id).has_value());
    EXPECT_EQ(Info(*FindMethod(id)).id, id);
  }
  EXPECT_FALSE(FindMethod("sapp").has_value());
  EXPECT_EQ(MethodIds().size(), static_cast<std::size_t>(kMethodCount));
  EXPECT_EQ(Info(NormalLawId::kIpcBarrier).id, "ipc-barrier");
}

TEST(Config, UsesFollowsModelAndLaw) {
  Config config = TwoMaterials();
  const ParamInfo& tau = *FindParam(config, "relaxation_time");
  const ParamInfo& d = *FindParam(config, "dissipation");
  const Model scene;
  EXPECT_TRUE(Uses(scene, config, tau));
  EXPECT_FALSE(Uses(scene, config, d));
  ASSERT_TRUE(ApplyAssignment(&config, "method=similar").ok());
  EXPECT_FALSE(Uses(scene, config, tau));
  EXPECT_TRUE(Uses(scene, config, d));
  ASSERT_TRUE(ApplyAssignment(&config, "normal_law=kelvin-voigt").ok());
  EXPECT_TRUE(Uses(scene, config, tau));
  EXPECT_FALSE(Uses(scene, config, d));
}

// Every row that does nothing says why, and no other one does.
TEST(Config, WhatIsNotUsedSaysWhy) {
  Model plane;
  plane.planar = true;
  for (const std::string_view method : MethodIds()) {
    for (const double controlled : {0.0, 1.0}) {
      Config config = TwoMaterials();
      ASSERT_TRUE(ApplyAssignment(&config, "method=" + std::string(method)).ok());
      ASSERT_TRUE(SetParam(&config, "error_control", controlled).ok());
      for (const Model& scene : {Model{}, plane}) {
        for (const ParamEntry& entry : ListParams(config)) {
          const std::string why = WhyUnused(scene, config, *entry.info);
          EXPECT_EQ(why.empty(), Uses(scene, config, *entry.info)) << method << ' ' << entry.path;
          if (!why.empty()) EXPECT_TRUE(why.starts_with("Not used") && why.ends_with(".")) << why;
        }
      }
    }
  }
}

TEST(Config, TheReasonIsThatOfTheRow) {
  Config config = TwoMaterials();
  Model plane;
  plane.planar = true;
  const auto why = [&](const Model& scene, const char* name) {
    return WhyUnused(scene, config, *FindParam(config, name));
  };
  EXPECT_EQ(why(plane, "turning"), "Not used in this scene: no body of it leaves the plane.");
  EXPECT_EQ(why(Model{}, "turning"), "");
  EXPECT_NE(why(Model{}, "narrow_phase").find("closed forms"), std::string::npos);
  EXPECT_EQ(why(Model{}, "accuracy"), "Not used: error control is off.");
  ASSERT_TRUE(SetParam(&config, "error_control", 1).ok());
  EXPECT_EQ(why(Model{}, "accuracy"), "");
  EXPECT_EQ(why(Model{}, "near_rigid"), "");
  ASSERT_TRUE(ApplyAssignment(&config, "method=similar").ok());
  EXPECT_EQ(why(Model{}, "near_rigid"),
            "Not used by the models and laws that run now; used by SAP.");
}

// Bodies side by side; a fixed one where `fixed` says so.
Model MakeScene(std::initializer_list<ShapeKind> kinds, std::size_t fixed = 99) {
  Model model;
  for (const ShapeKind kind : kinds) {
    Body& body = model.bodies.emplace_back();
    body.shape.kind = kind;
    body.shape.length = 0.1;
    body.shape.convex = std::make_shared<ConvexMesh>();
    body.shape.triangles = std::make_shared<TriangleMesh>();
    body.SetJoint(model.bodies.size() - 1 == fixed ? JointKind::kFixed : JointKind::kFree);
  }
  model.surfaces = {Surface{}};
  model.Finish();
  return model;
}

TEST(Config, NarrowPhaseIsUsedWhereAPairHasNoClosedForm) {
  const Config config = TwoMaterials();
  const ParamInfo& info = *FindParam(config, "narrow_phase");
  const auto uses = [&](const Model& scene) {
    const bool used = Uses(scene, config, info);
    EXPECT_EQ(WhyIdle(scene, info).empty(), used);
    return used;
  };
  constexpr auto kSphere = ShapeKind::kSphere, kBox = ShapeKind::kBox;
  constexpr auto kCylinder = ShapeKind::kCylinder, kConvex = ShapeKind::kConvex;
  constexpr auto kMesh = ShapeKind::kTriangleMesh;
  EXPECT_FALSE(uses(Model{}));
  EXPECT_FALSE(uses(MakeScene({kSphere, kBox, ShapeKind::kCapsule, kSphere})));
  // one alone meets planes only
  EXPECT_FALSE(uses(MakeScene({kCylinder})));
  EXPECT_TRUE(uses(MakeScene({kCylinder, kCylinder})));
  EXPECT_TRUE(uses(MakeScene({kCylinder, kSphere})));
  EXPECT_TRUE(uses(MakeScene({kBox, kConvex})));
  EXPECT_TRUE(uses(MakeScene({kSphere, kSphere, kConvex}, 2)));
  // triangles take every shape one by one
  EXPECT_FALSE(uses(MakeScene({kMesh, kCylinder}, 0)));
  // two that do not move never meet
  Model still = MakeScene({kCylinder, kCylinder}, 0);
  EXPECT_TRUE(uses(still));
  still.bodies[1].SetJoint(JointKind::kFixed);
  still.Finish();
  EXPECT_FALSE(uses(still));
  // other parameters do not ask for shapes
  EXPECT_TRUE(WhyIdle(Model{}, *FindParam(config, "stiffness")).empty());
}

TEST(Config, BeltOscillates) {
  SurfaceDrive drive{
      .belt_speed = 1, .belt_acceleration = 2, .belt_amplitude = 0.2, .belt_frequency = 1};
  EXPECT_EQ(drive.Velocity(0), 1);
  EXPECT_NEAR(drive.Velocity(0.25), 1 + 0.5 + 0.2 * 2 * 3.14159265358979323846, 1e-12);
}

TEST(Config, BeltDisplacementIntegratesItsSpeed) {
  const SurfaceDrive drive{"belt", 0.5, -0.2, 0.03, 2.0};
  const double t = 0.7, h = 1e-5;
  const double slope = (drive.Displacement(t + h) - drive.Displacement(t - h)) / (2 * h);
  EXPECT_NEAR(slope, drive.Velocity(t), 1e-8);
}

// A formulation shows what it reads: the common parameters, and none of another's own.
TEST(Config, OtherFormulationsDoNotReadTheParametersOfTheConvexStep) {
  const MethodInfo other{};
  for (const auto& row : ConvexParams::Table()) {
    EXPECT_FALSE(Reads(other, row.info)) << row.info.name;
  }
  for (const auto& row : CommonParamTable()) EXPECT_TRUE(Reads(other, row.info)) << row.info.name;
  for (const auto& row : DetectionParamTable()) {
    EXPECT_TRUE(Reads(other, row.info)) << row.info.name;
  }
}

// Rows need no bit for that: their table says whose they are.
TEST(Config, AParameterIsReadByTheMethodsThatNameItsTable) {
  const std::map<std::string_view, std::set<std::string_view>> readers = {
      {"closest_points", {"quasi-dynamic"}},
      {"slip_set", {"exponential"}},
      {"anchors", {"exponential", "explicit-euler", "rk4", "implicit-euler"}},
      {"bias", {"exponential", "explicit-euler", "implicit-euler"}}};
  std::size_t found = 0;
  for (const auto& row : StepParamTable()) {
    const auto expected = readers.find(row.info.name);
    if (expected == readers.end()) continue;
    ++found;
    EXPECT_EQ(row.info.knob, 0u) << row.info.name;
    for (const MethodInfo& method : Methods())
      EXPECT_EQ(Reads(method, row.info), expected->second.contains(method.id))
          << row.info.name << " " << method.id;
  }
  EXPECT_EQ(found, readers.size());
}

TEST(Config, ParametersOfFormulationsAreValues) {
  StepParams a;
  EXPECT_EQ(a.part<QuasiDynamicParams>(), QuasiDynamicParams());
  EXPECT_EQ(a.part<ConvexParams>(), ConvexParams());
  StepParams b = a;
  EXPECT_EQ(a, b);
  b.part<QuasiDynamicParams>().closest_points = 7;
  EXPECT_NE(a, b);
  EXPECT_EQ(a.part<QuasiDynamicParams>().closest_points, 5) << "a copy is one of its own";
  EXPECT_EQ(b.part<ConvexParams>(), ConvexParams()) << "another's place was written";
  a = b;
  EXPECT_EQ(a, b);
  EXPECT_EQ(a.part<QuasiDynamicParams>().closest_points, 7);
  // by name, as files and sliders set them
  Config config;
  for (const auto& row : StepParamTable()) {
    const double value = row.info.scale == Scale::kChoice ? row.info.max : row.info.min;
    row.Set(&config.step, value);
    EXPECT_EQ(row.Get(config.step), value) << row.info.name;
  }
  EXPECT_EQ(config.step.part<QuasiDynamicParams>().closest_points, 1);
  EXPECT_EQ(config.step.part<AnchorParams>().anchors, 1);
}

}  // namespace
}  // namespace slip
