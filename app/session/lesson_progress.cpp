// Lesson cards against measured numbers.
#include "app/session/lesson_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/method/methods.h"
#include "engine/tell/format.h"

namespace slip::app {
namespace {

/// Why the card can only be read in this build, a sentence; empty = it can be done.
std::string WhyOnlyRead(const LessonCard& card) {
  const std::optional<MethodId> method = FindMethod(card.needs);
  const std::string_view why = method ? Info(*method).WhyMissing() : "";
  if (why.empty()) return {};
  return fmt::format("{} is not in this build: {}.", Info(*method).label, why);
}

/// A count is written as one: 246 contacts, five times as high.
std::string WriteNumber(double value, std::string_view unit) {
  if (unit.empty() && std::abs(value) < 1e6) {
    if (const std::optional<std::string> count = FormatCount(value)) return *count;
  }
  return FormatQuantity(value, unit);
}

}  // namespace

bool LessonProgress::Words::Write(const ExpressionData& data) {
  std::string text = measured.Write(data, WriteNumber);
  if (text == now) return false;
  now = std::move(text);
  return true;
}

void LessonProgress::Start(const Lesson& lesson, const Model* model,
                           std::vector<std::string>* errors) {
  cards_.clear();
  active_ = 0;
  advice_ = -1;
  say_.clear();
  for (const LessonCard& from : lesson.cards) {
    const auto report = [&](const Error& error) {
      if (errors != nullptr) errors->push_back("Lesson card '" + from.title + "': " + error.Text());
    };
    const auto parse = [&](const std::string& text) -> std::optional<Expression> {
      Result<Expression> parsed = Expression::Parse(text, model);
      if (parsed.ok()) return std::move(parsed).value();
      report(parsed.error());
      return std::nullopt;
    };
    const auto words = [&](const std::string& text) {
      Result<MeasuredText> parsed = MeasuredText::Parse(text, from.parameter, model);
      if (parsed.ok()) return std::move(parsed).value();
      report(parsed.error());
      return MeasuredText();
    };
    Card& card = cards_.emplace_back();
    card.asks = from.kind == "predict";
    const std::string only_read = WhyOnlyRead(from);
    if (!from.done_when.empty() && only_read.empty()) card.condition = parse(from.done_when);
    card.text.measured = words(from.text);
    card.hint.measured = words(from.hint);
    card.formula.measured = words(from.formula);
    card.sees = words(only_read.empty() ? from.seen : only_read);
    // a place for each: indices are those of the scene; an empty expression never holds
    for (const LessonAdvice& advice : from.advice)
      card.advice.push_back({parse(advice.when).value_or(Expression()), words(advice.say)});
    for (Words* each : {&card.text, &card.hint, &card.formula}) each->Write({});
  }
}

bool LessonProgress::Evaluate(const ExpressionData& data) {
  if (active_ >= count() || Asks(active_)) return false;
  Card& card = At(cards_, active_);
  // A card without a condition asks for nothing but reading.
  if (card.condition && !card.condition->Evaluate(data)) return false;
  const bool measurable = card.sees.Measurable(data);
  if (card.done && !measurable) return false;
  std::string seen = card.sees.Write(data, WriteNumber);
  const bool changed = !card.done || card.waits || seen != card.seen;
  card.seen = std::move(seen);
  card.waits = !measurable;
  if (!card.done) advice_ = -1;
  card.done = true;
  return changed;
}

void LessonProgress::Unsee() {
  if (active_ < count() && done(active_)) At(cards_, active_).waits = true;
}

bool LessonProgress::Advise(const ExpressionData& data) {
  if (active_ >= count()) return false;
  Card& card = At(cards_, active_);
  bool changed = false;
  for (Words* each : {&card.text, &card.hint, &card.formula})
    changed = each->Write(data) || changed;
  int found = -1;
  if (!card.done) {
    const auto holds = [&](const Advice& advice) { return advice.when.Evaluate(data); };
    const auto first = std::find_if(card.advice.begin(), card.advice.end(), holds);
    if (first != card.advice.end()) found = static_cast<int>(first - card.advice.begin());
  }
  std::string say;
  if (found >= 0) say = At(card.advice, found).say.Write(data, WriteNumber);
  changed = changed || found != advice_ || say != say_;
  advice_ = found;
  say_ = std::move(say);
  return changed;
}

void LessonProgress::Answer(int choice) {
  if (active_ < count() && Asks(active_)) At(cards_, active_).given = choice;
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
  Unsee();  // since it was left the run may have become another one
}

}  // namespace slip::app
