// Lesson cards against measured numbers.
#include "app/session/lesson_progress.h"

#include <algorithm>
#include <cmath>

#include "app/kit/format.h"

namespace slip::app {
namespace {

constexpr char kNumber = '\x01';  // stands for a measured number, which no scene writes

}  // namespace

void LessonProgress::Start(const Lesson& lesson, const Model* model,
                           std::vector<std::string>* errors) {
  cards_.clear();
  active_ = 0;
  advice_ = -1;
  for (const LessonCard& from : lesson.cards) {
    const auto parse = [&](const std::string& text) -> std::optional<Expression> {
      Result<Expression> parsed = Expression::Parse(text, model);
      if (parsed.ok()) return std::move(parsed).value();
      if (errors != nullptr)
        errors->push_back("Lesson card '" + from.title + "': " + parsed.error().Text());
      return std::nullopt;
    };
    Card& card = cards_.emplace_back();
    card.asks = from.kind == "predict";
    if (!from.done_when.empty()) card.condition = parse(from.done_when);
    const std::string& seen = from.seen;
    for (std::size_t at = 0; at < seen.size(); ++at) {
      const std::size_t end = seen[at] == '{' ? seen.find('}', at) : std::string::npos;
      if (end == std::string::npos) {
        card.text += seen[at];
        continue;
      }
      Result<Expression> number = Expression::ParseNumber(seen.substr(at + 1, end - at - 1), model);
      card.text += kNumber;
      card.numbers.push_back(number.ok() ? std::move(number).value() : Expression());
      at = end;
    }
    // a place for each: indices are those of the scene; an empty expression never holds
    for (const LessonAdvice& advice : from.advice)
      card.advice.push_back(parse(advice.when).value_or(Expression()));
  }
}

bool LessonProgress::Evaluate(const ExpressionData& data) {
  if (active_ >= count() || Asks(active_) || done(active_)) return false;
  Card& card = cards_[static_cast<std::size_t>(active_)];
  // A card without a condition asks for nothing but reading.
  if (card.condition && !card.condition->Evaluate(data)) return false;
  Measure(data);
  card.done = true;
  advice_ = -1;
  return true;
}

/// Writes the numbers of the active card into what it says.
void LessonProgress::Measure(const ExpressionData& data) {
  Card& card = cards_[static_cast<std::size_t>(active_)];
  std::string text;
  std::size_t next = 0;
  for (const char c : card.text) {
    if (c != kNumber) {
      text += c;
      continue;
    }
    const Expression& number = card.numbers[next++];
    const double value = number.Number(data).value_or(std::nan(""));
    text += FormatQuantity(value, number.unit());
  }
  card.seen = std::move(text);
}

bool LessonProgress::Advise(const ExpressionData& data) {
  int found = -1;
  if (active_ < count() && !done(active_)) {
    const std::vector<Expression>& advice = At(active_).advice;
    const auto holds = [&](const Expression& when) { return when.Evaluate(data); };
    const auto first = std::find_if(advice.begin(), advice.end(), holds);
    if (first != advice.end()) found = static_cast<int>(first - advice.begin());
  }
  if (found == advice_) return false;
  advice_ = found;
  return true;
}

void LessonProgress::Answer(int choice) {
  if (active_ < count() && Asks(active_)) cards_[static_cast<std::size_t>(active_)].given = choice;
}

void LessonProgress::Next() {
  if (active_ < count() && done(active_)) ++active_;
  advice_ = -1;
}

int LessonProgress::Reachable() const {
  int first = 0;
  while (first < count() && done(first)) ++first;
  return first;
}

void LessonProgress::Select(int card) {
  active_ = std::clamp(card, 0, Reachable());
  advice_ = -1;
}

}  // namespace slip::app
