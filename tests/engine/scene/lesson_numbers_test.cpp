// No lesson quotes a number that its run may not have. What a card has shown has no digit outside
// braces. In all other texts a number stands with its unit as the card's own conditions have it:
// the card asks for it. Formulas may have whole numbers without unit: exponents and factors.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <string>
#include <vector>

#include "engine/core/param_text.h"
#include "engine/scene/scene.h"

namespace slip {
namespace {

struct Quantity {
  double number;
  bool whole;
  std::string unit, text;
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

/// The text without numbers that are measured.
std::string OutsideBraces(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool groups = at > 0 && (text[at - 1] == '_' || text[at - 1] == '^');
    const std::size_t end = text[at] == '{' && !groups ? text.find('}', at) : std::string::npos;
    out += end == std::string::npos ? text[at] : '{';
    if (end != std::string::npos) at = end;
  }
  return out;
}

/// What follows a number, if it is a unit: "ms", "N/m", "°".
std::string UnitAt(const std::string& text, std::size_t at) {
  if (at < text.size() && text[at] == ' ') ++at;
  std::size_t end = at;
  while (end < text.size() && (IsLetter(text[end]) || text[end] == '/' || text[end] == '%' ||
                               static_cast<unsigned char>(text[end]) >= 0x80)) {
    ++end;
  }
  std::string unit = text.substr(at, end - at);
  return unit.starts_with("°") || UnitScale(unit) ? unit : "";
}

std::vector<Quantity> QuantitiesIn(const std::string& text) {
  std::vector<Quantity> found;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!IsDigit(text[at])) continue;
    // of names: F_1, J4
    const bool of_name = at > 0 && (IsLetter(text[at - 1]) || text[at - 1] == '_');
    std::size_t length = 0;
    const double number = std::stod(text.substr(at), &length);
    const std::string digits = text.substr(at, length);
    const bool whole = std::all_of(digits.begin(), digits.end(), IsDigit);
    const std::string unit = UnitAt(text, at + length);
    if (!of_name) found.push_back({number, whole, unit, digits + " " + unit});
    at += length - 1;
  }
  return found;
}

/// What in `text` nobody has asked for.
std::vector<std::string> Unasked(const std::string& text, const LessonCard& card, bool formula) {
  std::vector<Quantity> asked = QuantitiesIn(card.done_when);
  for (const LessonAdvice& advice : card.advice) {
    for (Quantity& each : QuantitiesIn(advice.when)) asked.push_back(std::move(each));
  }
  std::vector<std::string> out;
  for (const Quantity& each : QuantitiesIn(OutsideBraces(text))) {
    const bool pure = formula && each.whole && each.unit.empty();
    const bool known = std::any_of(asked.begin(), asked.end(), [&](const Quantity& other) {
      return other.number == each.number && other.unit == each.unit;
    });
    if (!pure && !known) out.push_back(each.text);
  }
  return out;
}

/// Words that are numbers, too.
std::string NumberWord(const std::string& text) {
  constexpr std::array<std::string_view, 16> kWords = {
      "twice", "thrice", "half",    "halves", "double",   "doubles",  "third",   "quarter",
      "tenth", "dozen",  "hundred", "ten",    "thousand", "fivefold", "tenfold", "hundredfold"};
  std::string word;
  for (const char c : text + " ") {
    if (IsLetter(c)) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      continue;
    }
    if (std::find(kWords.begin(), kWords.end(), word) != kWords.end()) return word;
    word.clear();
  }
  return "";
}

TEST(LessonNumbers, EveryNumberIsMeasuredOrAskedFor) {
  int cards = 0, measured = 0;
  for (const std::string& name : ListScenes()) {
    const auto scene = FindScene(name);
    ASSERT_TRUE(scene.ok()) << scene.error().Text();
    EXPECT_TRUE(QuantitiesIn((*scene)->story).empty()) << name << ": " << (*scene)->story;
    const Lesson& lesson = (*scene)->lesson;
    EXPECT_TRUE(QuantitiesIn(lesson.title).empty()) << name << ": " << lesson.title;
    for (const LessonCard& card : lesson.cards) {
      ++cards;
      const std::string where = name + ": " + card.title + ": ";
      const std::string seen = OutsideBraces(card.seen);
      EXPECT_TRUE(QuantitiesIn(seen).empty()) << where << card.seen;
      EXPECT_EQ(NumberWord(seen), "") << where << card.seen;
      measured += seen != card.seen ? 1 : 0;
      std::vector<std::string> texts = {card.title, card.text, card.hint};
      for (const LessonAdvice& advice : card.advice) texts.push_back(advice.say);
      for (const std::string& text : texts) {
        for (const std::string& number : Unasked(text, card, false))
          ADD_FAILURE() << where << "'" << number << "' in: " << text;
      }
      for (const std::string& number : Unasked(card.formula, card, true))
        ADD_FAILURE() << where << "'" << number << "' in: " << card.formula;
    }
  }
  EXPECT_GT(cards, 90);
  EXPECT_GT(measured, 80);
}

TEST(LessonNumbers, TheHuntCatchesWhatItShould) {
  LessonCard card;
  card.done_when = "time_step <= 1 ms and friction < 0.2";
  card.advice = {{"stiffness > 10 kN/m", ""}};
  EXPECT_TRUE(
      Unasked("Drag from {value} to 1 ms, below 0.2, beyond 10 kN/m.", card, false).empty());
  EXPECT_EQ(Unasked("A weight of 9.81 N.", card, false).size(), 1u);
  EXPECT_EQ(Unasked("Drag from 10 ms to 1 mm.", card, false).size(), 2u);
  EXPECT_EQ(Unasked("Below 1/d.", card, false).size(), 1u);
  EXPECT_EQ(Unasked("Δf ≈ μ² m g = 2.45 N", card, true).size(), 1u);
  EXPECT_EQ(Unasked("θ = 79°", card, true).size(), 1u);
  EXPECT_TRUE(Unasked("s = v_0²/(2 μ g), 1/d, |F_1|, {9.81 * friction}", card, true).empty());
  EXPECT_EQ(NumberWord("SAP's fell tenfold."), "tenfold");
  EXPECT_EQ(NumberWord("often a halfway house"), "");
}

}  // namespace
}  // namespace slip
