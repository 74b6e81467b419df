// What every fuzz target asks of the engine.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace slip::fuzz {

/// Ends the target, which keeps the input, when something that must hold does not.
inline void Require(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

/// Refusals say why.
inline void RequireErrors(const ErrorList& errors) {
  Require(!errors.empty(), "a refusal has an error");
  for (const Error& error : errors) Require(!error.message.empty(), "an error has a message");
}

inline std::string_view TextOf(const uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Equal, or both not a number.
inline bool Same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace slip::fuzz
