// The cost along the search line of one iteration, from a repeated solve of the step in view.
#include "app/panels/common/search_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/kit/widgets.h"
#include "app/plots/plot.h"
#include "app/state/channel_style.h"
#include "engine/core/numbers.h"

namespace slip::app {
namespace {

constexpr double kAskPeriod = 0.2;       // [s] at most five repeated solves a second
constexpr double kExpensiveStep = 5000;  // [µs] dearer steps are traced only while paused

/// The trace of the step in view; asks for it when there is none, and never waits for it.
const SolveTrace* PresentTrace(const Session& session, SolverTab* own, Requests* requests) {
  const Snapshot& snapshot = session.snapshot();
  const ChannelFrame& frame = session.written().frame(session.looks().lead());
  const SolveTrace* trace = snapshot.trace.get();
  const bool here = trace != nullptr && trace->session == snapshot.session &&
                    trace->channel == session.looks().lead();
  if (here && trace->step == frame.step) return trace;
  const bool expensive = session.playback().playing() && snapshot.step_us > kExpensiveStep;
  if (!expensive && session.now() - own->trace_asked >= kAskPeriod) {
    own->trace_asked = session.now();
    requests->Ask([](Session* s) { s->Send(TraceSolve{s->looks().lead()}); });
  }
  // while the run goes on, the last one asked for says its own step
  return here && session.playback().playing() ? trace : nullptr;
}

void DrawLine(const Session& session, const SolveTrace& trace, const SearchLine& line,
              float width) {
  std::vector<PlotPoint> points, chosen{{line.alpha, line.chosen_rise}};
  for (std::size_t i = 0; i < line.rise.size(); ++i) {
    points.push_back({SearchLine::AlphaAt(static_cast<int>(i)), line.rise[i]});
  }
  PointSeries series[2];
  series[0].points = points;
  series[0].style = StyleOf(session, session.looks().lead());
  series[0].style.mark = Mark::kNone;
  series[0].line = true;
  series[1].points = chosen;
  series[1].style = StyleOf(session, session.looks().lead());
  series[1].stems = true;
  series[1].mark_radius = 5;
  const PlotLine zero{0, ""};
  PointPlotSpec spec;
  spec.id = "solver/line";
  spec.title = "ℓ(α) − ℓ(0)";
  spec.unit = "J";
  spec.x_label = "α";
  const std::string note = fmt::format("iteration {} of step {}", line.iteration, trace.step);
  spec.note = note;
  spec.series = series;
  spec.lines = std::span(&zero, 1);
  spec.x_range = AxisRange{0, SearchLine::kLastAlpha};
  PointPlot(spec, ImVec2(width, Px(132)));
  std::string words =
      fmt::format("Chosen α = {}: the cost falls by {}", FormatSignificant(line.alpha),
                  FormatQuantity(-line.chosen_rise, "J"));
  if (!(std::fabs(line.chosen_rise) > line.noise)) {
    words = fmt::format("Chosen α = {}. The cost falls by less than its round-off, {}",
                        FormatSignificant(line.alpha), FormatQuantity(line.noise, "J"));
  }
  if (std::isnan(line.rise.back())) words += ". The curve ends where the barrier law does";
  Paragraph(words + ".", Role::kCaption, Token::kText2);
}

}  // namespace

int ShownIteration(const SolverTab& own, int recorded) {
  return std::clamp(own.iteration, 0, std::max(0, recorded));
}

void DrawSearchLine(const Session& session, int recorded, SolverTab* own, Requests* requests) {
  const float width = ImGui::GetContentRegionAvail().x;
  const SolveRecord& solve = session.written().frame(session.looks().lead()).solve;
  const int shown = ShownIteration(*own, recorded);
  if (IconButton("solver/previous", icon::kNudgeLeft,
                 shown > 0 ? "Iteration before" : "This is the first iteration.", 24, shown > 0)) {
    own->iteration = shown - 1;
  }
  ImGui::SameLine(0, Px(4));
  if (IconButton("solver/next", icon::kNudgeRight,
                 shown < recorded ? "Next iteration" : "This is the end of the solve.", 24,
                 shown < recorded)) {
    own->iteration = shown + 1;
  }
  ImGui::SameLine(0, Px(8));
  std::string words = "end of the solve";
  if (shown < recorded) {
    const IterationRecord& it = At(solve.history, shown);
    words = fmt::format("cost {}, α {}, {} {}", FormatQuantity(it.cost, "J"),
                        FormatSignificant(it.alpha), it.line_search_iterations,
                        it.line_search_iterations == 1 ? "evaluation" : "evaluations");
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  DrawRich(ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + (Px(24) - FontPx(Role::kCaption)) / 2),
           AsRich(fmt::format("No. {}: {}", shown, words)), Role::kCaption, Color(Token::kText2));
  ImGui::Dummy(ImVec2(1, Px(24)));

  const SolveTrace* trace = PresentTrace(session, own, requests);
  if (trace == nullptr) {
    Paragraph("The search line appears when this step was solved again.", Role::kCaption,
              Token::kText3);
    return;
  }
  if (!trace->repeated) {
    Paragraph(
        "No search line: the start of this step is not known to the last digit (first step, "
        "thinned history, or a pull).",
        Role::kCaption, Token::kText3);
    return;
  }
  if (const SearchLine* line = trace->Find(shown)) return DrawLine(session, *trace, *line, width);
  Paragraph(
      "No search line starts here: it is the last iterate, or an interior-point iteration, which "
      "does not search on the cost.",
      Role::kCaption, Token::kText3);
}

}  // namespace slip::app
