// Errors as values. Loaders collect every error of a file, not only the first.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace slip {

/// One thing that is wrong with the world (a file, an argument, a text), never with the program.
struct Error {
  std::string message;    ///< what was found and what was expected
  std::string file = {};  ///< empty when no file is involved
  int line = 0;           ///< 1-based; 0 = unknown
  int column = 0;         ///< 1-based; 0 = unknown
  std::string hint = {};  ///< what to do, e.g. "did you mean 'friction'?"

  /// "file:line:column: message (hint)", leaving out what is unknown.
  std::string Text() const {
    std::string text;
    if (!file.empty()) {
      text = file + ":";
      if (line > 0) text += std::to_string(line) + ":";
      if (line > 0 && column > 0) text += std::to_string(column) + ":";
      text += " ";
    }
    text += message;
    if (!hint.empty()) text += " (" + hint + ")";
    return text;
  }
};

using ErrorList = std::vector<Error>;

/// A value, or at least one error.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}             // NOLINT: implicit on purpose
  Result(Error error) : errors_{std::move(error)} {}        // NOLINT
  Result(ErrorList errors) : errors_(std::move(errors)) {}  // NOLINT

  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }
  const T& value() const& { return *value_; }
  T& value() & { return *value_; }
  T&& value() && { return std::move(*value_); }
  const T& operator*() const& { return *value_; }
  const T* operator->() const { return &*value_; }
  const ErrorList& errors() const { return errors_; }
  const Error& error() const { return errors_.front(); }

 private:
  std::optional<T> value_;
  ErrorList errors_;
};

/// Success, or errors.
struct Ok {};
using Status = Result<Ok>;

}  // namespace slip
