#include "engine/geometry/mesh_prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "engine/geometry/point_scan.h"
#include "engine/geometry/stl_file.h"

namespace slip {
namespace {

/// Libraries of a COLLADA file may have one each.
constexpr int kMostAssets = 100;
/// How names of extensions of glTF begin that matter to the eyes alone.
constexpr std::string_view kLooks[] = {"KHR_materials_", "KHR_texture_transform", "KHR_lights_"};

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

/// The library tells what it cannot read by all that follows, and not where it stands.
std::string FindStlProblem(std::string_view text, std::ptrdiff_t line) {
  bool open = false;  // a triangle is
  std::ptrdiff_t triangles = 0, last = line;
  while (!text.empty()) {
    std::string_view rest = NextLine(&text);
    ++line;
    open = open && rest.find("endfacet") == rest.npos;
    std::string word(NextWord(&rest, " \t\r"));
    if (!word.empty()) last = line;
    std::transform(word.begin(), word.end(), word.begin(), ToLowerChar);
    if (word == "facet" && rest.find("endfacet") == rest.npos) open = true, ++triangles;
    if (word == "endfacet" || word == "endsolid") open = false;
    if (word != "vertex") continue;
    // a text that was cut ends in the middle of its last vertex
    if (open && text.find_first_not_of(" \t\r\n") == text.npos) break;
    int count = 0;
    for (; count < 3; ++count) {
      const std::string_view number = NextWord(&rest, " \t\r");
      if (number.empty()) break;
      if (!ParseNumber<double>(number))
        return fmt::format("line {}: {} is not a number", line, QuoteWord(number));
    }
    if (count < 3)
      return fmt::format("line {}: a vertex has {} number{}, expected 3", line, count,
                         count == 1 ? "" : "s");
  }
  if (!open) return {};
  return fmt::format("it ends in line {}, within triangle {}", last, triangles);
}

/// The library knows small letters only, and takes letters with accents for binary numbers.
std::string PrepareStlText(std::string* text) {
  const std::size_t begin = text->find_first_of("sS");
  const auto before =
      std::count(text->begin(), text->begin() + static_cast<std::ptrdiff_t>(begin), '\n');
  text->erase(0, begin);
  const bool loud = text->find("facet") == std::string::npos || !text->starts_with("solid");
  for (char& c : *text) {
    if (loud) c = ToLowerChar(c);
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  }
  return FindStlProblem(*text, before);
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

std::string PrepareStl(std::string* bytes, std::vector<std::string>* notes) {
  if (bytes->size() < kStlHead + kStlCount)
    return BeginsAsText(*bytes) ? PrepareStlText(bytes) : "it is too short";
  std::uint32_t count = 0;
  std::memcpy(&count, bytes->data() + kStlHead, kStlCount);
  const std::uint64_t whole = kStlHead + kStlCount + std::uint64_t{count} * kStlTriangle;
  const bool text_head = BeginsAsText(*bytes);
  // of a text, these four bytes are characters: more triangles than any file has
  const bool binary = whole <= bytes->size() && (count > 0 || !text_head);
  if (!binary && text_head && bytes->find('\0') == std::string::npos) return PrepareStlText(bytes);
  // a heading may be all letters or blanks in a binary file, too
  const auto looked_at = static_cast<std::ptrdiff_t>(std::min<std::size_t>(bytes->size(), 1000));
  if (!binary && !text_head && std::all_of(bytes->begin(), bytes->begin() + looked_at, IsPrinted))
    return "a text that does not begin with 'solid'";
  if (!binary)
    return fmt::format("it promises {} triangles, which take {} bytes, and has {} bytes", count,
                       whole, bytes->size());
  // a few more bytes are an end of line, or what fills up a block
  if (bytes->size() - whole >= kStlTriangle)
    notes->push_back(
        fmt::format("its heading promises {} triangles, and there is room for {}: those promised "
                    "are read",
                    count, (bytes->size() - kStlHead - kStlCount) / kStlTriangle));
  bytes->resize(whole);
  if (text_head) bytes->replace(0, kStlHead, kStlHead, ' ');
  return {};
}

std::string CheckGltf(std::string_view bytes) {
  constexpr std::size_t kGlbHead = 20;  // bytes before its text
  if (bytes.starts_with("glTF") && bytes.size() > kGlbHead) {
    std::uint32_t size = 0;
    std::memcpy(&size, bytes.data() + kGlbHead - 8, sizeof(size));
    bytes = bytes.substr(kGlbHead, size);
  }
  constexpr std::string_view kKey = "\"extensionsRequired\"";
  const std::size_t key = bytes.find(kKey);
  if (key == bytes.npos) return {};
  bytes.remove_prefix(key + kKey.size());
  bytes = bytes.substr(0, bytes.find(']'));
  while (true) {
    const std::size_t begin = bytes.find('"');
    const std::size_t end = begin == bytes.npos ? begin : bytes.find('"', begin + 1);
    if (end == bytes.npos) return {};
    const std::string_view name = bytes.substr(begin + 1, end - begin - 1);
    bytes.remove_prefix(end + 1);
    // these change what is seen and not where it is
    if (std::none_of(std::begin(kLooks), std::end(kLooks),
                     [&](std::string_view look) { return name.starts_with(look); }))
      return fmt::format("it requires the extension '{}', which is not read", name.substr(0, 100));
  }
}

std::string PrepareCollada(std::string* text, ColladaAsset* asset,
                           std::vector<std::string>* notes) {
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
      const auto is = [&](std::string_view name) { return word.find(name) != word.npos; };
      if (is("X_UP")) asset->up = UpAxis::kX;
      if (is("Z_UP")) asset->up = UpAxis::kZ;
      if (!is("X_UP") && !is("Y_UP") && !is("Z_UP"))
        notes->emplace_back("its up_axis is none of X_UP, Y_UP and Z_UP: taken for Y_UP");
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
