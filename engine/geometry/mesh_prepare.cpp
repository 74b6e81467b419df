#include "engine/geometry/mesh_prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "engine/geometry/point_scan.h"

namespace slip {
namespace {

constexpr std::size_t kStlHead = 80, kStlCount = 4, kStlTriangle = 50;
/// Libraries of a COLLADA file may have one each.
constexpr int kMostAssets = 100;

bool IsPrinted(char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\r' || c == '\t'; }

char ToLowerChar(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// "solid", in whatever case, behind blanks and the mark that some editors put first.
bool BeginsAsText(const std::string& bytes) {
  std::size_t at = bytes.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  at = bytes.find_first_not_of(" \t\r\n", at);
  if (at == std::string::npos || bytes.size() - at < 5) return false;
  std::string word = bytes.substr(at, 5);
  std::transform(word.begin(), word.end(), word.begin(), ToLowerChar);
  return word == "solid";
}

/// The library knows small letters only, and takes letters with accents for binary numbers.
void PrepareStlText(std::string* text) {
  text->erase(0, text->find_first_of("sS"));
  const bool loud = text->find("facet") == std::string::npos || !text->starts_with("solid");
  for (char& c : *text) {
    if (loud) c = ToLowerChar(c);
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  }
}

/// The text without its comments, blanks in their place.
void BlankComments(std::string* text) {
  std::size_t at = 0;
  while ((at = text->find("<!--", at)) != std::string::npos) {
    const std::size_t end = std::min(text->find("-->", at + 4), text->size());
    std::fill(text->begin() + static_cast<std::ptrdiff_t>(at),
              text->begin() + static_cast<std::ptrdiff_t>(std::min(end + 3, text->size())), ' ');
    at = end;
  }
}

/// The bytes [begin, end) of an element of that name, tags and all; npos, npos where there is none.
struct Span {
  std::size_t begin = std::string::npos, end = std::string::npos;
  bool found() const { return begin != std::string::npos; }
};

Span FindElement(const std::string& text, const std::string& name, std::size_t from,
                 std::size_t limit) {
  const std::string open = "<" + name, close = "</" + name;
  for (std::size_t at = text.find(open, from); at < limit; at = text.find(open, at + 1)) {
    const std::size_t after = at + open.size();
    if (after >= text.size() || std::strchr(" \t\r\n/>", text[after]) == nullptr) continue;
    const std::size_t tag = text.find('>', after);
    if (tag >= limit) return {};
    if (text[tag - 1] == '/') return {at, tag + 1};
    const std::size_t last = text.find(close, tag);
    const std::size_t end = last < limit ? text.find('>', last) : std::string::npos;
    return {at, end < limit ? end + 1 : tag + 1};
  }
  return {};
}

/// The value of an attribute within [begin, end); empty where there is none.
std::string FindAttribute(const std::string& text, const Span& in, const std::string& name) {
  const std::size_t end = std::min(in.end, text.find('>', in.begin));
  for (std::size_t at = text.find(name, in.begin); at < end; at = text.find(name, at + 1)) {
    if (std::strchr(" \t\r\n", text[at - 1]) == nullptr) continue;
    const std::size_t sign = text.find_first_not_of(" \t\r\n", at + name.size());
    if (sign >= end || text[sign] != '=') continue;
    const std::size_t quote = text.find_first_not_of(" \t\r\n", sign + 1);
    if (quote >= end || (text[quote] != '"' && text[quote] != '\'')) continue;
    const std::size_t last = text.find(text[quote], quote + 1);
    if (last < end) return text.substr(quote + 1, last - quote - 1);
  }
  return {};
}

}  // namespace

std::string PrepareStl(std::string* bytes) {
  if (bytes->size() < kStlHead + kStlCount) {
    if (!BeginsAsText(*bytes)) return "it is too short";
    PrepareStlText(bytes);
    return {};
  }
  std::uint32_t count = 0;
  std::memcpy(&count, bytes->data() + kStlHead, kStlCount);
  const std::uint64_t whole = kStlHead + kStlCount + std::uint64_t{count} * kStlTriangle;
  const bool text_head = BeginsAsText(*bytes);
  // of a text, these four bytes are characters: more triangles than any file has
  const bool binary = whole <= bytes->size() && (count > 0 || !text_head);
  if (!binary && text_head && bytes->find('\0') == std::string::npos) {
    PrepareStlText(bytes);
    return {};
  }
  if (!binary && std::all_of(bytes->begin(), bytes->begin() + kStlHead, IsPrinted) && !text_head)
    return "a text that does not begin with 'solid'";
  if (!binary)
    return fmt::format("it promises {} triangles, which take {} bytes, and has {} bytes", count,
                       whole, bytes->size());
  bytes->resize(whole);
  if (text_head) bytes->replace(0, kStlHead, kStlHead, ' ');
  return {};
}

std::string PrepareCollada(std::string* text, ColladaAsset* asset) {
  if (text->starts_with("\xFF\xFE") || text->starts_with("\xFE\xFF") ||
      text->substr(0, 1000).find('\0') != std::string::npos)
    return "it is not in UTF-8";
  BlankComments(text);
  bool first = true;
  int left = kMostAssets;
  for (Span element = FindElement(*text, "asset", 0, text->size()); element.found() && left-- > 0;
       element = FindElement(*text, "asset", element.end, text->size())) {
    const Span unit = FindElement(*text, "unit", element.begin, element.end);
    const Span up = FindElement(*text, "up_axis", element.begin, element.end);
    if (first && unit.found()) {
      // a unit without its size is a metre
      const std::string metres = FindAttribute(*text, unit, "meter");
      const auto value = ParseNumber<double>(metres);
      if (!metres.empty() && (!value || !(*value > 0) || !(*value < 1e9)))
        return fmt::format("its unit is {} m", QuoteWord(metres));
      asset->unit = value.value_or(1);
    }
    if (first && up.found()) {
      const std::string_view word = std::string_view(*text).substr(up.begin, up.end - up.begin);
      if (word.find("X_UP") != word.npos) asset->up = UpAxis::kX;
      if (word.find("Y_UP") != word.npos) asset->up = UpAxis::kY;
      if (word.find("Z_UP") != word.npos) asset->up = UpAxis::kZ;
    }
    first = false;
    for (const Span& gone : {unit, up})
      if (gone.found())
        std::fill(text->begin() + static_cast<std::ptrdiff_t>(gone.begin),
                  text->begin() + static_cast<std::ptrdiff_t>(gone.end), ' ');
  }
  return {};
}

}  // namespace slip
