#include "app/plots/across_path.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/numbers.h"

namespace slip::app {
namespace {

// A path of more samples is thinned to four per bucket.
constexpr std::size_t kMostSamples = 8000, kBuckets = 2000;

/// Indices of the samples with from <= time <= to.
struct SampleSpan {
  std::size_t first = 0, last = 0;
};

SampleSpan Within(const SeriesView& data, double from, double to) {
  SampleSpan span;
  if (data.empty()) return span;
  span.first = span.last = data.LowerBound(from);
  span.last = data.LowerBound(to);
  while (span.last < data.size() && data.TimeAt(span.last) <= to) ++span.last;
  return span;
}

}  // namespace

void CalcAcrossPath(const SeriesView& x, const SeriesView& y, double from, double to,
                    std::vector<AcrossPoint>* path) {
  path->clear();
  if (x.empty() || y.empty() || x.size() != y.size()) return;
  const SampleSpan all = Within(y, from, to);
  const auto point = [&](std::size_t i) {
    return AcrossPoint{static_cast<double>(x.ValueAt(i)), static_cast<double>(y.ValueAt(i)),
                       y.TimeAt(i)};
  };
  const std::size_t samples = all.last - all.first;
  if (samples <= kMostSamples) {
    for (std::size_t i = all.first; i < all.last; ++i) path->push_back(point(i));
    return;
  }
  const std::size_t width = (samples + kBuckets - 1) / kBuckets;
  for (std::size_t begin = all.first; begin < all.last; begin += width) {
    const std::size_t end = std::min(begin + width, all.last);
    std::array<std::size_t, 4> kept{begin, begin, begin, begin};
    std::size_t gap = end;
    bool found = false;
    for (std::size_t i = begin; i < end; ++i) {
      const float at_x = x.ValueAt(i), at_y = y.ValueAt(i);
      if (std::isnan(at_x) || std::isnan(at_y)) {
        gap = i;
        continue;
      }
      if (!found) kept.fill(i);
      found = true;
      if (at_x < x.ValueAt(kept[0])) kept[0] = i;
      if (at_x > x.ValueAt(kept[1])) kept[1] = i;
      if (at_y < y.ValueAt(kept[2])) kept[2] = i;
      if (at_y > y.ValueAt(kept[3])) kept[3] = i;
    }
    if (found) {
      std::sort(kept.begin(), kept.end());
      const auto last = std::unique(kept.begin(), kept.end());
      for (auto i = kept.begin(); i != last; ++i) path->push_back(point(*i));
    }
    if (gap < end) path->push_back(point(gap));
  }
}

int BinAxis::BinOf(double value) const {
  const double unit = ToUnit(scale, range, value);
  // the upper border belongs to the last bin
  if (!(unit >= 0 && unit <= 1)) return -1;
  return std::min(count - 1, static_cast<int>(unit * count + 1e-9));
}

BinAxis MakeBins(AxisScale scale, const AxisRange& data, int most, bool is_count, double noise) {
  BinAxis axis;
  most = std::max(most, 1);
  if (scale == AxisScale::kLog && data.max > 0) {
    axis.scale = AxisScale::kLog;
    axis.range = AutoFit(scale, data, {}, false, noise);
    const double decades = std::round(std::log10(axis.range.max / axis.range.min));
    axis.count = std::max(1, static_cast<int>(most / decades)) * static_cast<int>(decades);
    return axis;
  }
  if (is_count && data.max - data.min < most) {
    axis.range = {std::floor(data.min) - 0.5, std::ceil(data.max) + 0.5};
    axis.count = static_cast<int>(std::lround(axis.range.span()));
    return axis;
  }
  axis.range = AutoFit(AxisScale::kLinear, data, {}, false, noise, 0);
  const double step = NiceStep(axis.range.span(), most);
  axis.range = {std::floor(axis.range.min / step + 1e-6) * step,
                std::ceil(axis.range.max / step - 1e-6) * step};
  axis.count = std::max(1, static_cast<int>(std::lround(axis.range.span() / step)));
  return axis;
}

Bins CalcBins(const SeriesView& data, double from, double to, const BinAxis& axis, double noise) {
  Bins bins;
  bins.shares.assign(static_cast<std::size_t>(axis.count), 0);
  const SampleSpan all = Within(data, from, to);
  std::vector<float> values;
  values.reserve(all.last - all.first);
  for (std::size_t i = all.first; i < all.last; ++i) {
    float value = data.ValueAt(i);
    if (std::isnan(value)) continue;
    if (std::fabs(static_cast<double>(value)) < noise) value = 0;
    values.push_back(value);
    const int bin = axis.BinOf(static_cast<double>(value));
    if (bin >= 0) At(bins.shares, bin) += 1;
  }
  bins.samples = values.size();
  if (values.empty()) return bins;
  const auto n = static_cast<double>(values.size());
  for (double& share : bins.shares) share /= n;
  // the smallest value that this part of the samples does not exceed
  const auto quantile = [&](double part) {
    const auto rank = static_cast<std::ptrdiff_t>(std::max(1.0, std::ceil(part * n - 1e-9))) - 1;
    std::nth_element(values.begin(), values.begin() + rank, values.end());
    return static_cast<double>(At(values, rank));
  };
  bins.median = quantile(0.5);
  bins.upper = quantile(0.95);
  return bins;
}

}  // namespace slip::app
