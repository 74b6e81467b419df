// The shared x axis: following, zoom history.
#include <algorithm>
#include <cmath>

#include "app/plots/plot.h"

namespace slip::app {

void LinkedX::Update(double data_start, double data_end, double head) {
  constexpr double kLeast = 1e-3;
  if (follow == FollowMode::kFree) return;
  if (follow == FollowMode::kCentred) {
    range = {head - 0.5 * last_seconds, head + 0.5 * last_seconds};
    return;
  }
  if (follow == FollowMode::kLast) {
    // a margin at the right: the newest sample does not stick to the border
    const double end = std::max(data_end + 0.04 * last_seconds, data_start + last_seconds);
    range = {end - last_seconds, end};
    if (head < range.min) {
      const double start = std::max(head - 0.5 * last_seconds, data_start);
      range = {start, start + last_seconds};
    }
    return;
  }
  // all: grow in rare, round steps, so that the picture stands still in between
  const double length = std::max(data_end - data_start, kLeast);
  const bool fits = range.min == data_start && length <= range.span() * (1 + 1e-9) &&
                    length >= 0.55 * range.span();
  if (fits) return;
  const double wanted = 1.08 * length;
  const double nice = NiceStep(wanted, 10);
  range = {data_start, data_start + std::ceil(wanted / nice - 1e-9) * nice};
}

void LinkedX::Remember() {
  constexpr std::size_t kDepth = 50;
  if (!history.empty() && history.back() == range) return;
  history.push_back(range);
  if (history.size() > kDepth) history.erase(history.begin());
}

void LinkedX::Undo() {
  if (history.empty()) return;
  range = history.back();
  history.pop_back();
  follow = FollowMode::kFree;
}

}  // namespace slip::app
