// THE LIST of recipes: what a controller does at a tick. A recipe is a function and a row in
// recipes.cpp.
#pragma once

#include <array>
#include <span>

#include "engine/control/tick.h"

namespace slip {

struct Recipe {
  ControllerId id;
  RobotKind kind;
  double period;                   ///< [s]
  double clip;                     ///< of every joint's force [N m]
  int memory;                      ///< numbers that it remembers, zero at its first tick
  void (*tick)(const Tick& tick);  ///< sets scratch->tau
  /// What it reads of the drive, beside the period.
  std::array<double RobotDrive::*, 4> reads = {};
};

/// Controllers that fit several kinds of robots have a row for each.
std::span<const Recipe> Recipes();

void TickStand(const Tick& tick);
void TickSquat(const Tick& tick);
inline constexpr int kSquatMemory = 1;

void TickJump(const Tick& tick);
void TickJumpHigh(const Tick& tick);
inline constexpr int kJumpMemory = 8;

void TickTrotInPlace(const Tick& tick);
void TickTrot(const Tick& tick);
inline constexpr int kTrotMemory = 40;

void TickBipedStand(const Tick& tick);
void TickShift(const Tick& tick);
inline constexpr int kShiftMemory = 4;

void TickWalk(const Tick& tick);
inline constexpr int kWalkMemory = 24;

void TickPress(const Tick& tick);
inline constexpr int kPressMemory = 10;

}  // namespace slip
