// What is exported and read again is the same scene: bodies, joints, start, surfaces, step and
// contacts. What is not stands in a list, which only shrinks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "engine/collide/contact_material.h"
#include "engine/dynamics/kinematics.h"
#include "engine/export/frames.h"
#include "engine/geometry/mesh.h"
#include "tests/engine/export/exported_scenes.h"
#include "tests/support/temp_folder.h"

namespace slip {
namespace {

using Differences = std::map<std::string, std::string>;  // kind, first of them in words

/// A body as the world sees it.
struct Seen {
  double mass = 0;
  Vec3 center = Vec3::Zero();
  Mat3 inertia = Mat3::Zero(), axes = Mat3::Identity();
  Vec6 V = Vec6::Zero();
};

Seen See(const Model& model, const State& state, std::size_t b) {
  const Body& body = model.bodies[b];
  const Mat3 R = state.X_WB[b].q.toRotationMatrix();
  return {body.mass, state.X_WB[b].p, R * body.inertia_B.asDiagonal() * R.transpose(),
          (state.X_WB[b].q * body.X_BL.q).toRotationMatrix(),
          CalcVelocity(model, state, static_cast<int>(b))};
}

class Comparison {
 public:
  Comparison(const test::ExportedScene& own, const Scene& read, std::string prefix)
      : own_(own),
        config_(read.channels.front().config),
        held_(read.ModelFor(config_)),
        model_(*held_),
        prefix_(std::move(prefix)) {
    state_ = Simulation(held_, config_).state();
  }

  Differences Find() {
    CompareWorld();
    int bodies = 0;
    for (std::size_t b = 0; b < own_.model->bodies.size(); ++b) {
      const Body& body = own_.model->bodies[b];
      if (body.shape_of_link >= 0 || !body.Moves()) continue;
      ++bodies;
      const int other = FindBody(body.name);
      if (other < 0)
        Tell("bodies", body.name + " is missing");
      else
        CompareBody(b, static_cast<std::size_t>(other));
    }
    int read = 0;
    for (const Body& body : model_.bodies)
      read += body.shape_of_link < 0 && body.Moves() && body.mass > 0;
    if (read != bodies) Tell("bodies", fmt::format("{} move, {} did", read, bodies));
    if (model_.nv != own_.model->nv)
      Tell("coordinates", fmt::format("{}, there were {}", model_.nv, own_.model->nv));
    return differences_;
  }

 private:
  void Tell(const std::string& kind, const std::string& what) { differences_.emplace(kind, what); }
  void Near(double a, double b, double part, const std::string& kind, const std::string& what) {
    if (a == b || std::abs(a - b) <= part * std::max(std::abs(a), std::abs(b))) return;
    Tell(kind, fmt::format("{}: {}, was {}", what, a, b));
  }
  int FindBody(const std::string& name) const {
    for (std::size_t b = 0; b < model_.bodies.size(); ++b)
      if (model_.bodies[b].name == prefix_ + name && model_.bodies[b].shape_of_link < 0)
        return static_cast<int>(b);
    return -1;
  }

  void CompareWorld() {
    const StepParams &a = config_.step, &b = own_.config.step;
    Near(a.time_step, b.time_step, 1e-15, "step", "time step");
    Near(a.gravity, b.gravity, 1e-15, "step", "gravity");
    if (std::abs(a.tilt - b.tilt) > 1e-15) Tell("step", "tilt");
    const auto &read = model_.surfaces, &wrote = own_.model->surfaces;
    if (read.size() != wrote.size())
      return Tell("surfaces", fmt::format("{}, there were {}", read.size(), wrote.size()));
    for (std::size_t s = 0; s < read.size(); ++s) {
      // any point of the plane will do
      const double off = wrote[s].normal.dot(read[s].point - wrote[s].point);
      if ((read[s].normal - wrote[s].normal).norm() > 1e-15 || std::abs(off) > 1e-15)
        Tell("surfaces", wrote[s].name);
      if (wrote[s].drive >= 0) Tell("belt", wrote[s].name);
    }
  }

  void CompareBody(std::size_t b, std::size_t other) {
    const Seen own = See(*own_.model, own_.start, b), read = See(model_, state_, other);
    const std::string& name = own_.model->bodies[b].name;
    Near(read.mass, own.mass, 1e-15, "mass", name);
    if ((read.inertia - own.inertia).norm() > 1e-14 * own.inertia.norm()) Tell("inertia", name);
    if ((read.center - own.center).norm() > 1e-14) Tell("start", name);
    if ((read.axes - own.axes).norm() > 1e-14) Tell("start", name + ", its frame");
    if ((read.V - own.V).norm() > 1e-13 * (1 + own.V.norm())) Tell("velocity", name);
    CompareJoint(own_.model->bodies[b], model_.bodies[other]);
    CompareShapes(b, other);
  }

  void CompareJoint(const Body& own, const Body& read) {
    const Joint &a = read.joint, &b = own.joint;
    if (own.nv != read.nv) return Tell("joints", own.name);
    if (own.nv != 1 || own.nq != 1) return;
    const std::string& name = b.name;
    if (a.name != prefix_ + name) Tell("joints", name + ": its name");
    Near(a.lower, b.lower, 1e-12, "limits", name);
    Near(a.upper, b.upper, 1e-12, "limits", name);
    Near(a.damping, b.damping, 1e-15, "joints", name + ": damping");
    Near(a.friction, b.friction, 1e-15, "joints", name + ": friction");
    Near(a.armature, b.armature, 1e-15, "joints", name + ": armature");
    if (own.drive < 0 || read.drive < 0) {
      if (own.drive != read.drive) Tell("motors", name);
      return;
    }
    const JointDrive &x = config_.joints[static_cast<std::size_t>(read.drive)],
                     &y = own_.config.joints[static_cast<std::size_t>(own.drive)];
    Near(x.stiffness, y.stiffness, 1e-14, "motors", name + ": stiffness");
    Near(x.damping, y.damping, 1e-14, "motors", name + ": damping");
    if (y.stiffness > 0 && std::abs(x.target - y.target) > 1e-14) Tell("motors", name + ": target");
    Near(a.effort, b.effort, 1e-14, "effort", name);
  }

