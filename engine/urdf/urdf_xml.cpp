#include "engine/urdf/urdf_xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <system_error>

#include "engine/core/utf8.h"

namespace slip {
namespace {

/// A tree of elements takes a hundred times the room of its text.
constexpr std::ptrdiff_t kMostElements = 400000;

constexpr std::string_view kXmlBlanks = " \t\r\n";

/// Every '<' but for those that close an element: comments count, too.
std::ptrdiff_t CountElements(std::string_view text) {
  char before = 0;
  return std::count_if(text.begin(), text.end(), [&](char c) {
    const bool opens = before == '<' && c != '/';
    before = c;
    return opens;
  });
}

bool HasDeclarations(const tinyxml2::XMLNode* node, int* line) {
  for (const auto* child = node->FirstChild(); child != nullptr; child = child->NextSibling()) {
    if (child->ToUnknown() != nullptr) *line = child->GetLineNum();
    if (child->ToUnknown() != nullptr || HasDeclarations(child, line)) return true;
  }
  return false;
}

std::string XmlProblem(const tinyxml2::XMLDocument& document) {
  switch (document.ErrorID()) {
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      return "the file is empty";
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "an element is not closed, or closed under another name";
    case tinyxml2::XML_ERROR_PARSING_ELEMENT:
      return "an element cannot be read";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute cannot be read";
    case tinyxml2::XML_ERROR_PARSING_COMMENT:
      return "a comment does not end";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return "elements are nested too deeply";
    default:
      return fmt::format("the XML cannot be read ({})", document.ErrorName());
  }
}

std::string RangeProblem(double x, const NumberRange& range) {
  const std::string unit = range.unit.empty() ? "" : fmt::format(" {}", range.unit);
  if (range.least > 0 && x < range.least)
    return fmt::format("expected at least {:g}{}", range.least, unit);
  if (std::abs(x) > range.most) return fmt::format("expected at most {:g}{}", range.most, unit);
  return {};
}

std::string NumberHint(std::string_view word, bool finite, const NumberRange& range) {
  if (!finite && word.find(',') != word.npos)
    return "numbers have a decimal point, and blanks between them";
  if (!finite) return "write it like 0.05 or 5e-2";
  if (range.unit == "m") return "lengths are in metres";
  if (range.unit == "rad") return "angles are in radians";
  if (range.unit == "kg") return "masses are in kilograms";
  return "is the unit right?";
}

std::string ExampleOf(const char* attribute, std::size_t numbers) {
  const char* list = numbers == 1 ? "NUMBER" : numbers == 3 ? "X Y Z" : "R G B A";
  return fmt::format("write {}=\"{}\"", attribute, list);
}

}  // namespace

std::optional<double> ParseXmlNumber(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size()) return std::nullopt;
  // what is too small for a double, or nearly, is zero
  if (status == std::errc::result_out_of_range) {
    const std::size_t exponent = word.find_first_of("eE");
    if (exponent != word.npos && word.substr(exponent + 1).starts_with('-')) return 0;
    return std::nullopt;
  }
  if (status != std::errc()) return std::nullopt;
  return std::abs(value) < 1e-300 ? 0 : value;
}

Status ParseXml(std::string_view text, const std::string& file, tinyxml2::XMLDocument* document,
                const TextFileKind& kind, std::string_view root) {
  const auto error = [&](std::string message, std::string hint, int line = 0) {
    return Error{.message = std::move(message), .file = file, .line = line, .hint = hint};
  };
  if (text.size() > kind.most_bytes)
    return error(fmt::format("{:.1f} MiB; a {} may have {} MiB",
                             static_cast<double>(text.size()) / static_cast<double>(kMebibyte),
                             kind.name, kind.most_bytes / kMebibyte),
                 "is it one?");
  if (text.find_first_not_of(kXmlBlanks) == text.npos)
    return error("the file is empty", fmt::format("expected {}", root));
  const Result<std::string> decoded = DecodeXml(text, file);
  if (!decoded) return decoded.errors();
  text = *decoded;
  if (CountElements(text) > kMostElements)
    return error(fmt::format("more than {} elements", kMostElements), "is it a robot?");
  const tinyxml2::XMLError status = document->Parse(text.data(), text.size());
  int line = document->ErrorLineNum();
  const bool failed = status != tinyxml2::XML_SUCCESS;
  const bool declares =
      failed ? text.find("<!DOCTYPE") != text.npos || text.find("<!ENTITY") != text.npos
             : HasDeclarations(document, &line);
  if (declares)
    return error("DOCTYPE and entities are not read", "delete the lines that begin with '<!'",
                 line);
  const bool tags =
      status == tinyxml2::XML_ERROR_MISMATCHED_ELEMENT || status == tinyxml2::XML_ERROR_PARSING;
  if (const auto unclosed = tags ? FindUnclosed(text, file) : std::nullopt) return *unclosed;
  if (failed) return error(XmlProblem(*document), "open it in an editor that checks XML", line);
  return Ok{};
}

void UrdfReport::Fail(int line, std::string message, std::string hint) {
  if (errors.size() == kMostErrors) {
    ++more_;
    return;
  }
  errors.push_back(
      {.message = std::move(message), .file = file_, .line = line, .hint = std::move(hint)});
}

void UrdfReport::Note(std::string note) {
  if (notes.size() < kMostNotes)
    notes.push_back(std::move(note));
  else if (notes.size() == kMostNotes)
    notes.emplace_back("and more like these");
}

