// Who uses the threads when channels advance: the channels, side by side, or the inside of each
// step. One or the other: a pool serves one caller at a time.
#pragma once

#include "engine/core/worker_pool.h"
#include "engine/sim/simulation.h"

namespace slip {

/// Threads beyond these find nothing to do inside a step.
inline constexpr int kMaxStepWorkers = 8;
/// Part of the whole cost from which one channel is better stepped by all threads than beside the
/// others: they would wait for it, and a step of large islands gains a third at most.
inline constexpr double kDominant = 0.75;

/// Calls step(c) for every channel, with at(c) its Simulation. What the next steps will cost, by
/// the wall time of the last ones, decides who shares what; it never shows in a result.
template <class At, class Step>
void ShareSteps(WorkerPool* pool, int count, double all_us, double largest_us, At&& at,
                Step&& step) {
  const bool worth = pool != nullptr && all_us > kWorthSharingUs;
  const bool inside = worth && largest_us >= kDominant * all_us;
  for (int c = 0; c < count; ++c) at(c).SetWorkers(inside ? pool : nullptr);
  if (worth && !inside) {
    pool->ForEach(count, step);
  } else {
    for (int c = 0; c < count; ++c) step(c);
  }
}

}  // namespace slip
