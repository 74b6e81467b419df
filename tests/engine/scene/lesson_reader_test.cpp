// Answers and advice of lesson cards: read as written, and every mistake told where it stands.
#include "engine/scene/lesson_reader.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/sim/expression.h"

namespace slip {
namespace {

/// A small scene with a lesson of one card; `lines` begin at line 10.
std::string Card(const std::string& kind, const std::string& lines) {
  return "title = \"t\"\nbody.box = {shape = \"sphere\", radius = 0.1, mass = "
         "1}\n[material.steel]\n"
         "friction = 0.5\nstiffness = 1e6\n[lesson]\ntitle = \"l\"\n[[lesson.card]]\nkind = \"" +
         kind + "\"\n" + lines + "\ntitle = \"c\"\ntext = \"x\"\n";
}

TEST(LessonReader, AnswersAndAdvice) {
  const auto scene = ReadSceneText(
      Card("predict",
           "answers = [\"up\", \"down\"]\nanswer = \"down\"\nparameter = \"time_step\"\n"
           "advice = [{when = \"time_step < 1 ms\", say = \"Too far: {value}.\"}]"),
      "s.toml");
  ASSERT_TRUE(scene.ok()) << scene.error().Text();
  const LessonCard& card = (*scene)->lesson.cards[0];
  EXPECT_EQ(card.answers, (std::vector<std::string>{"up", "down"}));
  EXPECT_EQ(card.answer, "down");
  ASSERT_EQ(card.advice.size(), 1u);
  EXPECT_EQ(card.advice[0].when, "time_step < 1 ms");
  EXPECT_EQ(card.advice[0].say, "Too far: {value}.");
}

TEST(LessonReader, TextsHaveNumbersInBraces) {
  const auto scene = ReadSceneText(
      Card("try",
           "parameter = \"time_step\"\nhint = \"{value} now\"\nformula = \"x_{1} = {2 * value}\"\n"
           "seen = \"{max(normal_force@sap) * value [N s]} in {time_step}\""),
      "s.toml");
  ASSERT_TRUE(scene.ok()) << scene.error().Text();
  EXPECT_EQ((*scene)->lesson.cards[0].hint, "{value} now");
  // a long number is one word
  std::string words = "text = \"";
  for (int i = 0; i < 79; ++i) words += "word ";
  const std::string card = Card("try", "hint = \"x\"");
  const std::string long_text = card.substr(0, card.find("text = ")) + words;
  EXPECT_TRUE(ReadSceneText(long_text + "{2 * time_step + 3 * time_step}\"\n", "s.toml").ok());
  EXPECT_FALSE(ReadSceneText(long_text + "{time_step} more\"\n", "s.toml").ok());
}

TEST(LessonReader, MistakesAreToldWhereTheyStand) {
  struct Bad {
    std::string text, place, words;
  };
  const std::string both = "answers = [\"a\", \"b\"]\n";
  const auto advice = [](const std::string& when, const std::string& say) {
    return Card("try", "advice = [{when = \"" + when + "\", say = \"" + say + "\"}]");
  };
  const Bad kCases[] = {
      {Card("try", both), "10:", "only a card of kind \"predict\" has answers"},
      {Card("observe", "answer = \"a\""), "10:", "only a card of kind \"predict\" has answer"},
      {Card("predict", both), "10:", "need the key answer"},
      {Card("predict", "answer = \"a\""), "10:", "needs the key answers"},
      {Card("predict", "answers = [\"a\"]\nanswer = \"a\""), "10:", "2 to 5 texts (found 1)"},
      {Card("predict", "answers = [\"a\", \"a\"]\nanswer = \"a\""), "10:17", "stands there twice"},
      {Card("predict", "answers = [\"a\", \"\"]\nanswer = \"a\""), "10:17", "1 to 40 characters"},
      {Card("predict", "answers = [\"a\", 2]\nanswer = \"a\""), "10:17", "must be a list of texts"},
      {Card("predict", "answers = [\"Lagged\", \"SAP\"]\nanswer = \"Laged\""), "11:10",
       "did you mean 'Lagged'?"},
      {Card("predict", "answrs = [\"a\", \"b\"]"), "10:1", "unknown key"},
      {advice("time_step <", "x"), "10:", "expected"},
      {advice("max(x) < 1", "x"), "10:", "no signal 'x'"},
      {advice("time_step < 1 ms", "now {valu}"), "10:", "no parameter 'valu'"},
      {advice("time_step < 1 ms", "now {value}"), "10:", "give it the key parameter"},
      {Card("try", "hint = \"{max(normal_forc)}\""), "10:8", "no signal 'normal_forc'"},
      {Card("try", "formula = \"{time_step [ms]}\""), "10:11", "SI unit"},
      {Card("try", "seen = \"{time_step\""), "10:8", "without '}'"},
      {Card("try", "advice = [{say = \"x\"}]"), "10:", "needs 'when'"},
      {Card("try", "advice = [{when = \"time_step < 1\"}]"), "10:", "needs 'say'"},
      {Card("try", "advice = \"x\""), "10:10", "must be tables [[lesson.card.advice]]"},
      {Card("try", "advice = [3]"), "10:11", "must be tables [[lesson.card.advice]]"},
  };
  for (const Bad& c : kCases) {
    const auto scene = ReadSceneText(c.text, "s.toml");
    ASSERT_FALSE(scene.ok()) << c.text;
    std::string all;
    for (const Error& error : scene.errors()) all += error.Text() + "\n";
    EXPECT_NE(all.find("s.toml:" + c.place), std::string::npos) << c.place << "\n" << all;
    EXPECT_NE(all.find(c.words), std::string::npos) << c.words << "\n" << all;
  }
}

/// What the scenes ask can be answered in one way only, and advice is given where cards can stick.
TEST(LessonReader, EveryPredictionOfTheScenesCanBeAnswered) {
  int advice = 0;
  for (const std::string& name : ListScenes()) {
    const auto scene = FindScene(name);
    ASSERT_TRUE(scene.ok()) << scene.error().Text();
    for (const LessonCard& card : (*scene)->lesson.cards) {
      if (card.kind == "predict") EXPECT_GE(card.answers.size(), 2u) << name << ": " << card.title;
      advice += static_cast<int>(card.advice.size());
    }
  }
  EXPECT_GE(advice, 8);
}

}  // namespace
}  // namespace slip
