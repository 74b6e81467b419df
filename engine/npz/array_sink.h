// Where arrays that grow row by row go: into a file, or into memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/npz/npy.h"

namespace slip {

class ArraySink {
 public:
  virtual ~ArraySink() = default;

  /// A new array, whose rows have this shape; its place. Numbers only.
  virtual int Add(std::string name, NpyType type, std::vector<int64_t> row_shape) = 0;
  int Add(std::string name, NpyType type) { return Add(std::move(name), type, {}); }
  /// Numbers of the array's rows, in its type.
  virtual void Put(int array, double value) = 0;
  virtual void Put(int array, int64_t value) = 0;
  virtual void Put(int array, std::span<const double> values) = 0;
  /// Texts, whole; `single`: one that is no list.
  virtual void AddTexts(std::string name, std::span<const std::string> texts, bool single) = 0;
  /// A number that is no list.
  virtual void AddNumber(std::string name, double value) = 0;
};

}  // namespace slip
