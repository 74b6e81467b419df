// The numbers and the index that every room uses.
#pragma once

#include <cstddef>
#include <limits>

namespace slip {

/// Nothing is known, or there is none.
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A number that is never negative, or an enumerator, as an index: numbers of bodies, channels and
/// coordinates are int, since -1 means none.
template <class Number>
constexpr std::size_t ToIndex(Number number) {
  return static_cast<std::size_t>(number);
}

/// The element at such an index.
template <class List, class Number>
constexpr decltype(auto) At(List&& list, Number index) {
  return list[static_cast<std::size_t>(index)];
}

}  // namespace slip
