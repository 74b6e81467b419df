// From the bytes of a file to text in UTF-8, and where a text that is no XML goes wrong.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "engine/core/utf8.h"
#include "engine/urdf/urdf_xml.h"

namespace slip {
namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF";  // of UTF-8, at the beginning of a file
constexpr std::string_view kTextBlanks = " \t\r\n";

// What windows-1252 has in the places 0x80 to 0x9F, which ISO-8859-1 leaves to control codes.
constexpr std::array<char16_t, 32> kWindows1252 = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

int LineAt(std::string_view text, std::size_t at) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n'));
}

/// Where the XML declaration begins, behind blanks and comments; npos when there is none.
std::size_t FindDeclaration(std::string_view text) {
  std::size_t at = text.starts_with(kMark) ? kMark.size() : 0;
  while (true) {
    at = text.find_first_not_of(kTextBlanks, at);
    if (at == text.npos) return at;
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("<?xml") && rest.size() > 5 &&
        kTextBlanks.find(rest[5]) != kTextBlanks.npos)
      return at;
    if (!rest.starts_with("<!--")) return text.npos;
    const std::size_t end = text.find("-->", at + 4);
    if (end == text.npos) return end;
    at = end + 3;
  }
}

/// The encoding that a declaration names, as it is written; empty when it names none.
std::string_view FindEncoding(std::string_view declaration) {
  std::size_t at = declaration.find("encoding");
  if (at == declaration.npos) return {};
  at = declaration.find_first_not_of(kTextBlanks, at + 8);
  if (at == declaration.npos || declaration[at] != '=') return {};
  at = declaration.find_first_not_of(kTextBlanks, at + 1);
  if (at == declaration.npos || (declaration[at] != '"' && declaration[at] != '\'')) return {};
  const std::size_t end = declaration.find(declaration[at], at + 1);
  return end == declaration.npos ? std::string_view() : declaration.substr(at + 1, end - at - 1);
}

/// "ISO_8859-1" and "iso8859-1" name the same.
std::string PlainName(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return plain;
}

bool IsOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// One byte a character.
std::string ToUtf8(std::string_view text, bool windows) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (const char c : text) {
    unsigned code = static_cast<unsigned char>(c);
    if (windows && code >= 0x80 && code < 0xA0) code = kWindows1252[code - 0x80];
    if (code < 0x80) {
      out += c;
    } else if (code < 0x800) {
      out += static_cast<char>(0xC0 | (code >> 6));
      out += static_cast<char>(0x80 | (code & 0x3F));
    } else {
      out += static_cast<char>(0xE0 | (code >> 12));
      out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
      out += static_cast<char>(0x80 | (code & 0x3F));
    }
  }
  return out;
}

/// What is no character of UTF-8; the end when all is.
std::size_t FindWrongByte(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t size = Utf8CharSize(text.substr(at));
    if (size == 0) break;
    at += size;
  }
  return at;
}

/// A tag that has begun and not ended.
struct OpenTag {
  std::string_view name;
  std::size_t at = 0;
};

/// Behind the '>' of the tag that begins at `at`, with its quotes heeded; npos when it has none.
std::size_t FindTagEnd(std::string_view text, std::size_t at) {
  char quote = 0;
  for (++at; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      return at + 1;
    }
  }
  return text.npos;
}

}  // namespace

