// Arrays of a run that grow in memory and then belong to NumPy, without a copy.
#pragma once

#include <pybind11/numpy.h>

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/npz/array_sink.h"

namespace slip::python {

/// A NumPy array that owns these numbers.
template <class Number>
pybind11::array ToArray(std::vector<Number> numbers, const std::vector<int64_t>& shape) {
  auto* owned = new std::vector<Number>(std::move(numbers));
  pybind11::capsule owner(owned, [](void* p) { delete static_cast<std::vector<Number>*>(p); });
  return pybind11::array_t<Number>(std::vector<pybind11::ssize_t>(shape.begin(), shape.end()),
                                   owned->data(), owner);
}

/// Needs Python's lock only where it says so.
class MemoryArrays : public ArraySink {
 public:
  using ArraySink::Add;
  int Add(std::string name, NpyType type, std::vector<int64_t> row_shape) override;
  void Put(int array, double value) override;
  void Put(int array, int64_t value) override;
  void Put(int array, std::span<const double> values) override;
  void AddTexts(std::string name, std::span<const std::string> texts, bool single) override;
  void AddNumber(std::string name, double value) override;

  /// What was put, by name: arrays, texts, numbers. Nothing may be put afterwards. With the lock.
  pybind11::dict Release();

 private:
  struct Array {
    std::string name;
    std::vector<int64_t> row_shape;
    std::variant<std::vector<double>, std::vector<int64_t>, std::vector<int32_t>> numbers;
  };
  struct Text {
    std::string name;
    std::vector<std::string> texts;
    bool single;
  };

  std::vector<Array> arrays_;
  std::vector<Text> texts_;
  std::vector<std::pair<std::string, double>> numbers_;
};

}  // namespace slip::python
