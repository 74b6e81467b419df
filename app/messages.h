// Message cards: what happened, where, the likely cause, what to do. Marks: what stands on the
// time line and in every plot.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace slip::app {

class Session;

struct MessageAction {
  std::string label;
  std::function<void(Session*)> run;
};

struct Message {
  enum class Level { kInfo, kWarning, kError };
  Level level = Level::kInfo;
  std::string what;    ///< one sentence, present tense
  std::string where;   ///< file and line, or time and step
  std::string advice;  ///< likely cause and what to do
  std::vector<MessageAction> actions;
  double born = 0;  ///< [s] of the session's clock
  int repeats = 1;

  std::string Text() const;  ///< for "Copy details"
};

struct TimeMark {
  enum class Kind { kParameter, kGrab, kReset, kResync, kFailure, kNotConverged, kNote };
  Kind kind = Kind::kParameter;
  double time = 0;
  double end_time = 0;  ///< of a drag
  int64_t step = 0;
  int channel = -1;  ///< -1 = all
  std::string path;
  double from = 0, to = 0;
  int samples = 1;     ///< changes merged into this one
  double touched = 0;  ///< wall clock of the newest of them [s]
  std::string label;   ///< for people; empty = made from path, from and to
};

}  // namespace slip::app
