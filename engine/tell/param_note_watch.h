// The notes on parameters of a run that nobody looks at: what a window would have shown.
#pragma once

#include <string>
#include <vector>

#include "engine/sim/simulation.h"
#include "engine/tell/param_notes.h"

namespace slip {

class ParamNoteWatch {
 public:
  struct Seen {
    ParamNote note;   ///< where it had most to say
    double time = 0;  ///< then [s]
  };

  ParamNoteWatch() = default;
  /// Of a channel of this name, in a scene of so long, from time to time [s].
  ParamNoteWatch(std::string name, double duration, double period);

  /// One more step; looks where the next moment has come, and at the last step of the run.
  void Watch(const Simulation& simulation, bool last);

  /// One of each kind that held at two looks in a row: what comes and goes sooner nobody reads.
  const std::vector<Seen>& seen() const { return seen_; }

 private:
  std::string name_;
  int first_method_ = -1;                        ///< that the name is of
  double duration_ = 1, period_ = 0, next_ = 0;  ///< [s]
  bool looks_ = false;
  double hardest_impact_ = 0;           ///< [m/s]
  std::vector<std::string_view> last_;  ///< kinds of the last look
  std::vector<Seen> seen_;
};

}  // namespace slip
