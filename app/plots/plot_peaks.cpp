#include "app/plots/plot_peaks.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/kit/widgets.h"
#include "app/plots/plot_readouts.h"

namespace slip::app {
namespace {

/// Curves that vary by less than this share of the axis have no peak.
constexpr double kVaries = 0.05;

struct Peak {
  const PlotSeries* series;
  double value;
  std::string text;
};

/// Of each curve that is shown; empty where none varies.
std::vector<Peak> FindPeaks(const PlotFrame& frame, const PlotSpec& spec, const PlotState& state) {
  std::vector<Peak> peaks;
  bool varies = false;
  for (const PlotSeries& series : spec.series) {
    if (series.prediction || !series.readout || state.hidden.contains(series.label)) continue;
    const MinMax found = series.data.Query(frame.x.min, frame.x.max);
    if (found.empty()) continue;
    const double most = spec.Read(static_cast<double>(found.max));
    const double least = spec.Read(static_cast<double>(found.min));
    const auto place = [&](double value) {
      return ToUnit(frame.y_scale, frame.y, value, SymlogThreshold(frame.y));
    };
    varies = varies || place(most) - place(least) > kVaries;
    // parts of one name have one peak
    const auto same = std::find_if(peaks.begin(), peaks.end(), [&](const Peak& peak) {
      return peak.series->label == series.label;
    });
    if (same == peaks.end()) {
      peaks.push_back({&series, most, {}});
    } else {
      same->value = std::max(same->value, most);
    }
  }
  if (!varies) peaks.clear();
  return peaks;
}

}  // namespace

float DrawPeaks(const PlotFrame& frame, const PlotSpec& spec, const PlotState& state, float right) {
  if (spec.figure || !spec.held.empty()) return right;
  std::vector<Peak> peaks = FindPeaks(frame, spec, state);
  if (peaks.empty()) return right;
  constexpr std::string_view kWord = "max";
  const ReadoutAxis axis{frame.y_scale, frame.y, frame.y_unit.factor, spec.is_count};
  float width = Px(6) + MeasureText(kWord, Role::kTag).x;
  std::string all(kWord);
  for (Peak& peak : peaks) {
    peak.text = ReadoutOf(peak.value, axis, 3);
    width += Px(18) + MeasureRich(peak.text, Role::kTag).x;
    all += " " + peak.text;
  }
  const float left = right - Px(6) - width;
  if (width > 0.6f * (frame.well_max.x - frame.well_min.x) || left < frame.well_min.x) return right;
  const float top = frame.well_min.y + Px(3), middle = top + FontPx(Role::kTag) / 2;
  frame.list->AddRectFilled({left - Px(4), top - Px(2)},
                            {left + width, top + FontPx(Role::kTag) + Px(2)},
                            frame.print ? IM_COL32_WHITE : Color(Token::kWell, 0.85f), Px(3));
  float x = left;
  x += DrawText(frame.list, {x, top}, kWord, Role::kTag, Color(Token::kText3));
  for (const Peak& peak : peaks) {
    DrawMark(frame.list, {x + Px(11), middle}, peak.series->style, 3);
    x += Px(18);
    x += DrawRich(frame.list, {x, top}, peak.text, Role::kTag, Color(Token::kText2));
  }
  RegisterWidget("plot/" + std::string(spec.id) + "/max", {left, top},
                 {left + width, top + FontPx(Role::kTag)}, false, all);
  return left - Px(4);
}

}  // namespace slip::app
