// The notes on parameters of a run that nobody looks at: what a window would have shown.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/sim/simulation.h"
#include "engine/tell/param_notes.h"

namespace slip {

class ParamNoteWatch {
 public:
  struct Seen {
    ParamNote note;   ///< of the step that had most to say
    double time = 0;  ///< of its end [s]
  };
  /// What the channel is called while this method makes its steps.
  using NameOf = std::function<std::string(MethodId)>;

  ParamNoteWatch() = default;
  /// Of a channel in a scene of so long, as a window that looks from time to time [s].
  ParamNoteWatch(NameOf name, double duration, double period);

  /// One more step of the simulation, always the same one, and whether it was the last of the run.
  void Watch(const Simulation& simulation, bool last);

  /// One of each kind that held at two looks in a row, or until a parameter changed: what comes and
  /// goes sooner nobody reads. And events, whenever they were: impacts, deep overlap that a step
  /// left.
  std::vector<Seen> seen() const;
  /// Steps that were looked at in full: in the others nothing changed that notes tell of.
  int64_t looks() const { return looks_; }

 private:
  struct Kind {
    Seen most;          // of all steps
    bool told = false;  // it held long enough
    bool held = false;  // at the last look
  };
  /// Other parameters are in force from this step on.
  void Begin(const Config& config);
  /// What there is to say of a step.
  void Take(const Simulation& simulation);
  /// It says what the step before did, and no more.
  bool SaysTheSame(const NoteGrounds& grounds) const;
  void Look();
  Kind& Of(std::string_view id);

  NameOf name_;
  double duration_ = 1, period_ = 0, next_ = 0;  // [s]
  double hardest_impact_ = 0;                    // under these parameters [m/s]
  Config config_;
  int64_t version_ = -1;  // of the simulation's config, when it was this one
  std::vector<ParamEntry> params_;
  std::optional<NoteGrounds> grounds_;  // of the last step, where the next may be like it
  int64_t looks_ = 0;
  ChannelFrame frame_;                   // scratch
  std::vector<std::string_view> holds_;  // kinds that the last step has
  std::vector<Kind> kinds_;
};

}  // namespace slip
