// What of a scene's robots would surprise whoever brought their files: where the simulator computes
// with something else than what is drawn, or than was likely meant. Pure functions of a scene as it
// was read; `check` prints them, the window lists them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/scene/scene.h"

namespace slip {

/// What is right, what is wrong, what was taken for granted: the order in which they are told.
enum class SurpriseKind { kRight, kWrong, kAssumed };
/// "right", "wrong", "assumed".
std::string_view WordOf(SurpriseKind kind);

/// What there is to say of one link or joint. Equal ones are one.
struct Surprise {
  std::string_view id;  ///< "drawn_aside"
  SurpriseKind kind = SurpriseKind::kAssumed;
  std::string text;              ///< a sentence without its full stop: of the first, the worst
  std::string hint = {};         ///< what to do; may be empty
  std::vector<int> bodies = {};  ///< links that it is about, the worst first; empty = of none
  std::vector<std::string> names = {};  ///< of these, or of joints, as the file has them
};

/// All of the scene's robots, in the order of their kinds.
std::vector<Surprise> FindSurprises(const Scene& scene);

/// The remarks of readers likewise: those that differ in names alone are one.
std::vector<Surprise> FoldRemarks(std::span<const std::string> remarks);

/// In one line: with how many others it holds of, and what to do.
std::string SurpriseLine(const Surprise& surprise);

}  // namespace slip