void UrdfReport::NoteOf(const std::string& owner, const std::string& text) {
  auto at = std::find_if(shared_.begin(), shared_.end(),
                         [&](const Shared& shared) { return shared.text == text; });
  if (at == shared_.end()) at = shared_.insert(at, Shared{text, {}});
  if (std::find(at->owners.begin(), at->owners.end(), owner) == at->owners.end())
    at->owners.push_back(owner);
}

std::vector<std::string> UrdfReport::TakeNotes() {
  constexpr std::size_t kNamed = 3;
  for (const Shared& shared : shared_) {
    std::string names;
    for (std::size_t i = 0; i < std::min(shared.owners.size(), kNamed); ++i)
      names += (i > 0 ? ", " : "") + shared.owners[i];
    if (shared.owners.size() > kNamed)
      names += fmt::format(" and {} more", shared.owners.size() - kNamed);
    Note(names + ": " + shared.text);
  }
  shared_.clear();
  return std::move(notes);
}

ErrorList UrdfReport::Take() {
  std::stable_sort(errors.begin(), errors.end(),
                   [](const Error& a, const Error& b) { return a.line < b.line; });
  if (more_ > 0)
    errors.push_back({.message = fmt::format("and {} more", more_),
                      .file = file_,
                      .hint = "correct these first"});
  return std::move(errors);
}

namespace {

/// Whether two elements say the same: attributes, and no children.
bool IsSame(const tinyxml2::XMLElement& a, const tinyxml2::XMLElement& b) {
  return a.FirstChildElement() == nullptr && a.ShallowEqual(&b);
}

}  // namespace

const tinyxml2::XMLElement* OnlyChild(const UrdfPlace& place, const tinyxml2::XMLElement& parent,
                                      const char* name) {
  const tinyxml2::XMLElement* first = parent.FirstChildElement(name);
  if (first == nullptr) return nullptr;
  for (const auto* second = first->NextSiblingElement(name); second != nullptr;
       second = second->NextSiblingElement(name)) {
    if (IsSame(*first, *second)) continue;
    place.Fail(*second, fmt::format("a second <{}>", name), "keep one");
    break;
  }
  return first;
}

const tinyxml2::XMLElement* FirstChild(const UrdfPlace& place, const tinyxml2::XMLElement& parent,
                                       const char* name) {
  const tinyxml2::XMLElement* first = parent.FirstChildElement(name);
  if (first != nullptr && first->NextSiblingElement(name) != nullptr)
    place.report->NoteOf(place.owner,
                         fmt::format("there is a second <{}>, and the first is taken", name));
  return first;
}

std::size_t CountXmlWords(std::string_view text) {
  std::size_t count = 0;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(kXmlBlanks), text.size()));
    if (text.empty()) return count;
    text.remove_prefix(std::min(text.find_first_of(kXmlBlanks), text.size()));
    ++count;
  }
}

bool ReadNumbers(const UrdfPlace& place, const tinyxml2::XMLElement& element, const char* attribute,
                 const NumberRange& range, bool required, std::span<double> values) {
  const std::string what = fmt::format("{} of <{}>", attribute, element.Name());
  const char* found = element.Attribute(attribute);
  if (found == nullptr) {
    if (required)
      place.Fail(element, fmt::format("no {}", what), ExampleOf(attribute, values.size()));
    return false;
  }
  std::string_view rest = found;
  std::size_t count = 0;
  while (true) {
    rest.remove_prefix(std::min(rest.find_first_not_of(kXmlBlanks), rest.size()));
    if (rest.empty()) break;
    const std::string_view word = rest.substr(0, rest.find_first_of(kXmlBlanks));
    rest.remove_prefix(word.size());
    const std::optional<double> number = ParseXmlNumber(word);
    std::string problem;
    if (!number) {
      problem = "expected a number";
    } else if (!std::isfinite(*number)) {
      problem = "expected a finite number";
    } else {
      problem = RangeProblem(*number, range);
    }
    if (!problem.empty()) {
      // of one number the whole text: in "1 kg" the word alone would hide the number
      const bool one = values.size() == 1;
      const bool with_unit = one && !number && count > 0;
      place.Fail(element,
                 fmt::format("{}: {}; {}", what, QuoteXml(one ? std::string_view(found) : word),
                             with_unit ? "expected a number alone" : problem),
                 with_unit && !range.unit.empty()
                     ? fmt::format("write it without a unit: it is in {}", range.unit)
                     : NumberHint(word, number && std::isfinite(*number), range));
      return false;
    }
    if (count < values.size()) values[count] = *number;
    ++count;
  }
  if (count != values.size()) {
    place.Fail(element,
               fmt::format("{} has {} number{}; expected {}", what, count, count == 1 ? "" : "s",
                           values.size()),
               ExampleOf(attribute, values.size()));
    return false;
  }
  return true;
}

bool ReadNumber(const UrdfPlace& place, const tinyxml2::XMLElement& element, const char* attribute,
                const NumberRange& range, bool required, double* value) {
  return ReadNumbers(place, element, attribute, range, required, std::span<double>(value, 1));
}

std::string QuoteXml(std::string_view text, std::size_t most) {
  std::string quoted = "'";
  while (!text.empty() && quoted.size() < most) {
    const std::size_t size = Utf8CharSize(text);
    const bool plain = size > 1 || (size == 1 && text[0] >= ' ' && text[0] != 127);
    quoted += plain ? text.substr(0, size) : "?";
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return quoted + (text.empty() ? "'" : "...'");
}

}  // namespace slip
