// Notes on a parameter: where its present value leaves the range in which the numbers mean what
// they seem to. Pure functions of a moment; a window draws them under the parameter's row, `run`
// prints them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/method/config.h"
#include "engine/tell/run_moment.h"

namespace slip {

struct ParamNote {
  std::string_view id;  ///< "near_rigid", "impact"
  /// The note on steps (StepNote) that says the same of the whole run; may be empty.
  std::string_view of_steps = {};
  std::string path;  ///< of the parameter that it is of
  int channel = -1;
  double size = 0;        ///< how much there is to say, comparable within one id
  std::string_view most;  ///< what the moment of the largest size has: "the deepest"
  std::string text;       ///< sentence
  std::string detail;     ///< the numbers that bear it out
  /// "Why is the contact softer than asked?"
  struct Answer {
    std::string question, text;
  } answer;
  bool is_event = false;  ///< it has happened, whatever comes after: no state that may pass
};

/// What there is to say of the parameter now, the most important first.
std::vector<ParamNote> NotesOf(const RunMoment& moment, const ParamEntry& entry);

/// What of a moment decides which notes there are, found without a word. As long as it stays as it
/// is and nothing grows, the notes do.
struct NoteGrounds {
  uint64_t contacts = 0;  ///< a hash: of what materials, which of them softened, which creep
  double creep = 0;       ///< the largest CreepNote could tell of
  bool passing = false;   ///< something that every moment has to be looked at for
  bool operator==(const NoteGrounds&) const = default;
};
NoteGrounds FindNoteGrounds(const Model& model, const Config& config,
                            const std::vector<ContactFrame>& contacts, double duration);

/// What starting from rest in every step costs: the force m v/dt of the first body that moves.
struct RestDrag {
  std::string formula;  ///< with its numbers: "1 kg x 0.1 m/s / 5 ms = 20 N"; empty = it costs none
  double share = 0;     ///< of the body's weight
};
RestDrag CalcRestDrag(const Model& model, const ChannelFrame& frame);

}  // namespace slip
