#include "engine/core/json_document.h"

#include <cctype>

namespace slip {
namespace {

// What the parsed text may hold: small texts can name many empty parts, each of which costs a
// hundred bytes. A contact with its Jacobians is 17 parts and 60 numbers.
constexpr std::size_t kMostParts = std::size_t{4} << 20;
constexpr std::size_t kMostNumbers = std::size_t{16} << 20;

/// Thrown out of the parser, and caught in this file, when the document asks for too much.
struct TooMuch {
  std::string what;
};

/// Stops the parser at the first part beyond the limits, and knows which part it is at.
class PartCounter {
 public:
  bool operator()(int, Json::parse_event_t event, const Json& parsed) {
    using Event = Json::parse_event_t;
    if (event == Event::array_end || event == Event::object_end) levels_.pop_back();
    const bool ended =
        event == Event::value || event == Event::array_end || event == Event::object_end;
    if (ended && !levels_.empty()) ++levels_.back().index;
    if (event == Event::key) levels_.back().key = parsed.get<std::string>();
    if (event == Event::array_start || event == Event::object_start)
      levels_.push_back({.list = event == Event::array_start, .key = {}, .index = 0});
    if (event == Event::value && ++numbers_ > kMostNumbers)
      throw TooMuch{fmt::format("more than {} numbers", kMostNumbers)};
    if ((event == Event::key || event == Event::array_start || event == Event::object_start) &&
        ++parts_ > kMostParts)
      throw TooMuch{fmt::format("more than {} lists, objects and keys", kMostParts)};
    return true;
  }

  /// "contacts[3].dissipation"; empty at the top.
  std::string Where() const {
    std::string path;
    for (const Level& level : levels_) {
      if (level.list) {
        path += fmt::format("[{}]", level.index);
      } else {
        path += (path.empty() ? "" : ".") + level.key.substr(0, 60);
      }
    }
    return path;
  }

 private:
  struct Level {
    bool list;
    std::string key;    ///< the last one of an object
    std::size_t index;  ///< of the next item of a list
  };
  std::size_t parts_ = 0, numbers_ = 0;
  std::vector<Level> levels_;
};

/// The word of letters and signs around an offset: "-inf", "NaN", "1e999".
std::string_view WordAt(std::string_view text, std::size_t at) {
  const auto inside = [&](std::size_t i) {
    const auto c = static_cast<unsigned char>(text[i]);
    return c == '-' || c == '+' || c == '.' || std::isalnum(c) != 0;
  };
  std::size_t begin = std::min(at, text.size()), end = begin;
  while (begin > 0 && inside(begin - 1)) --begin;
  while (end < text.size() && inside(end)) ++end;
  return text.substr(begin, end - begin);
}

/// How programs write what JSON has no number for.
bool IsNotFinite(std::string_view word) {
  std::string letters;
  for (const char c : word) {
    if (c != '-' && c != '+')
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return letters == "nan" || letters == "inf" || letters == "infinity";
}

/// The parser's byte as line and column.
Error ParseError(std::string_view text, const std::string& name, std::size_t byte,
                 const std::string& where) {
  std::size_t at = std::min(byte == 0 ? 0 : byte - 1, text.size());
  std::string message = text.empty() ? "the file is empty" : "not valid JSON here";
  const std::string_view word = WordAt(text, at);
  const auto begin = static_cast<std::size_t>(word.data() - text.data());
  const bool value = !where.empty() && where.back() != '.' && text[begin - 1] != '"';
  if (value && IsNotFinite(word)) {
    message = fmt::format("{} must be a finite number (found {})", where, word);
    at = begin;
  }
  const std::string_view before = text.substr(0, at);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t feed = before.rfind('\n');
  const std::size_t column = feed == std::string_view::npos ? at : at - feed - 1;
  return Error{.message = std::move(message),
               .file = name,
               .line = static_cast<int>(line),
               .column = static_cast<int>(column) + 1};
}

}  // namespace

Result<bool> ParseJsonWithin(std::string_view text, const std::string& name,
                             const TextFileKind& kind,
                             const std::function<void(const Json&)>& read) {
  if (const Status size = CheckTextSize(text.size(), name, kind); !size.ok()) return size.errors();
  PartCounter counter;
  try {
    read(Json::parse(text.begin(), text.end(), std::ref(counter)));
    return true;
  } catch (const Json::parse_error& error) {
    return ParseError(text, name, error.byte, counter.Where());
  } catch (const Json::out_of_range&) {
    return Error{.message = counter.Where() + " must be a finite number (found one too large)",
                 .file = name};
  } catch (const TooMuch& error) {
    return Error{.message = fmt::format("too much for a {}: {}", kind.name, error.what),
                 .file = name,
                 .hint = "is it one?"};
  } catch (const std::exception&) {
    return Error{.message = fmt::format("not a {}", kind.name), .file = name};
  }
}

}  // namespace slip
