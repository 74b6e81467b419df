#include "engine/npz/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>

#include "engine/core/numbers.h"

namespace slip {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they stand");

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr std::size_t kMostDimensions = 8;
constexpr std::size_t kWidestText = 4096;  // [bytes]

/// The value of a key of the line, which is a Python dictionary: text between its quotes, or up to
/// what ends it.
std::string_view ValueOf(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) return {};
  std::size_t begin = line.find(':', at + key.size());
  if (begin == std::string_view::npos) return {};
  begin = line.find_first_not_of(' ', begin + 1);
  if (begin == std::string_view::npos) return {};
  const char first = line[begin];
  if (first == '\'' || first == '"') {
    const std::size_t end = line.find(first, begin + 1);
    return end == std::string_view::npos ? std::string_view()
                                         : line.substr(begin + 1, end - begin - 1);
  }
  const std::size_t end = first == '(' ? line.find(')', begin) : line.find_first_of(",}", begin);
  return end == std::string_view::npos ? std::string_view() : line.substr(begin, end - begin);
}

/// "(3, 4" -> {3, 4}; false where it is none, or too large for any file.
bool ReadShape(std::string_view text, std::vector<int64_t>* shape) {
  if (text.empty() || text.front() != '(') return false;
  std::size_t at = 1;
  int64_t count = 1;
  while (at < text.size()) {
    if (text[at] == ' ' || text[at] == ',') {
      ++at;
      continue;
    }
    int64_t size = 0;
    const auto [rest, error] = std::from_chars(text.data() + at, text.data() + text.size(), size);
    if (error != std::errc{} || size < 0 || shape->size() >= kMostDimensions) return false;
    if (__builtin_mul_overflow(count, std::max<int64_t>(size, 1), &count)) return false;
    shape->push_back(size);
    at = static_cast<std::size_t>(rest - text.data());
  }
  return true;
}

/// "<f8" and its like; false for what is not read.
bool ReadType(std::string_view text, NpyHeader* header) {
  struct Known {
    std::string_view name;
    NpyType type;
    std::size_t bytes;
  };
  constexpr Known kKnown[] = {{"<f4", NpyType::kF4, 4},
                              {"<f8", NpyType::kF8, 8},
                              {"<i4", NpyType::kI4, 4},
                              {"<i8", NpyType::kI8, 8}};
  for (const Known& known : kKnown) {
    if (text != known.name) continue;
    header->type = known.type;
    header->item_bytes = known.bytes;
    return true;
  }
  const bool unicode = text.starts_with("<U"), bytes = text.starts_with("|S");
  std::size_t width = 0;
  if (!unicode && !bytes) return false;
  const auto [rest, error] = std::from_chars(text.data() + 2, text.data() + text.size(), width);
  if (error != std::errc{} || rest != text.data() + text.size() || width > kWidestText / 4)
    return false;
  header->type = unicode ? NpyType::kUnicode : NpyType::kBytes;
  header->item_bytes = width * (unicode ? 4 : 1);
  return true;
}

void PutUtf8(uint32_t code, std::string* text) {
  const auto put = [text](uint32_t byte) { text->push_back(static_cast<char>(byte)); };
  const auto put_rest = [&](int shift) { put(0x80 | ((code >> shift) & 0x3f)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | (code >> 6)), put_rest(0);
  } else if (code < 0x10000) {
    put(0xe0 | (code >> 12)), put_rest(6), put_rest(0);
  } else if (code < 0x110000) {
    put(0xf0 | (code >> 18)), put_rest(12), put_rest(6), put_rest(0);
  } else {
    text->push_back('?');
  }
}

class NumbersInMemory : public NpzBytes {
 public:
  explicit NumbersInMemory(std::vector<double> values) : values_(std::move(values)) {}
  bool Read(uint64_t begin, std::span<char> bytes) const override {
    const std::size_t size = values_.size() * sizeof(double);
    if (begin > size || bytes.size() > size - begin) return false;
    if (!bytes.empty())
      std::memcpy(bytes.data(), reinterpret_cast<const char*>(values_.data()) + begin,
                  bytes.size());
    return true;
  }

 private:
  std::vector<double> values_;
};

/// Copies numbers of one type.
template <class Number>
void Convert(const std::vector<char>& raw, std::span<double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    Number number;
    std::memcpy(&number, raw.data() + i * sizeof number, sizeof number);
    values[i] = static_cast<double>(number);
  }
}

}  // namespace

int64_t NpyHeader::count() const {
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  return count;
}

Result<NpyHeader> ReadNpyHeader(std::string_view begin, uint64_t bytes) {
  const Error broken{.message = "is no array of NumPy, or cut off"};
  if (begin.size() < 10 || !begin.starts_with(kMagic)) return broken;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(begin[i]); };
  const bool first_version = byte(6) == 1;
  if (!first_version && byte(6) != 2 && byte(6) != 3) return broken;
  std::size_t length = byte(8) | std::size_t{byte(9)} << 8, line_begin = 10;
  if (!first_version) {
    if (begin.size() < 12) return broken;
    length |= std::size_t{byte(10)} << 16 | std::size_t{byte(11)} << 24;
    line_begin = 12;
  }
  if (length > begin.size() - line_begin) return broken;
  const std::string_view line = begin.substr(line_begin, length);
  const std::string_view type = ValueOf(line, "'descr'"), order = ValueOf(line, "'fortran_order'");
  NpyHeader header;
  header.data_begin = line_begin + length;
  if (type == "|O" || type == "O") {
    return Error{.message = "holds pickled Python objects, which are never read",
                 .hint = "make it numbers of one size, or texts, before np.savez"};
  }
  if (!ReadType(type, &header)) {
    return Error{.message = fmt::format("holds '{}': f4, f8, i4, i8 and texts are read",
                                        type.empty() ? "records" : type.substr(0, 20)),
                 .hint = "array.astype('<f8') before np.savez"};
  }
  if (order == "True") {
    return Error{.message = "lies in Fortran's order",
                 .hint = "np.ascontiguousarray(array) before np.savez"};
  }
  if (!ReadShape(ValueOf(line, "'shape'"), &header.shape)) return broken;
  const auto count = static_cast<uint64_t>(header.count());
  const uint64_t there = bytes - std::min<uint64_t>(bytes, header.data_begin);
  if (header.item_bytes > 0 && count > there / header.item_bytes) {
    return Error{.message = fmt::format("should have {} items and is cut off", count)};
  }
  return header;
}

