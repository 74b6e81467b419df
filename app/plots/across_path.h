// What plots against another signal and histograms draw, as numbers: paths and bins. Pure
// functions: tested without a screen.
#pragma once

#include <span>
#include <vector>

#include "app/plots/axes.h"
#include "app/plots/series.h"
#include "engine/core/numbers.h"

namespace slip::app {

struct AcrossPoint {
  double x = 0, y = 0;
  double time = 0;  ///< [s]

  bool IsGap() const { return x != x || y != y; }
};

/// The curve y(x) of samples with from <= time <= to, in the order of time. Of many samples, each
/// bucket keeps those with the extremes of both signals: no peak and no corner is lost. Points with
/// NaN are gaps. `x` and `y` share their times.
void CalcAcrossPath(const SeriesView& x, const SeriesView& y, double from, double to,
                    std::vector<AcrossPoint>* path);

/// Values of one series by bins.
struct Bins {
  std::vector<double> shares;  ///< of the samples, by bin; sum below 1 where values lie outside
  double median = kNaN;
  double upper = kNaN;      ///< 95 % of the samples lie at or below
  std::size_t samples = 0;  ///< NaN left out
};

/// Equal bins, on a log axis in the logarithm.
struct BinAxis {
  AxisScale scale = AxisScale::kLinear;  ///< not symlog
  AxisRange range;
  int count = 1;

  double Border(int i) const { return FromUnit(scale, range, static_cast<double>(i) / count); }
  /// Bin of a value; -1 where it lies outside.
  int BinOf(double value) const;
};

/// Round borders about the data; about `most` bins. Counts get a bin each while there is room, with
/// the whole number in its middle. Values smaller than `noise` are 0.
BinAxis MakeBins(AxisScale scale, const AxisRange& data, int most, bool is_count, double noise);
/// Of samples with from <= time <= to; values smaller than `noise` are 0.
Bins CalcBins(const SeriesView& data, double from, double to, const BinAxis& axis, double noise);

}  // namespace slip::app
