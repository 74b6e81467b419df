// Our coordinates in MuJoCo's order, and the model text from which it counts them. Its bodies have
// our body frames: centre of mass, principal axes. A body that keeps its pose as position floats,
// or slides and turns from its start along the world's axes. Its free and ball joints turn in the
// body's axes, ours in the world's or the joint's.
#pragma once

#include <string>
#include <vector>

#include "engine/dynamics/model.h"
#include "engine/dynamics/state.h"

namespace slip {

/// Model text of what moves: inertia, joints, and one shape a body that touches nothing, by which
/// contacts name it. With `shapes` those that touch, too: "s0" of the first surface, "g3" of
/// body 3.
std::string WriteMujocoModel(const Model& model, bool shapes);

class MujocoCoordinates {
 public:
  explicit MujocoCoordinates(const Model& model);

  int nq() const { return nq_; }
  int nv() const { return nv_; }
  /// Their first coordinate of velocity of a body.
  int DofOf(int body) const { return At(dof_, body); }

  void SetPositions(const State& state, double* qpos) const;
  void SetVelocities(const State& state, double* qvel) const;
  /// Ours from theirs; the poses of `at` are those of the step's start.
  void GetVelocities(const State& at, const double* qvel, VectorX* v) const;
  /// Forces on our coordinates, added to those on theirs.
  void AddForces(const State& at, const VectorX& forces, double* qfrc) const;

 private:
  /// Some of a joint's coordinates.
  struct Part {
    enum class Kind { kSame, kTurn, kMove, kSpin } kind;
    int body = 0;
    int q = 0, v = 0;  ///< first of theirs
    int from_q = 0;    ///< of ours, counted in State::q; of a pose the axis
    int from_v = 0;    ///< of ours, counted in State::v
  };
  void AddBody(const Model& model, int body);
  void Add(Part::Kind kind, int body, int from_q, int from_v);
  /// What turns our three components of angular velocity into theirs.
  Quat ToTheirs(const State& at, const Part& part) const;

  const Model& model_;
  std::vector<Part> parts_;
  std::vector<int> dof_;
  int nq_ = 0, nv_ = 0;
};

}  // namespace slip
