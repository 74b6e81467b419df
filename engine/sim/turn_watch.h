// Whether a run's steps were short enough for what turns in it: kept step by step, said at its end
// or while it goes on.
#pragma once

#include <string>

#include "engine/sim/signals.h"
#include "engine/sim/snapshot.h"

namespace slip {

class Simulation;

class TurnWatch {
 public:
  /// One more step. True where a body turned farther than in any before, and too far for the step:
  /// SetBody() tells which.
  bool Add(const SignalValues& step);
  void SetBody(const Model& model, const ChannelFrame& frame);
  /// Both, for the last step of a simulation.
  void Watch(const Simulation& simulation);

  /// Sentences without a full stop; empty while there is nothing to say.
  std::string TurnNote() const;    ///< a body turns too far within a step while it touches
  std::string EnergyNote() const;  ///< energy came from nowhere while bodies turned

 private:
  double turn_ = 0, step_ = 0;        ///< the farthest, and how long that step was [rad], [s]
  double kinetic_ = 0, elastic_ = 0;  ///< the most [J]
  double overlap_ = 0;                ///< likewise, of overlap that steps left
  double created_ = 0;                ///< by the time stepping, so far [J]
  std::string body_;
};

/// A free body, but for a ball: its contacts turn with it.
bool TurnsContacts(const Model& model, const Body& body);
/// Of these, the one that touches and turns fastest; -1 = none does.
int FindFastestTurning(const Model& model, const ChannelFrame& frame);

}  // namespace slip