  std::vector<const Body*> ShapesOf(const Model& model, std::size_t link) const {
    std::vector<const Body*> shapes;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      const Body& body = model.bodies[b];
      const bool own = b == link ? body.collides : body.shape_of_link == static_cast<int>(link);
      if (own && body.collides) shapes.push_back(&body);
    }
    return shapes;
  }

  // What touches, and what its contact with the first surface is.
  void CompareShapes(std::size_t b, std::size_t other) {
    const auto own = ShapesOf(*own_.model, b), read = ShapesOf(model_, other);
    const std::string& name = own_.model->bodies[b].name;
    if (own.size() != read.size())
      return Tell("shapes", fmt::format("{} has {}, there were {}", name, read.size(), own.size()));
    for (std::size_t s = 0; s < own.size(); ++s) {
      const Shape &x = read[s]->shape, &y = own[s]->shape;
      if (x.kind != y.kind) return Tell("shapes", name);
      const bool round = x.kind == ShapeKind::kSphere || x.kind == ShapeKind::kCapsule ||
                         x.kind == ShapeKind::kCylinder;
      if (round) Near(x.radius, y.radius, 1e-15, "shapes", name + ": radius");
      if (round && x.kind != ShapeKind::kSphere)
        Near(x.length, y.length, 1e-15, "shapes", name + ": length");
      if (x.kind == ShapeKind::kConvex && x.convex->vertices.size() != y.convex->vertices.size())
        Tell("shapes", name + ": another hull");
      if (x.kind == ShapeKind::kBox && (x.size - y.size).norm() > 1e-15) Tell("shapes", name);
    }
    if (own.empty() || own_.model->surfaces.empty() || model_.surfaces.empty()) return;
    const auto material = [&](const Model& model, const Config& config, const Body* body) {
      return ContactMaterial(model, config.materials, 0, -1,
                             static_cast<int>(body - model.bodies.data()));
    };
    const Material x = material(model_, config_, read.front()),
                   y = material(*own_.model, own_.config, own.front());
    // a knob of a file has four digits
    Near(x.friction, y.friction, 1e-3, "friction", name);
    Near(x.stiffness, y.stiffness, 1e-3, "stiffness", name);
  }

  const test::ExportedScene& own_;
  Config config_;
  std::shared_ptr<const Model> held_;
  const Model& model_;
  State state_;
  std::string prefix_;
  Differences differences_;
};

Differences DifferencesOf(const std::string& name) {
  const test::ExportedScene own = test::ExportedFile(name);
  const Export exported = WriteMjcf(own.Input());
  const TempFolder folder;
  for (const ExportFile& mesh : exported.meshes) WriteText(folder.path(mesh.name), mesh.text);
  WriteText(folder.path("x.xml"), exported.text);
  const auto read = FindScene(folder.path("x.xml"));
  if (!read) return {{"refused", read.error().Text()}};
  const std::string& robot = (*read)->model->robots.front().name;
  return Comparison(own, **read, robot + "/").Find();
}

// What differs, why it must, and in which scenes. Nothing is added here.
const std::map<std::string, std::set<std::string>> kKnown = {
    // there are no belts
    {"belt", {"conveyor", "conveyor-constant"}},
    // what moves in a plane, or does not tip, has slides and a hinge there
    {"joints",
     {"bouncing-ball", "bouncing-mass", "conveyor", "falling-sphere", "sliding-box",
      "sliding-box-consistent", "sliding-mass", "sliding-rod", "slope-creep", "spinning-puck",
      "spring-wall"}},
    // points that touch are spheres there
    {"shapes",
     {"biped-shift",
      "biped-walk",
      "bunny-grasp",
      "bunny-grasp-no-torsion",
      "clutter",
      "clutter-seed-002",
      "conveyor",
      "conveyor-constant",
      "four-point-peg",
      "quadruped-jump",
      "quadruped-squat",
      "quadruped-stand",
      "quadruped-trot",
      "sliding-box",
      "sliding-box-consistent",
      "sliding-mass",
      "sliding-rod",
      "slope-creep",
      "spinning-puck",
      "spring-wall"}},
    // contacts are stiffer than an explicit spring can be at the step, and held back; a link whose
    // centre cannot move has no inverse mass to translate them by
    {"stiffness",
     {"arm-press", "ball-pit", "box-push", "bunny-grasp", "bunny-grasp-no-torsion", "card-house",
      "clutter", "clutter-seed-002", "dominoes", "flat-stack", "four-point-peg", "object-bin",
      "spinning-sphere"}},
};

TEST(ExportIdentity, AScenesMjcfReadAgainIsTheScene) {
  int scenes = 0;
  for (const std::string& name : ListScenes()) {
    SCOPED_TRACE(name);
    const Differences found = DifferencesOf(name);
    for (const auto& [kind, what] : found) {
      const auto known = kKnown.find(kind);
      EXPECT_TRUE(known != kKnown.end() && known->second.contains(name)) << kind << ": " << what;
    }
    for (const auto& [kind, names] : kKnown)
      EXPECT_TRUE(!names.contains(name) || found.contains(kind))
          << kind << " differs no longer: take the scene out of the list";
    ++scenes;
  }
  EXPECT_GE(scenes, 30);
}

}  // namespace
}  // namespace slip
