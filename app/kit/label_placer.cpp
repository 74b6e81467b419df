#include "app/kit/label_placer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/kit/kit.h"

namespace slip::app {
namespace {

// All in design pixels; costs are distances that a better place may be farther away.
constexpr float kReach = 150;                   // from what is named to its label
constexpr float kBeside = 10;                   // of a label that stands at its side
constexpr float kStep = 12, kRow = 6;           // of the places that are tried
constexpr float kMargin = 4;                    // round what is kept, for a new place
constexpr float kStay = 60;                     // a new place must be better by this
constexpr float kAway = 0.25f;                  // for each pixel away from where all is free
constexpr float kCovers = 40, kCoversAll = 80;  // a spared box
constexpr float kOnLine = 60;                   // the label lies on a line
constexpr float kOnTip = 80, kTip = 7;          // and on the tip of an arrow, so far round it
constexpr float kLeaderOver = 50;               // the leader passes over a kept box
constexpr float kLeaderCrosses = 30;            // or a line
constexpr int kSideSteps = 7, kRows = 24;

/// Whether a straight line passes through a box (Liang and Barsky 1984).
bool Crosses(ImVec2 from, ImVec2 to, ImVec2 min, ImVec2 max) {
  float first = 0, last = 1;
  const float way[] = {to.x - from.x, to.y - from.y}, start[] = {from.x, from.y};
  const float low[] = {min.x, min.y}, high[] = {max.x, max.y};
  for (int i = 0; i < 2; ++i) {
    if (way[i] == 0) {
      if (start[i] < low[i] || start[i] > high[i]) return false;
      continue;
    }
    const float a = (low[i] - start[i]) / way[i], b = (high[i] - start[i]) / way[i];
    first = std::max(first, std::min(a, b));
    last = std::min(last, std::max(a, b));
  }
  return first <= last;
}

/// Whether two straight lines cross; those that only touch do not.
bool Meets(ImVec2 a, ImVec2 b, ImVec2 c, ImVec2 d) {
  const auto side = [](ImVec2 p, ImVec2 q, ImVec2 r) {
    return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
  };
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

}  // namespace

ImVec2 LabelPlacer::LeaderEnd(ImVec2 tip, ImVec2 at, ImVec2 size) {
  return ImVec2(std::clamp(tip.x, at.x, at.x + size.x),
                std::clamp(tip.y, at.y - size.y / 2, at.y + size.y / 2));
}

void LabelPlacer::SpareArrow(ImVec2 from, ImVec2 tip) {
  lines_.push_back({from, tip, kAll});
  tips_.push_back(tip);
}

bool LabelPlacer::IsFree(const LabelWish& wish, const Box& label, float margin) const {
  if (label.min.x < room_.min.x || label.max.x > room_.max.x || label.min.y < room_.min.y ||
      label.max.y > room_.max.y) {
    return false;
  }
  return std::none_of(kept_.begin(), kept_.end(), [&](const Box& box) {
    if (box.owner != kAll && box.owner == wish.owner) return false;
    return label.max.x + margin >= box.min.x && label.min.x - margin <= box.max.x &&
           label.max.y + margin >= box.min.y && label.min.y - margin <= box.max.y;
  });
}

/// Infinite beyond its reach; not exact above `most`.
float LabelPlacer::CalcCost(const LabelWish& wish, ImVec2 at, float most) const {
  const ImVec2 end = LeaderEnd(wish.tip, at, wish.size);
  const float leader = std::hypot(end.x - wish.tip.x, end.y - wish.tip.y);
  if (leader > Px(kReach)) return std::numeric_limits<float>::infinity();
  float cost =
      std::max(0.0f, leader - Px(kBeside)) + kAway * std::hypot(at.x - wish.at.x, at.y - wish.at.y);
  // one that has to go goes a short way
  if (wish.before) cost += kAway * std::hypot(at.x - wish.before->x, at.y - wish.before->y);
  if (cost >= most) return cost;
  const ImVec2 min(at.x, at.y - wish.size.y / 2), max(min.x + wish.size.x, min.y + wish.size.y);
  const float area = std::max(1.0f, wish.size.x * wish.size.y);
  const auto cover = [&](const Box& box) {
    const float w = std::min(max.x, box.max.x) - std::max(min.x, box.min.x);
    const float h = std::min(max.y, box.max.y) - std::max(min.y, box.min.y);
    if (w > 0 && h > 0) cost += Px(kCovers) + Px(kCoversAll) * w * h / area;
  };
  for (const Box& box : spared_) cover(box);
  for (const Box& box : kept_) {
    const bool own = box.owner != kAll && box.owner == wish.owner;
    if (own) cover(box);
    if (!own && Crosses(end, wish.tip, box.min, box.max)) cost += Px(kLeaderOver);
  }
  for (const ImVec2& tip : tips_) {
    const bool own = std::hypot(tip.x - wish.tip.x, tip.y - wish.tip.y) < 1;
    const ImVec2 nearest = LeaderEnd(tip, at, wish.size);
    const float away = std::hypot(nearest.x - tip.x, nearest.y - tip.y);
    if (!own && away < Px(kTip)) cost += Px(kOnTip);
  }
  for (const Box& line : lines_) {
    if (Crosses(line.min, line.max, min, max)) cost += Px(kOnLine);
    if (Meets(line.min, line.max, end, wish.tip)) cost += Px(kLeaderCrosses);
  }
  return cost;
}

std::optional<ImVec2> LabelPlacer::Place(const LabelWish& wish) {
  const auto box = [&](ImVec2 at) {
    return Box{ImVec2(at.x, at.y - wish.size.y / 2),
               ImVec2(at.x + wish.size.x, at.y + wish.size.y / 2), kAll};
  };
  std::optional<ImVec2> best;
  float least = std::numeric_limits<float>::infinity();
  const auto try_at = [&](ImVec2 at) {
    const float cost = CalcCost(wish, at, least);
    if (cost >= least || !IsFree(wish, box(at), Px(kMargin))) return;
    least = cost;
    best = at;
  };
  const float left = wish.tip.x - Px(kBeside) - wish.size.x, right = wish.tip.x + Px(kBeside);
  const float side = Px(kStep * kSideSteps);
  for (int row = -kRows; row <= kRows; ++row) {
    const float y = wish.at.y + Px(kRow) * static_cast<float>(row);
    try_at(ImVec2(wish.at.x, y));
    for (float x = left - side; x <= right + side; x += Px(kStep)) try_at(ImVec2(x, y));
  }
  const float bearable = least + Px(kStay);
  if (wish.before && IsFree(wish, box(*wish.before), 0) &&
      (wish.rests || CalcCost(wish, *wish.before, bearable) < bearable)) {
    best = wish.before;
  }
  if (!best) return std::nullopt;
  const Box placed = box(*best);
  kept_.push_back(placed);
  lines_.push_back({LeaderEnd(wish.tip, *best, wish.size), wish.tip, kAll});
  return best;
}

}  // namespace slip::app
