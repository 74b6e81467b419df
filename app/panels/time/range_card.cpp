// The card of a selected stretch of time: its length, statistics of what is plotted, loop, export.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/kit/widgets.h"
#include "app/panels/common/region.h"
#include "app/panels/time/time_line.h"
#include "app/state/channel_style.h"
#include "engine/core/numbers.h"
#include "engine/core/output_file.h"
#include "engine/sim/part_signals.h"

namespace slip::app {
namespace {

// Statistics of a running session are made again after this [s].
constexpr double kRefresh = 0.25;

void UpdateRows(const Session& session, const PlotsState& plots, TimeRange* own) {
  TimeRange& range = *own;
  std::vector<TimeRange::Row> rows;
  for (const PlotSlot& slot : plots.slots) {
    for (int i = 0; i < session.channel_count(); ++i) {
      if (session.looks().Shown(i)) rows.push_back({slot.signal, i, {}});
    }
  }
  const auto same = [](const TimeRange::Row& a, const TimeRange::Row& b) {
    return a.signal == b.signal && a.channel == b.channel;
  };
  const bool fresh =
      range.rows_from == range.from && range.rows_to == range.to &&
      session.now() - range.rows_made < kRefresh &&
      std::equal(rows.begin(), rows.end(), range.rows.begin(), range.rows.end(), same);
  if (fresh) return;
  for (TimeRange::Row& row : rows) {
    row.stats =
        CalcRangeStats(session.series().View(row.channel, row.signal), range.from, range.to);
  }
  range.rows = std::move(rows);
  range.rows_from = range.from;
  range.rows_to = range.to;
  range.rows_made = session.now();
}

void Cell(const std::string& text, float right, float y, Role role, Token colour) {
  const std::string rich = AsRich(text);
  DrawRich(ImGui::GetWindowDrawList(), ImVec2(right - MeasureRich(rich, role).x, y), rich, role,
           Color(colour));
}

/// Largest magnitude of a signal's rows: one prefix and one number of decimals for all of them.
double ScaleOf(const TimeRange& range, Signal signal) {
  double scale = 0;
  for (const TimeRange::Row& row : range.rows) {
    if (row.signal != signal || row.stats.count == 0) continue;
    // what reads 0 chooses no unit
    for (const double value : {row.stats.min, row.stats.max})
      scale = std::max(scale, std::abs(AboveNoise(signal, value)));
  }
  return scale;
}

/// Under a line with the signal's name and unit, a row per model.
void Statistics(const Session& session, float width, const PlotsState& plots, TimeRange* own) {
  UpdateRows(session, plots, own);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float column = std::floor((width - Px(20)) / 4), line = Px(18);
  static constexpr const char* kHeads[] = {"min", "mean", "RMS", "max"};
  const auto right = [&](int i) { return at.x + width - column * static_cast<float>(3 - i); };
  for (int i = 0; i < 4; ++i) Cell(kHeads[i], right(i), at.y, Role::kCaption, Token::kText3);
  float y = at.y + line;
  Signal last = Signal::kCount;
  double scale = 0;
  for (const TimeRange::Row& row : own->rows) {
    if (row.signal != last) {
      last = row.signal;
      const SignalInfo& info = slip::Info(row.signal);
      scale = ScaleOf(*own, row.signal);
      const std::string unit = SplitQuantity(scale, info.unit).unit;
      y += Px(4);
      const float used = DrawText(list, ImVec2(at.x, y), LabelOf(session.scene_model(), last),
                                  Role::kCaption, Color(Token::kText));
      if (!unit.empty())
        DrawRich(list, ImVec2(at.x + used + Px(6), y), "[" + unit + "]", Role::kCaption,
                 Color(Token::kText3));
      y += line;
    }
    DrawMark(list, ImVec2(at.x + Px(6), y + line / 2 - Px(1)), StyleOf(session, row.channel), 4);
    const auto texts = FormatRangeStats(row.stats, slip::Info(row.signal), scale);
    for (int i = 0; i < 4; ++i) {
      Cell(At(texts, i), right(i), y, Role::kAxis, Token::kText2);
    }
    y += line;
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, y + Px(8)));
}

void Export(const Session& session, const TimeRange& range, Requests* requests) {
  const std::string scene = session.scene() != nullptr ? session.scene()->id : "scene";
  const std::string path = FreeName("slipscope-" + scene + "-range", "csv");
  std::error_code ignored;
  const Status status = WriteFile(path, RangeCsv(session, range.from, range.to), false);
  const std::string said =
      status.ok() ? "Samples written to " + std::filesystem::absolute(path, ignored).string()
                  : "The samples could not be written: " + status.error().Text();
  requests->Ask([said](Session* s) { s->Say(said); });
}

}  // namespace

