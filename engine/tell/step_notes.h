// What steps did that a reader of their numbers would not expect: said once per run and channel, on
// the command line as in the window. Each note is a row of the table in step_note_rows.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/sim/signals.h"
#include "engine/sim/simulation.h"

namespace slip {

/// One note of a run.
struct StepNote {
  std::string_view id;     ///< "overlap"
  int64_t steps = 0;       ///< that it holds of
  double first_time = 0;   ///< of these [s]
  double worst_time = 0;   ///< of the one that it says most of [s]
  double worst = 0;        ///< how much it says there, in the unit of the row
  double sum = 0;          ///< over the steps, of what the row counts
  std::string_view most;   ///< what that one has: "the deepest"
  bool elsewhere = false;  ///< the window says it beside what it is of, and there alone
  bool is_little = false;  ///< it need not interrupt anybody
  MethodId method = {};    ///< of that step
  std::string what;        ///< phrase without a subject: "left an overlap of 11 mm ..."
  std::string advice;      ///< phrase: "take shorter steps"; may be empty
};

/// Null where none has this id.
const StepNote* Find(std::span<const StepNote> notes, std::string_view id);

/// A note as the end of a run says it.
struct ToldNote {
  std::string_view id;
  std::string text;    ///< a sentence without its full stop
  std::string advice;  ///< or the numbers that bear it out; may be empty
};

/// What the guard of energy found in a step (EnergyGain), and what its friction came to.
struct StepGuard {
  int pieces = 0;        ///< that it was made of, because it would gain energy; 0 = made at once
  double gain = 0;       ///< share of the energy that it handles, made from nothing
  double gained = 0;     ///< the same [J]
  double made = 0;       ///< by the whole model, beyond its balance [J]
  double mismatch = 0;   ///< of a step without a solution of its law (SolveSummary) [N]
  double round_off = 0;  ///< residual of one that is solved to the last bits of velocities
};

StepGuard GuardOf(const SolveRecord& solve);

/// One step, as far as notes look at it.
struct ToldStep {
  const SignalValues& values;
  const StepParams& params;
  int64_t step = 0;
  double time = 0;  ///< [s]
  StepGuard guard = {};
};
/// The last step of a simulation.
ToldStep TellStep(const Simulation& simulation);

class StepNotes {
 public:
  StepNotes() = default;
  explicit StepNotes(const Model& model);

  /// One more step. True where a note is new, or says more than before.
  bool Add(const ToldStep& step);
  /// Some note names a body of the step that was added last.
  bool wants_body() const { return wants_body_; }
  /// Answers that, from the frame of the step or of one soon after.
  void SetBody(const Model& model, const ChannelFrame& frame);
  /// Add and SetBody, for the last step of a simulation.
  void Watch(const Simulation& simulation);

  /// Those that hold of some step, in the order of the table.
  std::vector<StepNote> List() const;
  /// Forgets steps later than this [s]: the run went on from there.
  void Forget(double after);

  // Of the table (step_note_rows.h).
  struct View;
  struct Row;

 private:
  /// What a row needs of the step that it says most of.
  struct Held {
    int64_t steps = 0;
    int in_a_row = 0;
    double first_time = 0, worst_time = 0, worst = 0;
    double sum = 0;  ///< over the steps, of what the row counts
    SignalValues values{};
    StepParams params{};
    StepGuard guard{};
    std::string body;
  };
  /// The most of the run so far.
  struct Seen {
    double kinetic = 0, elastic = 0, overlap = 0;  ///< [J]
    double turn = 0;                               ///< in a step [rad]
    bool beyond = false;                           ///< a step was longer than is stable
    double gained = 0;                             ///< by steps that gain, together [J]
    double loaded = 0;                             ///< contacts that carry load, over all steps
  };
  StepNote NoteOf(const Row& row, const Held& held) const;

  std::vector<Held> held_;
  Seen seen_;
  double last_time_ = 0;  ///< of the step that was added last [s]
  double smallest_ = 0;   ///< radius of the smallest body that moves [m]
  double handled_ = 0;    ///< most energy of motion and springs so far, work, a step's fall [J]
  double mass_ = 0;       ///< of what moves [kg]
  bool has_links_ = false;
  bool wants_body_ = false;
};

}  // namespace slip
