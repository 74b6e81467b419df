#include "engine/geometry/ply_header.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/numbers.h"

namespace slip {
namespace {

constexpr std::string_view kHeaderBlanks = " \t";
/// A header of more lines is none: a point has some tens of properties.
constexpr int kMostHeaderLines = 1000;

struct PlyTypeName {
  std::string_view name, other;
};
constexpr std::array<PlyTypeName, 8> kPlyTypeNames = {{{"char", "int8"},
                                                       {"uchar", "uint8"},
                                                       {"short", "int16"},
                                                       {"ushort", "uint16"},
                                                       {"int", "int32"},
                                                       {"uint", "uint32"},
                                                       {"float", "float32"},
                                                       {"double", "float64"}}};

std::optional<PlyType> FindPlyType(std::string_view word) {
  for (std::size_t i = 0; i < kPlyTypeNames.size(); ++i)
    if (word == kPlyTypeNames[i].name || word == kPlyTypeNames[i].other)
      return static_cast<PlyType>(i);
  return std::nullopt;
}

void ReadFormat(std::string_view rest, PlyHeader* header, PointScanner* scanner) {
  constexpr std::array<std::string_view, 3> kNames = {"ascii", "binary_little_endian",
                                                      "binary_big_endian"};
  const std::string_view name = NextWord(&rest, kHeaderBlanks);
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end())
    return scanner->Fail(fmt::format("format {} is unknown", QuoteWord(name)),
                         "expected ascii, binary_little_endian or binary_big_endian");
  header->format = static_cast<PlyFormat>(found - kNames.begin());
  if (const std::string_view version = NextWord(&rest, kHeaderBlanks); version != "1.0")
    scanner->Fail(fmt::format("format version {}; expected 1.0", QuoteWord(version)),
                  "write 'format " + std::string(name) + " 1.0'");
}

void ReadElement(std::string_view rest, PlyHeader* header, PointScanner* scanner) {
  PlyElement element{.name = NextWord(&rest, kHeaderBlanks), .line = scanner->line()};
  const std::string_view word = NextWord(&rest, kHeaderBlanks);
  const std::optional<uint64_t> rows = ParseNumber<uint64_t>(word);
  if (element.name.empty() || !rows)
    scanner->Fail(fmt::format("{} is no number of elements", QuoteWord(word)),
                  "write 'element NAME COUNT', like 'element vertex 992'");
  element.rows = rows.value_or(0);
  if (element.name == "vertex") {
    if (header->vertex >= 0)
      scanner->Fail("a second element 'vertex'", "expected one");
    else
      header->vertex = static_cast<int>(header->elements.size());
  }
  header->elements.push_back(std::move(element));
}

void ReadProperty(std::string_view rest, PlyHeader* header, PointScanner* scanner) {
  const auto type = [&]() -> std::optional<PlyType> {
    const std::string_view word = NextWord(&rest, kHeaderBlanks);
    const std::optional<PlyType> found = FindPlyType(word);
    if (!found)
      scanner->Fail(fmt::format("{} is no type of a property", QuoteWord(word)),
                    "expected char, uchar, short, ushort, int, uint, float or double");
    return found;
  };
  if (header->elements.empty())
    return scanner->Fail("a property before the first element", "write 'element vertex COUNT'");
  PlyProperty property;
  std::string_view ahead = rest;
  if (NextWord(&ahead, kHeaderBlanks) == "list") {
    rest = ahead;
    property.count = type();
    if (!property.count) return;
    if (*property.count >= PlyType::kFloat)
      return scanner->Fail("the length of a list is no whole number", "expected e.g. uchar or int");
  }
  const std::optional<PlyType> found = type();
  if (!found) return;
  property.type = *found;
  property.name = NextWord(&rest, kHeaderBlanks);
  PlyElement& element = header->elements.back();
  if (property.name.empty())
    return scanner->Fail("a property without a name", "write 'property float x'");
  if (element.Find(property.name) >= 0)
    return scanner->Fail(fmt::format("a second property {}", QuoteWord(property.name)),
                         "expected one");
  element.properties.push_back(property);
}

// Which numbers are the coordinates of points.
void FindCoordinates(PlyHeader* header, PointScanner* scanner) {
  if (header->vertex < 0)
    return scanner->Fail("the file has no element 'vertex'", "expected 'element vertex COUNT'");
  const PlyElement& element = header->elements[header->vertex];
  for (int i = 0; i < 3; ++i) {
    const std::string_view name = std::string_view("xyz").substr(i, 1);
    header->xyz[i] = element.Find(name);
    if (header->xyz[i] < 0)
      scanner->FailAt(element.line, fmt::format("a vertex has no property '{}'", name),
                      fmt::format("expected 'property float {}'", name));
    else if (element.properties[header->xyz[i]].count)
      scanner->FailAt(element.line, fmt::format("property '{}' of a vertex is a list", name),
                      fmt::format("expected 'property float {}'", name));
  }
  if (element.rows > kMostPoints)
    scanner->FailAt(element.line,
                    fmt::format("{} points; at most {} are read", element.rows, kMostPoints),
                    "keep every tenth");
}

}  // namespace

bool PlyElement::HasList() const {
  return std::any_of(properties.begin(), properties.end(),
                     [](const PlyProperty& each) { return each.count.has_value(); });
}

std::size_t PlyElement::Bytes() const {
  std::size_t bytes = 0;
  for (const PlyProperty& each : properties)
    bytes += each.count ? At(kPlyBytes, *each.count) : each.bytes();
  return bytes;
}

int PlyElement::Find(std::string_view property) const {
  for (std::size_t i = 0; i < properties.size(); ++i)
    if (properties[i].name == property) return static_cast<int>(i);
  return -1;
}

PlyHeader ReadPlyHeader(std::string_view* bytes, PointScanner* scanner) {
  PlyHeader header;
  bool has_format = false, ended = false;
  while (!bytes->empty() && !ended && !scanner->full()) {
    std::string_view rest = NextLine(bytes);
    const std::string_view line = rest;
    scanner->NextLine();
    const std::string_view word = NextWord(&rest, kHeaderBlanks);
    if (scanner->line() == 1) {
      if (line.starts_with("ply") && word == "ply") continue;
      scanner->Stop(fmt::format("{} starts no PLY file; expected 'ply'", QuoteWord(line)),
                    "is this a PLY file?");
    } else if (scanner->line() > kMostHeaderLines) {
      scanner->Stop(fmt::format("the header has more than {} lines", kMostHeaderLines),
                    "expected 'end_header' before");
    } else if (word == "format") {
      if (has_format) scanner->Fail("a second 'format'", "expected one");
      has_format = true;
      ReadFormat(rest, &header, scanner);
    } else if (word == "element") {
      ReadElement(rest, &header, scanner);
    } else if (word == "property") {
      ReadProperty(rest, &header, scanner);
    } else if (word == "end_header") {
      ended = true;
    } else if (word != "comment" && word != "obj_info" && !word.empty()) {
      scanner->Fail(fmt::format("{} starts no line of a PLY header", QuoteWord(word)),
                    "expected format, element, property, comment or end_header");
    }
  }
  if (scanner->failed()) return header;
  if (!ended) {
    scanner->Stop("the header has no end", "expected 'end_header'; is the file complete?");
  } else {
    if (!has_format) scanner->Fail("the header names no format", "write 'format ascii 1.0'");
    FindCoordinates(&header, scanner);
  }
  return header;
}

}  // namespace slip