void ShowLoop(const Session& session, TimeRange* range, Requests* requests) {
  if (!range->active || !range->loop) return;
  if (session.playback().playing()) {  // the user wants to go on from here
    range->loop = false;
    return;
  }
  const double speed = std::isfinite(session.playback().speed()) ? session.playback().speed() : 1;
  const double length = std::max(range->to - range->from, 1e-6);
  const double time =
      range->from + std::fmod((session.now() - range->loop_started) * speed, length);
  if (std::abs(time - session.snapshot().time) > 1e-9)
    requests->Ask([time](Session* s) { s->playback().Seek(time); });
}

void DrawRangeCard(const Session& session, const Rect& time_line, const PlotsState& plots,
                   TimeRange* own, Requests* requests) {
  TimeRange& range = *own;
  if (!range.active || time_line.empty() || range.to <= range.from) return;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  // at the left, where it hides neither the picture nor the curves that it speaks of
  const float width = std::min(Px(312), display.x - Px(16));
  int shown = 0;
  for (int i = 0; i < session.channel_count(); ++i) shown += session.looks().Shown(i) ? 1 : 0;
  const float height = std::min(Px(132) + Px(18) * static_cast<float>(kPlotSlots * (shown + 1)) +
                                    Px(4) * static_cast<float>(kPlotSlots),
                                time_line.min.y - Px(8));
  const float x = Px(4);
  // it appears while the mouse still draws the selection, which it must not end
  if (!BeginOverlay("range", ImVec2(x, time_line.min.y - height - Px(4)), ImVec2(width, height),
                    ImGuiWindowFlags_NoFocusOnAppearing))
    return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float inner = width - Px(32);
  const int64_t steps = StepAt(session, range.to) - StepAt(session, range.from);
  DrawText(ImGui::GetWindowDrawList(), at, fmt::format("{:.3f} to {:.3f} s", range.from, range.to),
           Role::kTitle, Color(Token::kText));
  DrawText(ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + Px(22)),
           fmt::format("{:.3f} s, {} steps", range.to - range.from, steps), Role::kCaption,
           Color(Token::kText3));
  ImGui::SetCursorScreenPos(ImVec2(at.x + inner - Px(28), at.y - Px(6)));
  const bool close = IconButton("range/close", icon::kClose, "Forget the selection (Esc)", 28);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + Px(46)));
  Statistics(session, inner, plots, own);
  if (TextButton("range/loop", range.loop ? "Stop the loop" : "Loop",
                 range.loop ? icon::kPause : icon::kRun, range.loop, 0, true,
                 "Shows this stretch of the history again and again, at the playback speed")) {
    range.loop = !range.loop;
    range.loop_started = session.now();
    if (range.loop && session.playback().playing())
      requests->Ask([](Session* its) { its->playback().SetPlaying(false); });
  }
  ImGui::SameLine(0, Px(8));
  if (TextButton("range/export", "Export CSV", icon::kExport, false, 0, true,
                 "Every signal of every model and step in it, to a file in the current folder")) {
    Export(session, range, requests);
  }
  EndOverlay();
  if (close) range = {};
}

}  // namespace slip::app
