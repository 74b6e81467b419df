// Messages: one entry per subject, one card at a time.
#include <algorithm>

#include "app/session/messages.h"
#include "engine/core/numbers.h"

namespace slip::app {
namespace {

constexpr std::size_t kMostEntries = 100;
// An ongoing message comes up again after this long without news [s].
constexpr double kQuiet = 10;
// The card outlives the mouse on it by this [s].
constexpr double kAfterHover = 3;

/// How long a card is shown [s].
double Life(const Message& message) {
  if (message.level == Message::Level::kError) return 30;
  if (message.level == Message::Level::kWarning) return 15;
  return message.actions.empty() ? 6 : 8;
}

}  // namespace

std::string Message::Text() const {
  std::string text = what;
  if (!where.empty()) text += "\n" + where;
  if (!advice.empty()) text += "\n" + advice;
  return text;
}

void MessageLog::Post(Message message, double now) {
  if (message.subject.empty()) message.subject = message.what + "\n" + message.where;
  message.posted = message.shown = now;
  const auto old = std::find_if(entries_.begin(), entries_.end(),
                                [&](const Message& m) { return m.subject == message.subject; });
  if (old != entries_.end()) {
    message.repeats = old->repeats + 1;
    if (message.ongoing && now - old->posted <= kQuiet) {
      message.shown = old->shown;
      message.closed = old->closed;
    }
    *old = std::move(message);
    return;
  }
  if (entries_.size() >= kMostEntries) entries_.erase(entries_.begin());
  entries_.push_back(std::move(message));
}

void MessageLog::SetQuestion(bool asked, double now) {
  if (question_ && !asked) {
    for (Message& message : entries_) {
      if (message.after_question && message.shown >= asked_since_) message.shown = now;
    }
  }
  if (!question_ && asked) asked_since_ = now;
  question_ = asked;
}

bool MessageLog::Up(const Message& message, double now) const {
  if (message.after_question && question_) return false;
  return !message.closed && (message.stays || now - message.shown <= Life(message));
}

const Message* MessageLog::Card(double now) const {
  const Message* newest = nullptr;
  for (const Message& message : entries_) {
    if (Up(message, now) && (newest == nullptr || message.shown >= newest->shown))
      newest = &message;
  }
  return newest;
}

int MessageLog::Waiting(double now) const {
  const auto up =
      std::count_if(entries_.begin(), entries_.end(), [&](const Message& m) { return Up(m, now); });
  return std::max(0, static_cast<int>(up) - 1);
}

void MessageLog::Hold(double now) {
  const Message* card = Card(now);
  if (card == nullptr) return;
  Message& held = At(entries_, card - entries_.data());
  held.shown = std::max(held.shown, now - Life(held) + kAfterHover);
}

void MessageLog::Close(std::size_t index) {
  if (index < entries_.size()) entries_[index].closed = true;
}

void MessageLog::Remove(std::size_t index) {
  if (index < entries_.size())
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(index));
}

void MessageLog::RemoveIf(const std::function<bool(const Message&)>& gone) {
  std::erase_if(entries_, gone);
}

}  // namespace slip::app
