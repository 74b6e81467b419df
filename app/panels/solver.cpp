// Solver: how the last step was solved, and how well.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "app/kit/widgets.h"
#include "app/panels/friction.h"
#include "app/panels/plot_this.h"
#include "app/panels/search_line.h"
#include "app/panels/stability.h"
#include "app/panels/tab.h"
#include "app/panels/tables.h"
#include "app/plots/plot.h"
#include "app/state/channel_style.h"
#include "engine/contact/knobs.h"
#include "engine/solver/convex_qp.h"
#include "engine/tell/param_notes.h"

namespace slip::app {
namespace {

/// The lead as its numbers are written.
const ChannelFrame& LeadOf(const Session& session) {
  return session.written().frame(session.looks().lead());
}

/// Two tiles a row: caption, number, what stands behind it.
struct Tile {
  const char *id, *caption;
  std::string number, suffix;
};
void DrawTiles(std::span<const Tile> tiles, float width) {
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    if (i % 2 == 1) ImGui::SameLine(0, Px(8));
    StatTile(tiles[i].id, tiles[i].caption, tiles[i].number, tiles[i].suffix, width);
  }
}

std::string Counted(int count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// Contacts with anchors: how stable the step is, and what it took.
void DrawAnchored(const Session& session, float width, const StableSteps& stable_steps) {
  const ChannelFrame& frame = LeadOf(session);
  const SolveSummary& shown = frame.solve;
  const MethodInfo& method = slip::Info(frame.config.method());
  const Stability stability = StabilityOf(session, session.looks().lead(), stable_steps);
  if (stability.light != StabilityLight::kNone) {
    Pill("solver/stability", stability.icon, stability.words, stability.colour);
    Tooltip(
        "Longest stable time step of the contacts as they touch now, as if all of them stuck: "
        "explicit Euler's is the smaller one of 2/(B λ) and 2 B/K, with the largest eigenvalue λ "
        "of J M⁻¹ Jᵀ. Motors and dampers of joints have limits of their own.");
  } else if (!stability.words.empty()) {
    Paragraph(stability.words, Role::kCaption, Token::kText2);
  }
  const AnchorSummary& a = shown.anchors;
  const std::string points = std::to_string(shown.contacts);
  if ((method.knobs & knob::kExponential) != 0) {
    const Tile tiles[] = {
        {"solver/norm", "1-norm", FormatSignificant(a.norm),
         "raw " + FormatSignificant(a.raw_norm)},
        {"solver/order", "Padé order", std::to_string(a.order),
         Counted(a.squarings, "squaring", "squarings")},
        {"solver/products", "Matrix products", std::to_string(a.products),
         fmt::format("of {0} × {0}", a.order > 0 ? 6 * shown.contacts + 3 : 0)},
        {"solver/clipped", "Points", points, fmt::format("{} clipped", a.clipped)},
        {"solver/guard", "Guard passes", std::to_string(a.guard_passes), "solved again"}};
    DrawTiles(tiles, width);
    return;
  }
  if (std::isfinite(shown.momentum_residual)) {
    const Tile tiles[] = {
        {"solver/iterations", "Newton iterations", std::to_string(shown.iterations),
         fmt::format("of {}", frame.config.step.max_iterations)},
        {"solver/balance", "Residual", FormatSignificant(shown.momentum_residual), "relative"},
        {"solver/contacts", "Points", points, ""}};
    DrawTiles(tiles, width);
    return;
  }
  const Tile tiles[] = {{"solver/contacts", "Points", points, "forces of the start"}};
  DrawTiles(tiles, width);
}

// Of the largest force, of the weight: less is what a solver leaves.
constexpr double kNoticedShare = 1e-3;

int Loaded(const ChannelFrame& frame) {
  double largest = 0;
  for (const ContactFrame& c : frame.contacts) largest = std::max(largest, c.fn);
  return static_cast<int>(
      std::count_if(frame.contacts.begin(), frame.contacts.end(),
                    [&](const ContactFrame& c) { return c.fn > kNoticedShare * largest; }));
}

/// Convex models: how far the minimisation went.
void DrawConvex(const Session& session, float tile, PlotsState* plots) {
  const ChannelFrame& frame = LeadOf(session);
  const SolveSummary& shown = frame.solve;
  StatTile("solver/iterations", "Iterations", std::to_string(shown.iterations),
           fmt::format("of {}", frame.config.step.max_iterations), tile);
  PlotThisMenu("solver/iterations", Signal::kIterations, plots);
  ImGui::SameLine(0, Px(8));
  StatTile("solver/condition", "Condition κ", FormatSignificant(shown.condition_number),
           "raw " + FormatSignificant(shown.condition_number_raw), tile);
  PlotThisMenu("solver/condition", Signal::kConditionNumber, plots);
  Tooltip(
      "Of the step's Hessian, scaled to unit inertia; measured in every step. It jumps where a "
      "motor comes to its torque limit or a contact opens: their stiffness leaves the Hessian.");
  StatTile("solver/size", "System", fmt::format("{0} × {0}", shown.system_size),
           fmt::format("{} {}", frame.bodies.size(), frame.bodies.size() == 1 ? "body" : "bodies"),
           tile);
  ImGui::SameLine(0, Px(8));
  StatTile("solver/contacts", "Contacts", std::to_string(shown.contacts),
           fmt::format("{} rows", 3 * shown.contacts), tile);
  StatTile("solver/search", "Line search", std::to_string(shown.line_search_iterations),
           shown.line_search_iterations == 1 ? "evaluation" : "evaluations", tile);
  ImGui::SameLine(0, Px(8));
  StatTile("solver/balance", "Momentum residual", FormatSignificant(shown.momentum_residual),
           "relative", tile);
  PlotThisMenu("solver/balance", Signal::kMomentumResidual, plots);
}

/// Quasi-dynamic steps: the quadratic program, and what starting from rest costs.
void DrawProgram(const Session& session, float width) {
  const ChannelFrame& frame = LeadOf(session);
  const SolveSummary& shown = frame.solve;
  const auto status = static_cast<QpStatus>(shown.program.status);
  if (shown.program.rows > 0 && status != QpStatus::kSolved)
    Paragraph(std::string(Describe(status)), Role::kCaption, Token::kText2);
  const Tile tiles[] = {
      {"solver/iterations", "Iterations", std::to_string(shown.iterations),
       fmt::format("of {}", frame.config.step.max_iterations)},
      {"solver/size", "Unknowns × rows",
       fmt::format("{} × {}", shown.system_size, shown.program.rows), ""},
      {"solver/contacts", "Contacts", std::to_string(shown.contacts),
       fmt::format("{} loaded", Loaded(frame))},
      {"solver/checked", "Distances", fmt::format("{:.0f}", shown.program.checked), "checked"},
      {"solver/condition", "Condition κ", FormatSignificant(shown.condition_number), "at least"},
      {"solver/balance", "Force residual", FormatSignificant(shown.momentum_residual), "relative"}};
  DrawTiles(tiles, width);
  const RestDrag drag = CalcRestDrag(*session.model(), frame);
  std::string text =
      "Quasi-dynamic: every step starts from rest. There is no momentum; a lift at speed v costs "
      "an extra drag of m·v/δt";
  text += drag.share > kNoticedShare ? ", now " + drag.formula + "." : ".";
  Paragraph(text, Role::kCaption, Token::kText2);
}

void DrawSolver(const TabContext& context) {
  const Session& session = context.session;
  const StableSteps& stable_steps = context.state.param_rows.stable_steps;
  SolverTab* own = &context.state.solver;
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
  const Family family = slip::Info(frame.config.method()).family;
  const bool anchors = family == Family::kAnchored, program = family == Family::kProgram;
  if (anchors) {
    DrawAnchored(session, tile, stable_steps);
  } else if (program) {
    DrawProgram(session, tile);
  } else {
    DrawConvex(session, tile, plots);
  }

  const auto us = [&](Signal id) {
    const double value = frame.signals[static_cast<std::size_t>(id)];
    return std::isfinite(value) ? FormatSignificant(value, 2) : std::string("–");
  };
  Paragraph(fmt::format("Step {} µs. Timed in parts: {} µs = detection {} + assembly {} + solution "
                        "{} + measurement {} + rest",
                        us(Signal::kStepTimeUs), us(Signal::kTimedStepUs),
                        us(Signal::kDetectionTimeUs), us(Signal::kAssemblyTimeUs),
                        us(Signal::kSolveTimeUs), us(Signal::kMeasureTimeUs)),
            Role::kCaption, Token::kText2);
  Tooltip("Of short steps every sixteenth is timed in parts: timing takes time itself.");

  // Before the first step there is nothing to plot.
  const int recorded = std::clamp(solve.recorded, 0, kMaxRecordedIterations);
  if (recorded == 0 && anchors) return;
  if (recorded == 0) {
    Paragraph("Iterations of a step appear here after it was taken.", Role::kCaption,
              Token::kText3);
    return;
  }
  std::vector<PlotPoint> points;
  for (int i = 0; i < recorded; ++i) {
    points.push_back({static_cast<double>(i), solve.history[static_cast<std::size_t>(i)].residual});
  }
  // of a program the last entry is the result, in scaled variables as its tolerance is
  if (!program) points.push_back({static_cast<double>(recorded), solve.momentum_residual});
  PointSeries residual;
  residual.label = session.looks().Name(session.looks().lead());
  residual.points = points;
  residual.style = StyleOf(session, session.looks().lead());
  residual.line = true;
  const PlotLine tolerance{
      program ? frame.config.step.qp_tolerance : frame.config.step.solver_tolerance, "tolerance"};
  PointPlotSpec spec;
  spec.id = "solver/residual";
  spec.title = "Residual";
  spec.unit = "";
  spec.x_label = "iteration";
  spec.note = program ? "scaled" : "relative";
  spec.y_scale = AxisScale::kLog;
  spec.series = std::span(&residual, 1);
  spec.lines = std::span(&tolerance, 1);
  spec.x_range = AxisRange{0, static_cast<double>(std::max(4, recorded))};
  spec.selected = ShownIteration(*own, recorded);
  const int clicked = PointPlot(spec, ImVec2(width, Px(116)));
  if (clicked >= 0) own->iteration = clicked;
  if (!program) DrawSearchLine(session, recorded, own, &context.requests);
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
