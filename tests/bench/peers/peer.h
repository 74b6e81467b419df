// One workload, many engines: the same pile of spheres and boxes, stepped by each of them.
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/types.h"
#include "engine/method/config.h"

namespace slip::bench {

constexpr double kSize = 0.1;           // diameter of spheres, edge of boxes [m]
constexpr double kSphereMass = 0.5236;  // of water [kg]
constexpr double kBoxMass = 1.0;
constexpr double kGravity = 9.81;  // [m/s^2]
constexpr double kFriction = 1.0;

struct PileBody {
  bool sphere = false;
  Vec3 p = Vec3::Zero();
};

/// Columns of alternating spheres and boxes above a square box, open at the top.
struct PileSpec {
  int bodies = 40;
  double side = 0.8;  ///< of the container [m]
  std::vector<PileBody> start;
};
/// 40: 2 x 2 columns of 10; 400: 4 x 5 of 20; 4000: 10 x 10 of 40. Lateral jitter of 1 cm.
PileSpec MakePile(int bodies);

/// An engine with the pile in it.
class Peer {
 public:
  virtual ~Peer() = default;
  virtual void Step() = 0;
  virtual std::vector<Pose> Poses() const = 0;
  virtual int contacts() const = 0;
  virtual int iterations() const = 0;  ///< of the last step; -1 where the engine does not tell
};

struct PeerInfo {
  std::string name;
  std::string settings;  ///< what it solves, and how exactly
  int most_bodies;       ///< larger piles exceed its memory or patience
  std::function<std::unique_ptr<Peer>(const PileSpec&, double h)> make;
};

std::unique_ptr<Peer> MakeSlipscope(const PileSpec& pile, double h, MethodId model, bool plain);
std::unique_ptr<Peer> MakeMujoco(const PileSpec& pile, double h, bool elliptic);
std::unique_ptr<Peer> MakeBullet(const PileSpec& pile, double h, int iterations);
std::unique_ptr<Peer> MakeOde(const PileSpec& pile, double h, int iterations);
std::unique_ptr<Peer> MakeDart(const PileSpec& pile, double h);

/// Microseconds per step of one box on an oscillating belt; each engine drives the belt its own
/// way.
struct BeltPeer {
  std::string name;
  std::function<std::function<void()>(double h)> make;  ///< returns one step
};
std::function<void()> MakeSlipscopeBelt(double h);
std::function<void()> MakeMujocoBelt(double h);
std::function<void()> MakeBulletBelt(double h);
std::function<void()> MakeOdeBelt(double h);

/// Quadrupeds that stand, beside MuJoCo's; the best medians of the rounds.
void StandingRobots(int rounds, int calls, std::FILE* out);

/// Belt velocity of that workload at time t: 0.2 m stroke at 1 Hz [m/s].
double BeltVelocity(double t);

/// Penetration of the final poses, found by one judge for all: our own narrow phase.
struct Verdict {
  double mean_penetration = 0, max_penetration = 0;  ///< over touching pairs [m]
  bool escaped = false;  ///< a body left the container, or is not finite
};
Verdict Judge(const PileSpec& pile, const std::vector<Pose>& poses);

}  // namespace slip::bench
