#include "app/plots/halo.h"

#include <cmath>

#include "app/kit/widgets.h"

namespace slip::app {
namespace {

// Curves nearer than this are one to the eye; looked at once per cell [design px].
constexpr float kNear = 2, kHaloCell = 4;
// Shorter stretches are crossings [design px].
constexpr float kLeastRun = 12;
// The rim (design/next.md, "Halo") [design px, share].
constexpr float kHaloWidth = 5.5f, kHaloAlpha = 0.62f;

}  // namespace

std::vector<HaloRun> CalcHalo(const PlotFrame& frame, std::span<const PlotSeries* const> drawn,
                              std::size_t index) {
  std::vector<HaloRun> runs;
  if (drawn[index] == nullptr) return runs;
  bool inside = false;
  for (float x = frame.well_min.x; x < frame.well_max.x; x += Px(kHaloCell)) {
    const double t = frame.XAt(x + Px(kHaloCell) / 2);
    const auto place = [&](const PlotSeries& series) {
      const double value =
          series.data.empty() || !series.data.Covers(t) ? std::nan("") : series.data.At(t);
      // behind the last sample nobody knows
      const bool known = std::isfinite(value) && t <= series.data.TimeAt(series.data.size() - 1) &&
                         (frame.y_scale != AxisScale::kLog || value > 0);
      return known ? frame.Y(value) : std::nanf("");
    };
    const float y = place(*drawn[index]);
    bool under = false, over = false;
    for (std::size_t j = 0; j < drawn.size(); ++j) {
      if (j == index || drawn[j] == nullptr || !(std::fabs(place(*drawn[j]) - y) < Px(kNear)))
        continue;
      (j > index ? under : over) = true;
    }
    const bool rim = under && !over;
    if (rim && !inside) runs.push_back({x, x});
    if (rim) runs.back().to = std::min(x + Px(kHaloCell), frame.well_max.x);
    inside = rim;
  }
  std::erase_if(runs, [](const HaloRun& run) { return run.to - run.from < Px(kLeastRun) - 0.5f; });
  return runs;
}

std::vector<ImVec2> CutToRun(std::span<const ImVec2> piece, const HaloRun& run) {
  std::vector<ImVec2> cut;
  for (std::size_t i = 0; i < piece.size(); ++i) {
    const ImVec2 p = piece[i];
    if (i > 0) {
      // where the line crosses a border
      const ImVec2 q = piece[i - 1];
      for (const float border : {run.from, run.to}) {
        if (!(q.x < border && border < p.x)) continue;
        cut.push_back({border, q.y + (p.y - q.y) * (border - q.x) / (p.x - q.x)});
      }
    }
    if (p.x >= run.from && p.x <= run.to) cut.push_back(p);
    if (p.x > run.to) break;
  }
  return cut;
}

void DrawHalos(const PlotFrame& frame, std::span<const PlotSeries* const> drawn) {
  DecimatedLine line;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const std::vector<HaloRun> runs = CalcHalo(frame, drawn, i);
    if (runs.empty()) continue;
    ChannelStyle style = drawn[i]->style;
    style.colour = WithAlpha(style.colour, kHaloAlpha * drawn[i]->alpha);
    style.width = kHaloWidth;
    style.dash_count = 0;
    Decimate(drawn[i]->data, frame.x, frame.y_scale, frame.y, frame.well_min, frame.well_max,
             &line);
    std::size_t begin = 0;
    for (std::size_t k = 0; k <= line.points.size(); ++k) {
      if (k < line.points.size() && !std::isnan(line.points[k].x)) continue;
      const std::span<const ImVec2> piece(line.points.data() + begin, k - begin);
      for (const HaloRun& run : runs) {
        const std::vector<ImVec2> cut = CutToRun(piece, run);
        if (cut.size() > 1) DrawPolyline(frame.list, cut, style);
      }
      begin = k + 1;
    }
  }
}

}  // namespace slip::app
