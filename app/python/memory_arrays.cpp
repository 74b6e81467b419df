#include "app/python/memory_arrays.h"

#include <pybind11/stl.h>

#include <functional>
#include <numeric>
#include <type_traits>

#include "engine/core/numbers.h"

namespace slip::python {

int MemoryArrays::Add(std::string name, NpyType type, std::vector<int64_t> row_shape) {
  Array array{.name = std::move(name), .row_shape = std::move(row_shape), .numbers = {}};
  if (type == NpyType::kI8) array.numbers = std::vector<int64_t>();
  if (type == NpyType::kI4) array.numbers = std::vector<int32_t>();
  arrays_.push_back(std::move(array));
  return static_cast<int>(arrays_.size()) - 1;
}

void MemoryArrays::Put(int array, double value) {
  std::visit(
      [value](auto& numbers) {
        using Number = typename std::decay_t<decltype(numbers)>::value_type;
        numbers.push_back(static_cast<Number>(value));
      },
      At(arrays_, array).numbers);
}

void MemoryArrays::Put(int array, int64_t value) {
  std::visit(
      [value](auto& numbers) {
        using Number = typename std::decay_t<decltype(numbers)>::value_type;
        numbers.push_back(static_cast<Number>(value));
      },
      At(arrays_, array).numbers);
}

void MemoryArrays::Put(int array, std::span<const double> values) {
  for (const double value : values) Put(array, value);
}

void MemoryArrays::AddTexts(std::string name, std::span<const std::string> texts, bool single) {
  texts_.push_back({std::move(name), {texts.begin(), texts.end()}, single});
}

void MemoryArrays::AddNumber(std::string name, double value) {
  numbers_.emplace_back(std::move(name), value);
}

pybind11::dict MemoryArrays::Release() {
  pybind11::dict all;
  for (Array& array : arrays_) {
    const int64_t row = std::accumulate(array.row_shape.begin(), array.row_shape.end(), int64_t{1},
                                        std::multiplies<>());
    std::visit(
        [&](auto& numbers) {
          std::vector<int64_t> shape = {row > 0 ? static_cast<int64_t>(numbers.size()) / row : 0};
          shape.insert(shape.end(), array.row_shape.begin(), array.row_shape.end());
          pybind11::array made = ToArray(std::move(numbers), shape);
          // they are the run's: who changed one would change what the run says and saves
          made.attr("setflags")(pybind11::arg("write") = false);
          all[pybind11::str(array.name)] = made;
        },
        array.numbers);
  }
  for (const Text& text : texts_) {
    if (text.single) {
      all[pybind11::str(text.name)] = pybind11::str(text.texts.front());
    } else {
      all[pybind11::str(text.name)] = pybind11::cast(text.texts);
    }
  }
  for (const auto& [name, value] : numbers_) all[pybind11::str(name)] = value;
  arrays_.clear();
  return all;
}

}  // namespace slip::python
