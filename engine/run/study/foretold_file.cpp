#include "engine/run/study/foretold_file.h"

#include <iterator>

#include "engine/method/force_prediction.h"
#include "engine/run/record/csv_row.h"
#include "engine/sim/outlook.h"

namespace slip {
namespace {

constexpr int kIntervals = 64;

}  // namespace

bool WriteForetold(const RunPlan& plan, double span, OutputFile* file) {
  file->Write("time_s,model,contact,body,normal_N,friction_N\n");
  CsvRow row;
  bool any = false;
  for (std::size_t c = 0; c < plan.configs.size(); ++c) {
    const std::shared_ptr<const Model> model = plan.scene->ModelFor(plan.configs[c]);
    Track track(model, plan.configs[c], 0, 0,
                c < plan.paths.size() ? plan.paths[c].start : nullptr);
    ForcePrediction foretold;
    if (!Outlook(&track.sim()).PredictForces(span, kIntervals, &foretold)) continue;
    for (std::size_t i = 0; i < foretold.normal.size(); ++i) {
      for (const ForcePrediction::Contact& contact : foretold.contacts) {
        row.clear();
        fmt::format_to(std::back_inserter(row), "{:.17g}", foretold.TimeAt(i));
        Put(&row, plan.labels[c]);
        Put(&row, int64_t{contact.key});
        Put(&row, model->body(contact.body).name);
        Put(&row, contact.Normal(i));
        Put(&row, contact.Friction(i).norm());
        End(&row, file);
        any = true;
      }
    }
  }
  return any;
}

}  // namespace slip
