// Writes a run as arrays: of each channel one .npz with what bodies.csv and contacts.csv say of
// poses, velocities and forces, and every signal.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/npz/npz_writer.h"
#include "engine/run/record/recording_file.h"
#include "engine/run/study/run_plan.h"

namespace slip {

/// What a file of arrays is called.
inline constexpr std::string_view kNpzSuffix = ".npz";

class NpzRecorder {
 public:
  /// One channel is `path`, several are STEM-LABEL.npz beside each other. Errors and *taken as
  /// OpenOutputFiles says.
  static Result<std::unique_ptr<NpzRecorder>> Open(const std::string& path, const RunPlan& plan,
                                                   int64_t every, bool force,
                                                   bool* taken = nullptr);
  /// After every step; keeps every N-th.
  void Step(int channel, const Simulation& simulation);
  /// Writes the archives, also of a run that was interrupted.
  void Complete(const RunContext& context);
  /// All of the run, for CommitTogether.
  std::vector<OutputFile*> files() const;
  /// False once a write failed.
  bool good() const;

 private:
  /// One channel's file and the places of its arrays.
  struct Channel {
    std::shared_ptr<OutputFile> file;
    std::unique_ptr<NpzWriter> writer;
    std::string label;
    std::vector<int> bodies;    // that have rows, by index of the model
    std::vector<int> place_of;  // of a body of the model among those; -1 = none
    std::vector<Signal> signals;
    int step = 0, time = 0, position = 0, turn = 0, velocity = 0, spin = 0;
    int contact_time = 0, contact_a = 0, contact_b = 0, contact_surface = 0, contact_position = 0,
        contact_normal = 0, contact_force = 0, contact_distance = 0, contact_vn = 0, contact_vt = 0,
        contact_key = 0, contact_mode = 0, contact_coulomb = 0, contact_offset = 0;
    std::vector<int> signal;  // as signals
    double time_step = 0;     // of all steps so far; NaN = it has changed
  };

  NpzRecorder() = default;
  static void AddArrays(const Model& model, Channel* channel);

  std::vector<Channel> channels_;
  int64_t every_ = 1;
};

}  // namespace slip
