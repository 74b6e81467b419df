// Samples to pixels: at most four vertices per pixel column, extrema always among them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/plots/plot.h"
#include "app/plots/plot_frame.h"

namespace slip::app {
namespace {

constexpr float kGap = std::numeric_limits<float>::quiet_NaN();

/// Value to pixel, kept within a margin of the well: floats far outside break line joins.
struct PixelMap {
  AxisScale scale;
  AxisRange x, y;
  ImVec2 min, max;
  double linear;  ///< symlog's threshold

  float X(double t) const {
    const double unit = (t - x.min) / (x.max - x.min);
    return min.x + static_cast<float>(std::clamp(unit, -2.0, 3.0)) * (max.x - min.x);
  }
  float Y(double value) const {
    const double unit = ToUnit(scale, y, value, linear);
    return max.y - static_cast<float>(std::clamp(unit, -2.0, 3.0)) * (max.y - min.y);
  }
};

class LineBuilder {
 public:
  LineBuilder(const PixelMap& map, DecimatedLine* out) : map_(map), out_(out) {}

  void Sample(double t, float value) { Vertex(map_.X(t), value); }

  void Vertex(float x, float value) {
    if (std::isnan(value)) {
      Break();
      return;
    }
    if (map_.scale == AxisScale::kLog && value <= 0) {
      // no place on the axis: the line stops, a mark on the lower border says so
      if (out_->below_x.empty() || x - out_->below_x.back() >= 1) out_->below_x.push_back(x);
      Break();
      return;
    }
    const ImVec2 p{x, map_.Y(value)};
    if (!out_->points.empty() && out_->points.back().x == p.x && out_->points.back().y == p.y) {
      return;
    }
    out_->points.push_back(p);
  }

  void Break() {
    if (!out_->points.empty() && !std::isnan(out_->points.back().x)) {
      out_->points.push_back({kGap, kGap});
    }
  }

 private:
  const PixelMap& map_;
  DecimatedLine* out_;
};

/// LowerBound(t) in [begin, last], searched outward from `guess`: steps are nearly even, and a
/// plain binary search over a million times misses the cache at every column.
std::size_t FindNear(const SeriesView& data, double t, std::size_t begin, std::size_t guess,
                     std::size_t last) {
  guess = std::clamp(guess, begin, last);
  std::size_t lo = guess, hi = guess;
  for (std::size_t reach = 1; lo > begin && data.TimeAt(lo - 1) >= t; reach *= 2) {
    hi = lo;
    lo = lo - begin > reach ? lo - reach : begin;
  }
  for (std::size_t reach = 1; hi < last && data.TimeAt(hi) < t; reach *= 2) {
    lo = hi + 1;
    hi = std::min(last, hi + 1 + reach);
  }
  const auto first = data.time->begin() + static_cast<std::ptrdiff_t>(data.first);
  const auto at = [&](std::size_t i) { return first + static_cast<std::ptrdiff_t>(i); };
  lo = std::min(lo, hi);
  return static_cast<std::size_t>(std::lower_bound(at(lo), at(hi), t) - first);
}

}  // namespace

void Decimate(const SeriesView& data, const AxisRange& x, AxisScale scale, const AxisRange& y,
              ImVec2 well_min, ImVec2 well_max, DecimatedLine* out) {
  out->points.clear();
  out->below_x.clear();
  if (data.empty() || !(x.max > x.min) || well_max.x <= well_min.x) return;
  const PixelMap map{scale, x, y, well_min, well_max, SymlogThreshold(y)};
  LineBuilder line(map, out);

  // one sample beyond each end, so that lines reach the borders
  std::size_t first = data.LowerBound(x.min), last = data.LowerBound(x.max);
  if (first > 0) --first;
  last = std::min(last + 1, data.size());
  const auto columns = static_cast<std::size_t>(well_max.x - well_min.x);
  if (last - first <= 2 * columns) {
    for (std::size_t i = first; i < last; ++i) line.Sample(data.TimeAt(i), data.ValueAt(i));
    return;
  }

  const std::size_t pace = (last - first) / columns;
  std::size_t begin = first;
  for (std::size_t c = 0; c < columns && begin < last; ++c) {
    const double t_end =
        x.min + (x.max - x.min) * static_cast<double>(c + 1) / static_cast<double>(columns);
    const std::size_t end =
        c + 1 == columns ? last : FindNear(data, t_end, begin, begin + pace, last);
    if (end <= begin) continue;
    const float px = well_min.x + static_cast<float>(c) + 0.5f;
    const MinMax extent = data.Extent(begin, end);
    if (extent.empty()) {
      line.Break();
    } else {
      const float head = data.ValueAt(begin), tail = data.ValueAt(end - 1);
      if (!std::isnan(head)) line.Vertex(px, head);
      // the extremum nearer to the head first: the column then reads as one stroke
      const bool up = std::isnan(head) || std::isnan(tail) || head <= tail;
      line.Vertex(px, up ? extent.min : extent.max);
      line.Vertex(px, up ? extent.max : extent.min);
      if (!std::isnan(tail)) line.Vertex(px, tail);
    }
    begin = end;
  }
}

}  // namespace slip::app
