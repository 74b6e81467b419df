// What is wrong with what a caller gave becomes one exception, with the program's sentences.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "engine/core/result.h"

namespace slip::python {

/// slipscope.Error: a ValueError.
class SentenceError : public std::runtime_error {
 public:
  explicit SentenceError(const std::string& text) : std::runtime_error(text) {}
};

/// An option of the command line in a sentence, as Python calls it.
inline std::string InPython(std::string text) {
  const std::pair<std::string, std::string> names[] = {{"--force", "force=True"},
                                                       {"--foreign-meta", "foreign_meta"}};
  for (const auto& [option, name] : names) {
    for (std::size_t at = text.find(option); at != std::string::npos; at = text.find(option))
      text.replace(at, option.size(), name);
  }
  return text;
}

/// All errors, a line each.
[[noreturn]] inline void Throw(const ErrorList& errors) {
  std::string text;
  for (const Error& error : errors) text += (text.empty() ? "" : "\n") + InPython(error.Text());
  throw SentenceError(text);
}

template <class T>
T Take(Result<T> result) {
  if (!result) Throw(result.errors());
  return std::move(result).value();
}

inline void Check(const Status& status) {
  if (!status) Throw(status.errors());
}

}  // namespace slip::python
