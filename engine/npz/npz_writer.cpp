#include "engine/npz/npz_writer.h"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "engine/core/numbers.h"

namespace slip {
namespace {

constexpr std::size_t kChunk = 64 << 10;
constexpr uint64_t kWide = 0xffffffff;  // from here on a size needs eight bytes

std::size_t BytesOf(NpyType type) { return type == NpyType::kF4 || type == NpyType::kI4 ? 4 : 8; }

void PutLittle(uint64_t value, int bytes, std::string* text) {
  for (int i = 0; i < bytes; ++i, value >>= 8) text->push_back(static_cast<char>(value & 0xff));
}

}  // namespace

struct NpzWriter::Entry {
  std::string name;
  uint64_t bytes = 0, offset = 0;
  unsigned long crc = 0;

  bool wide() const { return bytes >= kWide || offset >= kWide; }
  /// What both headers have: from the version that is needed to the length of the name.
  std::string Middle(bool wide_sizes) const {
    std::string text;
    PutLittle(wide_sizes ? 45 : 20, 2, &text);
    PutLittle(0, 4, &text);           // flags; not packed
    PutLittle(0x00210000, 4, &text);  // the first of January 1980: the same run, the same bytes
    PutLittle(crc, 4, &text);
    PutLittle(wide_sizes ? kWide : bytes, 4, &text);
    PutLittle(wide_sizes ? kWide : bytes, 4, &text);
    PutLittle(name.size(), 2, &text);
    return text;
  }
  std::string Local() const {
    const bool is_wide = bytes >= kWide;
    std::string text = "PK\x03\x04" + Middle(is_wide);
    PutLittle(is_wide ? 20 : 0, 2, &text);
    text += name;
    if (!is_wide) return text;
    PutLittle(1, 2, &text);
    PutLittle(16, 2, &text);
    PutLittle(bytes, 8, &text);
    PutLittle(bytes, 8, &text);
    return text;
  }
  std::string Row() const {
    std::string text = "PK\x01\x02";
    PutLittle(wide() ? 45 : 20, 2, &text);
    text += Middle(wide());
    PutLittle(wide() ? 28 : 0, 2, &text);
    PutLittle(0, 10, &text);  // comment, disk, attributes
    PutLittle(wide() ? kWide : offset, 4, &text);
    text += name;
    if (!wide()) return text;
    PutLittle(1, 2, &text);
    PutLittle(24, 2, &text);
    PutLittle(bytes, 8, &text);
    PutLittle(bytes, 8, &text);
    PutLittle(offset, 8, &text);
    return text;
  }
};

Result<std::unique_ptr<NpzWriter>> NpzWriter::Open(const std::string& path) {
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (folder.empty()) folder = ".";
  std::string name = (folder / ".slipscope-rows-XXXXXX").string();
  const int descriptor = mkstemp(name.data());
  if (descriptor < 0)
    return Error{.message = "cannot be written: no file can be made in its folder", .file = path};
  unlink(name.c_str());
  std::unique_ptr<NpzWriter> writer(new NpzWriter);
  writer->spill_ = fdopen(descriptor, "w+b");
  if (writer->spill_ == nullptr) {
    close(descriptor);
    return Error{.message = "cannot be written", .file = path};
  }
  return writer;
}

NpzWriter::~NpzWriter() {
  if (spill_ != nullptr) std::fclose(spill_);
}

int NpzWriter::Add(std::string name, NpyType type, std::vector<int64_t> row_shape) {
  Array array;
  array.name = std::move(name);
  array.type = type;
  array.row_shape = std::move(row_shape);
  arrays_.push_back(std::move(array));
  return static_cast<int>(arrays_.size()) - 1;
}

void NpzWriter::Spill(Array* array) {
  if (array->pending.size() < kChunk) return;
  good_ = good_ && std::fwrite(array->pending.data(), 1, kChunk, spill_) == kChunk;
  array->crc = crc32(array->crc, reinterpret_cast<const Bytef*>(array->pending.data()), kChunk);
  array->chunks.push_back(spilled_);
  spilled_ += kChunk;
  array->pending.erase(array->pending.begin(), array->pending.begin() + kChunk);
}

template <class Number>
void NpzWriter::Append(Array* array, Number value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  array->pending.insert(array->pending.end(), bytes, bytes + sizeof value);
  array->bytes += sizeof value;
  Spill(array);
}

void NpzWriter::Put(int array, double value) {
  Array* to = &At(arrays_, array);
  if (to->type == NpyType::kF4)
    Append(to, static_cast<float>(value));
  else
    Append(to, value);
}

void NpzWriter::Put(int array, int64_t value) {
  Array* to = &At(arrays_, array);
  if (to->type == NpyType::kI4)
    Append(to, static_cast<int32_t>(value));
  else
    Append(to, value);
}

void NpzWriter::Put(int array, std::span<const double> values) {
  for (const double value : values) Put(array, value);
}

void NpzWriter::AddTexts(std::string name, std::span<const std::string> texts, bool single) {
  whole_.emplace_back(std::move(name), FormatNpyText(texts, single));
}

void NpzWriter::AddNumber(std::string name, double value) {
  std::string bytes = FormatNpyHeader({.type = NpyType::kF8, .item_bytes = 8, .shape = {}});
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  whole_.emplace_back(std::move(name), std::move(bytes));
}

void NpzWriter::WriteMember(OutputFile* file, const std::string& name, std::string_view head,
                            const Array* rows, std::vector<Entry>* entries, uint64_t* offset) {
  const auto crc_of = [](unsigned long crc, std::string_view bytes) {
    return crc32(crc, reinterpret_cast<const Bytef*>(bytes.data()),
                 static_cast<uInt>(bytes.size()));
  };
  Entry entry{
      .name = name + ".npy", .bytes = head.size(), .offset = *offset, .crc = crc_of(0, head)};
  std::string_view last;
  if (rows != nullptr) {
    const uint64_t spilled = rows->chunks.size() * kChunk;
    last = {rows->pending.data(), rows->pending.size()};
    entry.bytes += rows->bytes;
    entry.crc = crc32_combine(entry.crc, rows->crc, static_cast<z_off_t>(spilled));
    entry.crc = crc_of(entry.crc, last);
  }
  const std::string local = entry.Local();
  file->Write(local);
  file->Write(head);
  std::vector<char> chunk(kChunk);
  for (std::size_t i = 0; rows != nullptr && i < rows->chunks.size() && good_; ++i) {
    good_ = pread(fileno(spill_), chunk.data(), kChunk, static_cast<off_t>(rows->chunks[i])) ==
            static_cast<ssize_t>(kChunk);
    file->Write({chunk.data(), kChunk});
  }
  file->Write(last);
  *offset += local.size() + entry.bytes;
  entries->push_back(std::move(entry));
}

void NpzWriter::Finish(OutputFile* file) {
  good_ = good_ && std::fflush(spill_) == 0;
  std::vector<Entry> entries;
  uint64_t offset = 0;
  for (const auto& [name, bytes] : whole_)
    WriteMember(file, name, bytes, nullptr, &entries, &offset);
  for (const Array& array : arrays_) {
    NpyHeader header{.type = array.type, .item_bytes = BytesOf(array.type), .shape = {}};
    uint64_t row = header.item_bytes;
    for (const int64_t size : array.row_shape) row *= static_cast<uint64_t>(size);
    header.shape = {row == 0 ? 0 : static_cast<int64_t>(array.bytes / row)};
    header.shape.insert(header.shape.end(), array.row_shape.begin(), array.row_shape.end());
    WriteMember(file, array.name, FormatNpyHeader(header), &array, &entries, &offset);
  }
  std::string rows;
  for (const Entry& entry : entries) rows += entry.Row();
  const bool wide = offset >= kWide || rows.size() >= kWide;
  std::string end;
  if (wide) {
    end = "PK\x06\x06";
    PutLittle(44, 8, &end);
    PutLittle(45 | 45 << 16, 4, &end);
    PutLittle(0, 8, &end);
    PutLittle(entries.size(), 8, &end);
    PutLittle(entries.size(), 8, &end);
    PutLittle(rows.size(), 8, &end);
    PutLittle(offset, 8, &end);
    end += "PK\x06\x07";
    PutLittle(0, 4, &end);
    PutLittle(offset + rows.size(), 8, &end);
    PutLittle(1, 4, &end);
  }
  end += "PK\x05\x06";
  PutLittle(0, 4, &end);
  PutLittle(entries.size(), 2, &end);
  PutLittle(entries.size(), 2, &end);
  PutLittle(rows.size(), 4, &end);
  PutLittle(wide ? kWide : offset, 4, &end);
  PutLittle(0, 2, &end);
  file->Write(rows);
  file->Write(end);
}

}  // namespace slip
