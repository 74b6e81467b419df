// Which points stick, slide or are open within a step of exponential integration, so that the
// forces of the linear system are those that the points can give. What is cut from a force
// afterwards is no solution: the other forces were found with it, and energy comes of that.
#include "engine/integrators/exponential_system.h"

namespace slip {
namespace {

// A point that goes back and forth stays where it is in the end.
constexpr int kMostOpenings = 2, kMostSlides = 2, kMostSticks = 1;

Vec3 TangentialPart(const Vec3& x, const Vec3& n_W) { return x - n_W.dot(x) * n_W; }

}  // namespace

void ExponentialStep::System::SetState(std::size_t i, const Touch& touch, PointState state) {
  states_[i] = state;
  if (state == kSticks) C_[i].setIdentity();
  if (state == kOpen) C_[i].setZero();
  if (state == kSlides)
    C_[i] = (touch.n_W + touch.params.friction * direction_[i]) * touch.n_W.transpose();
}

bool ExponentialStep::System::SolveConsistent(std::span<const AnchoredTouch> touches,
                                              const ExponentialSettings& settings, int* passes) {
  // A point slides whatever its load. One without load that moves would else hold its whole speed
  // by its damper, and the normal forces would answer to a friction that never was.
  for (std::size_t i = 0; i < touches.size(); ++i) {
    const Touch& touch = touches[i].touch;
    const Vec3 v = Part(speed_, i), f_W = CalcTrialForce(touch.params, Part(stretch_, i), v);
    const double fn = touch.n_W.dot(f_W);
    const Vec3 ft = f_W - fn * touch.n_W;
    turns_[i] = {};
    const double size = ft.norm();
    if (!(size > touch.params.friction * std::max(fn, 0.0)) || !(ft.dot(v) < 0)) continue;
    direction_[i] = ft / size;
    if (settings.slip == SlipPrediction::kCone) SetState(i, touch, kSlides);
    if (settings.slip == SlipPrediction::kAnchor) states_[i] = kSlides;  // its force is not bound
    turns_[i].first = states_[i];
  }
  if (!Integrate(touches, settings)) return false;
  const double h = settings.h;
  const auto most = static_cast<int>(4 * touches.size() + 4);
  for (int pass = 0; pass < most; ++pass) {
    for (std::size_t i = 0; i < touches.size(); ++i) {
      const Touch& touch = touches[i].touch;
      Part(applied_, i) = ProjectOnCone(touch.params.friction, touch.n_W, Part(l1_, i)).f_W;
    }
    end_speed_ = pull_;
    end_speed_.noalias() += delassus_ * applied_;
    end_speed_ = speed_ + h * end_speed_;
    end_stretch_ = pull_;
    end_stretch_.noalias() += delassus_ * l2_;
    end_stretch_ = stretch_ + h * speed_ + 0.5 * h * h * end_stretch_;
    bool changed = false;
    for (std::size_t i = 0; i < touches.size(); ++i)
      changed |= Reconsider(i, touches[i].touch, settings);
    if (!changed) break;
    ++*passes;
    if (!Integrate(touches, settings)) return false;
  }
  return true;
}

bool ExponentialStep::System::Reconsider(std::size_t i, const Touch& touch,
                                         const ExponentialSettings& settings) {
  const Vec3& n_W = touch.n_W;
  const Vec3 force = Part(l1_, i), v = Part(end_speed_, i);
  const double fn = n_W.dot(force);
  Turns& turns = turns_[i];
  if (states_[i] == kOpen) {
    // it would come down on its spring again, and farther than it was
    const double now = n_W.dot(Part(stretch_, i)), then = n_W.dot(Part(end_stretch_, i));
    if (!(then < std::min(0.0, now) && n_W.dot(v) < 0) || turns.opened >= kMostOpenings)
      return false;
    const auto first = static_cast<PointState>(turns.first);
    SetState(i, touch, settings.slip == SlipPrediction::kCone ? first : kSticks);
    states_[i] = first;
    return true;
  }
  if (fn < 0 && turns.opened < kMostOpenings) {
    ++turns.opened;
    SetState(i, touch, kOpen);
    return true;
  }
  // under the other predictions friction is none of the linear system's business
  if (settings.slip != SlipPrediction::kCone) return false;
  if (states_[i] == kSlides) {
    if (direction_[i].dot(v) < 0 || turns.stuck >= kMostSticks) return false;
    ++turns.stuck;
    turns.first = kSticks;
    SetState(i, touch, kSticks);
    return true;
  }
  const Vec3 ft = TangentialPart(force, n_W);
  const double size = ft.norm();
  if (!(size > touch.params.friction * fn) || turns.slid >= kMostSlides) return false;
  ++turns.slid;
  direction_[i] = ft / size;
  SetState(i, touch, kSlides);
  return true;
}

// The mean of the mean stays as it is where the mean force was not cut: positions and velocities
// are then those of one motion.
bool ExponentialStep::System::CutConsistent(std::size_t i, const Touch& touch) {
  // what slides is on its cone by itself, but for rounding
  if (states_[i] == kSlides && C_[i] != Mat3::Identity() && touch.n_W.dot(Part(l1_, i)) >= 0)
    return false;
  const BristleForce mean = ProjectOnCone(touch.params.friction, touch.n_W, Part(l1_, i));
  if (!mean.clipped) return false;
  Part(l1_, i) = mean.f_W;
  Part(l2_, i) = ProjectOnCone(touch.params.friction, touch.n_W, Part(l2_, i)).f_W;
  return true;
}

}  // namespace slip
