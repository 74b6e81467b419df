// Value table at the crosshair, and the figures between two cursors.
#include "app/plots/plot_tooltip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/kit/widgets.h"
#include "engine/core/numbers.h"
#include "engine/tell/format.h"

namespace slip::app {
namespace {

void Number(const std::string& text) {
  ImGui::TableNextColumn();
  Rich(AsRich(text), Role::kAxis, Token::kText);
}

void Head(std::string_view text) {
  ImGui::TableNextColumn();
  Rich(text, Role::kTag, Token::kText3);
}

/// Over the columns between two cursors. A slope and an integral have units of their own.
void DrawHeads(const PlotSpec& spec, const PlotFrame& frame) {
  ImGui::TableNextRow();
  const bool pure = spec.unit.empty();
  const std::string slope = pure ? "slope [1/s]" : "slope [" + frame.y_unit.text + "/s]";
  const std::string integral = pure ? "∫ dt [s]" : "∫ dt [" + frame.y_unit.text + "·s]";
  for (const std::string& text : {std::string(), std::string("value"), std::string("Δ"), slope,
                                  std::string("mean"), std::string("RMS"), integral}) {
    Head(text);
  }
}

/// Name and value of a series at time t, and its figures since the other cursor where there is one.
void DrawSeries(const PlotSpec& spec, const PlotFrame& frame, const PlotSeries& series, double t,
                std::optional<double> anchor) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const ImVec2 p = ImGui::GetCursorScreenPos();
  const float middle = p.y + FontPx(Role::kCaption) / 2;
  if (!series.prediction)
    DrawMark(ImGui::GetWindowDrawList(), {p.x + Px(5), middle}, series.style, 4);
  ImGui::Dummy({Px(12), FontPx(Role::kCaption)});
  ImGui::SameLine();
  Rich(series.prediction ? series.label + ", predicted" : series.label, Role::kCaption,
       Token::kText2);
  const double factor = frame.y_unit.factor;
  const auto text = [&](double value) { return FormatSignificant(value * factor, 4); };
  // values and their differences; the means of counts are no counts
  const auto own = [&](double raw) {
    const double value = spec.Read(raw);
    const auto count = spec.is_count ? FormatCount(value) : std::nullopt;
    return count.value_or(text(value));
  };
  Number(own(series.data.IsOver(t) ? kNaN : series.data.At(t)));
  if (!anchor) return;
  const SpanStatistics s = CalcSpanStatistics(series.data, *anchor, t);
  Number(own(s.delta));
  for (const double value : {s.slope, spec.Read(s.mean), spec.Read(s.rms), s.integral})
    Number(text(value));
}

/// The sample of each series that is in force, ringed.
void RingSamples(const PlotSpec& spec, const PlotFrame& frame, const PlotState& state, double t) {
  for (const PlotSeries& series : spec.series) {
    if (state.hidden.contains(series.label) || series.data.empty() || series.prediction ||
        series.IsElsewhere(t) || series.data.IsOver(t)) {
      continue;
    }
    const double value = series.data.At(t);
    const ImVec2 p{frame.X(series.data.SampleTime(t)), frame.Y(value)};
    if (!std::isnan(value) && frame.InWell(p))
      frame.list->AddCircle(p, Px(5), series.style.colour, 0, Px(1.5f));
  }
}

}  // namespace

void PlotTooltip(const PlotSpec& spec, const PlotFrame& frame, const PlotState& state,
                 const LinkedX& x, const PlotEvent* event, bool by_keyboard) {
  if (!x.hover) return;
  const double t = *x.hover;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, Px(6));
  // no mouse to stand beside: above the plot, where it hides no curve
  if (by_keyboard) {
    const float at = std::clamp(frame.X(t), frame.well_min.x, frame.well_max.x);
    ImGui::SetNextWindowPos({at, frame.min.y - Px(4)}, ImGuiCond_Always, {0.5f, 1});
  }
  ImGui::BeginTooltip();
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {Px(6), Px(1)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {Px(6), Px(3)});

  // time, step, and the distance between the cursors
  std::string head = fmt::format("{:.4f} s", x.hover_step >= 0 ? x.hover_time : t);
  if (x.hover_step >= 0) head += fmt::format("   step {}", x.hover_step);
  Rich(head, Role::kAxis, Token::kText2);
  if (x.anchor) {
    // between the samples that the values below are of
    const double from = x.anchor_time.value_or(*x.anchor),
                 to = x.hover_step >= 0 ? x.hover_time : t;
    Rich("Δt " + FormatQuantity(to - from, "s", 4), Role::kAxis, Token::kAccent);
  }
  if (event) Rich(event->detail.empty() ? event->label : event->detail, Role::kCaption);

  const int columns = x.anchor ? 7 : 2;
  if (ImGui::BeginTable("values", columns, ImGuiTableFlags_SizingFixedFit)) {
    if (x.anchor) DrawHeads(spec, frame);
    for (const PlotSeries& series : spec.series) {
      if (!state.hidden.contains(series.label) && !series.IsElsewhere(t))
        DrawSeries(spec, frame, series, t, x.anchor);
    }
    ImGui::EndTable();
  }
  // pure numbers are in nothing, unless in a power of ten
  if (frame.y_unit.text != PrettyUnit("")) {
    Rich("in " + frame.y_unit.text, Role::kTag, Token::kText3);
    RegisterLastItem("plot/" + std::string(spec.id) + "/tip/unit");
  }

  RingSamples(spec, frame, state, t);
  ImGui::PopStyleVar(2);
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

}  // namespace slip::app
