#include "engine/tell/step_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/tell/format.h"
#include "engine/tell/param_notes.h"

namespace slip {
namespace {

// Of the largest force, of the weight: less is what a solver leaves.
constexpr double kLoadedShare = 1e-3;

int CountLoaded(const ChannelFrame& frame) {
  double largest = 0;
  for (const ContactFrame& c : frame.contacts) largest = std::max(largest, c.fn);
  return static_cast<int>(
      std::count_if(frame.contacts.begin(), frame.contacts.end(),
                    [&](const ContactFrame& c) { return c.fn > kLoadedShare * largest; }));
}

/// Of a step of controlled error, whatever its method: the rest is that of its last inner step.
void AddInnerSteps(const SolveSummary& solve, std::vector<Figure>* figures) {
  if (std::isnan(solve.inner_steps)) return;
  figures->push_back({.id = "inner_steps",
                      .caption = "Inner steps",
                      .value = solve.inner_steps,
                      .suffix = fmt::format("{:.0f} rejected", solve.rejected_steps),
                      .signal = "inner_steps",
                      .tip = "What else is told of the solve is that of the last inner step."});
  figures->push_back({.id = "inner_error",
                      .caption = "Inner error",
                      .value = solve.inner_error,
                      .suffix = "of the accuracy",
                      .counts = false,
                      .signal = "inner_error"});
}

}  // namespace

StepReport ReportOf(const Model& model, const ChannelFrame& frame) {
  StepReport report;
  Info(frame.config.method()).report({frame.solve, frame.config.step, CountLoaded(frame)}, &report);
  AddInnerSteps(frame.solve, &report.figures);
  if (report.remark.empty()) return report;
  const RestDrag drag = CalcRestDrag(model, frame);
  if (drag.share > kLoadedShare) report.remark += ", now " + drag.formula;
  report.remark += ".";
  return report;
}

std::string NumberText(const Figure& figure) {
  const auto text = [&](double value) {
    return figure.counts ? FormatFixed(value, 0) : FormatSignificant(value);
  };
  if (std::isnan(figure.times)) return text(figure.value);
  return text(figure.value) + " × " + text(figure.times);
}

}  // namespace slip
