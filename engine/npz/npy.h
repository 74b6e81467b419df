// Arrays as NumPy writes them (.npy): a line that says type and shape, then the numbers. Read are
// little-endian f4, f8, i4, i8 and texts of fixed width; what Python alone can make of its bytes
// (pickled objects) is refused by name.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace slip {

enum class NpyType : int { kF4, kF8, kI4, kI8, kBytes, kUnicode };

/// What the line at the beginning says.
struct NpyHeader {
  NpyType type = NpyType::kF8;
  std::size_t item_bytes = 8;
  std::vector<int64_t> shape;  ///< empty: a single value
  std::size_t data_begin = 0;  ///< [bytes]

  int64_t count() const;  ///< of all items
};

/// `bytes` are those of the whole array, `begin` as many of the first as are at hand. Errors say
/// what stands behind "array 'NAME' ".
Result<NpyHeader> ReadNpyHeader(std::string_view begin, uint64_t bytes);
/// The line for an array, padded as NumPy does.
std::string FormatNpyHeader(const NpyHeader& header);
/// A single text, header and all.
std::string FormatNpyText(std::span<const std::string> texts, bool single);

/// Bytes of a file's part: in memory, or left in the open file, from which they are read when they
/// are asked for.
class NpzBytes {
 public:
  virtual ~NpzBytes() = default;
  /// False where the file has not got them any more.
  virtual bool Read(uint64_t begin, std::span<char> bytes) const = 0;
};

/// One array, whose numbers may still be in the file. Any thread may read.
class NpyArray {
 public:
  NpyArray() = default;
  NpyArray(NpyHeader header, std::shared_ptr<const NpzBytes> bytes)
      : header_(std::move(header)), bytes_(std::move(bytes)) {}

  const std::vector<int64_t>& shape() const { return header_.shape; }
  NpyType type() const { return header_.type; }
  bool IsText() const { return type() == NpyType::kBytes || type() == NpyType::kUnicode; }
  int64_t count() const { return header_.count(); }
  /// Items from `first` on as numbers; NaN where the file was cut since it was opened.
  void Get(int64_t first, std::span<double> values) const;
  double Number(int64_t index) const;
  /// One item as UTF-8.
  std::string Text(int64_t index) const;

 private:
  NpyHeader header_;
  std::shared_ptr<const NpzBytes> bytes_;
};

/// Numbers that are in memory already, as an array.
NpyArray ArrayOf(std::vector<double> values, std::vector<int64_t> shape);

}  // namespace slip