std::string FormatNpyHeader(const NpyHeader& header) {
  std::string type;
  switch (header.type) {
    case NpyType::kF4:
      type = "<f4";
      break;
    case NpyType::kF8:
      type = "<f8";
      break;
    case NpyType::kI4:
      type = "<i4";
      break;
    case NpyType::kI8:
      type = "<i8";
      break;
    case NpyType::kBytes:
      type = fmt::format("|S{}", header.item_bytes);
      break;
    case NpyType::kUnicode:
      type = fmt::format("<U{}", header.item_bytes / 4);
      break;
  }
  std::string shape;
  for (const int64_t size : header.shape) shape += fmt::format("{}, ", size);
  if (header.shape.size() > 1) shape.resize(shape.size() - 2);
  if (header.shape.size() == 1) shape.pop_back();
  std::string line =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, shape);
  const std::size_t whole = (10 + line.size() + 1 + 63) / 64 * 64;
  line.resize(whole - 11, ' ');
  line += '\n';
  std::string text(kMagic);
  for (const std::size_t value :
       {std::size_t{1}, std::size_t{0}, line.size() & 0xff, line.size() >> 8})
    text.push_back(static_cast<char>(value));
  return text + line;
}

std::string FormatNpyText(std::span<const std::string> texts, bool single) {
  // as code points: NumPy's own strings are of these
  std::size_t width = 1;
  std::vector<std::vector<uint32_t>> all;
  for (const std::string& text : texts) {
    std::vector<uint32_t> codes;
    for (std::size_t i = 0; i < text.size();) {
      const auto lead = static_cast<unsigned char>(text[i]);
      const std::size_t more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
      uint32_t code = more == 0 ? lead : lead & (0x3fu >> more);
      for (std::size_t j = 1; j <= more && i + j < text.size(); ++j)
        code = code << 6 | (static_cast<unsigned char>(text[i + j]) & 0x3fu);
      codes.push_back(code);
      i += more + 1;
    }
    width = std::max(width, codes.size());
    all.push_back(std::move(codes));
  }
  NpyHeader header{.type = NpyType::kUnicode, .item_bytes = width * 4, .shape = {}};
  if (!single) header.shape = {static_cast<int64_t>(texts.size())};
  std::string bytes = FormatNpyHeader(header);
  for (std::vector<uint32_t>& codes : all) {
    codes.resize(width, 0);
    bytes.append(reinterpret_cast<const char*>(codes.data()), width * 4);
  }
  return bytes;
}

void NpyArray::Get(int64_t first, std::span<double> values) const {
  std::fill(values.begin(), values.end(), kNaN);
  if (bytes_ == nullptr || IsText() || first < 0 ||
      first > count() - static_cast<int64_t>(values.size()))
    return;
  const uint64_t begin = header_.data_begin + static_cast<uint64_t>(first) * header_.item_bytes;
  if (type() == NpyType::kF8) {
    auto* raw = reinterpret_cast<char*>(values.data());
    if (!bytes_->Read(begin, {raw, values.size_bytes()}))
      std::fill(values.begin(), values.end(), kNaN);
    return;
  }
  std::vector<char> raw(values.size() * header_.item_bytes);
  if (!bytes_->Read(begin, raw)) return;
  if (type() == NpyType::kF4) Convert<float>(raw, values);
  if (type() == NpyType::kI4) Convert<int32_t>(raw, values);
  if (type() == NpyType::kI8) Convert<int64_t>(raw, values);
}

double NpyArray::Number(int64_t index) const {
  double value = kNaN;
  Get(index, {&value, 1});
  return value;
}

std::string NpyArray::Text(int64_t index) const {
  if (bytes_ == nullptr || !IsText() || index < 0 || index >= count()) return {};
  std::vector<char> raw(header_.item_bytes);
  if (!bytes_->Read(header_.data_begin + static_cast<uint64_t>(index) * raw.size(), raw)) return {};
  std::string text;
  if (type() == NpyType::kBytes) {
    text.assign(raw.data(), raw.size());
    text.resize(std::min(text.size(), text.find_last_not_of('\0') + 1));
    return text;
  }
  for (std::size_t i = 0; i + 4 <= raw.size(); i += 4) {
    uint32_t code = 0;
    std::memcpy(&code, raw.data() + i, 4);
    if (code == 0) break;
    PutUtf8(code, &text);
  }
  return text;
}

NpyArray ArrayOf(std::vector<double> values, std::vector<int64_t> shape) {
  NpyHeader header{.type = NpyType::kF8, .item_bytes = 8, .shape = std::move(shape)};
  return NpyArray(std::move(header), std::make_shared<NumbersInMemory>(std::move(values)));
}

}  // namespace slip
