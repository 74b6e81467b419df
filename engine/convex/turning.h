// What turns within a step. A step moves q by h v of its end, so v belongs to the middle between
// two poses; friction and gyroscopic moments depend on velocity and are of second order only where
// they are taken there, too (engine/README.md section 9). One solve a step, the same minimum:
// contacts get a bias, the rest is done to velocities before and after.
#pragma once

#include <span>
#include <vector>

#include "engine/collide/contact_detector.h"
#include "engine/convex/inverse_inertia.h"
#include "engine/dynamics/rigid_dynamics.h"
#include "engine/method/config.h"
#include "engine/method/step_io.h"

namespace slip {

/// One step's; memory is reused. Outside of Turning::kMiddle, and where no body leaves the plane,
/// it does nothing.
class TurningStep {
 public:
  void Begin(const StepInput& input);
  bool middle() const { return middle_; }

  /// Angular momentum at the end of the free motion of a free body, without gravity, in world axes
  /// [kg m^2/s]; false where it is the explicit formula's turn.
  bool CalcFreeMomentum(const Body& body, const BodyInertia& inertia, Vec3* L_W);
  /// The inverse dynamics of a tree with links, as its free motion has it.
  void NoteInverseDynamics(const Tree& tree, const Eigen::Ref<const VectorX>& tau);
  /// What the velocities of the contacts change by until the middle of the step, because their
  /// points turn. All contacts of a pair get the same: points that a turn draws together or apart
  /// would ask for a strain that no motion of rigid bodies has.
  void CalcBiases(std::span<const ContactGeometry> contacts);
  /// That of contact i of them, in its frame [m/s].
  Vec3 Bias(const ContactGeometry& contact, std::size_t i) const;
  /// New velocities from the solved ones, once the impulses are known.
  void Finish(const ContactTask& task, const ContactSolution& solution,
              const InverseInertia& inverse, VectorX* v);

 private:
  /// A free body: half of the step's turn is the quaternion (c, u).
  struct FreeBody {
    bool turns = false;  ///< so that some point of it sees a bias, and not too far for one
    double c = 1, speed = 0;
    Vec3 w_W = Vec3::Zero(), u = Vec3::Zero();

    /// How the turn moves an arm.
    Vec3 Shift(const Vec3& arm) const {
      const Vec3 t = 2 * u.cross(arm);
      return c * t + u.cross(t);
    }
  };
  /// Its spin: of which the free motion was taken at the mean, in the body's axes.
  struct Spin {
    bool at_mean = false;
    Vec3 w0_B, free_B;
  };
  /// What the contacts of a pair share of one of its bodies.
  struct Turner {
    const Body* body = nullptr;  ///< none: nothing of it is seen
    int index = -1;
    double radius = 0;                    ///< of the ball that touches; 0 = a fixed point [m]
    bool rim = false;                     ///< it may roll on the rim of a cylinder
    const TreeDynamics* links = nullptr;  ///< of a link, as the next two
    Twist bias = Twist::Zero();
    double speed = 0;  ///< |w| [rad/s]
  };
  /// One side of a contact.
  struct Side {
    Vec3 b = Vec3::Zero();  ///< of a free body
    Vec3 of_link = Vec3::Zero();
    double speed = 0;  ///< |w| |r| of a free body [m/s]
    double moves = 0;  ///< likewise, of any body
  };
  bool Turns(int body) const;
  void CalcPairBias(std::span<const ContactGeometry> contacts, std::span<Vec3> biases);
  /// Of one contact by itself, in world axes; `reach` gets how far the turn takes its point [m].
  Vec3 CalcBias(const Turner& side_a, const Turner& side_b, const ContactGeometry& contact,
                double* reach) const;
  Turner MakeTurner(int body, const ContactGeometry& of_pair) const;
  Side CalcSide(const Turner& turner, const ContactGeometry& contact, const Vec3& away_W) const;
  void TurnKicked(const ContactSolution& solution, VectorX* v) const;
  void CorrectLinks(const ContactTask& task, const ContactSolution& solution,
                    const InverseInertia& inverse, VectorX* v);

  bool middle_ = false;
  double h_ = 0;
  Vec3 gravity_W_ = Vec3::Zero();
  const Model* model_ = nullptr;
  const State* start_ = nullptr;
  std::span<const Vec6> V_WB_;
  std::span<TreeDynamics> links_;
  std::vector<Vec3> biases_W_;    // of the step's contacts
  std::vector<double> reaches_;   // of a pair's
  std::vector<FreeBody> bodies_;  // of the model
  std::vector<Spin> spins_;       // of its trees
  VectorX inverse_dynamics_;      // Model::nv
  std::vector<char> turns_far_;   // trees with links, in the step as it begins
  std::vector<char> loaded_;      // likewise, after the solve
  VectorX mean_, acceleration_, change_;
};

}  // namespace slip
