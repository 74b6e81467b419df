// Reads one TOML table key by key, each by its row of scene_keys.h: types, units and ranges are
// checked, all errors are collected, and a key that is not listed or that nobody asked for is an
// error with a hint.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/check.h"
#include "engine/core/param_text.h"
#include "engine/core/types.h"
#include "engine/method/config.h"
#include "engine/scene/scene_keys.h"
#include "engine/scene/toml_tree.h"

namespace slip {

/// Where errors of one file go.
class Reporter {
 public:
  explicit Reporter(std::string file) : file_(std::move(file)) {}
  void Add(const TomlNode& at, std::string message, std::string hint = {});
  /// Takes over an error without position, such as one of SetParam.
  void Add(const TomlNode& at, const Error& error) { Add(at, error.message, error.hint); }
  /// Something repaired while reading, which the reader of the file should know.
  void Note(std::string note) { notes_.push_back(std::move(note)); }
  const std::vector<std::string>& notes() const { return notes_; }
  const std::string& file() const { return file_; }
  bool empty() const { return errors_.empty(); }
  const ErrorList& errors() const { return errors_; }

 private:
  std::string file_;
  ErrorList errors_;
  std::vector<std::string> notes_;
};

class TableReader {
 public:
  /// `where` names the table in messages, e.g. "[body.box]".
  TableReader(const TomlNode& table, const SceneSection& section, std::string where,
              Reporter* reporter)
      : table_(table), section_(section), where_(std::move(where)), reporter_(reporter) {}

  /// The value of a key, null when absent. Whoever asks has read it.
  const TomlNode* Find(const SceneKey& key) { return Find(key.name); }
  const TomlNode* Find(const ParamInfo& info) { return Find(info.name); }
  const TomlNode* Require(const SceneKey& key, std::string_view expected);

  /// Each reads an optional key into *out and reports what does not fit; true if it was read.
  bool Text(const SceneKey& key, std::string* out);
  bool Flag(const SceneKey& key, bool* out);
  bool Number(const SceneKey& key, double* out) { return Number(key, key.range, out); }
  /// In a range of its own, as one kind of value has it.
  bool Number(const SceneKey& key, Range range, double* out);
  bool Vector(const SceneKey& key, Vec3* out);
  bool Texts(const SceneKey& key, std::vector<std::string>* out);
  /// One of the key's choices; the index.
  std::optional<std::size_t> Choice(const SceneKey& key) { return Choice(key, key.choices); }
  std::optional<std::size_t> Choice(const SceneKey& key, std::span<const std::string_view> choices);

  /// Reads every parameter of the section that the file mentions; returns how many.
  template <class T>
  int Params(T* object) {
    SLIP_CHECK(section_.params == &ListSceneParams<T>);
    int count = 0;
    for (const Param<T>& row : SceneParamTable<T>()) {
      const TomlNode* node = Find(row.info);
      if (node == nullptr) continue;
      ++count;
      if (const std::optional<double> value = ParamValue(row.info, *node)) row.Set(object, *value);
    }
    return count;
  }
  /// A number, or a text with unit or choice, checked against the parameter's range.
  std::optional<double> ParamValue(const ParamInfo& info, const TomlNode& node);

  /// Takes the rest of the listed keys as read, where an error has made them meaningless.
  void SkipRest();
  /// Reports the keys that nobody asked for.
  void Finish();

  const TomlNode& node() const { return table_; }
  const std::string& where() const { return where_; }
  Reporter& reporter() { return *reporter_; }

 private:
  const TomlNode* Find(std::string_view key);

  const TomlNode& table_;
  const SceneSection& section_;
  std::string where_;
  Reporter* reporter_;
  std::vector<std::string_view> read_;
};

/// A number in SI or a text with unit.
std::optional<double> QuantityOf(const TomlNode& node, std::string_view key, std::string_view unit,
                                 Reporter* reporter);
/// Three of them, each at most `limit` in size.
std::optional<Vec3> VectorOf(const TomlNode& node, std::string_view key, std::string_view unit,
                             double limit, Reporter* reporter);

}  // namespace slip
