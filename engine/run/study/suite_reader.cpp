// Reads suites: scenes/suites/NAME.toml.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/core/param_text.h"
#include "engine/run/study/suite.h"
#include "engine/scene/table_reader.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

// clang-format off
constexpr SceneKey kSuiteKeys[] = {
    {.name = "schema", .kind = KeyKind::kText, .needed = true, .doc = "\"slipscope.suite/1\"."},
    {.name = "title", .kind = KeyKind::kText, .needed = true, .doc = "What it asks about."},
    {.name = "story", .kind = KeyKind::kText, .needed = true, .doc = "One paragraph."},
    {.name = "case", .form = "tables [[case]]", .doc = "The questions, in their order."},
};
constexpr SceneKey kCaseKeys[] = {
    {.name = "id", .kind = KeyKind::kText, .needed = true, .doc = "Its name."},
    {.name = "title", .kind = KeyKind::kText, .needed = true, .doc = "A sentence."},
    {.name = "scene", .kind = KeyKind::kText, .needed = true, .doc = "Name of a scene."},
    {.name = "set", .kind = KeyKind::kTexts, .doc = "Its parameters, \"path=value\"."},
    {.name = "duration", .kind = KeyKind::kNumber, .unit = "s", .range = {0, 1000, true}, .needed = true, .doc = "Of a run."},
    {.name = "unit", .kind = KeyKind::kText, .doc = "SI, of the value."},
    {.name = "measure", .kind = KeyKind::kText, .needed = true, .doc = "The value, an expression."},
    {.name = "law", .kind = KeyKind::kText, .doc = "What it is in physics, an expression."},
    {.name = "own", .kind = KeyKind::kText, .doc = "What a method's own law makes of it."},
    {.name = "own_of", .form = "a table of texts by method", .doc = "Likewise, of single methods."},
    {.name = "within", .kind = KeyKind::kNumber, .range = {0, 1}, .doc = "Of the law's value: still right."},
    {.name = "at_most", .kind = KeyKind::kNumber, .range = {0, 1e9}, .doc = "In units: still right."},
    {.name = "set_of", .form = "a table of texts by method", .doc = "One more parameter of single methods."},
    {.name = "not_for", .form = "a table of texts by method", .doc = "Who is not asked, and why."},
    {.name = "known", .form = "a table of texts by method", .doc = "Who is off, and what is known of it."},
    {.name = "exact", .kind = KeyKind::kTexts, .doc = "Methods that have to be right."},
    {.name = "variant", .form = "tables {set, turn, law, own_of}", .doc = "Runs that differ in these."},
};
constexpr SceneKey kVariantKeys[] = {
    {.name = "set", .kind = KeyKind::kTexts, .doc = "Parameters."},
    {.name = "turn", .kind = KeyKind::kNumber, .unit = "rad", .range = {-10, 10}, .doc = "Of the bodies about the vertical."},
    {.name = "law", .kind = KeyKind::kText, .doc = "Instead of the case's."},
    {.name = "own_of", .form = "a table of texts by method", .doc = "Before the case's."},
};
// clang-format on
constexpr SceneSection kSuiteSection{.name = "(suite)", .keys = kSuiteKeys};
constexpr SceneSection kCaseSection{.name = "[[case]]", .keys = kCaseKeys};
constexpr SceneSection kVariantSection{.name = "[[case.variant]]", .keys = kVariantKeys};

consteval const SceneKey& CaseKey(std::string_view name) { return RowOf(kCaseKeys, name); }

std::string SuiteFolder() { return (fs::path(SceneFolder()) / "suites").string(); }

/// An expression of a key; it knows the parts of a scene's model.
void ReadNumber(TableReader* table, const SceneKey& key, const Model* model,
                std::optional<Expression>* out) {
  std::string text;
  if (!table->Text(key, &text)) return;
  const Result<Expression> number = Expression::ParseNumber(text, model);
  if (number) {
    *out = *number;
  } else {
    table->reporter().Add(*table->Find(key), number.error());
  }
}

/// {sap = "text", ...}, by methods that there are.
std::map<std::string, std::string> ReadByMethod(TableReader* table, const SceneKey& key) {
  std::map<std::string, std::string> texts;
  const TomlNode* node = table->Find(key);
  if (node == nullptr) return texts;
  for (const TomlNode& item : node->items) {
    if (item.kind != TomlNode::Kind::kText) {
      table->reporter().Add(item, "must be a text (found " + item.Found() + ")");
    } else if (!FindMethod(item.key)) {
      table->reporter().Add(item, "no model '" + item.key.substr(0, 60) + "'",
                            DidYouMean(item.key, MethodIds()));
    } else {
      texts[item.key] = item.text;
    }
  }
  return texts;
}

/// The same as expressions.
void ReadOwn(TableReader* table, const SceneKey& key, const Model* model,
             std::map<std::string, Expression>* out) {
  for (const auto& [method, text] : ReadByMethod(table, key)) {
    const Result<Expression> number = Expression::ParseNumber(text, model);
    if (number) {
      out->emplace(method, *number);
    } else {
      table->reporter().Add(*table->Find(key), number.error());
    }
  }
}

