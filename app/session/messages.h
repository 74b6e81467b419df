// Messages: what happened, where, the likely cause, what to do. Marks: what stands on the time
// line and in every plot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
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
  /// Messages of one subject are one entry, which says the newest; empty = what and where are it.
  std::string subject;
  std::optional<double> run_time;  ///< of what it says of the run [s]: void when that goes back
  bool stays = false;              ///< its card is shown until somebody answers or closes it
  bool after_question = false;     ///< no card while a lesson's question waits for its answer
  bool ongoing = false;  ///< `what` counts by itself, and no card comes again while it goes on

  // Kept by the log.
  double posted = 0;  ///< newest of them, on the session's clock [s]
  double shown = 0;   ///< since when its card is up [s]
  bool closed = false;
  int repeats = 1;

  std::string Text() const;  ///< for "Copy details"
};

/// Everything that was said, one entry per subject. The newest entry is a card for some seconds;
/// after that it is found in the list of the status bar.
class MessageLog {
 public:
  void Post(Message message, double now);
  /// The message on the card; null when there is none.
  const Message* Card(double now) const;
  /// Entries that would be a card as well, were there room for more than one.
  int Waiting(double now) const;
  /// A lesson's question is on the screen and waits for its answer. Once it has it, the cards that
  /// it kept back come up.
  void SetQuestion(bool asked, double now);
  bool question() const { return question_; }
  /// The mouse is on the card: it stays a little longer.
  void Hold(double now);
  void Close(std::size_t index);  ///< no card any more; the entry stays
  void Remove(std::size_t index);
  /// Drops what `gone` says yes to.
  void RemoveIf(const std::function<bool(const Message&)>& gone);
  const std::vector<Message>& entries() const { return entries_; }

 private:
  bool Up(const Message& message, double now) const;

  std::vector<Message> entries_;
  bool question_ = false;
  double asked_since_ = 0;  ///< [s]
};

struct TimeMark {
  enum class Kind { kParameter, kGrab, kReset, kResync, kFailure, kNotConverged, kNote };
  Kind kind = Kind::kParameter;
  double time = 0;
  double end_time = 0;  ///< of a drag
  int64_t step = 0;
  uint64_t note = 0;  ///< its number, of a note; others have none
  int branch = 0;     ///< where a note was made
  int channel = -1;   ///< -1 = all
  std::string path;
  double from = 0, to = 0;
  int samples = 1;     ///< changes merged into this one
  int others = 0;      ///< of other members of the same robot, made together with it
  double touched = 0;  ///< wall clock of the newest of them [s]
  std::string label;   ///< for people; empty = made from path, from and to

  /// The solver made it, not a person.
  bool IsAutomatic() const { return kind == Kind::kFailure || kind == Kind::kNotConverged; }
};

}  // namespace slip::app
