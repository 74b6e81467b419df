#include "engine/sim/turn_watch.h"

#include "engine/sim/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace slip {
namespace {

// From this turn of a step on rolling and spinning lose their accuracy [rad].
constexpr double kFarTurn = 0.5;
// Energy that the time stepping made is told of where something turned by more than this in a step
// [rad], and where it is more than this share of the largest kinetic energy.
constexpr double kNoticedTurn = 0.01;
constexpr double kNoticedShare = 0.01;

}  // namespace

bool TurnWatch::Add(const SignalValues& step) {
  const auto value = [&step](Signal id) { return step[static_cast<std::size_t>(id)]; };
  // fmax: what is not known does not count
  kinetic_ = std::fmax(kinetic_, value(Signal::kKineticEnergy));
  elastic_ = std::fmax(elastic_, value(Signal::kElasticEnergy));
  overlap_ = std::fmax(overlap_, value(Signal::kOverlapEnergy));
  created_ = -value(Signal::kNumericalDissipation);
  const double turn = value(Signal::kTurnPerStep);
  if (!(turn > turn_)) return false;
  turn_ = turn;
  step_ = value(Signal::kTimeStep);
  return turn_ > kFarTurn;
}

void TurnWatch::SetBody(const Model& model, const ChannelFrame& frame) {
  const int body = FindFastestTurning(model, frame);
  body_ = body >= 0 ? model.bodies[static_cast<std::size_t>(body)].name : std::string();
}

void TurnWatch::Watch(const Simulation& simulation) {
  if (!Add(simulation.signals())) return;
  ChannelFrame frame;
  simulation.Fill(&frame);
  SetBody(simulation.model(), frame);
}

std::string TurnWatch::TurnNote() const {
  if (!(turn_ > kFarTurn)) return {};
  return fmt::format(
      "{} turns by {:.0f} deg in a step while it touches: rolling and spinning need a turn below "
      "{} rad (time step below {:.2g} ms)",
      body_.empty() ? "a body" : body_, turn_ * 180 / std::numbers::pi, kFarTurn,
      1e3 * step_ * kFarTurn / turn_);
}

std::string TurnWatch::EnergyNote() const {
  if (!(created_ > kNoticedShare * kinetic_) || turn_ < kNoticedTurn) return {};
  // a deep overlap gives back more than it took, and that is another matter
  if (elastic_ > kinetic_ || overlap_ > kNoticedShare * kinetic_) return {};
  return fmt::format(
      "energy from nowhere: {:.2g} J, {:.0f} % of the largest kinetic energy, came from the time "
      "stepping while bodies turned; a smaller time step makes less",
      created_, 100 * created_ / kinetic_);
}

bool TurnsContacts(const Model& model, const Body& body) {
  const auto at_centre = [](const Vec3& point) { return point.isZero(0); };
  const bool ball = body.shape.kind == ShapeKind::kSphere &&
                    std::all_of(body.points_B.begin(), body.points_B.end(), at_centre);
  return !ball && model.IsFree(body);
}

int FindFastestTurning(const Model& model, const ChannelFrame& frame) {
  int fastest = -1;
  double most = 0;
  for (const ContactFrame& contact : frame.contacts) {
    if (!(contact.fn > 0)) continue;
    for (const int b : {contact.body, contact.body_a}) {
      if (b < 0 || static_cast<std::size_t>(b) >= frame.bodies.size()) continue;
      const Body& body = model.bodies[static_cast<std::size_t>(b)];
      const double speed = frame.bodies[static_cast<std::size_t>(b)].V_WB.head<3>().norm();
      if (!TurnsContacts(model, body) || !(speed > most)) continue;
      most = speed;
      fastest = b;
    }
  }
  return fastest;
}

}  // namespace slip
