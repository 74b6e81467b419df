// Who touches whom: every contact of one step, from the shapes and poses at its start
// (engine/README.md section 9).
#pragma once

#include <span>
#include <vector>

#include "engine/collide/broad_phase.h"
#include "engine/collide/contact_material.h"
#include "engine/collide/narrow_phase.h"
#include "engine/collide/pair_contact.h"
#include "engine/core/worker_pool.h"
#include "engine/dynamics/model.h"
#include "engine/dynamics/state.h"

namespace slip {

/// Geometry and start values of one contact. A is a surface or the body with the lower index; the
/// normal points from A into B.
struct ContactGeometry {
  ContactKey key = 0;
  int surface = -1;         ///< A; -1 = A is a body
  int body_a = -1;          ///< A; -1 = A is a surface
  int body = 0;             ///< B
  double phi0 = 0;          ///< signed distance [m]
  double vn0 = 0;           ///< normal velocity of B's point relative to A's [m/s]
  double belt = 0;          ///< speed of a moving surface along t1 [m/s]
  Vec3 p_W = Vec3::Zero();  ///< contact point [m]
  Vec3 t1_W = Vec3::UnitX(), t2_W = Vec3::UnitY(), n_W = Vec3::UnitZ();  ///< contact frame

  Vec3 ToWorld(const Vec3& in_C) const {
    return in_C.x() * t1_W + in_C.y() * t2_W + in_C.z() * n_W;
  }
};

/// What a contact can act across within one step.
struct ContactReach {
  double h = 1e-3;         ///< time step [s]
  double gravity = 9.81;   ///< [m/s^2]
  double barrier = 0;      ///< distance at which the normal law begins to act [m]
  bool unlimited = false;  ///< it acts at any distance
  bool glides = false;     ///< sliding bodies are held apart, the farther the faster they are
};

/// Whether two bodies may meet whose routine NarrowPhaseId chooses.
bool HasNarrowPhases(const Model& model);

/// Signed distance of a contact point of a body from a surface [m]; p_W (may be null) gets the
/// point on the body.
double CalcSignedDistance(const Surface& surface, const Body& body, const Vec3& p_BP,
                          const Pose& X_WB, Vec3* p_W);

/// Finds contacts; keeps its memory from step to step.
class ContactDetector {
 public:
  /// Threads that share large calls of Detect, null = the calling thread alone: the same contacts.
  void SetWorkers(WorkerPool* workers) { workers_ = workers; }

  /// Every contact that could act within the step that starts at `state`, ascending by key. Models
  /// that act at a distance need those ahead of touch. `belts` are the speeds of the drives that
  /// surfaces name [m/s], `V_WB` the spatial velocities of the bodies.
  void Detect(const Model& model, const State& state, std::span<const Vec6> V_WB,
              const ContactReach& reach, const MaterialPairs& materials,
              std::span<const double> belts, NarrowPhaseId narrow_phase,
              std::vector<ContactGeometry>* contacts);

 private:
  struct Scan;
  using Contacts = std::vector<ContactGeometry>;
  // One worker's memory, on cache lines of its own.
  struct alignas(64) Scratch {
    PairContacts found;
    std::vector<ContactKey> keys;
    Contacts kept;
  };
  // What a run of calls has left in a worker's `kept`.
  struct Piece {
    int worker = 0;
    std::size_t begin = 0, end = 0;
  };
  bool Shares(int work) const;
  template <class Append>
  void Gather(int count, int work, Contacts* contacts, Append&& append);
  template <class Visit>
  void ForEachSurface(const Scan& scan, int b, const Visit& visit) const;
  void BoundBodies(const Scan& scan);
  void DropLoneRobots(const Model& model);
  void DetectPoints(const Scan& scan, Contacts* contacts);
  void DetectShapes(const Scan& scan, Contacts* contacts);
  void DetectPairs(const Scan& scan, Contacts* contacts);
  void Collide(const Scan& scan, const BodyPair& pair, Scratch* scratch, Contacts* out) const;

  BroadPhase broad_phase_;
  // how far a body's own motion can make a contact act: with surfaces, and with other bodies [m]
  std::vector<double> reach_, pair_reach_;
  std::vector<uint32_t> colliding_;  // bodies whose shapes collide, and their boxes
  std::vector<int> place_;           // of a body among those, -1 = not there
  std::vector<Bounds> boxes_;
  std::vector<Bounds> robot_boxes_;
  std::vector<char> meets_;  // of a robot: something else is where it is
  WorkerPool* workers_ = nullptr;
  std::vector<Scratch> scratch_;  // per worker
  std::vector<Piece> pieces_;
  bool shared_ = false;  // the last call was worth sharing
};

}  // namespace slip
