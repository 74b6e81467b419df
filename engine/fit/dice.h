// Random numbers that are the same everywhere: the standard's engine is, its distributions are not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace slip {

class Dice {
 public:
  explicit Dice(uint64_t seed) : engine_(seed) {}
  /// Within [0, 1).
  double Number() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  /// Within [0, count).
  std::size_t Index(std::size_t count) {
    return static_cast<std::size_t>(Number() * static_cast<double>(count));
  }
  template <class T>
  void Shuffle(std::vector<T>* list) {
    for (std::size_t i = list->size(); i > 1; --i) std::swap((*list)[i - 1], (*list)[Index(i)]);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace slip
