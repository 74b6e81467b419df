// JSON of a run: outcome, notes, metrics.
#include "engine/run/study/run_json.h"

#include <cmath>
#include <cstdint>

#include "engine/foreign/foreign_measure.h"
#include "engine/run/study/foreign_channels.h"
#include "engine/run/study/plan_notes.h"
#include "engine/sim/part_signals.h"
#include "engine/tell/step_report.h"

namespace slip {

void WriteOutcome(const ChannelResult& channel, JsonWriter* json) {
  json->Text("status", Name(channel.status)).Key("failure");
  if (channel.failure.empty()) {
    json->Null();
  } else {
    json->Text(channel.failure);
  }
}

void WritePlanNotes(const RunPlan& plan, int channel, JsonWriter* json) {
  for (const PlanNote& note : PlanNotes(plan)) {
    if (note.channel != channel) continue;
    json->BeginObject().Text("kind", note.id).Text("text", note.text);
    json->Text("advice", "").EndObject();
  }
}

void WriteNotes(const RunPlan& plan, std::size_t channel, const ChannelResult& result,
                JsonWriter* json) {
  json->Key("notes").BeginList(false);
  WritePlanNotes(plan, static_cast<int>(channel), json);
  for (const ToldNote& note : NotesOf(plan, channel, result)) {
    json->BeginObject().Text("kind", note.id).Text("text", note.text);
    json->Text("advice", note.advice).EndObject();
  }
  json->EndList();
}

void WriteReport(const Simulation& simulation, JsonWriter* json) {
  ChannelFrame frame;
  simulation.Fill(&frame);
  const StepReport report = ReportOf(simulation.model(), frame);
  json->Key("last_step").BeginObject();
  for (const Figure& figure : report.figures) json->Number(figure.id, figure.value);
  json->EndObject();
}

/// Counts of what guards energy.
void WriteGuard(const std::vector<StepNote>& notes, JsonWriter* json) {
  if (const StepNote* note = Find(notes, "halved"))
    json->Integer("halved_steps", note->steps)
        .Integer("pieces_of_halved_steps", static_cast<int64_t>(note->sum));
  if (const StepNote* note = Find(notes, "beyond")) json->Integer("unstable_steps", note->steps);
  if (const StepNote* note = Find(notes, "gained"))
    json->Integer("gaining_steps", note->steps).Number("largest_gain", note->worst);
}

void WriteForeign(const ForeignReport& report, JsonWriter* json) {
  json->BeginObject().Text("model", report.name).Text("foreign", report.path);
  json->Text("engine", report.engine).Number("time_shift_s", report.shift);
  json->Key("notes").BeginList(false);
  for (const std::string& note : report.notes)
    json->BeginObject().Text("kind", "foreign").Text("text", note).Text("advice", "").EndObject();
  json->EndList().Key("settings").BeginObject();
  for (const auto& [name, value] : report.settings) json->Text(name, value);
  json->EndObject().EndObject();
}

/// How a recorded run differs from the channels, and what its forces come to.
void WriteDifferences(const Model& model, const ForeignReport& report, JsonWriter* json) {
  const auto body = [&](int index) {
    return index < 0 ? std::string_view() : std::string_view(model.body(index).name);
  };
  json->Key("against").BeginObject();
  for (const auto& [label, difference] : report.differences) {
    json->Key(label).BeginObject().Integer("samples", difference.samples);
    json->Number("position_rms_m", difference.position_rms);
    json->Number("position_max_m", difference.position_max);
    json->Number("angle_rms_rad", difference.angle_rms);
    json->Number("apart_1mm_s", difference.apart).Text("apart_body", body(difference.apart_body));
    json->EndObject();
  }
  const ForeignForces& forces = report.forces;
  json->EndObject().Key("forces").BeginObject();
  json->Number("net_max_N", forces.net_max).Text("net_body", body(forces.net_body));
  json->Number("band_N", forces.band);
  json->Number("momentum_defect_max_N", forces.defect_max);
  json->Number("momentum_defect_rms_N", forces.defect_rms);
  json->Number("momentum_defect_time_s", forces.defect_time);
  json->Text("momentum_defect_body", body(forces.defect_body)).EndObject();
}

/// Why a signal has no value in any step of a channel.
std::string_view WhyMissing(const ChannelMetrics& metrics, std::string_view name) {
  if (metrics.steps == 0) return "no step was made";
  const bool distance =
      name == Info(Signal::kCoulombDistance).name || name == Info(Signal::kCoulombRelative).name;
  if (distance && metrics.stats.Get(Reduction::kLast, Signal::kCoulombOffset))
    return "the method has no inertia by which a velocity could be compared with a force";
  return "no finite value in any step: the model does not define it, or nothing was in contact";
}

std::string FormatMetrics(const RunPlan& plan, const std::vector<ChannelMetrics>& metrics,
                          const RunResult& result) {
  JsonWriter json;
  json.BeginObject().Text("schema", "slipscope.metrics/1").Text("scene", plan.scene->id);
  json.Key("models").BeginObject();
  for (std::size_t c = 0; c < metrics.size(); ++c) {
    const ChannelMetrics& m = metrics[c];
    json.Key(plan.labels[c]).BeginObject();
    WriteOutcome(result.channels[c], &json);
    if (m.foreign != nullptr) WriteDifferences(*plan.scene->model, *m.foreign, &json);
    // its key names what it began with
    if (m.methods.size() > 1) {
      json.Key("methods").BeginList(false);
      for (const ChannelMetrics::MethodSpan& span : m.methods)
        json.BeginObject()
            .Number("from", span.from)
            .Text("method", Info(span.method).id)
            .EndObject();
      json.EndList();
    }
    json.Integer("steps", m.steps);
    json.Integer("not_converged_steps", result.channels[c].not_converged);
    WriteGuard(result.channels[c].notes.List(), &json);
    json.Key("signals").BeginObject();
    std::vector<std::pair<std::string, Signal>> missing;
    const Model& model = *plan.scene->model;
    for (const Signal signal : ListSignals(model)) {
      const SignalInfo& info = Info(signal);
      if (info.is_wall) continue;  // wall times stand aside, below
      const std::string name = NameOf(model, signal);
      json.Key(name);
      if (!m.stats.Get(Reduction::kLast, signal)) {
        json.Null();
        missing.emplace_back(name, signal);
        continue;
      }
      const auto get = [&](Reduction r) { return *m.stats.Get(r, signal); };
      json.BeginObject().Number("max", get(Reduction::kMax)).Number("min", get(Reduction::kMin));
      json.Number("mean", get(Reduction::kMean)).Number("rms", get(Reduction::kRms));
      json.Number("last", get(Reduction::kLast)).Text("unit", info.unit).EndObject();
    }
    json.EndObject().Key("null_reasons").BeginObject();
    for (const auto& [name, signal] : missing)
      json.Text(name,
                m.foreign == nullptr || m.steps == 0 ? WhyMissing(m, name) : ForeignReason(signal));
    json.EndObject().Key("wall_us").BeginObject();
    json.Number("median", m.WallQuantile(0.5)).Number("p99", m.WallQuantile(0.99));
    // where it goes, on average
    for (const SignalInfo& info : SignalTable()) {
      if (!info.is_wall || info.id == Signal::kStepTimeUs) continue;
      if (const auto mean = m.stats.Get(Reduction::kMean, info.id))
        json.Number(info.name.substr(0, info.name.find('_')), *mean);
    }
    // of the steps whose parts were timed
    json.Key("medians").BeginObject();
    for (const SignalInfo& info : SignalTable()) {
      const double median = info.is_wall ? At(m.part_us, info.id).Get() : kNaN;
      if (std::isfinite(median)) json.Number(info.name, median);
    }
    json.EndObject().EndObject().EndObject();
  }
  json.EndObject().EndObject();
  return json.Take();
}

}  // namespace slip
