#include "engine/core/json_document.h"

#include <cctype>

template nlohmann::json nlohmann::json::parse<const char*>(const char*, const char*,
                                                           const nlohmann::json::parser_callback_t,
                                                           const bool, const bool);

namespace slip {
namespace {

// What the parsed text may hold: small texts can name many empty parts, each of which costs a
// hundred bytes. A contact with its Jacobians is 17 parts and 60 numbers.
constexpr std::size_t kMostParts = std::size_t{4} << 20;
constexpr std::size_t kMostNumbers = std::size_t{16} << 20;

/// Builds the document part by part, so that the time goes with the length of the text, and stops
/// at the first part beyond the limits. It knows which part it is at.
class Builder {
 public:
  enum class Problem { kNone, kTooMuch, kSyntax, kNumber };

  Json Take() { return std::move(root_); }
  Problem problem() const { return problem_; }
  const std::string& too_much() const { return too_much_; }
  std::size_t byte() const { return byte_; }  ///< of kSyntax, from 1

  /// "contacts[3].dissipation"; empty at the top.
  std::string Where() const {
    std::string path;
    for (const Level& level : levels_) {
      if (level.part->is_array()) {
        path += fmt::format("[{}]", level.index);
      } else {
        path += (path.empty() ? "" : ".") + level.key.substr(0, 60);
      }
    }
    return path;
  }

  // what the parser calls, by the names that it asks for; false ends it
  bool null() { return Value(nullptr); }
  bool boolean(bool value) { return Value(value); }
  bool number_integer(Json::number_integer_t value) { return Value(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return Value(value); }
  bool number_float(Json::number_float_t value, const std::string&) { return Value(value); }
  bool string(std::string& value) { return Value(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(std::size_t) { return Open(Json::value_t::object); }
  bool start_array(std::size_t) { return Open(Json::value_t::array); }
  bool end_object() { return Close(); }
  bool end_array() { return Close(); }
  bool key(std::string& name) {
    levels_.back().key = std::move(name);
    return CountPart();
  }
  bool parse_error(std::size_t byte, const std::string&, const Json::exception& error) {
    const bool number = dynamic_cast<const Json::out_of_range*>(&error) != nullptr;
    problem_ = number ? Problem::kNumber : Problem::kSyntax;
    byte_ = byte;
    return false;
  }

 private:
  struct Level {
    Json* part;
    std::string key;    ///< the last one of an object
    std::size_t index;  ///< of the next item of a list
  };

  /// Places of open parts stay: an object keeps its items where they are, and a list is not
  /// extended while its last item is open.
  template <class Item>
  Json* Put(Item&& item) {
    if (levels_.empty()) return &(root_ = std::forward<Item>(item));
    Level& level = levels_.back();
    if (!level.part->is_array())
      return &((*level.part)[level.key] = std::forward<Item>(item));  // the last one counts
    level.part->push_back(std::forward<Item>(item));
    return &level.part->back();
  }
  void Ended() {
    if (!levels_.empty()) ++levels_.back().index;
  }
  template <class Item>
  bool Value(Item&& item) {
    Put(Json(std::forward<Item>(item)));
    Ended();
    if (++numbers_ <= kMostNumbers) return true;
    return TooMuch(fmt::format("more than {} numbers", kMostNumbers));
  }
  bool Open(Json::value_t type) {
    levels_.push_back({.part = Put(Json(type)), .key = {}, .index = 0});
    return CountPart();
  }
  bool Close() {
    levels_.pop_back();
    Ended();
    return true;
  }
  bool CountPart() {
    if (++parts_ <= kMostParts) return true;
    return TooMuch(fmt::format("more than {} lists, objects and keys", kMostParts));
  }
  bool TooMuch(std::string what) {
    problem_ = Problem::kTooMuch;
    too_much_ = std::move(what);
    return false;
  }

  Json root_;
  std::vector<Level> levels_;
  std::size_t parts_ = 0, numbers_ = 0, byte_ = 0;
  Problem problem_ = Problem::kNone;
  std::string too_much_;
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
  Builder builder;
  try {
    const bool parsed = Json::sax_parse(text.begin(), text.end(), &builder);
    using Problem = Builder::Problem;
    if (builder.problem() == Problem::kSyntax)
      return ParseError(text, name, builder.byte(), builder.Where());
    if (builder.problem() == Problem::kNumber) {
      return Error{.message = builder.Where() + " must be a finite number (found one too large)",
                   .file = name};
    }
    if (builder.problem() == Problem::kTooMuch) {
      return Error{.message = fmt::format("too much for a {}: {}", kind.name, builder.too_much()),
                   .file = name,
                   .hint = "is it one?"};
    }
    if (parsed) {
      read(builder.Take());
      return true;
    }
  } catch (const std::exception&) {
    // of what the reader made of it, or no memory
  }
  return Error{.message = fmt::format("not a {}", kind.name), .file = name};
}

}  // namespace slip
