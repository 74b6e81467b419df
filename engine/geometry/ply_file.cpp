// The points of PLY files, text and binary. No more room is made than the file has bytes for,
// whatever its header promises.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/core/numbers.h"
#include "engine/geometry/ply_header.h"

namespace slip {
namespace {

constexpr std::string_view kPlyBlanks = " \t";
/// Coordinates below [m] are read where the bytes of a number stand in the wrong order.
constexpr double kAbsurdlySmall = 1e-30;

// ---- text: a row of an element is a line

// The words of one vertex, as many as the header names.
void ReadVertexLine(std::string_view line, const PlyHeader& header, PointScanner* scanner) {
  const std::vector<PlyProperty>& properties = header.elements[header.vertex].properties;
  Vec3 p = Vec3::Zero();
  const auto next = [&](const PlyProperty& property, std::string_view* word) {
    *word = NextWord(&line, kPlyBlanks);
    if (!word->empty()) return true;
    scanner->Fail(fmt::format("a vertex ends before its property {}", QuoteWord(property.name)),
                  "expected the properties that the header names");
    return false;
  };
  for (std::size_t i = 0; i < properties.size(); ++i) {
    std::string_view word;
    if (!next(properties[i], &word)) return;
    const auto axis = std::find(header.xyz.begin(), header.xyz.end(), static_cast<int>(i));
    if (axis != header.xyz.end()) {
      const auto at = static_cast<int>(axis - header.xyz.begin());
      if (!scanner->ReadCoordinate(word, at, &p[at])) return;
    } else if (properties[i].count) {
      const std::optional<uint32_t> items = ParseNumber<uint32_t>(word);
      if (!items)
        return scanner->Fail(fmt::format("{} is no length of the list {}", QuoteWord(word),
                                         QuoteWord(properties[i].name)));
      for (uint32_t k = 0; k < *items; ++k)
        if (!next(properties[i], &word)) return;
    }
  }
  if (const std::string_view more = NextWord(&line, kPlyBlanks); !more.empty())
    return scanner->Fail(fmt::format("{} follows the last property of a vertex", QuoteWord(more)),
                         "expected the properties that the header names");
  scanner->AddPoint(p);
}

void ScanPlyText(std::string_view text, const PlyHeader& header, PointScanner* scanner) {
  // the next line that has something in it
  const auto next = [&](std::string_view* line) {
    while (!text.empty()) {
      *line = NextLine(&text);
      scanner->NextLine();
      if (line->find_first_not_of(kPlyBlanks) != line->npos) return true;
    }
    return false;
  };
  std::string_view line;
  for (std::size_t e = 0; e < header.elements.size(); ++e) {
    const PlyElement& element = header.elements[e];
    // rows of nothing leave nothing in the file
    if (element.properties.empty()) continue;
    for (uint64_t row = 0; row < element.rows && !scanner->full(); ++row) {
      if (!next(&line))
        return scanner->Stop(fmt::format("the file ends after {} of {} rows of the element {}", row,
                                         element.rows, QuoteWord(element.name)),
                             "is the file complete?");
      if (static_cast<int>(e) == header.vertex) ReadVertexLine(line, header, scanner);
    }
  }
  if (!scanner->full() && !scanner->failed() && next(&line))
    scanner->Fail(fmt::format("{} follows the last row that the header promises", QuoteWord(line)),
                  "expected the end of the file; correct the counts in the header");
}

// ---- binary

template <class Number>
double LoadNumber(const char* at, bool swap) {
  std::array<char, sizeof(Number)> bytes;
  std::memcpy(bytes.data(), at, bytes.size());
  if (swap) std::reverse(bytes.begin(), bytes.end());
  return static_cast<double>(std::bit_cast<Number>(bytes));
}

double LoadPlyNumber(const char* at, PlyType type, bool swap) {
  switch (type) {
    case PlyType::kInt8:
      return LoadNumber<int8_t>(at, swap);
    case PlyType::kUint8:
      return LoadNumber<uint8_t>(at, swap);
    case PlyType::kInt16:
      return LoadNumber<int16_t>(at, swap);
    case PlyType::kUint16:
      return LoadNumber<uint16_t>(at, swap);
    case PlyType::kInt32:
      return LoadNumber<int32_t>(at, swap);
    case PlyType::kUint32:
      return LoadNumber<uint32_t>(at, swap);
    case PlyType::kFloat:
      return LoadNumber<float>(at, swap);
    case PlyType::kDouble:
      break;
  }
  return LoadNumber<double>(at, swap);
}

class PlyBytes {
 public:
  PlyBytes(std::string_view bytes, const PlyHeader& header, PointScanner* scanner)
      : bytes_(bytes),
        header_(header),
        scanner_(scanner),
        swap_((header.format == PlyFormat::kBigEndian) !=
              (std::endian::native == std::endian::big)) {}