Result<std::string> DecodeXml(std::string_view text, const std::string& file) {
  const auto error = [&](std::string message, std::string hint, int line = 0) {
    return Error{
        .message = std::move(message), .file = file, .line = line, .hint = std::move(hint)};
  };
  constexpr const char* kSave = "save it as UTF-8 in an editor";
  for (const std::string_view wide : {std::string_view("\xFF\xFE"), std::string_view("\xFE\xFF"),
                                      std::string_view("<\0", 2), std::string_view("\0<", 2)}) {
    if (text.starts_with(wide))
      return error("this is not a text file in UTF-8, but one in UTF-16", kSave);
  }
  // some writers end a file as a string of C
  text = text.substr(0, text.find_last_not_of('\0') + 1);
  if (text.find('\0') != text.npos)
    return error("this is not a text file in UTF-8", "is it a URDF file?");
  const std::size_t begin = FindDeclaration(text);
  const std::size_t end = begin == text.npos ? begin : text.find("?>", begin);
  const bool declared = end != text.npos;
  const std::string_view encoding =
      declared ? FindEncoding(text.substr(begin, end - begin)) : std::string_view();
  std::string out(text);
  // it must come first, and says nothing that is not known here: comments before it do no harm
  if (declared) {
    for (std::size_t i = begin; i < end + 2; ++i)
      if (out[i] != '\n' && out[i] != '\r') out[i] = ' ';
  }
  const std::size_t wrong = FindWrongByte(text);
  if (wrong == text.size()) return out;
  const std::string name = PlainName(encoding);
  const bool windows = IsOneOf(name, {"windows1252", "cp1252"});
  if (windows || IsOneOf(name, {"iso88591", "latin1", "l1", "iso885911987"}))
    return ToUtf8(out, windows);
  const int line = LineAt(text, wrong);
  if (encoding.empty() || IsOneOf(name, {"utf8", "usascii", "ascii"}))
    return error(
        fmt::format("this is not a text file in UTF-8: byte 0x{:02X} is part of no character",
                    static_cast<unsigned char>(text[wrong])),
        "is it a URDF file? Then save it as UTF-8, or begin it with <?xml version=\"1.0\" "
        "encoding=\"ISO-8859-1\"?> where that is what it is",
        line);
  return error(fmt::format("the file declares the encoding {}, which is not read; expected UTF-8, "
                           "ISO-8859-1 or windows-1252",
                           QuoteXml(encoding)),
               kSave, line);
}

std::optional<Error> FindUnclosed(std::string_view text, const std::string& file) {
  std::vector<OpenTag> open;
  const auto error = [&](const OpenTag& tag, const std::string& seen) {
    return Error{.message = fmt::format("<{}> of line {} is not closed: {}", tag.name,
                                        LineAt(text, tag.at), seen),
                 .file = file,
                 .line = LineAt(text, tag.at),
                 .hint = fmt::format("write </{}> where it ends", tag.name)};
  };
  // over what is no element, to behind its end
  constexpr std::array<std::array<std::string_view, 2>, 4> kOthers = {
      {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}}};
  for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', at)) {
    const std::string_view rest = text.substr(at);
    const auto other = std::find_if(kOthers.begin(), kOthers.end(),
                                    [&](const auto& o) { return rest.starts_with(o[0]); });
    if (other != kOthers.end()) {
      const std::size_t end = text.find((*other)[1], at + (*other)[0].size());
      if (end == text.npos) return std::nullopt;
      at = end + (*other)[1].size();
      continue;
    }
    const std::size_t end = FindTagEnd(text, at);
    if (end == text.npos) return std::nullopt;
    const bool closes = rest.starts_with("</");
    const std::size_t first = at + (closes ? 2 : 1);
    const std::size_t last = std::min(text.find_first_of(" \t\r\n/>", first), end - 1);
    const std::string_view name = text.substr(first, std::min<std::size_t>(last - first, 60));
    if (!closes) {
      if (text[end - 2] != '/') open.push_back({name, at});
    } else if (open.empty()) {
      return std::nullopt;
    } else if (open.back().name != name) {
      return error(open.back(), fmt::format("</{}> follows in line {}", name, LineAt(text, at)));
    } else {
      open.pop_back();
    }
    at = end;
  }
  if (open.empty()) return std::nullopt;
  return error(open.back(), fmt::format("the file ends in line {}",
                                        LineAt(text, text.find_last_not_of(kTextBlanks) + 1)));
}

}  // namespace slip
