// Writes arrays that grow row by row as one .npz, unpacked: what np.savez would make of them. Rows
// of all arrays wait in one unnamed file beside the output, so that memory stays small.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/output_file.h"
#include "engine/npz/array_sink.h"

namespace slip {

class NpzWriter : public ArraySink {
 public:
  /// Rows wait in the folder of `path`. Error: nothing can be written there.
  static Result<std::unique_ptr<NpzWriter>> Open(const std::string& path);
  ~NpzWriter() override;
  NpzWriter(const NpzWriter&) = delete;
  NpzWriter& operator=(const NpzWriter&) = delete;

  int Add(std::string name, NpyType type, std::vector<int64_t> row_shape) override;
  using ArraySink::Add;
  void Put(int array, double value) override;
  void Put(int array, int64_t value) override;
  void Put(int array, std::span<const double> values) override;
  void AddTexts(std::string name, std::span<const std::string> texts, bool single) override;
  void AddNumber(std::string name, double value) override;

  /// Writes the archive: nothing may be put afterwards.
  void Finish(OutputFile* file);
  /// False once a write failed.
  bool good() const { return good_; }

 private:
  struct Array {
    std::string name;
    NpyType type = NpyType::kF8;
    std::vector<int64_t> row_shape;
    uint64_t bytes = 0;            // of all rows
    std::vector<char> pending;     // the last of them
    std::vector<uint64_t> chunks;  // where the others wait, each of kChunk bytes
    unsigned long crc = 0;         // of the others
  };
  struct Entry;  // of the directory

  NpzWriter() = default;
  template <class Number>
  void Append(Array* array, Number value);
  void Spill(Array* array);
  void WriteMember(OutputFile* file, const std::string& name, std::string_view head,
                   const Array* rows, std::vector<Entry>* entries, uint64_t* offset);

  std::vector<Array> arrays_;
  std::vector<std::pair<std::string, std::string>> whole_;  // name and bytes
  std::FILE* spill_ = nullptr;
  uint64_t spilled_ = 0;
  bool good_ = true;
};

}  // namespace slip
