// What is wrong with what a caller gave becomes one exception, with the program's sentences.
#pragma once

#include <pybind11/pybind11.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "engine/core/result.h"

namespace slip::python {

/// slipscope.Error: a ValueError. Made with Python's lock.
class SentenceError : public std::runtime_error {
 public:
  explicit SentenceError(const std::string& text) : std::runtime_error(Readable(text)) {}

 private:
  /// Names of files may hold bytes that are no text, of which Python would make an empty sentence.
  static std::string Readable(const std::string& text) {
    const auto shown = pybind11::reinterpret_steal<pybind11::object>(PyUnicode_DecodeUTF8(
        text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace"));
    if (!shown) throw pybind11::error_already_set();
    return shown.cast<std::string>();
  }
};

/// Options of the command line in a sentence, as Python calls them: "--foreign-meta" is an argument
/// foreign_meta.
inline std::string InPython(std::string text) {
  const std::pair<std::string_view, std::string_view> phrases[] = {
      {"--force", "force=True"},
      {"--region view -o picture.png", "region='view'"},
      {"--region view and --region plots", "the regions view and plots"}};
  for (const auto& [words, ours] : phrases) {
    for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words))
      text.replace(at, words.size(), ours);
  }
  for (std::size_t at = text.find("--"); at != std::string::npos; at = text.find("--", at)) {
    std::size_t end = at + 2;
    while (end < text.size() &&
           (std::islower(static_cast<unsigned char>(text[end])) != 0 || text[end] == '-'))
      ++end;
    std::string name = text.substr(at + 2, end - at - 2);
    // those are the program's alone, and so is what is no option
    if (name.empty() || name == "help" || name == "version" || name.starts_with('-')) {
      at = end;
      continue;
    }
    std::replace(name.begin(), name.end(), '-', '_');
    text.replace(at, end - at, name);
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
