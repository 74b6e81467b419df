// Reads one TOML table key by key: types, units and ranges are checked, all errors are collected,
// and a key that nobody asked for is an error with a "did you mean".
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/param_text.h"
#include "engine/core/types.h"
#include "engine/method/config.h"
#include "engine/scene/toml_tree.h"

namespace slip {

/// Where errors of one file go.
class Reporter {
 public:
  explicit Reporter(std::string file) : file_(std::move(file)) {}
  void Add(const TomlNode& at, std::string message, std::string hint = {});
  /// Takes over an error without position, such as one of SetParam.
  void Add(const TomlNode& at, const Error& error) { Add(at, error.message, error.hint); }
  /// Something repaired on the way, which the reader of the file should know.
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

/// Limits of a number that has no parameter table.
struct Range {
  double min;
  double max;
  bool open_min = false;  ///< min itself is not allowed
};

class TableReader {
 public:
  /// `where` names the table in messages, e.g. "[body.box]".
  TableReader(const TomlNode& table, std::string where, Reporter* reporter)
      : table_(table), where_(std::move(where)), reporter_(reporter) {}

  /// The value of a key, which thereby becomes known; null when absent.
  const TomlNode* Find(std::string_view key);
  const TomlNode* Require(std::string_view key, std::string_view expected);

  /// Each reads an optional key into *out and reports what does not fit; true if it was read.
  bool Text(std::string_view key, std::string* out);
  bool Flag(std::string_view key, bool* out);
  bool Number(std::string_view key, std::string_view unit, Range range, double* out);
  bool Vector(std::string_view key, std::string_view unit, double limit, Vec3* out);
  bool Texts(std::string_view key, std::vector<std::string>* out);
  /// One of `choices`; the index.
  std::optional<std::size_t> Choice(std::string_view key,
                                    std::span<const std::string_view> choices);

  /// Reads every row of a parameter table that the file mentions; returns how many.
  template <class T>
  int Params(std::span<const Param<T>> rows, T* object) {
    int count = 0;
    for (const Param<T>& row : rows) {
      const TomlNode* node = Find(row.info.name);
      if (node == nullptr) continue;
      ++count;
      if (const std::optional<double> value = ParamValue(row.info, *node)) row.Set(object, *value);
    }
    return count;
  }
  /// A number, or a text with unit or choice, checked against the parameter's range.
  std::optional<double> ParamValue(const ParamInfo& info, const TomlNode& node);

  /// Reports the keys that nobody asked for. `also` are known keys that were read elsewhere.
  void Finish(std::span<const std::string_view> also = {});

  const TomlNode& node() const { return table_; }
  const std::string& where() const { return where_; }
  Reporter& reporter() { return *reporter_; }

 private:
  const TomlNode& table_;
  std::string where_;
  Reporter* reporter_;
  std::vector<std::string_view> known_;
};

/// A number in SI or a text with unit.
std::optional<double> QuantityOf(const TomlNode& node, std::string_view key, std::string_view unit,
                                 Reporter* reporter);
/// Three of them, each at most `limit` in size.
std::optional<Vec3> VectorOf(const TomlNode& node, std::string_view key, std::string_view unit,
                             double limit, Reporter* reporter);

}  // namespace slip
