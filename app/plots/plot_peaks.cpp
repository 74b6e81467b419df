#include "app/plots/plot_peaks.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/kit/widgets.h"
#include "app/plots/curve_cover.h"
#include "app/plots/plot.h"
#include "app/plots/plot_readouts.h"

namespace slip::app {
namespace {

/// Curves that vary by less than this share of the axis have no peak.
constexpr double kVaries = 0.05;
/// It stays on a side for so long [s]: curves that stream in must not make it hop.
constexpr double kRest = 2;
/// And it looks for a better one so often [s]: to count columns takes long where there are many
/// curves.
constexpr double kLook = 0.5;
/// The name of an event that would have to go counts like so many columns of a curve, the head of
/// the play head like one.
constexpr int kNameCost = 8;

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
    const MinMax found = series.data.Query(frame.x.min, std::min(frame.x.max, series.read_until));
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

/// What the row would cover between these corners.
int CalcCost(const PlotFrame& frame, const PlotSpec& spec, const PlotState& state, ImVec2 min,
             ImVec2 max) {
  int cost = CountCovered(frame, spec, state, min, max);
  for (const PlotEvent& event : spec.events) {
    if (event.label.empty() || event.time < frame.x.min || event.time > frame.x.max) continue;
    const float x = frame.X(event.time),
                end = x + Px(8) + MeasureRich(event.label, Role::kCaption).x;
    if (x < max.x && end > min.x) cost += kNameCost;
  }
  if (spec.play_head) {
    const float x = frame.X(*spec.play_head);
    cost += x > min.x && x < max.x ? 1 : 0;
  }
  return cost;
}

/// Chooses the side; a new one only after a rest, and only where it is much better.
template <class CalcCosts>
void ChooseSide(CalcCosts calc_costs, PlotState* state) {
  const double now = ImGui::GetTime();
  const bool fresh = state->peaks_moved < 0;
  if (!fresh && (now - state->peaks_moved < kRest || now - state->peaks_looked < kLook)) return;
  state->peaks_looked = now;
  const auto [cost_left, cost_right] = calc_costs();
  const int own = state->peaks_left ? cost_left : cost_right;
  const int other = state->peaks_left ? cost_right : cost_left;
  const bool better = fresh ? other < own : 2 * other < own;
  if (better) state->peaks_left = !state->peaks_left;
  if (better || fresh) state->peaks_moved = now;
}

}  // namespace

TopRoom DrawPeaks(const PlotFrame& frame, const PlotSpec& spec, PlotState* state, float right) {
  TopRoom room{frame.well_min.x, right};
  if (spec.figure || !spec.held.empty()) return room;
  std::vector<Peak> peaks = FindPeaks(frame, spec, *state);
  if (peaks.empty()) return room;
  constexpr std::string_view kWord = "max";
  const ReadoutAxis axis{frame.y_scale, frame.y, frame.y_unit.factor, spec.is_count};
  float width = Px(6) + MeasureText(kWord, Role::kTag).x;
  std::string all(kWord);
  for (Peak& peak : peaks) {
    peak.text = ReadoutOf(peak.value, axis, 3);
    width += Px(18) + MeasureRich(peak.text, Role::kTag).x;
    all += " " + peak.text;
  }
  const float at_right = right - Px(6) - width, at_left = frame.well_min.x + Px(10);
  if (width > 0.6f * (frame.well_max.x - frame.well_min.x) || at_right < frame.well_min.x)
    return room;
  const float top = frame.well_min.y + Px(3), bottom = top + FontPx(Role::kTag);
  const auto cost = [&](float left) {
    // as high as the lines and marks that come near
    return CalcCost(frame, spec, *state, {left - Px(6), frame.well_min.y - Px(2)},
                    {left + width + Px(2), bottom + Px(5)});
  };
  const auto costs = [&] {
    const int cost_right = cost(at_right);
    return std::pair(at_left + width < right ? cost(at_left) : 2 * cost_right + 1, cost_right);
  };
  ChooseSide(costs, state);
  const float left = state->peaks_left ? at_left : at_right, middle = top + FontPx(Role::kTag) / 2;
  // what cannot be kept clear of still shows through
  frame.list->AddRectFilled({left - Px(4), top - Px(2)}, {left + width, bottom + Px(2)},
                            Color(Token::kWell, 0.8f), Px(3));
  float x = left;
  x += DrawText(frame.list, {x, top}, kWord, Role::kTag, Color(Token::kText3));
  for (const Peak& peak : peaks) {
    DrawMark(frame.list, {x + Px(11), middle}, peak.series->style, 3);
    x += Px(18);
    x += DrawRich(frame.list, {x, top}, peak.text, Role::kTag, Color(Token::kText2));
  }
  RegisterWidget("plot/" + std::string(spec.id) + "/max", {left, top}, {left + width, bottom},
                 false, all);
  (state->peaks_left ? room.left : room.right) =
      state->peaks_left ? left + width + Px(4) : left - Px(4);
  return room;
}

}  // namespace slip::app
