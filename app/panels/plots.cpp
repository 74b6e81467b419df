// Plots: three curves with one x axis; any signal in any of them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/panels/panels.h"
#include "app/plots/plot.h"
#include "app/widgets.h"

namespace slip::app {
namespace {

std::vector<PlotEvent> Events(const Ui& ui) {
  std::vector<PlotEvent> events;
  for (const TimeMark& mark : ui.session.marks()) {
    PlotEvent event;
    event.time = mark.time;
    event.detail = ui.session.MarkLabel(mark);
    event.label = event.detail.substr(0, event.detail.find(' '));
    event.detail += fmt::format(" (step {})", mark.step);
    if (mark.channel >= 0) event.colour = ui.style(mark.channel).colour;
    if (mark.kind == TimeMark::Kind::kNotConverged) {
      event.label.clear();
      event.colour = Color(Token::kWarn);
    }
    if (mark.kind == TimeMark::Kind::kFailure) event.colour = Color(Token::kErr);
    events.push_back(std::move(event));
  }
  return events;
}

/// The formula that stands beside a measured curve, where there is one.
bool PredictionOf(Signal signal, Signal* prediction) {
  if (signal == Signal::kGlidingOffset || signal == Signal::kSignedDistance) {
    *prediction = Signal::kGlidingPredicted;
    return signal == Signal::kGlidingOffset;
  }
  return false;
}

void SignalMenu(Ui* ui, std::size_t slot) {
  const std::string popup = "signals-" + std::to_string(slot);
  if (!ImGui::BeginPopup(popup.c_str())) return;
  ImGui::BeginChild("list", ImVec2(Px(260), Px(360)));
  for (const SignalInfo& info : SignalTable()) {
    const std::string label = std::string(info.label);
    if (ImGui::Selectable(label.c_str(), ui->state.plots[slot].signal == info.id)) {
      ui->state.plots[slot] = PlotSlot{};
      ui->state.plots[slot].signal = info.id;
      ImGui::CloseCurrentPopup();
    }
    RegisterLastItem("signal/" + std::string(info.name));
    Tooltip(info.doc);
  }
  ImGui::EndChild();
  ImGui::EndPopup();
}

void OnePlot(Ui* ui, std::size_t slot, const std::vector<PlotEvent>& events, ImVec2 size) {
  Session& session = ui->session;
  PlotSlot& plot = ui->state.plots[slot];
  const SignalInfo& info = slip::Info(plot.signal);
  Signal prediction{};
  const bool predicted = PredictionOf(plot.signal, &prediction);
  std::vector<PlotSeries> series;
  for (int i = 0; i < session.channel_count(); ++i) {
    if (!session.Shown(i)) continue;
    PlotSeries line;
    line.label = ui->ChannelName(i) + (session.look(i).second ? " 2" : "");
    line.data = session.series().View(i, plot.signal);
    line.style = ui->style(i);
    series.push_back(line);
  }
  for (int i = 0; predicted && i < session.channel_count(); ++i) {
    if (!session.Shown(i)) continue;
    PlotSeries line;
    line.label = ui->ChannelName(i) + " predicted";
    line.data = session.series().View(i, prediction);
    line.style = PredictionStyle();
    line.prediction = true;
    line.readout = false;
    series.push_back(line);
  }
  const std::string id = std::to_string(slot);
  const std::string title(info.label);
  PlotSpec spec;
  spec.id = id;
  spec.title = title;
  spec.unit = info.unit;
  spec.scale = info.log_axis ? AxisScale::kLog : AxisScale::kLinear;
  spec.series = series;
  spec.events = events;
  spec.play_head = session.snapshot().time;
  spec.include_zero = plot.signal == Signal::kGlidingOffset || plot.signal == Signal::kSlipSpeed;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const PlotResult result = Plot(spec, &plot.state, &ui->state.linked_x, size);
  const ImVec2 after = ImGui::GetCursorScreenPos();
  if (result.seek) {
    if (session.playing()) session.SetPlaying(false);
    session.Seek(*result.seek);
  }
  if (!result.csv.empty()) CopyText(ui, result.csv, "Visible samples as CSV");

  // The title is the handle of the signal menu.
  const float title_width = MeasureRich(title, Role::kTitle).x;
  const float unit_width = MeasureText("[MN/m]", Role::kCaption).x;
  ImGui::SetCursorScreenPos(ImVec2(at.x + Px(4), at.y + Px(4)));
  ImGui::PushID(static_cast<int>(slot));
  if (ImGui::InvisibleButton("title", ImVec2(title_width + unit_width + Px(16), Px(26)))) {
    ImGui::OpenPopup(("signals-" + id).c_str());
  }
  RegisterLastItem("plots/" + id + "/signal");
  if (ImGui::IsItemHovered()) {
    ImGui::GetWindowDrawList()->AddRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                        Color(Token::kLineStrong), Px(4));
    Tooltip(std::string(info.doc) + "\nClick to choose another signal.");
  }
  SignalMenu(ui, slot);
  ImGui::PopID();
  ImGui::SetCursorScreenPos(after);
}

}  // namespace

void DrawPlots(Ui* ui) {
  const Rect& rect = ui->regions.plots;
  if (!BeginRegion("plots", rect, ImVec2(Px(8), Px(4)), Token::kApp,
                   ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse)) {
    return;
  }
  if (ui->session.channel_count() > 0) {
    const std::vector<PlotEvent> events = Events(*ui);
    const float gap = Px(8);
    const float height = rect.height() - Px(8);
    // Narrower than this a plot shows more frame than curve.
    const bool one = ui->regions.low || rect.width() < Px(640);
    if (one) {
      std::vector<std::string_view> names;
      for (const PlotSlot& slot : ui->state.plots) names.push_back(slip::Info(slot.signal).label);
      TabStrip("plots/tabs", names, &ui->state.plot_tab);
      const std::size_t tab = static_cast<std::size_t>(std::clamp(ui->state.plot_tab, 0, kPlotSlots - 1));
      OnePlot(ui, tab, events, ImVec2(rect.width() - Px(16), height - Px(40)));
    } else {
      const float width = std::floor((rect.width() - Px(16) - gap * (kPlotSlots - 1)) / kPlotSlots);
      for (std::size_t i = 0; i < kPlotSlots; ++i) {
        ImGui::SetCursorPos(ImVec2(Px(8) + static_cast<float>(i) * (width + gap), Px(4)));
        OnePlot(ui, i, events, ImVec2(width, height));
      }
    }
  }
  EndRegion();
}

}  // namespace slip::app
