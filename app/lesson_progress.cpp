// Lesson cards against measured numbers.
#include "app/lesson_progress.h"

#include <algorithm>

namespace slip::app {

void LessonProgress::Start(const Lesson& lesson, std::vector<std::string>* errors) {
  conditions_.clear();
  done_.assign(lesson.cards.size(), false);
  active_ = 0;
  for (const LessonCard& card : lesson.cards) {
    conditions_.emplace_back();
    if (card.done_when.empty()) continue;
    Result<Expression> parsed = Expression::Parse(card.done_when);
    if (parsed.ok()) {
      conditions_.back() = std::move(parsed).value();
    } else if (errors != nullptr) {
      errors->push_back("Lesson card '" + card.title + "': " + parsed.error().Text());
    }
  }
}

bool LessonProgress::Evaluate(const ExpressionData& data) {
  if (active_ >= count() || done(active_)) return false;
  const std::size_t card = static_cast<std::size_t>(active_);
  // A card without a condition asks for nothing but reading.
  if (conditions_[card] && !conditions_[card]->Evaluate(data)) return false;
  done_[card] = true;
  return true;
}

void LessonProgress::Next() {
  if (active_ < count() && done(active_)) ++active_;
}

int LessonProgress::Reachable() const {
  int first = 0;
  while (first < count() && done(first)) ++first;
  return first;
}

void LessonProgress::Select(int card) { active_ = std::clamp(card, 0, Reachable()); }

}  // namespace slip::app
