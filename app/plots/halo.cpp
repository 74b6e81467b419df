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

/// Height of each curve in the cell from `x` on [px]; NaN where nothing is known.
void CalcPlaces(const PlotFrame& frame, std::span<const PlotSeries* const> drawn, float x,
                std::vector<float>* places) {
  const double t = frame.XAt(x + Px(kHaloCell) / 2);
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    (*places)[i] = std::nanf("");
    if (drawn[i] == nullptr) continue;
    const SeriesView& data = drawn[i]->data;
    const double value = data.At(t);
    // behind the last sample nobody knows
    const bool known = std::isfinite(value) && t <= data.TimeAt(data.size() - 1) &&
                       (frame.y_scale != AxisScale::kLog || value > 0);
    if (known) (*places)[i] = frame.Y(value);
  }
}

}  // namespace

std::vector<std::vector<HaloRun>> CalcHalos(const PlotFrame& frame,
                                            std::span<const PlotSeries* const> drawn) {
  std::vector<std::vector<HaloRun>> halos(drawn.size());
  std::vector<char> inside(drawn.size(), false);
  std::vector<float> places(drawn.size());
  for (float x = frame.well_min.x; x < frame.well_max.x; x += Px(kHaloCell)) {
    CalcPlaces(frame, drawn, x, &places);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      bool under = false, over = false;
      for (std::size_t j = 0; j < drawn.size(); ++j) {
        if (j == i || !(std::fabs(places[j] - places[i]) < Px(kNear))) continue;
        (j > i ? under : over) = true;
      }
      const bool rim = under && !over;
      if (rim && !inside[i]) halos[i].push_back({x, x});
      if (rim) halos[i].back().to = std::min(x + Px(kHaloCell), frame.well_max.x);
      inside[i] = rim;
    }
  }
  for (std::vector<HaloRun>& runs : halos) {
    std::erase_if(runs,
                  [](const HaloRun& run) { return run.to - run.from < Px(kLeastRun) - 0.5f; });
  }
  return halos;
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
  const std::vector<std::vector<HaloRun>> halos = CalcHalos(frame, drawn);
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const std::vector<HaloRun>& runs = halos[i];
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
