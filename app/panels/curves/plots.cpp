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
#include "app/panels/common/region.h"
#include "app/panels/curves/plot_content.h"
#include "app/panels/curves/plot_this.h"
#include "app/panels/curves/plots.h"
#include "app/plots/plot.h"
#include "engine/core/numbers.h"
#include "engine/sim/part_signals.h"

namespace slip::app {
namespace {

/// All signals in a list that scrolls; calls `choose` with the one that was clicked.
void SignalList(const Model& model, const char* id, Signal now,
                const std::function<void(Signal)>& choose) {
  ImGui::BeginChild(id, ImVec2(Px(260), Px(340)));
  const auto row = [&](Signal signal, const std::string& label) {
    if (ImGui::Selectable(label.c_str(), now == signal)) choose(signal);
    RegisterLastItem(std::string(id) + "/" + NameOf(model, signal));
    Tooltip(slip::Info(signal).doc);
  };
  // parts first, a fold for each of their quantities
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
void KindMenu(const Model& model, PlotSlot* plot) {
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
  const std::string label = against ? "Against: " + LabelOf(model, plot->against) : "Against…";
  const bool open = ImGui::BeginMenu((label + "###against").c_str());
  RegisterLastItem("plots/kind/against");
  if (open) {
    const Signal none = Signal::kCount;
    SignalList(model, "against", against ? plot->against : none, [&](Signal signal) {
      plot->Choose({plot->signal, PlotKind::kAgainst, signal});
      ImGui::CloseCurrentPopup();
    });
    ImGui::EndMenu();
  }
  item("Histogram", PlotKind::kHistogram, "histogram");
  ImGui::Separator();
}

void SignalMenu(const Session& session, std::size_t slot, PlotsState* plots) {
  const std::string popup = "signals-" + std::to_string(slot);
  if (!ImGui::BeginPopup(popup.c_str())) return;
  PlotSlot* plot = &plots->slots[slot];
  KindMenu(session.scene_model(), plot);
  SignalList(session.scene_model(), "signal", plot->signal, [&](Signal signal) {
    PlotChoice choice = *plot;
    choice.signal = signal;
    plot->Choose(choice);
    ImGui::CloseCurrentPopup();
  });
  ImGui::EndPopup();
}

/// Where one plot is seen, it is the one that the test of the lesson's new card measures, or the
/// first of the others while the card asks for it.
void ShowNamedPlot(const Session& session, std::size_t count, PlotsState* plots) {
  const Scene* scene = session.scene();
  const LessonProgress& progress = session.lessons().progress();
  if (scene == nullptr || progress.active() >= progress.count()) return;
  const bool asks = progress.Asks(progress.active());
  const std::string card =
      scene->id + "/" + std::to_string(progress.active()) + (asks ? "/asked" : "");
  if (std::exchange(plots->card, card) == card) return;
  const LessonCard& now = At(scene->lesson.cards, progress.active());
  int named = plots->tab, shown = -1;
  for (std::size_t i = count; i-- > 0;) {
    const Signal signal = plots->slots[i].signal;
    const std::string name = NameOf(session.scene_model(), signal);
    if (now.done_when.find(name) != std::string::npos) named = static_cast<int>(i);
    if (!IsHeld(session, signal)) shown = static_cast<int>(i);
  }
  const bool held = IsHeld(session, At(plots->slots, named).signal);
  plots->tab = held && shown >= 0 ? shown : named;
}

/// True when it is held by the lesson and clicked.
bool OnePlot(const Session& session, std::size_t slot, const PlotContent& content, ImVec2 size,
             PlotsState* plots, Requests* requests) {
  PlotSlot& plot = plots->slots[slot];
  const SignalInfo& info = slip::Info(plot.signal);
  if (content.title != plot.title) plot.state.FitAgain();
  plot.title = content.title;
  if (std::exchange(plot.run, session.snapshot().session) != session.snapshot().session &&
      !plot.state.y_locked)
    plot.state.y_valid = plot.state.across_valid = false;
  PlotSpec spec = content.Spec();
  const PlotFocus& focus = plots->focus;
  spec.focused = focus.on && focus.slot == static_cast<int>(slot);
  spec.chosen = focus.series;
  const std::string undo_key = requests->keys().Label(Action::kZoomBack);
  spec.undo_key = undo_key;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const PlotResult result = Plot(spec, &plot.state, &plots->linked_x, size);
  TakeContactDrop(&plot);
  const ImVec2 after = ImGui::GetCursorScreenPos();
  plot.size = size;
  const bool asks_lesson =
      !content.held.empty() && result.hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  if (result.seek) {
    requests->Ask([time = *result.seek](Session* s) {
      if (s->playback().playing()) s->playback().SetPlaying(false);
      s->playback().Seek(time);
    });
  }
  if (result.wanted != PlotExport::kNone) {
    plots->wanted = {result.wanted, static_cast<int>(slot), result.picture_scale, result.white};
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
  SignalMenu(session, slot, plots);
  ImGui::PopID();
  ImGui::SetCursorScreenPos(after);
  return asks_lesson;
}

}  // namespace

bool DrawPlots(const Session& session, const Regions& regions, Compare compare, PlotsState* plots,
               PlotSources* sources, Requests* requests) {
  const Rect& rect = regions.plots;
  if (!BeginRegion("plots", rect, ImVec2(Px(8), Px(4)), Token::kApp,
                   ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse)) {
    return false;
  }
  bool asks_lesson = false;
  if (session.channel_count() > 0) {
    const std::vector<PlotEvent> events = MakePlotEvents(session);
    const auto draw = [&](std::size_t slot, ImVec2 size) {
      PlotContent content = MakePlotContent(session, *plots, slot, compare, sources);
      AddPlotEvents(events, &content);
      return OnePlot(session, slot, content, size, plots, requests);
    };
    const float gap = Px(8);
    const float height = rect.height() - Px(8);
    const auto count = static_cast<std::size_t>(plots->count);
    // Narrower than this a plot shows more frame than curve; tabs take height, where that is
    // scarce.
    const bool one = rect.width() < Px(regions.low ? 980.0f : 640.0f);
    if (one) {
      ShowNamedPlot(session, count, plots);
      std::vector<std::string> labels;
      for (const PlotSlot& slot : std::span(plots->slots).first(count))
        labels.push_back(LiteralRich(LabelOf(session.scene_model(), slot)));
      const std::vector<std::string_view> names(labels.begin(), labels.end());
      std::vector<std::string_view> tips;
      for (const PlotSlot& slot : std::span(plots->slots).first(count))
        tips.push_back(slip::Info(slot.signal).doc);
      TabStrip("plots/tabs", names, &plots->tab, tips);
      const std::size_t tab = static_cast<std::size_t>(std::clamp(plots->tab, 0, plots->count - 1));
      asks_lesson = draw(tab, ImVec2(rect.width() - Px(16), height - Px(40)));
    } else {
      const float n = static_cast<float>(count);
      const float width = std::floor((rect.width() - Px(16) - gap * (n - 1)) / n);
      for (std::size_t i = 0; i < count; ++i) {
        ImGui::SetCursorPos(ImVec2(Px(8) + static_cast<float>(i) * (width + gap), Px(4)));
        asks_lesson |= draw(i, ImVec2(width, height));
      }
    }
  }
  EndRegion();
  return asks_lesson;
}

}  // namespace slip::app
