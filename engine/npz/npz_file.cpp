#include "engine/npz/npz_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>

namespace slip {
namespace {

/// Members of this size or less are read at once, and their check sums with them.
constexpr uint64_t kSmall = uint64_t{64} << 20;
constexpr std::size_t kMostMembers = 4096;
/// A packed array of this size or less is no bomb, whatever its ratio.
constexpr uint64_t kHarmless = uint64_t{1} << 20;
/// The header of an array is no longer.
constexpr uint64_t kLongestHeader = 64 << 10;

/// An open file, closed by the last who reads from it.
class OpenFile {
 public:
  explicit OpenFile(int descriptor) : descriptor_(descriptor) {}
  ~OpenFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  bool Read(uint64_t begin, std::span<char> bytes) const {
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t got = pread(descriptor_, bytes.data() + done, bytes.size() - done,
                                static_cast<off_t>(begin + done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      done += static_cast<std::size_t>(got);
    }
    return true;
  }
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

/// Not cleared: memory that a file only promises to fill is none.
struct Unpacked {
  std::unique_ptr<char[]> bytes;
  std::size_t size = 0;

  explicit Unpacked(std::size_t count)
      : bytes(std::make_unique_for_overwrite<char[]>(count)), size(count) {}
};

class BytesInMemory : public NpzBytes {
 public:
  explicit BytesInMemory(Unpacked all) : all_(std::move(all)) {}
  bool Read(uint64_t begin, std::span<char> bytes) const override {
    if (begin > all_.size || bytes.size() > all_.size - begin) return false;
    if (!bytes.empty()) std::memcpy(bytes.data(), all_.bytes.get() + begin, bytes.size());
    return true;
  }

 private:
  Unpacked all_;
};

class BytesInFile : public NpzBytes {
 public:
  BytesInFile(std::shared_ptr<const OpenFile> file, uint64_t begin)
      : file_(std::move(file)), begin_(begin) {}
  bool Read(uint64_t begin, std::span<char> bytes) const override {
    return file_->Read(begin_ + begin, bytes);
  }

 private:
  std::shared_ptr<const OpenFile> file_;
  uint64_t begin_;
};

uint64_t Little(const char* bytes, int count) {
  uint64_t value = 0;
  for (int i = count - 1; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

/// What the directory says of an array.
struct Member {
  std::string name;
  uint64_t flags = 0, method = 0, crc = 0, packed = 0, size = 0, offset = 0;
};

/// Reads the directory and the members of one file.
class ZipReader {
 public:
  ZipReader(std::string path, std::shared_ptr<const OpenFile> file, uint64_t size)
      : path_(std::move(path)), file_(std::move(file)), size_(size) {}

  Result<std::vector<Member>> ReadDirectory() const;
  Result<NpyArray> ReadMember(const Member& member);

 private:
  Error Refuse(std::string message, std::string hint = {}) const {
    return Error{.message = std::move(message), .file = path_, .hint = std::move(hint)};
  }
  Error Broken() const { return Refuse("is no .npz file, or cut off", "written by np.savez?"); }
  bool Inside(uint64_t begin, uint64_t count) const {
    return begin <= size_ && count <= size_ - begin;
  }
  bool FindDirectory(uint64_t* begin, uint64_t* bytes, uint64_t* count) const;
  static bool ReadZip64(std::string_view extra, Member* member);
  Result<Unpacked> Unpack(const Member& member, uint64_t begin) const;
  std::optional<Error> CheckMember(const Member& member);

  std::string path_;
  std::shared_ptr<const OpenFile> file_;
  uint64_t size_ = 0, unpacked_ = 0;
};

bool ZipReader::FindDirectory(uint64_t* begin, uint64_t* bytes, uint64_t* count) const {
  constexpr uint64_t kEnd = 22, kLongestComment = 65535, kLocator = 20, kEnd64 = 56;
  if (size_ < kEnd) return false;
  std::string tail(std::min(size_, kEnd + kLongestComment), '\0');
  if (!file_->Read(size_ - tail.size(), tail)) return false;
  const std::size_t at = tail.rfind("PK\x05\x06", tail.size() - kEnd);
  if (at == std::string::npos) return false;
  const char* end = tail.data() + at;
  *count = Little(end + 10, 2);
  *bytes = Little(end + 12, 4);
  *begin = Little(end + 16, 4);
  // more than 4 GiB: another record, whose place stands before this one
  const uint64_t end_at = size_ - tail.size() + at;
  char locator[kLocator], wide[kEnd64];
  const bool has_wide = end_at >= kLocator && file_->Read(end_at - kLocator, locator) &&
                        std::memcmp(locator, "PK\x06\x07", 4) == 0;
  if (has_wide) {
    const uint64_t place = Little(locator + 8, 8);
    if (!Inside(place, kEnd64) || !file_->Read(place, wide)) return false;
    if (std::memcmp(wide, "PK\x06\x06", 4) != 0) return false;
    *count = Little(wide + 32, 8);
    *bytes = Little(wide + 40, 8);
    *begin = Little(wide + 48, 8);
  }
  return Inside(*begin, *bytes) && *count <= kMostMembers;
}

/// Sizes of 4 GiB and more stand behind the name, in the order of those that have no room.
bool ZipReader::ReadZip64(std::string_view extra, Member* member) {
  constexpr uint64_t kElsewhere = 0xffffffff;
  uint64_t* wanted[] = {&member->size, &member->packed, &member->offset};
  while (extra.size() >= 4) {
    const uint64_t id = Little(extra.data(), 2), bytes = Little(extra.data() + 2, 2);
    extra.remove_prefix(4);
    if (bytes > extra.size()) return false;
    std::string_view field = extra.substr(0, bytes);
    extra.remove_prefix(bytes);
    if (id != 1) continue;
    for (uint64_t* value : wanted) {
      if (*value != kElsewhere) continue;
      if (field.size() < 8) return false;
      *value = Little(field.data(), 8);
      field.remove_prefix(8);
    }
  }
  return true;
}

Result<std::vector<Member>> ZipReader::ReadDirectory() const {
  constexpr uint64_t kRow = 46, kLargest = uint64_t{16} << 20;
  uint64_t begin = 0, bytes = 0, count = 0;
  if (!FindDirectory(&begin, &bytes, &count) || bytes > kLargest) return Broken();
  std::string rows(bytes, '\0');
  if (!file_->Read(begin, rows)) return Broken();
  std::vector<Member> members;
  std::string_view rest = rows;
  for (uint64_t i = 0; i < count; ++i) {
    if (rest.size() < kRow || !rest.starts_with("PK\x01\x02")) return Broken();
    const char* row = rest.data();
    Member member;
    member.flags = Little(row + 8, 2), member.method = Little(row + 10, 2);
    member.crc = Little(row + 16, 4);
    member.packed = Little(row + 20, 4), member.size = Little(row + 24, 4);
    member.offset = Little(row + 42, 4);
    const uint64_t name = Little(row + 28, 2), extra = Little(row + 30, 2),
                   comment = Little(row + 32, 2);
    if (name + extra + comment > rest.size() - kRow) return Broken();
    member.name = std::string(rest.substr(kRow, name));
    if (!ReadZip64(rest.substr(kRow + name, extra), &member)) return Broken();
    rest.remove_prefix(kRow + name + extra + comment);
    members.push_back(std::move(member));
  }
  return members;
}

std::optional<Error> ZipReader::CheckMember(const Member& member) {
  const std::string name = "'" + member.name.substr(0, 60) + "' ";
  if (member.flags & 1) return Refuse(name + "is encrypted");
  if (member.method != 0 && member.method != 8)
    return Refuse(name + "is packed by another method than deflate", "write it with np.savez");
  if (member.method == 0) return std::nullopt;
  if (member.size > kHarmless && member.size / kMostRatio >= member.packed) {
    return Refuse(fmt::format("{}would unpack to more than {} times its size", name, kMostRatio),
                  "np.savez does not pack; is this file meant?");
  }
  if (member.size > kMostUnpacked - unpacked_) {
    return Refuse(fmt::format("{}would unpack to more than {} GiB with the arrays before it", name,
                              kMostUnpacked >> 30),
                  "np.savez does not pack: arrays of any size stay in the file");
  }
  unpacked_ += member.size;
  return std::nullopt;
}

/// All bytes of a member, unpacked and checked.
Result<Unpacked> ZipReader::Unpack(const Member& member, uint64_t begin) const {
  const Error damaged =
      Refuse("'" + member.name.substr(0, 60) + "' is damaged: its bytes are not those written");
  Unpacked all(member.size);
  const std::span<char> bytes(all.bytes.get(), all.size);
  if (member.method == 0) {
    if (!file_->Read(begin, bytes)) return damaged;
  } else {
    z_stream stream{};
    if (inflateInit2(&stream, -15) != Z_OK) return damaged;
    const auto end_it = [](z_stream* ended) { inflateEnd(ended); };
    const std::unique_ptr<z_stream, decltype(end_it)> ender(&stream, end_it);
    std::vector<char> chunk(256 << 10);
    uint64_t taken = 0, done = 0;
    for (int code = Z_OK; code != Z_STREAM_END;) {
      if (stream.avail_in == 0 && taken < member.packed) {
        const uint64_t more = std::min<uint64_t>(chunk.size(), member.packed - taken);
        if (!file_->Read(begin + taken, {chunk.data(), more})) return damaged;
        taken += more;
        stream.next_in = reinterpret_cast<Bytef*>(chunk.data());
        stream.avail_in = static_cast<uInt>(more);
      }
      // one byte beyond shows that there is more than was said
      char beyond = 0;
      const bool full = done == bytes.size();
      const uint64_t room = full ? 1 : std::min<uint64_t>(bytes.size() - done, 1u << 30);
      stream.next_out = reinterpret_cast<Bytef*>(full ? &beyond : bytes.data() + done);
      stream.avail_out = static_cast<uInt>(room);
      code = inflate(&stream, Z_NO_FLUSH);
      const uint64_t made = room - stream.avail_out;
      if (full && made > 0) return damaged;
      done += made;
      if (code != Z_OK && code != Z_STREAM_END) return damaged;
      if (code == Z_OK && made == 0 && stream.avail_in == 0 && taken == member.packed)
        return damaged;
    }
    if (done != bytes.size()) return damaged;
  }
  uLong crc = 0;
  for (std::size_t done = 0; done < bytes.size();) {
    const std::size_t more = std::min<std::size_t>(bytes.size() - done, 1u << 30);
    crc = crc32(crc, reinterpret_cast<const Bytef*>(bytes.data() + done), static_cast<uInt>(more));
    done += more;
  }
  if (crc != member.crc) return damaged;
  return all;
}

Result<NpyArray> ZipReader::ReadMember(const Member& member) {
  constexpr uint64_t kLocal = 30;
  if (auto error = CheckMember(member)) return *error;
  char local[kLocal];
  if (!Inside(member.offset, kLocal) || !file_->Read(member.offset, local)) return Broken();
  if (std::memcmp(local, "PK\x03\x04", 4) != 0) return Broken();
  const uint64_t begin = member.offset + kLocal + Little(local + 26, 2) + Little(local + 28, 2);
  if (!Inside(begin, member.packed)) return Broken();
  if (member.method == 0 && member.size != member.packed) return Broken();
  const std::string name = member.name.substr(0, member.name.size() - 4);
  const auto read_header = [&](std::string_view first) -> Result<NpyHeader> {
    auto header = ReadNpyHeader(first, member.size);
    if (header) return header;
    return Refuse("array '" + name.substr(0, 60) + "' " + header.error().message,
                  header.error().hint);
  };
  if (member.method == 0 && member.size > kSmall) {
    std::string first(std::min(member.size, kLongestHeader), '\0');
    if (!file_->Read(begin, first)) return Broken();
    const auto header = read_header(first);
    if (!header) return header.errors();
    return NpyArray(*header, std::make_shared<BytesInFile>(file_, begin));
  }
  auto bytes = Unpack(member, begin);
  if (!bytes) return bytes.errors();
  const auto header =
      read_header({bytes->bytes.get(), std::min<std::size_t>(bytes->size, kLongestHeader)});
  if (!header) return header.errors();
  return NpyArray(*header, std::make_shared<BytesInMemory>(std::move(bytes).value()));
}

}  // namespace

Result<NpzFile> NpzFile::Read(const std::string& path) {
  const auto refuse = [&](std::string message, std::string hint = {}) {
    return Error{.message = std::move(message), .file = path, .hint = std::move(hint)};
  };
  // a pipe without a writer would keep an open that blocks for ever
  auto file = std::make_shared<OpenFile>(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info {};
  if (file->descriptor() < 0)
    return errno == ENOENT ? refuse("no such file")
                           : refuse("cannot be opened for reading", "check its permissions");
  if (fstat(file->descriptor(), &info) != 0 || !S_ISREG(info.st_mode))
    return refuse("is no file", "name a file");
  ZipReader reader(path, file, static_cast<uint64_t>(info.st_size));
  const auto members = reader.ReadDirectory();
  if (!members) return members.errors();
  NpzFile npz;
  for (const Member& member : *members) {
    if (!member.name.ends_with(".npy"))
      return refuse("'" + member.name.substr(0, 60) + "' in it is no array of NumPy");
    auto array = reader.ReadMember(member);
    if (!array) return array.errors();
    const std::string name = member.name.substr(0, member.name.size() - 4);
    if (!npz.arrays_.emplace(name, std::move(array).value()).second)
      return refuse("has array '" + name.substr(0, 60) + "' twice");
  }
  return npz;
}

const NpyArray* NpzFile::Find(std::string_view name) const {
  const auto at = arrays_.find(name);
  return at == arrays_.end() ? nullptr : &at->second;
}

}  // namespace slip
