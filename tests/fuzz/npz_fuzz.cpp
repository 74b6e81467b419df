// Recorded runs as archives of arrays (.npz): what --foreign and drops read, and the samples of
// what was read.
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "engine/foreign/foreign_measure.h"
#include "engine/npz/npz_file.h"
#include "engine/scene/scene.h"
#include "tests/fuzz/oracle.h"

namespace slip::fuzz {
namespace {

/// A file of these bytes that has a path, and no place on a disk.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : file_(memfd_create("fuzz", 0)) {
    const ssize_t written = write(file_, bytes.data(), bytes.size());
    Require(file_ >= 0 && written == static_cast<ssize_t>(bytes.size()), "a file");
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(file_); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

void Put(uint64_t value, int bytes, std::string* out) {
  for (int i = 0; i < bytes; ++i, value >>= 8) out->push_back(static_cast<char>(value & 255));
}

/// Arrays in an archive whose sums are right, since no fuzzer finds those: one after the other its
/// name's length, its name, its length in two bytes, and its bytes.
std::string Archive(std::string_view rest) {
  std::string body, list;
  uint64_t count = 0;
  const auto take = [&](std::size_t length) {
    const std::string_view taken = rest.substr(0, length);
    rest.remove_prefix(taken.size());
    return taken;
  };
  const auto number = [](std::string_view bytes) {
    std::size_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
      value = 256 * value + static_cast<unsigned char>(bytes[i]);
    return value;
  };
  for (; !rest.empty(); ++count) {
    const std::string_view name = take(number(take(1)) % 32), array = take(number(take(2)));
    std::string row;
    Put(20, 2, &row);  // version, flags, stored, no date
    Put(0, 8, &row);
    Put(crc32(0, reinterpret_cast<const Bytef*>(array.data()), static_cast<uInt>(array.size())), 4,
        &row);
    Put(array.size(), 4, &row);
    Put(array.size(), 4, &row);
    Put(name.size(), 2, &row);
    Put(0, 2, &row);
    list += std::string("PK\x01\x02") + std::string("\x14\0", 2) + row;
    Put(0, 10, &list);
    Put(body.size(), 4, &list);
    list += name;
    body += std::string("PK\x03\x04") + row;
    body.append(name).append(array);
  }
  std::string end = "PK\x05\x06";
  Put(0, 4, &end);
  Put(count, 2, &end);
  Put(count, 2, &end);
  Put(list.size(), 4, &end);
  Put(body.size(), 4, &end);
  Put(0, 2, &end);
  return body + list + end;
}

void MeasureAll(const ForeignFile& file, const Scene& scene) {
  const std::vector<std::string> said;
  auto run = ForeignRun::Make(file, scene.model, "fuzz", said);
  if (!run) return RequireErrors(run.errors());
  const auto shared = std::make_shared<ForeignRun>(std::move(run).value());
  ForeignMeasure measure(shared, scene.config);
  const int64_t count = std::min<int64_t>(shared->samples(), 20);
  for (int64_t k = 0; k < count; ++k) {
    const StepRecord& record = measure.At(k);
    Require(record.state.X_WB.size() == scene.model->bodies.size(), "a pose for each body");
  }
  std::vector<Pose> X;
  std::vector<Vec6> V;
  shared->Interpolate(shared->time(0), &X, &V);
}

}  // namespace
}  // namespace slip::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using namespace slip;
  using namespace slip::fuzz;
  static const std::shared_ptr<const Scene> scene = *FindScene("bouncing-ball");
  if (size < 1) return 0;
  // the first character chooses: a file as it is, or one that is made of the rest
  const std::string_view rest = TextOf(data + 1, size - 1);
  const MemoryFile bytes(data[0] & 1 ? Archive(rest) : std::string(rest));
  const auto file = ReadForeignNpz(bytes.path(), {});
  if (!file) {
    RequireErrors(file.errors());
    return 0;
  }
  Require(!file->bodies.empty() && !file->time.empty(), "bodies and samples");
  if (const Status checked = CheckForeignFile(*file); !checked) {
    RequireErrors(checked.errors());
    return 0;
  }
  MeasureAll(*file, *scene);
  return 0;
}
