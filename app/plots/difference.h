// Differences of measured curves, model minus reference, grown step by step as the curves grow.
#pragma once

#include <map>
#include <tuple>

#include "app/plots/series.h"

namespace slip::app {

/// One curve minus another at their common times; other samples are left out. A gap in one of them
/// is a gap of the difference.
class DifferenceSeries {
 public:
  /// Takes over what both gained since the last call; starts anew when `epoch` is another.
  void Update(const SeriesView& value, const SeriesView& reference, uint64_t epoch);
  SeriesView View() const { return series_.View(); }
  /// Root mean square of the difference at the common times; NaN when there is none.
  double Rms() const;

 private:
  Series series_;
  std::size_t value_ = 0, reference_ = 0;  ///< samples of each that were looked at
  uint64_t epoch_ = 0;
  double squares_ = 0;
  std::size_t count_ = 0;
};

/// Differences between the channels of a session, made for those that are asked for.
class DifferenceStore {
 public:
  /// Channel minus lead; valid until the next call with the same arguments.
  SeriesView View(const SeriesStore& store, int channel, int lead, Signal signal);
  /// First channel of another store, a reference run, minus lead; `other` tells stores apart.
  SeriesView ReferenceView(const SeriesStore& reference, const SeriesStore& store, int lead,
                           Signal signal, int other = 0);
  /// Channel minus the first channel of another store, e.g. a reference run.
  const DifferenceSeries& Against(const SeriesStore& store, int channel,
                                  const SeriesStore& reference, Signal signal);

 private:
  std::map<std::tuple<int, int, Signal>, DifferenceSeries> made_;
};

}  // namespace slip::app
