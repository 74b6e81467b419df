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

}  // namespace

StepReport ReportOf(const Model& model, const ChannelFrame& frame) {
  StepReport report;
  Info(frame.config.method()).report({frame.solve, frame.config.step, CountLoaded(frame)}, &report);
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
