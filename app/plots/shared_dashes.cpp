#include "app/plots/shared_dashes.h"

#include <algorithm>
#include <cmath>

#include "app/kit/widgets.h"
#include "engine/core/numbers.h"

namespace slip::app {
namespace {

// A cell, and the dash at its begin; what is left shows a solid line below [design px].
constexpr float kCell = 8, kDash = 6;
// Curves nearer than this are one to the eye [design px].
constexpr float kTogether = 2;

/// Cells stand still on the data: curves that move along keep their dashes.
struct Cells {
  explicit Cells(const PlotFrame& frame) {
    const double seconds = frame.XAt(frame.well_min.x + Px(kCell)) - frame.XAt(frame.well_min.x);
    const double cell = std::floor(frame.x.min / seconds);
    if (!std::isfinite(cell)) return;
    first = static_cast<std::size_t>(std::fmod(cell, kTurnsRepeat) + kTurnsRepeat);
    left = frame.X(cell * seconds);
  }
  static constexpr double kTurnsRepeat = 12;  // a multiple of 2, 3 and 4 curves

  std::size_t first = 0;  ///< number of the first one
  float left = 0;         ///< where it begins [px]
};

/// Draws stretches of one kind as they end.
class Pen {
 public:
  Pen(const PlotFrame& frame, const ChannelStyle& style, const Turns& turns, float* phase)
      : frame_(frame),
        left_(Cells(frame).left),
        own_(style),
        turn_(style),
        turns_(turns),
        phase_(phase) {
    turn_.dash_count = 0;
  }

  void Segment(ImVec2 from, ImVec2 to) {
    while (true) {
      // a little inside, so that an end on a border is of the next stretch
      const float cell = std::floor((from.x - left_ + kInside) / Px(kCell));
      const float begin = left_ + cell * Px(kCell);
      const bool dash = from.x + kInside < begin + Px(kDash);
      const float end = begin + Px(dash ? kDash : kCell);
      const ImVec2 cut =
          to.x > end ? ImVec2{end, from.y + (to.y - from.y) * (end - from.x) / (to.x - from.x)}
                     : to;
      Add(KindOf(cell, dash), from, cut);
      if (to.x <= end) return;
      from = cut;
    }
  }
  void Flush() {
    if (kind_ == Turn::kOwnDashes) DrawPolyline(frame_.list, run_, own_, phase_);
    if (kind_ == Turn::kMine) DrawPolyline(frame_.list, run_, turn_);
    run_.clear();
  }

 private:
  static constexpr float kInside = 0.01f;  // [px]

  Turn KindOf(float cell, bool dash) const {
    const float last = static_cast<float>(turns_.size() - 1);
    const Turn turn = At(turns_, std::clamp(cell, 0.0f, last));
    return turn == Turn::kMine && !dash ? Turn::kOthers : turn;
  }
  void Add(Turn kind, ImVec2 from, ImVec2 to) {
    if (kind != kind_) Flush();
    kind_ = kind;
    if (run_.empty()) run_.push_back(from);
    run_.push_back(to);
  }

  const PlotFrame& frame_;
  float left_;
  ChannelStyle own_, turn_;
  const Turns& turns_;
  float* phase_;
  Turn kind_ = Turn::kOthers;
  std::vector<ImVec2> run_;
};

}  // namespace

Turns CalcTurns(const PlotFrame& frame, std::span<const PlotSeries* const> dashed,
                std::size_t index) {
  const auto others = std::count_if(dashed.begin(), dashed.end(),
                                    [](const PlotSeries* series) { return series != nullptr; });
  if (dashed[index] == nullptr || others < 2) return {};
  Turns turns;
  bool shared = false;
  const Cells cells(frame);
  for (float x = cells.left; x < frame.well_max.x; x += Px(kCell)) {
    const double t = frame.XAt(x + Px(kCell) / 2);
    const float y = frame.Y(dashed[index]->data.At(t));
    // a steep stretch would fall into a gap, and a peak with it
    const MinMax reach = dashed[index]->data.Query(frame.XAt(x - 1), frame.XAt(x + Px(kCell) + 1));
    const bool steep = !reach.empty() && frame.Y(static_cast<double>(reach.min)) -
                                                 frame.Y(static_cast<double>(reach.max)) >
                                             Px(kCell);
    std::size_t count = 0, rank = 0;
    for (std::size_t j = 0; j < dashed.size(); ++j) {
      if (dashed[j] == nullptr) continue;
      const bool together =
          j == index || (!steep && std::fabs(frame.Y(dashed[j]->data.At(t)) - y) < Px(kTogether));
      count += together ? 1 : 0;
      rank += together && j < index ? 1 : 0;
    }
    shared = shared || count > 1;
    turns.push_back(count < 2                                      ? Turn::kOwnDashes
                    : (cells.first + turns.size()) % count == rank ? Turn::kMine
                                                                   : Turn::kOthers);
  }
  return shared ? turns : Turns();
}

void DrawInTurns(const PlotFrame& frame, std::span<const ImVec2> piece, const ChannelStyle& style,
                 const Turns& turns, float* phase) {
  if (turns.empty()) return DrawPolyline(frame.list, piece, style, phase);
  Pen pen(frame, style, turns, phase);
  for (std::size_t i = 1; i < piece.size(); ++i) pen.Segment(piece[i - 1], piece[i]);
  pen.Flush();
}

}  // namespace slip::app
