// Plots: three curves with one x axis; any signal in any of them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "app/kit/widgets.h"
#include "app/panels/panels.h"
#include "app/panels/plot_content.h"
#include "app/panels/plot_this.h"
#include "app/plots/plot.h"
#include "engine/sim/robot_signals.h"

namespace slip::app {
namespace {

/// All signals in a list that scrolls; calls `choose` with the one that was clicked.
void SignalList(Ui* ui, const char* id, Signal now, const std::function<void(Signal)>& choose) {
  ImGui::BeginChild(id, ImVec2(Px(260), Px(340)));
  const Model& model = ui->session.scene_model();
  const auto row = [&](Signal signal, const std::string& label) {
    if (ImGui::Selectable(label.c_str(), now == signal)) choose(signal);
    RegisterLastItem(std::string(id) + "/" + NameOf(model, signal));
    Tooltip(slip::Info(signal).doc);
  };
  // robots first, a fold for each quantity of their joints and feet
  std::map<const SignalInfo*, std::vector<Signal>> of_parts;
  for (const Signal signal : ListSignals(model)) {
    if (!IsOfEnum(signal)) of_parts[&slip::Info(signal)].push_back(signal);
  }
  for (const auto& [info, signals] : of_parts) {
    const std::string label(info->label);
    const std::string fold = label + "##" + std::string(info->unit);
    const bool open = ImGui::TreeNodeEx(fold.c_str(), ImGuiTreeNodeFlags_SpanAvailWidth);
    RegisterLastItem("signals/" + std::string(info->name));
    if (!open) continue;
    for (const Signal signal : signals) {
      const std::string full = LabelOf(model, signal);
      row(signal, full.substr(label.size() + 2) + "##" + full);
    }
    ImGui::TreePop();
  }
  if (!of_parts.empty()) ImGui::Separator();
  for (const SignalInfo& info : SignalTable()) row(info.id, std::string(info.label));
  ImGui::EndChild();
}

/// What the x axis is.
void KindMenu(Ui* ui, PlotSlot* plot) {
  const auto item = [&](const char* label, PlotKind kind, const char* id) {
    if (ImGui::MenuItem(label, nullptr, plot->kind == kind)) {
      PlotChoice choice = *plot;
      choice.kind = kind;
      plot->Choose(choice);
    }
    RegisterLastItem(std::string("plots/kind/") + id);
  };
  item("Over time", PlotKind::kTime, "time");
  const bool against = plot->kind == PlotKind::kAgainst;
  const std::string label =
      against ? "Against: " + LabelOf(ui->session.scene_model(), plot->against) : "Against…";
  const bool open = ImGui::BeginMenu((label + "###against").c_str());
  RegisterLastItem("plots/kind/against");
  if (open) {
    const Signal none = Signal::kCount;
    SignalList(ui, "against", against ? plot->against : none, [&](Signal signal) {
      plot->Choose({plot->signal, PlotKind::kAgainst, signal});
      ImGui::CloseCurrentPopup();
    });
    ImGui::EndMenu();
  }
  item("Histogram", PlotKind::kHistogram, "histogram");
  ImGui::Separator();
}

void SignalMenu(Ui* ui, std::size_t slot) {
  const std::string popup = "signals-" + std::to_string(slot);
  if (!ImGui::BeginPopup(popup.c_str())) return;
  PlotSlot* plot = &ui->state.plots[slot];
  KindMenu(ui, plot);
  SignalList(ui, "signal", plot->signal, [&](Signal signal) {
    PlotChoice choice = *plot;
    choice.signal = signal;
    plot->Choose(choice);
    ImGui::CloseCurrentPopup();
  });
  ImGui::EndPopup();
}

/// Where one plot is seen, it is the one that the test of the lesson's new card measures, or the
/// first of the others while the card asks for it.
void ShowNamedPlot(Ui* ui, std::size_t count) {
  const Scene* scene = ui->session.scene();
  const LessonProgress& progress = ui->session.lessons().progress();
  if (scene == nullptr || progress.active() >= progress.count()) return;
  const bool asks = progress.Asks(progress.active());
  const std::string card =
      scene->id + "/" + std::to_string(progress.active()) + (asks ? "/asked" : "");
  if (std::exchange(ui->state.plot_card, card) == card) return;
  const LessonCard& now = scene->lesson.cards[static_cast<std::size_t>(progress.active())];
  int named = ui->state.plot_tab, shown = -1;
  for (std::size_t i = count; i-- > 0;) {
    const Signal signal = ui->state.plots[i].signal;
    const std::string name = NameOf(ui->session.scene_model(), signal);
    if (now.done_when.find(name) != std::string::npos) named = static_cast<int>(i);
    if (!IsHeld(*ui, signal)) shown = static_cast<int>(i);
  }
  const bool held = IsHeld(*ui, ui->state.plots[static_cast<std::size_t>(named)].signal);
  ui->state.plot_tab = held && shown >= 0 ? shown : named;
}

void OnePlot(Ui* ui, std::size_t slot, const std::vector<PlotEvent>& events, ImVec2 size) {
  const Session& session = ui->session;
  PlotSlot& plot = ui->state.plots[slot];
  const SignalInfo& info = slip::Info(plot.signal);
  PlotContent content = MakePlotContent(ui, slot);
  AddPlotEvents(events, &content);
  if (content.title != plot.title) plot.state.FitAgain();
  plot.title = content.title;
  if (std::exchange(plot.run, session.snapshot().session) != session.snapshot().session &&
      !plot.state.y_locked)
    plot.state.y_valid = plot.state.across_valid = false;
  PlotSpec spec = content.Spec();
  const PlotFocus& focus = ui->state.plot_focus;
  spec.focused = focus.on && focus.slot == static_cast<int>(slot);
  spec.chosen = focus.series;
  const std::string undo_key = ui->keys.Label(Action::kZoomBack);
  spec.undo_key = undo_key;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const PlotResult result = Plot(spec, &plot.state, &ui->state.linked_x, size);
  TakeContactDrop(&plot);
  const ImVec2 after = ImGui::GetCursorScreenPos();
  plot.size = size;
  if (!content.held.empty() && result.hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    UiState& s = ui->state;
    s.left_tab = LeftTab::kLesson;
    s.shown_left() = true;
    s.hide_all = false;
    s.only = Only::kWindow;
  }
  if (result.seek) {
    ui->requests.Ask([time = *result.seek](Session* s) {
      if (s->playback().playing()) s->playback().SetPlaying(false);
      s->playback().Seek(time);
    });
  }
  if (result.wanted != PlotExport::kNone) {
    ui->state.plot_export = {result.wanted, static_cast<int>(slot), result.picture_scale,
                             result.white};
  }

  // The title is the handle of the signal menu.
  const float title_width = MeasureRich(content.title, Role::kTitle).x;
  const float unit_width = MeasureText("[MN/m]", Role::kCaption).x;
  ImGui::SetCursorScreenPos(ImVec2(at.x + Px(4), at.y + Px(4)));
  ImGui::PushID(static_cast<int>(slot));
  if (ImGui::InvisibleButton("title", ImVec2(title_width + unit_width + Px(16), Px(26)))) {
    ImGui::OpenPopup(("signals-" + content.id).c_str());
  }
  RegisterLastItem("plots/" + content.id + "/signal");
  if (ImGui::IsItemHovered()) {
    ImGui::GetWindowDrawList()->AddRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                        Color(Token::kLineStrong), Px(4));
    Tooltip(std::string(info.doc) +
            "\nClick to choose another signal, or what it is drawn against.");
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
    const std::vector<PlotEvent> events = MakePlotEvents(*ui);
    const float gap = Px(8);
    const float height = rect.height() - Px(8);
    const auto count = static_cast<std::size_t>(ui->state.plot_count);
    // Narrower than this a plot shows more frame than curve; tabs take height, where that is
    // scarce.
    const bool one = rect.width() < Px(ui->regions.low ? 980.0f : 640.0f);
    if (one) {
      ShowNamedPlot(ui, count);
      std::vector<std::string> labels;
      for (const PlotSlot& slot : std::span(ui->state.plots).first(count))
        labels.push_back(LiteralRich(LabelOf(ui->session.scene_model(), slot)));
      const std::vector<std::string_view> names(labels.begin(), labels.end());
      TabStrip("plots/tabs", names, &ui->state.plot_tab);
      const std::size_t tab =
          static_cast<std::size_t>(std::clamp(ui->state.plot_tab, 0, ui->state.plot_count - 1));
      OnePlot(ui, tab, events, ImVec2(rect.width() - Px(16), height - Px(40)));
    } else {
      const float n = static_cast<float>(count);
      const float width = std::floor((rect.width() - Px(16) - gap * (n - 1)) / n);
      for (std::size_t i = 0; i < count; ++i) {
        ImGui::SetCursorPos(ImVec2(Px(8) + static_cast<float>(i) * (width + gap), Px(4)));
        OnePlot(ui, i, events, ImVec2(width, height));
      }
    }
  }
  EndRegion();
}

}  // namespace slip::app
