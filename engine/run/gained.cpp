#include "engine/run/gained.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/sim/failure_words.h"

namespace slip {

void Gained::Add(const SolveRecord& solve, double step) {
  if (solve.anchors.pieces > 0) {
    ++halved;
    pieces += solve.anchors.pieces;
  }
  if (solve.gain.share > kGainOfAnchors) {
    ++gained;
    worst = std::max(worst, solve.gain.share);
  }
  if (step > solve.anchors.stable_step) {  // never of a NaN
    ++beyond;
    limit = std::min(limit, solve.anchors.stable_step);
  }
}

void Gained::Add(const Gained& other) {
  halved += other.halved;
  pieces += other.pieces;
  gained += other.gained;
  worst = std::max(worst, other.worst);
  beyond += other.beyond;
  limit = std::min(limit, other.limit);
}

ErrorList Gained::Notes() const {
  ErrorList notes;
  if (halved > 0) {
    notes.push_back(
        {.message = fmt::format("note: {} made of {} shorter ones, which keep the energy that {} "
                                "would not",
                                halved == 1 ? "1 step was" : fmt::format("{} steps were", halved),
                                pieces, halved == 1 ? "it" : "they")});
  }
  if (gained > 0) {
    notes.push_back(
        {.message = fmt::format("note: {} energy from nothing, up to {:.2g} times the energy that "
                                "{} handle{}",
                                gained == 1 ? "1 step made" : fmt::format("{} steps made", gained),
                                worst, gained == 1 ? "it" : "they", gained == 1 ? "s" : ""),
         .hint = "a smaller time step makes less"});
  }
  if (beyond > 0) {
    const std::string steps =
        beyond == 1 ? "1 explicit step" : fmt::format("{} explicit steps", beyond);
    const std::string what =
        limit > 0 ? fmt::format("{} longer than the limit of stability, about {:.2g} ms",
                                beyond == 1 ? "was" : "were", 1e3 * limit)
                  : "had contacts without damping, for which no step is stable";
    notes.push_back(
        {.message = fmt::format("note: {} {}", steps, what),
         .hint = "beyond a limit explicit methods make energy: " + AdviceBeyond(limit)});
  }
  return notes;
}

}  // namespace slip