std::vector<const TomlNode*> TablesOf(const TomlNode* list) {
  std::vector<const TomlNode*> tables;
  if (list == nullptr) return tables;
  for (const TomlNode& item : list->items)
    if (item.kind == TomlNode::Kind::kTable) tables.push_back(&item);
  return tables;
}

SuiteCase ReadCase(const TomlNode& node, Reporter* reporter) {
  SuiteCase out;
  TableReader table(node, kCaseSection, "[[case]]", reporter);
  std::string scene;
  table.Text(CaseKey("id"), &out.id);
  table.Text(CaseKey("title"), &out.title);
  table.Text(CaseKey("scene"), &scene);
  table.Text(CaseKey("unit"), &out.unit);
  table.Texts(CaseKey("set"), &out.set);
  table.Number(CaseKey("duration"), &out.duration);
  table.Number(CaseKey("within"), &out.within);
  table.Number(CaseKey("at_most"), &out.at_most);
  table.Texts(CaseKey("exact"), &out.exact);
  const Result<std::shared_ptr<const Scene>> read = FindScene(scene);
  const Model* model = nullptr;
  if (read) {
    out.scene = *read;
    model = out.scene->model.get();
  } else {
    reporter->Add(node, read.error());
  }
  ReadNumber(&table, CaseKey("measure"), model, &out.measure);
  ReadNumber(&table, CaseKey("law"), model, &out.law);
  ReadNumber(&table, CaseKey("own"), model, &out.own);
  out.not_for = ReadByMethod(&table, CaseKey("not_for"));
  out.set_of = ReadByMethod(&table, CaseKey("set_of"));
  out.known = ReadByMethod(&table, CaseKey("known"));
  ReadOwn(&table, CaseKey("own_of"), model, &out.own_of);
  for (const TomlNode* item : TablesOf(table.Find(CaseKey("variant")))) {
    SuiteVariant& variant = out.variants.emplace_back();
    TableReader row(*item, kVariantSection, "[[case.variant]]", reporter);
    row.Texts(RowOf(kVariantKeys, "set"), &variant.set);
    row.Number(RowOf(kVariantKeys, "turn"), &variant.turn);
    ReadNumber(&row, RowOf(kVariantKeys, "law"), model, &variant.law);
    ReadOwn(&row, RowOf(kVariantKeys, "own_of"), model, &variant.own_of);
    row.Finish();
  }
  table.Finish();
  if (out.variants.empty()) out.variants.emplace_back();
  if (!out.measure) reporter->Add(node, "[[case]] needs a measure, an expression");
  for (const SuiteVariant& variant : out.variants)
    if (!out.law && !variant.law) reporter->Add(node, "[[case]] needs a law, an expression");
  return out;
}

}  // namespace

std::vector<std::string> ListSuites() {
  std::vector<std::string> names;
  std::error_code code;
  fs::directory_iterator folder(SuiteFolder(), code);
  for (; !code && folder != fs::directory_iterator(); folder.increment(code))
    if (folder->path().extension() == ".toml") names.push_back(folder->path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

Result<Suite> ReadSuite(const std::string& text, const std::string& name) {
  const Result<TomlNode> document = ParseToml(text, name);
  if (!document) return document.errors();
  Reporter reporter(name);
  Suite suite;
  suite.id = fs::path(name).stem().string();
  suite.text = text;
  TableReader table(*document, kSuiteSection, "the suite", &reporter);
  std::string schema;
  table.Text(RowOf(kSuiteKeys, "schema"), &schema);
  if (schema != kSuiteSchema)
    reporter.Add(*document, fmt::format("is no suite: schema must be \"{}\"", kSuiteSchema));
  table.Text(RowOf(kSuiteKeys, "title"), &suite.title);
  table.Text(RowOf(kSuiteKeys, "story"), &suite.story);
  for (const TomlNode* item : TablesOf(table.Find(RowOf(kSuiteKeys, "case"))))
    suite.cases.push_back(ReadCase(*item, &reporter));
  table.Finish();
  if (suite.cases.empty()) reporter.Add(*document, "a suite needs a [[case]]");
  if (!reporter.empty()) return reporter.errors();
  return suite;
}

Result<Suite> FindSuite(const std::string& name) {
  const std::vector<std::string> names = ListSuites();
  const bool listed = std::find(names.begin(), names.end(), name) != names.end();
  if (!listed && !name.ends_with(".toml")) {
    const std::vector<std::string_view> known(names.begin(), names.end());
    return Error{.message = "no suite '" + name.substr(0, 200) + "'",
                 .hint = DidYouMean(name, known)};
  }
  const std::string file = listed ? (fs::path(SuiteFolder()) / (name + ".toml")).string() : name;
  const Result<std::string> text = ReadTextFile(file, kSceneFile);
  if (!text) return text.errors();
  return ReadSuite(*text, file);
}

}  // namespace slip
