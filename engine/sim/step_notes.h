// What steps did that a reader of their numbers would not expect: told once per run and channel, on
// the command line as in the window. Each note is a row of one table.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/dynamics/model.h"
#include "engine/method/config.h"
#include "engine/sim/signals.h"

namespace slip {

/// One note of a run.
struct StepNote {
  std::string_view id;      ///< "overlap"
  int64_t steps = 0;        ///< that it holds of
  double first_time = 0;    ///< of these [s]
  double worst_time = 0;    ///< of the one that it says most of [s]
  bool beside_row = false;  ///< the window says it beside the parameter's row, and there alone
  std::string what;         ///< phrase without a subject: "left an overlap of 11 mm ..."
  std::string advice;       ///< phrase: "take shorter steps"
};

class StepNotes {
 public:
  StepNotes() = default;
  explicit StepNotes(const Model& model);

  /// One more step, from its signals. True where a note is new, or says more than before.
  bool Add(const SignalValues& values, const Config& config, int64_t step, double time);
  /// Those that hold of some step, in the order of the table.
  std::vector<StepNote> List() const;
  /// Forgets steps later than this [s]: the run went on from there.
  void Forget(double after);

 private:
  /// What a row needs of the step that it says most of.
  struct Held {
    int64_t steps = 0;
    int in_a_row = 0;
    double first_time = 0, worst_time = 0, worst = 0;
    SignalValues values{};
    StepParams params{};
  };
  std::vector<Held> held_;
  double smallest_ = 0;  ///< radius of the smallest body that moves [m]
  double handled_ = 0;   ///< most energy of motion and springs so far, work, a step's fall [J]
  double mass_ = 0;      ///< of what moves [kg]
};

}  // namespace slip