  void Scan() {
    for (std::size_t e = 0; e < header_.elements.size(); ++e) {
      const PlyElement& element = header_.elements[e];
      const bool points = static_cast<int>(e) == header_.vertex;
      if (!(element.HasList() ? WalkRows(element, points) : TakeRows(element, points))) return;
    }
    // some programs end every file with a line
    if (!scanner_->failed() &&
        bytes_.find_first_not_of(std::string_view(" \t\r\n\0", 5)) != bytes_.npos)
      scanner_->Fail(bytes_.size() == 1
                         ? std::string("1 byte follows the last element")
                         : fmt::format("{} bytes follow the last element", bytes_.size()),
                     "expected the end of the file; correct the counts in the header");
  }

 private:
  // Rows of one size.
  bool TakeRows(const PlyElement& element, bool points) {
    const std::size_t size = element.Bytes();
    if (size == 0) return true;
    if (element.rows > bytes_.size() / size) {
      scanner_->FailAt(element.line,
                       fmt::format("the header promises {} rows of {} bytes of the element {}, but "
                                   "{} bytes are left of the file",
                                   element.rows, size, QuoteWord(element.name), bytes_.size()),
                       "is the file complete?");
      return false;
    }
    if (points) {
      std::array<std::size_t, 3> at = {};
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < header_.xyz[i]; ++k) at[i] += element.properties[k].bytes();
      if (!CheckByteOrder(element, at)) return false;
      scanner_->text.points.reserve(element.rows);
      for (uint64_t row = 0; row < element.rows && !scanner_->full(); ++row) {
        if (row % kPolled == 0) scanner_->Poll();
        AddVertex(Load(element, row * size, at, swap_), row);
      }
    }
    bytes_.remove_prefix(element.rows * size);
    return !scanner_->full();
  }

  // Rows with lists, each of its own size. A row takes at least a byte, so the file ends this.
  bool WalkRows(const PlyElement& element, bool points) {
    for (uint64_t row = 0; row < element.rows && !scanner_->full(); ++row) {
      if (row % kPolled == 0) scanner_->Poll();
      std::array<std::size_t, 3> at = {};
      std::size_t used = 0;
      for (std::size_t i = 0; i < element.properties.size(); ++i) {
        const PlyProperty& property = element.properties[i];
        for (int axis = 0; points && axis < 3; ++axis)
          if (header_.xyz[axis] == static_cast<int>(i)) at[axis] = used;
        if (!Skip(element, property, row, &used)) return false;
      }
      if (points) AddVertex(Load(element, 0, at, swap_), row);
      bytes_.remove_prefix(used);
    }
    return !scanner_->full();
  }

  bool Skip(const PlyElement& element, const PlyProperty& property, uint64_t row,
            std::size_t* used) {
    uint64_t items = 1;
    if (property.count) {
      const std::size_t size = At(kPlyBytes, *property.count);
      if (!Has(element, row, *used, size)) return false;
      const double length = LoadPlyNumber(bytes_.data() + *used, *property.count, swap_);
      if (length < 0) {
        scanner_->FailAt(element.line,
                         fmt::format("row {} of the element {} has a list of length {}", row,
                                     QuoteWord(element.name), length),
                         "is the byte order the one that the header names?");
        return false;
      }
      items = static_cast<uint64_t>(length);
      *used += size;
    }
    // at most 2^32 items of 8 bytes
    if (!Has(element, row, *used, items * property.bytes())) return false;
    *used += items * property.bytes();
    return true;
  }

