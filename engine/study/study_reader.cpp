// Reads studies: scenes/studies/NAME.toml, and anybody's files.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "engine/study/study_tables.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

consteval const SceneKey& TopKey(std::string_view name) { return RowOf(kStudyKeys, name); }

std::string StudyFolder() { return (fs::path(SceneFolder()) / "studies").string(); }

/// Two of a kind would be one file, or one row.
template <class Item>
void CheckTwins(const std::vector<Item>& items, std::string_view what, const TomlNode& at,
                Reporter* reporter) {
  std::set<std::string> seen;
  for (const Item& item : items)
    if (!item.id.empty() && !seen.insert(item.id).second)
      reporter->Add(at, fmt::format("two {}s have the id '{}'", what, item.id));
}

}  // namespace

std::vector<const TomlNode*> TablesIn(const TomlNode* list, Reporter* reporter) {
  std::vector<const TomlNode*> tables;
  if (list == nullptr) return tables;
  if (list->kind != TomlNode::Kind::kList) {
    reporter->Add(*list, list->key + " must be a list of tables (found " + list->Found() + ")");
    return tables;
  }
  for (const TomlNode& item : list->items) {
    if (item.kind == TomlNode::Kind::kTable) {
      tables.push_back(&item);
    } else {
      reporter->Add(item, list->key + " must be a list of tables (found " + item.Found() + ")");
    }
  }
  return tables;
}

bool NeedText(TableReader* table, const SceneKey& key, std::string* out) {
  if (table->Require(key, "a text") == nullptr) return false;
  if (!table->Text(key, out)) return false;
  if (!out->empty()) return true;
  table->reporter().Add(*table->Find(key), std::string(key.name) + " must not be empty");
  return false;
}

bool NeedName(TableReader* table, const SceneKey& key, std::string_view more, std::string* out) {
  if (!NeedText(table, key, out)) return false;
  const bool fits = std::all_of(out->begin(), out->end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           more.find(c) != std::string_view::npos;
  });
  if (fits && out->size() <= 60) return true;
  table->reporter().Add(*table->Find(key),
                        fmt::format("{} must be at most 60 small letters, digits, {} (found '{}')",
                                    key.name, fmt::join(more, " "), out->substr(0, 60)));
  out->clear();
  return false;
}

void ReadRange(TableReader* table, const SceneKey& key, double* from, double* to) {
  const TomlNode* node = table->Find(key);
  if (node == nullptr) return;
  const bool pair = node->kind == TomlNode::Kind::kList && node->items.size() == 2 &&
                    node->items[0].kind == TomlNode::Kind::kNumber &&
                    node->items[1].kind == TomlNode::Kind::kNumber &&
                    node->items[0].number < node->items[1].number;
  if (!pair)
    return table->reporter().Add(*node, std::string(key.name) +
                                            " must be two numbers, the smaller one first (found " +
                                            node->Found() + ")");
  *from = node->items[0].number;
  *to = node->items[1].number;
}

std::vector<std::string> ListStudies() {
  std::vector<std::string> names;
  std::error_code code;
  fs::directory_iterator folder(StudyFolder(), code);
  for (; !code && folder != fs::directory_iterator(); folder.increment(code))
    if (folder->path().extension() == ".toml") names.push_back(folder->path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

bool IsStudyFile(const std::string& path) {
  const Result<std::string> text = ReadTextFile(path, kSceneFile);
  const std::string_view any = kStudySchema.substr(0, kStudySchema.find('/') + 1);
  return text && text->find(any) != std::string::npos;
}

Result<Study> ReadStudy(const std::string& text, const std::string& name, bool quick) {
  const Result<TomlNode> document = ParseToml(text, name);
  if (!document) return document.errors();
  Reporter reporter(name);
  Study study;
  study.id = fs::path(name).stem().string();
  study.file = name;
  study.text = text;
  study.is_quick = quick;
  TableReader table(*document, kStudySection, "the study", &reporter);
  std::string schema;
  table.Text(TopKey("schema"), &schema);
  if (schema != kStudySchema)
    reporter.Add(*document, fmt::format("is no study: schema must be \"{}\"", kStudySchema));
  NeedText(&table, TopKey("title"), &study.title);
  table.Text(TopKey("source"), &study.source);
  table.Text(TopKey("shows"), &study.shows);
  NeedText(&table, TopKey("story"), &study.story);
  for (const TomlNode* item : TablesIn(table.Find(TopKey("run")), &reporter))
    study.runs.push_back(ReadStudyRun(*item, name, quick, &reporter));
  if (study.runs.empty()) reporter.Add(*document, "a study needs a [[run]]");
  CheckTwins(study.runs, "run", *document, &reporter);
  const TomlNode* figures = table.Find(TopKey("figure"));
  const TomlNode* tables = table.Find(TopKey("table"));
  const TomlNode* pictures = table.Find(TopKey("picture"));
  const TomlNode* conditions = table.Find(TopKey("condition"));
  if (reporter.empty()) {  // else every expression would fail, too
    for (const TomlNode* item : TablesIn(figures, &reporter))
      study.figures.push_back(ReadStudyFigure(*item, study.runs, &reporter));
    for (const TomlNode* item : TablesIn(tables, &reporter))
      study.tables.push_back(ReadStudyTable(*item, study.runs, &reporter));
    for (const TomlNode* item : TablesIn(pictures, &reporter))
      study.pictures.push_back(ReadStudyPicture(*item, study.runs, quick, &reporter));
    for (const TomlNode* item : TablesIn(conditions, &reporter))
      study.conditions.push_back(ReadStudyCondition(*item, study.runs, quick, &reporter));
    CheckTwins(study.figures, "figure", *document, &reporter);
    CheckTwins(study.pictures, "picture", *document, &reporter);
    for (const StudyPicture& picture : study.pictures)  // both are files of that name
      for (const StudyFigure& figure : study.figures)
        if (figure.id == picture.id)
          reporter.Add(*document, "a figure and a picture have the id '" + figure.id + "'");
    CheckTwins(study.conditions, "condition", *document, &reporter);
  }
  table.Finish();
  if (!reporter.empty()) return reporter.errors();
  return study;
}

Result<Study> FindStudy(const std::string& name, bool quick) {
  const std::vector<std::string> names = ListStudies();
  const bool listed = std::find(names.begin(), names.end(), name) != names.end();
  if (!listed && !name.ends_with(".toml")) {
    const std::vector<std::string_view> known(names.begin(), names.end());
    return Error{.message = "no study '" + name.substr(0, 200) + "'",
                 .hint = DidYouMean(name, known)};
  }
  const std::string file = listed ? (fs::path(StudyFolder()) / (name + ".toml")).string() : name;
  const Result<std::string> text = ReadTextFile(file, kSceneFile);
  if (!text) return text.errors();
  return ReadStudy(*text, file, quick);
}

}  // namespace slip
