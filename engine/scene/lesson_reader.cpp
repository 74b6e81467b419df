#include "engine/scene/lesson_reader.h"

#include <algorithm>
#include <sstream>

#include "engine/core/param_text.h"
#include "engine/scene/lesson_keys.h"
#include "engine/scene/top_keys.h"
#include "engine/sim/expression.h"
#include "engine/sim/measured_text.h"
#include "engine/sim/part_signals.h"

namespace slip {
namespace {

constexpr int kMaxCardWords = 80;
constexpr int kMaxAdviceWords = 30;
// Answers are buttons below each other, one line each.
constexpr std::size_t kFewestAnswers = 2, kMostAnswers = 5, kLongestAnswer = 40;

/// A number in braces is one word.
int CountWords(const std::string& text) {
  std::string plain;
  int depth = 0;
  for (const char c : text) {
    if (c == '{') ++depth;
    if (depth == 0 || c == '{') plain += c;
    if (c == '}' && depth > 0) --depth;
  }
  std::istringstream words(plain);
  std::string word;
  int count = 0;
  while (words >> word) ++count;
  return count;
}

void CheckWords(const TomlNode& node, const std::string& text, std::string_view what, int most,
                Reporter* reporter) {
  const int count = CountWords(text);
  if (count <= most) return;
  reporter->Add(node, std::string(what) + " must have at most " + std::to_string(most) +
                          " words (found " + std::to_string(count) + ")");
}

/// Reads a condition and checks its grammar.
bool ReadCondition(TableReader* table, const SceneKey& key, const Model* model, std::string* out) {
  if (!table->Text(key, out)) return false;
  // what a robot that was refused has is not known
  if (model == nullptr && out->find(':') != std::string::npos) return true;
  const Result<Expression> condition = Expression::Parse(*out, model);
  if (!condition) table->reporter().Add(*table->Find(key), condition.error());
  return condition.ok();
}

/// The members of a list of tables; what is none is reported.
std::vector<const TomlNode*> ListOfTables(TableReader* table, const SceneKey& key,
                                          std::string_view name) {
  std::vector<const TomlNode*> tables;
  const TomlNode* list = table->Find(key);
  if (list == nullptr) return tables;
  Reporter& reporter = table->reporter();
  const std::string expected = std::string(name) + " must be tables [[" + std::string(name) + "]]";
  if (list->kind != TomlNode::Kind::kList) {
    reporter.Add(*list, expected + " (found " + list->Found() + ")");
    return tables;
  }
  for (const TomlNode& item : list->items) {
    if (item.kind == TomlNode::Kind::kTable) {
      tables.push_back(&item);
    } else {
      reporter.Add(item, expected + " (found " + item.Found() + ")");
    }
  }
  return tables;
}

/// Characters, not bytes.
std::size_t Length(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

void ReadAnswers(TableReader* table, LessonCard* card) {
  Reporter& reporter = table->reporter();
  const bool listed = table->Texts(CardKey("answers"), &card->answers);
  const bool solved = table->Text(CardKey("answer"), &card->answer);
  const TomlNode* list = table->node().Find("answers");
  const TomlNode* right = table->node().Find("answer");
  for (const TomlNode* node : {list, right}) {
    if (node == nullptr || card->kind == "predict") continue;
    reporter.Add(*node, "only a card of kind \"predict\" has " + node->key);
    return;
  }
  if (list != nullptr && right == nullptr)
    reporter.Add(*list, "answers need the key answer: which of them is right");
  if (right != nullptr && list == nullptr)
    reporter.Add(*right, "answer needs the key answers: a list of texts to choose from");
  if (!listed) return;
  const std::vector<std::string>& answers = card->answers;
  if (answers.size() < kFewestAnswers || answers.size() > kMostAnswers) {
    reporter.Add(*list, "answers must be " + std::to_string(kFewestAnswers) + " to " +
                            std::to_string(kMostAnswers) + " texts (found " +
                            std::to_string(answers.size()) + ")");
  }
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const TomlNode& node = i < list->items.size() ? list->items[i] : *list;
    const std::size_t length = Length(answers[i]);
    if (length == 0 || length > kLongestAnswer) {
      reporter.Add(node, "an answer must have 1 to " + std::to_string(kLongestAnswer) +
                             " characters (found " + std::to_string(length) + ")");
    }
    if (std::count(answers.begin(), answers.begin() + static_cast<std::ptrdiff_t>(i), answers[i]))
      reporter.Add(node, "the answer '" + answers[i] + "' stands there twice");
  }
  if (solved && std::find(answers.begin(), answers.end(), card->answer) == answers.end()) {
    const std::vector<std::string_view> known(answers.begin(), answers.end());
    reporter.Add(*right, "answer is none of the answers: '" + card->answer + "'",
                 DidYouMean(card->answer, known));
  }
}

/// Reads a text and checks the numbers in its braces.
bool ReadMeasured(TableReader* table, const SceneKey& key, const Model* model,
                  const LessonCard& card, std::string* out) {
  if (!table->Text(key, out)) return false;
  const Result<MeasuredText> parsed = MeasuredText::Parse(*out, card.parameter, model);
  if (!parsed) table->reporter().Add(*table->Find(key), parsed.error());
  return true;
}

void ReadHides(TableReader* table, const Model* model, LessonCard* card) {
  if (!table->Texts(CardKey("hides"), &card->hides)) return;
  const TomlNode& list = *table->node().Find("hides");
  if (card->kind != "predict")
    table->reporter().Add(list, "only a card of kind \"predict\" has hides");
  for (std::size_t i = 0; i < card->hides.size() && model != nullptr; ++i) {
    const Result<Signal> signal = SignalNamed(*model, card->hides[i]);
    if (!signal) table->reporter().Add(list.items[i], signal.error());
  }
}

void ReadAdvice(const TomlNode& node, const Model* model, Reporter* reporter, LessonCard* card) {
  TableReader table(node, kAdviceSection, "[[lesson.card.advice]]", reporter);
  LessonAdvice advice;
  table.Require(AdviceKey("when"), "a condition such as \"time_step < 1 ms\"");
  ReadCondition(&table, AdviceKey("when"), model, &advice.when);
  table.Require(AdviceKey("say"), "a text");
  if (ReadMeasured(&table, AdviceKey("say"), model, *card, &advice.say))
    CheckWords(*node.Find("say"), advice.say, "say", kMaxAdviceWords, reporter);
  table.Finish();
  card->advice.push_back(std::move(advice));
}

void ReadCard(const TomlNode& node, const Model* model, const Config& config, Reporter* reporter,
              Lesson* lesson) {
  TableReader table(node, kCardSection, "[[lesson.card]]", reporter);
  LessonCard card;
  table.Require(CardKey("kind"), "\"predict\", \"observe\", \"explain\" or \"try\"");
  if (const auto kind = table.Choice(CardKey("kind")))
    card.kind = std::string(key_words::kCardKinds[*kind]);
  table.Require(CardKey("title"), "a text");
  table.Text(CardKey("title"), &card.title);
  // first the parameter: texts may name its value
  if (table.Text(CardKey("parameter"), &card.parameter) &&
      FindParam(config, card.parameter) == nullptr) {
    Config copy = config;
    reporter->Add(*node.Find("parameter"), SetParam(&copy, card.parameter, 0).error());
    card.parameter.clear();
  }
  table.Require(CardKey("text"), "a text");
  if (ReadMeasured(&table, CardKey("text"), model, card, &card.text))
    CheckWords(*node.Find("text"), card.text, "text of a card", kMaxCardWords, reporter);
  ReadMeasured(&table, CardKey("formula"), model, card, &card.formula);
  ReadMeasured(&table, CardKey("seen"), model, card, &card.seen);
  ReadMeasured(&table, CardKey("hint"), model, card, &card.hint);
  if (table.Text(CardKey("needs"), &card.needs) && !FindMethod(card.needs)) {
    reporter->Add(*node.Find("needs"), "no model '" + card.needs.substr(0, 60) + "'",
                  DidYouMean(card.needs, MethodIds()));
    card.needs.clear();
  }
  ReadCondition(&table, CardKey("done_when"), model, &card.done_when);
  ReadAnswers(&table, &card);
  ReadHides(&table, model, &card);
  for (const TomlNode* advice : ListOfTables(&table, CardKey("advice"), "lesson.card.advice"))
    ReadAdvice(*advice, model, reporter, &card);
  table.Finish();
  lesson->cards.push_back(std::move(card));
}

}  // namespace

void ReadLesson(TableReader* root, const Model* model, const Config& config, Lesson* lesson) {
  const TomlNode* node = root->Find(TopKey("lesson"));
  if (node == nullptr) return;
  Reporter& reporter = root->reporter();
  if (node->kind != TomlNode::Kind::kTable) {
    reporter.Add(*node, "lesson must be a table (found " + node->Found() + ")");
    return;
  }
  TableReader table(*node, kLessonSection, "[lesson]", &reporter);
  table.Require(LessonKey("title"), "a text");
  table.Text(LessonKey("title"), &lesson->title);
  double number = 0;
  if (table.Number(LessonKey("number"), &number)) lesson->number = static_cast<int>(number);
  table.Text(LessonKey("teacher_notes"), &lesson->teacher_notes);
  for (const TomlNode* card : ListOfTables(&table, LessonKey("card"), "lesson.card"))
    ReadCard(*card, model, config, &reporter, lesson);
  table.Finish();
}

}  // namespace slip
