// Which points a quasi-dynamic step keeps apart: the closest ones of every body to every obstacle,
// however far they are (Tracy and Manchester, Convex quasi-dynamic simulation of rigid point clouds
// with torsional friction, section II-D).
#pragma once

#include <string_view>
#include <vector>

#include "engine/collide/cloud_query.h"
#include "engine/method/contact_finder.h"
#include "engine/method/step_io.h"

namespace slip {

/// B is `body`; A, the obstacle, a surface or a body. beta = alpha + phi n.
struct Candidate {
  ContactKey key = 0;
  int surface = -1;  ///< A; -1 = A is a body
  int body_a = -1;   ///< A; -1 = A is a surface
  int body = 0;
  int point = -1;  ///< of B's cloud; -1 = the contact of two shapes
  double phi = 0;  ///< signed distance at the start [m]
  Vec3 n_W = Vec3::UnitZ(), t1_W = Vec3::UnitX(), t2_W = Vec3::UnitY();
  Vec3 alpha_W = Vec3::Zero();  ///< on A [m]
  Vec3 beta_W = Vec3::Zero();   ///< on B [m]
  double mu = 0;                ///< mu_v [-]
  double mu_w = 0;              ///< torsional: torque over normal force [m]; 0 = none
};

/// Tangents of the reference: the world axis that is least along n, made tangent, comes first; x
/// and y for a normal that is z. t1 x t2 = n.
void SetTangents(const Vec3& n_W, Vec3* t1_W, Vec3* t2_W);

/// Keeps its memory from step to step, and trees over clouds as long as the model stays.
class CandidateFinder {
 public:
  /// At most `closest` points per body and obstacle; for shapes without points the contacts that
  /// the detector finds. Ascending by key. False when the step is given up (StepInput::stop) while
  /// it makes the trees.
  /// `times` gets its parts; null = they are not asked for.
  bool Find(const StepInput& input, int closest, std::vector<Candidate>* candidates,
            StageTimes* times = nullptr);

  /// Largest penetration at `end`, of the points that the last Find left out [m]; 0 if none
  /// overlaps.
  double CalcLeftOutPenetration(const StepInput& input, const State& end);

  /// Points whose signed distance the last Find evaluated or ruled out.
  int64_t checked() const { return checked_; }

 private:
  struct Cloud {
    int body = 0;
    double radius = 0;   // of each point [m]
    bool pairs = false;  // its points act against bodies too
    CloudTree tree;
  };
  // What the last Find chose of a cloud against one obstacle.
  struct Choice {
    std::size_t cloud;
    int surface, body_a;       // as in Candidate
    std::size_t first, count;  // in chosen_
    double phi;                // no point that was left out is closer [m]
  };
  bool Prepare(const StepInput& input);
  int FindPoints(const StepInput& input, const State& at, const Cloud& cloud, int surface,
                 int body_a, std::span<CloudCandidate> closest) const;
  void AddPoints(const StepInput& input, std::size_t cloud, std::span<CloudCandidate> closest,
                 std::vector<Candidate>* candidates);
  void AddShapes(const StepInput& input, std::vector<Candidate>* candidates);
  void SetMaterial(const Model& model, Candidate* candidate) const;
  /// Whether points of one of the two act in place of both shapes.
  bool HasPoints(int a, int b) const;

  const Model* prepared_ = nullptr;
  std::vector<Cloud> clouds_;
  std::vector<char> has_cloud_, with_pairs_;  // per body: its points act against surfaces, bodies
  bool shapes_ = false;                       // some contacts are those of shapes
  MaterialPairs materials_;
  ContactFinder finder_;
  std::vector<ContactGeometry> found_;
  std::vector<CloudCandidate> closest_;
  std::vector<Choice> choices_;
  std::vector<int> chosen_;  // points
  int64_t checked_ = 0;
};

}  // namespace slip