  bool Has(const PlyElement& element, uint64_t row, std::size_t used, uint64_t wanted) {
    if (wanted <= bytes_.size() - used) return true;
    scanner_->FailAt(element.line,
                     fmt::format("the file ends in row {} of {} of the element {}", row,
                                 element.rows, QuoteWord(element.name)),
                     "is the file complete, and the byte order the one that the header names?");
    return false;
  }

  Vec3 Load(const PlyElement& element, std::size_t begin, const std::array<std::size_t, 3>& at,
            bool swap) const {
    Vec3 p;
    for (int i = 0; i < 3; ++i)
      p[i] = LoadPlyNumber(bytes_.data() + begin + at[i], element.properties[header_.xyz[i]].type,
                           swap);
    return p;
  }

  void AddVertex(const Vec3& p, uint64_t row) {
    const bool far = p.allFinite() && p.cwiseAbs().maxCoeff() * scanner_->scale() > kFarthest;
    scanner_->AddPoint(p, far ? fmt::format("vertex {}: ", row) : std::string());
  }

  bool IsAbsurd(const Vec3& p) const {
    const Vec3 size = scanner_->scale() * p.cwiseAbs();
    for (int i = 0; i < 3; ++i)
      if (!(size[i] <= kFarthest) || (size[i] > 0 && size[i] < kAbsurdlySmall)) return true;
    return false;
  }

  // False, and an error, when the numbers make sense in the other order of bytes only.
  bool CheckByteOrder(const PlyElement& element, const std::array<std::size_t, 3>& at) {
    uint64_t absurd = 0, row = 0, first = 0;
    for (; row < element.rows; ++row)
      if (IsAbsurd(Load(element, row * element.Bytes(), at, swap_)) && absurd++ == 0) first = row;
    if (absurd == 0) return true;
    for (row = 0; row < element.rows; ++row)
      if (IsAbsurd(Load(element, row * element.Bytes(), at, !swap_))) return true;
    const Vec3 p = Load(element, first * element.Bytes(), at, swap_);
    scanner_->FailAt(
        element.line,
        fmt::format(
            "{} of {} vertices are absurd, e.g. vertex {}: {:.3g} {:.3g} {:.3g}; with the other "
            "byte order none is",
            absurd, element.rows, first, p.x(), p.y(), p.z()),
        header_.format == PlyFormat::kBigEndian ? "write 'format binary_little_endian 1.0'"
                                                : "write 'format binary_big_endian 1.0'");
    return false;
  }

  std::string_view bytes_;  ///< what is left of the file
  const PlyHeader& header_;
  PointScanner* scanner_;
  bool swap_;
};

int CountFaces(const PlyHeader& header) {
  uint64_t faces = 0;
  // a strip is many triangles in a row
  for (const PlyElement& element : header.elements)
    if (element.name == "face" || element.name == "tristrips") faces += element.rows;
  return static_cast<int>(std::min<uint64_t>(faces, INT32_MAX));
}

}  // namespace

bool HasPlyFaces(std::string_view bytes) {
  const std::string unnamed;
  PointScanner scanner(unnamed, 1, true);
  const PlyHeader header = ReadPlyHeader(&bytes, &scanner);
  return !scanner.failed() && CountFaces(header) > 0;
}

Result<MeshText> ScanPly(std::string_view bytes, const std::string& path, double scale) {
  PointScanner scanner(path, scale, true);
  if (bytes.find_first_not_of(" \t\r\n") == bytes.npos) {
    scanner.Fail("the file is empty", "export it again");
    return scanner.Finish();
  }
  const PlyHeader header = ReadPlyHeader(&bytes, &scanner);
  if (scanner.failed()) return scanner.Finish();
  scanner.text.faces = CountFaces(header);
  if (header.format == PlyFormat::kText) {
    ScanPlyText(bytes, header, &scanner);
  } else {
    scanner.ForgetLines();
    PlyBytes(bytes, header, &scanner).Scan();
  }
  return scanner.Finish();
}

}  // namespace slip
