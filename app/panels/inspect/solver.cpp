// Solver: how the last step was solved, and how well.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "app/kit/widgets.h"
#include "app/panels/common/search_line.h"
#include "app/panels/common/stability.h"
#include "app/panels/common/tab.h"
#include "app/panels/curves/plot_this.h"
#include "app/panels/inspect/tables.h"
#include "app/plots/plot.h"
#include "app/state/channel_style.h"
#include "engine/core/numbers.h"
#include "engine/tell/step_report.h"

namespace slip::app {
namespace {

/// The lead as its numbers are written.
const ChannelFrame& LeadOf(const Session& session) {
  return session.written().frame(session.looks().lead());
}

/// How stable the step of contacts with anchors is; nothing of others.
void DrawStability(const Session& session, const StableSteps& stable_steps) {
  const Stability stability = StabilityOf(session, session.looks().lead(), stable_steps);
  if (stability.light != StabilityLight::kNone) {
    const LightLook look = LookOf(stability.light);
    Pill("solver/stability", look.icon, stability.words, look.colour);
    Tooltip(
        "Longest stable time step of the contacts as they touch now, as if all of them stuck: "
        "explicit Euler's is the smaller one of 2/(B λ) and 2 B/K, with the largest eigenvalue λ "
        "of J M⁻¹ Jᵀ. Motors and dampers of joints have limits of their own.");
  } else if (!stability.words.empty()) {
    Paragraph(stability.words, Role::kCaption, Token::kText2);
  }
}

/// Two tiles a row: caption, number, what follows it.
void DrawFigures(std::span<const slip::Figure> figures, float width, PlotsState* plots) {
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const slip::Figure& figure = figures[i];
    const std::string id = "solver/" + std::string(figure.id);
    if (i % 2 == 1) ImGui::SameLine(0, Px(8));
    StatTile(id, figure.caption, NumberText(figure), figure.suffix, width);
    if (const SignalInfo* signal = FindSignal(figure.signal)) PlotThisMenu(id, signal->id, plots);
    if (figure.tip != nullptr) Tooltip(figure.tip);
  }
}

/// The residual of every iteration that was recorded, and the line that the chosen one searched.
void DrawResiduals(const TabContext& context, const ChannelFrame& frame, const StepReport& report,
                   float width) {
  const Session& session = context.session;
  const SolveRecord& solve = frame.solve;
  SolverTab* own = &context.state.solver;
  // Before the first step there is nothing to plot.
  const int recorded = std::clamp(solve.recorded, 0, kMaxRecordedIterations);
  if (!(report.tolerance > 0)) return;
  if (recorded == 0) {
    const bool none_needed = frame.step > 0 && solve.iterations == 0;
    Paragraph(none_needed ? "No iterations: the first guess was within the tolerance."
                          : "Iterations of a step appear here after it was taken.",
              Role::kCaption, Token::kText3);
    return;
  }
  std::vector<PlotPoint> points;
  for (int i = 0; i < recorded; ++i) {
    points.push_back({static_cast<double>(i), At(solve.history, i).residual});
  }
  if (!report.ends_with_result)
    points.push_back({static_cast<double>(recorded), solve.momentum_residual});
  PointSeries residual;
  residual.label = session.looks().Name(session.looks().lead());
  residual.points = points;
  residual.style = StyleOf(session, session.looks().lead());
  residual.line = true;
  const PlotLine tolerance{report.tolerance, "tolerance"};
  PointPlotSpec spec;
  spec.id = "solver/residual";
  spec.title = "Residual";
  spec.unit = "";
  spec.x_label = "iteration";
  spec.note = report.residual_unit;
  spec.y_scale = AxisScale::kLog;
  spec.series = std::span(&residual, 1);
  spec.lines = std::span(&tolerance, 1);
  spec.x_range = AxisRange{0, static_cast<double>(std::max(4, recorded))};
  spec.selected = ShownIteration(*own, recorded);
  const int clicked = PointPlot(spec, ImVec2(width, Px(116)));
  if (clicked >= 0) own->iteration = clicked;
  if (report.has_search_lines) DrawSearchLine(session, recorded, own, &context.requests);
}

void DrawSolver(const TabContext& context) {
  const Session& session = context.session;
  const StableSteps& stable_steps = context.state.param_rows.stable_steps;
  PlotsState* plots = &context.state.plots;
  const ChannelFrame& frame = LeadOf(session);
  const SolveRecord& solve = frame.solve;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImDrawList* list = ImGui::GetWindowDrawList();
  DrawMark(list, ImVec2(at.x + Px(6), at.y + Px(12)), StyleOf(session, session.looks().lead()), 5);
  float x = at.x + Px(20);
  x += DrawText(list, ImVec2(x, at.y + Px(3)), fmt::format("Step {}", frame.step), Role::kCardTitle,
                Color(Token::kText));
  DrawText(list, ImVec2(x + Px(8), at.y + Px(4)), fmt::format("t = {:.4g} s", frame.time),
           Role::kAxis, Color(Token::kText2));
  const bool failed = frame.state != ChannelState::kRunning;
  ImGui::SetCursorScreenPos(ImVec2(at.x + width - Px(124), at.y));
  if (failed) {
    Pill("solver/state", icon::kClose, "Stopped", Token::kErr);
  } else if (!solve.converged) {
    Pill("solver/state", icon::kWarning, "Not converged", Token::kWarn);
  } else {
    // what is computed from the start of a step has nothing to converge
    const bool solved = std::isfinite(solve.momentum_residual);
    Pill("solver/state", icon::kDone, solved ? "Converged" : "Computed", Token::kOk);
  }
  Tooltip(
      "How the solver ended this step: below its tolerance, at its limit of iterations, or not "
      "at all.");
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + Px(34)));
  if (failed) Paragraph(frame.failure, Role::kLabel, Token::kErr);

  const float tile = (width - Px(8)) / 2 / UiScale();
  const StepReport report = ReportOf(*session.model(), frame);
  DrawStability(session, stable_steps);
  if (!report.status.empty()) Paragraph(report.status, Role::kCaption, Token::kText2);
  DrawFigures(report.figures, tile, plots);
  if (!report.remark.empty()) Paragraph(report.remark, Role::kCaption, Token::kText2);

  const auto us = [&](Signal id) {
    const double value = At(frame.signals, id);
    return std::isfinite(value) ? FormatSignificant(value, 2) : std::string("–");
  };
  std::string times = fmt::format("Step {} µs.", us(Signal::kStepTimeUs));
  // inner steps of controlled error are not timed in parts
  if (std::isnan(frame.solve.inner_steps)) {
    times += fmt::format(
        " Timed in parts: {} µs = detection {} + assembly {} + solution {} + measurement {} + rest",
        us(Signal::kTimedStepUs), us(Signal::kDetectionTimeUs), us(Signal::kAssemblyTimeUs),
        us(Signal::kSolveTimeUs), us(Signal::kMeasureTimeUs));
  }
  Paragraph(times, Role::kCaption, Token::kText2);
  Tooltip("Of short steps only some are timed in parts: timing takes time itself.");
  DrawResiduals(context, frame, report, width);
}

}  // namespace

const Tab kSolverTab{
    .name = "Solver",
    .tip = "How this step was solved: residuals, line search, times, condition.",
    .doc = "Iterations, residual, condition number.",
    .key = "F3",
    .draw = DrawSolver,
    .table = MetricsTable,
};

}  // namespace slip::app
