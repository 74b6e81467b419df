// A stretch of the session's time that was selected on the time line: statistics and export.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/session/session.h"

namespace slip::app {

/// Of the samples of one signal of one channel, NaN left out.
struct RangeStats {
  std::size_t count = 0;
  double min = 0, max = 0, mean = 0, rms = 0;
};
RangeStats CalcRangeStats(const SeriesView& view, double from, double to);

/// Min, mean, RMS and max of a signal for a table, in the unit and with the decimals that suit the
/// largest magnitude `scale` of its rows [SI]. The extremes of a count are whole, its means are
/// not.
std::array<std::string, 4> FormatRangeStats(const RangeStats& stats, const SignalInfo& info,
                                            double scale);

struct TimeRange {
  bool active = false;
  double from = 0, to = 0;  ///< [s], from <= to
  bool loop = false;        ///< the history between them is shown again and again
  double loop_started = 0;  ///< on the session's clock [s]
  double anchor = 0;        ///< where the selecting drag began [s]

  // The statistics that are shown, and what they were made from.
  struct Row {
    Signal signal{};
    int channel = 0;
    RangeStats stats;
  };
  std::vector<Row> rows;
  double rows_from = -1, rows_to = -1, rows_made = -1;
};

/// Number of the lead's step at this moment, from the samples; -1 where there is none.
int64_t StepAt(const Session& session, double time);

/// One row per sample: model, time and every signal, in SI units.
std::string RangeCsv(const Session& session, double from, double to);

}  // namespace slip::app
