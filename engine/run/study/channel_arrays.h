// One channel of a run as arrays: what bodies.csv and contacts.csv say of poses, velocities and
// forces, and every signal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/npz/array_sink.h"
#include "engine/run/study/run_choice.h"
#include "engine/sim/simulation.h"

namespace slip {

class ChannelArrays {
 public:
  /// Adds the arrays to `sink`, which must outlive this. `time_step` is that of the first step [s].
  ChannelArrays(const Model& model, double time_step, ArraySink* sink,
                const RunChoice& choice = {});
  /// A row more of each, and a row for each contact, of the last step.
  void Add(const Simulation& simulation);
  /// What says how the arrays are meant: schema, frames, who made them.
  void AddWords(const std::string& engine, const std::string& command_line);

 private:
  void AddBodyArrays(int64_t count);
  void AddContactArrays();
  void AddContacts(const Simulation& simulation);

  ArraySink* sink_;
  std::vector<int> bodies_;    // that have rows, by index of the model
  std::vector<int> place_of_;  // of a body of the model among those; -1 = none
  std::vector<Signal> signals_;
  std::vector<int> signal_;  // their arrays
  bool has_contacts_ = true;
  int step_ = 0, time_ = 0, position_ = 0, turn_ = 0, velocity_ = 0, spin_ = 0;
  int contact_time_ = 0, contact_a_ = 0, contact_b_ = 0, contact_surface_ = 0,
      contact_position_ = 0, contact_normal_ = 0, contact_force_ = 0, contact_distance_ = 0,
      contact_vn_ = 0, contact_vt_ = 0, contact_key_ = 0, contact_mode_ = 0, contact_coulomb_ = 0,
      contact_offset_ = 0;
  double time_step_;  // of all steps so far; NaN = it has changed
};

}  // namespace slip
