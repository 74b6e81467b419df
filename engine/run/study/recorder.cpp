// The CSV files of a run. Columns are listed once, with the sentences that meta.json repeats.
#include "engine/run/study/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/core/numbers.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/state.h"
#include "engine/foreign/foreign_measure.h"
#include "engine/run/record/csv_row.h"
#include "engine/run/record/recorder_columns.h"
#include "engine/run/record/scene_json.h"
#include "engine/run/study/foretold_file.h"
#include "engine/run/study/run_json.h"

namespace slip {
namespace {

using Row = CsvRow;

void Begin(Row* row, int64_t step, double time, std::string_view label) {
  row->clear();
  fmt::format_to(std::back_inserter(*row), "{}", step);
  Put(row, time);
  Put(row, label);
}

std::string Header(std::span<const Column> columns) {
  std::string text;
  for (const Column& column : columns) text += (text.empty() ? "" : ",") + std::string(column.name);
  return text + "\n";
}

bool HasTorsion(const RunPlan& plan) {
  const auto turns = [](const Config& config) {
    return std::any_of(config.materials.begin(), config.materials.end(),
                       [](const Material& m) { return m.torsional_friction > 0; });
  };
  return std::any_of(plan.configs.begin(), plan.configs.end(), turns) ||
         std::any_of(plan.changes.begin(), plan.changes.end(), [](const TimedChange& change) {
           return change.path.ends_with("torsional_friction");
         });
}

}  // namespace

void ChannelMetrics::Add(const Simulation& simulation) {
  static const std::vector<Signal> wall_signals = [] {
    std::vector<Signal> found;
    for (const SignalInfo& info : SignalTable())
      if (info.is_wall) found.push_back(info.id);
    return found;
  }();
  const SignalValues& signals = simulation.signals();
  stats.Add(simulation.time(), signals, simulation.now().part_signals);
  ++steps;
  simulated += simulation.config().step.time_step;
  if (methods.empty() || methods.back().method != simulation.config().method())
    methods.push_back({simulation.time(), simulation.config().method()});
  const double wall = At(signals, Signal::kStepTimeUs);
  if (std::isfinite(wall)) wall_us.push_back(static_cast<float>(wall));
  const double timed = At(signals, Signal::kTimedStepUs);
  if (timed == timed_us_ || std::isnan(timed)) return;
  timed_us_ = timed;
  for (const Signal signal : wall_signals) At(part_us, signal).Add(At(signals, signal));
}

double ChannelMetrics::WallQuantile(double q) const {
  if (wall_us.empty()) return kNaN;
  std::vector<float> sorted = wall_us;
  const auto at = static_cast<std::ptrdiff_t>(q * static_cast<double>(sorted.size() - 1) + 0.5);
  std::nth_element(sorted.begin(), sorted.begin() + at, sorted.end());
  return static_cast<double>(At(sorted, at));
}

std::span<const std::string_view> RunFileNames() {
  static constexpr std::string_view kNames[] = {"steps.csv",  "bodies.csv",  "contacts.csv",
                                                "events.csv", "meta.json",   "metrics.json",
                                                "joints.csv", "signals.csv", "foretold.csv"};
  return kNames;
}

Recorder::Recorder(const RunPlan& plan) : plan_(plan) {
  for (const Config& config : plan_.configs) methods_.push_back(config.method());
  for (std::size_t c = 0; c < methods_.size(); ++c) names_.push_back({plan_.labels[c]});
}

const std::string& Recorder::Label(int channel, MethodId now) {
  const auto c = static_cast<std::size_t>(channel);
  if (methods_[c] != now) names_[c].push_back(plan_.labels.Of(c, now));
  methods_[c] = now;
  return names_[c].back();
}

Result<std::unique_ptr<Recorder>> Recorder::Open(const std::string& folder, const RunPlan& plan,
                                                 int64_t every, bool force, bool* taken,
                                                 const RunChoice& choice) {
  std::unique_ptr<Recorder> recorder(new Recorder(plan));
  Recorder& r = *recorder;
  r.choice_ = choice;
  r.every_ = every;
  r.torsion_ = HasTorsion(plan);
  // in the order of RunFileNames
  std::shared_ptr<OutputFile>* const members[] = {&r.steps_,  &r.bodies_,  &r.contacts_,
                                                  &r.events_, &r.meta_,    &r.metrics_,
                                                  &r.joints_, &r.signals_, &r.foretold_};
  std::vector<std::string_view> names;
  std::vector<std::shared_ptr<OutputFile>*> places;
  for (std::size_t i = 0; i < RunFileNames().size(); ++i) {
    const std::string_view name = RunFileNames()[i];
    const bool there = members[i] == &r.meta_ || members[i] == &r.foretold_ ||
                       choice.Wants(name.substr(0, name.find('.')));
    if (!there || (members[i] == &r.joints_ && plan.scene->config.joints.empty()) ||
        (members[i] == &r.signals_ && choice.signals.empty()) ||
        (members[i] == &r.foretold_ && !(choice.foretell > 0)))
      continue;
    names.push_back(name);
    places.push_back(members[i]);
  }
  const auto files = OpenOutputFiles(folder, names, force, taken);
  if (!files) return files.errors();
  if (force) r.former_ = FindFormerOutputs(folder, names);
  for (std::size_t i = 0; i < files->size(); ++i) *places[i] = (*files)[i];
  if (r.joints_) r.joints_->Write(Header(JointColumns()));
  if (r.steps_) r.steps_->Write(Header(StepColumns()));
  if (r.bodies_) r.bodies_->Write(Header(BodyColumns()));
  if (r.contacts_) r.contacts_->Write(Header(ContactColumns(r.torsion_)));
  if (r.events_) r.events_->Write(Header(EventColumns()));
  if (r.signals_) r.signals_->Write(r.SignalHeader());
  if (r.foretold_) r.foretells_nothing_ = !WriteForetold(plan, choice.foretell, r.foretold_.get());
  return recorder;
}

std::string Recorder::SignalHeader() const {
  std::string text = "step,time_s,model";
  for (const Signal signal : choice_.signals)
    text += "," + SignalColumn(*plan_.scene->model, signal);
  return text + "\n";
}

void Recorder::Step(int channel, const Simulation& simulation) {
  if (simulation.step() % every_ != 0) return;
  const std::string& label = Label(channel, simulation.config().method());
  WriteStep(simulation, label);
  WriteSignals(simulation, label);
  WriteBodies(simulation, label);
  WriteJoints(simulation, label);
  WriteContacts(simulation, label);
}

void Recorder::WriteStep(const Simulation& simulation, std::string_view label) {
  if (steps_ == nullptr) return;
  const SignalValues& signals = simulation.signals();
  const SolveRecord& solve = simulation.solve();
  const auto signal = [&](Signal id) { return At(signals, id); };
  const auto count = [&](Signal id) { return static_cast<int64_t>(signal(id)); };
  Row row;

  Begin(&row, simulation.step(), simulation.time(), label);
  Put(&row, simulation.config().step.time_step);
  Put(&row, int64_t{solve.iterations});
  Put(&row, int64_t{solve.line_search_iterations});
  Put(&row, solve.momentum_residual);
  Put(&row, signal(Signal::kConditionNumber));
  Put(&row, solve.cost);
  Put(&row, count(Signal::kContacts));
  Put(&row, count(Signal::kSticking));
  Put(&row, count(Signal::kSlipping));
  Put(&row, signal(Signal::kPenetration));
  Put(&row, signal(Signal::kKineticEnergy));
  Put(&row, signal(Signal::kPotentialEnergy));
  Put(&row, signal(Signal::kElasticEnergy));
  Put(&row, signal(Signal::kFrictionDissipation) + signal(Signal::kDampingDissipation) +
                signal(Signal::kNumericalDissipation));
  Put(&row, int64_t{solve.converged ? 1 : 0});
  Put(&row, signal(Signal::kCoulombDistance));
  Put(&row, signal(Signal::kCoulombRelative));
  Put(&row, signal(Signal::kStepTimeUs));
  End(&row, steps_.get());
}

void Recorder::WriteSignals(const Simulation& simulation, std::string_view label) {
  if (signals_ == nullptr) return;
  Row row;
  Begin(&row, simulation.step(), simulation.time(), label);
  for (const Signal signal : choice_.signals) Put(&row, ValueOf(simulation, signal));
  End(&row, signals_.get());
}

void Recorder::WriteBodies(const Simulation& simulation, std::string_view label) {
  if (bodies_ == nullptr) return;
  Row row;
  const Model& model = simulation.model();
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (model.bodies[b].shape_of_link >= 0) continue;  // moves as its link does
    const Pose shown = model.bodies[b].ShownPose(simulation.state().X_WB[b]);
    const Vec6 V_WB = CalcVelocity(model, simulation.state(), static_cast<int>(b));
    Begin(&row, simulation.step(), simulation.time(), label);
    Put(&row, model.bodies[b].name);
    Put(&row, shown.p);
    Put(&row, shown.q.w());
    Put(&row, Vec3(shown.q.vec()));
    Put(&row, Vec3(V_WB.tail<3>()));
    Put(&row, Vec3(V_WB.head<3>()));
    End(&row, bodies_.get());
  }
}

void Recorder::WriteJoints(const Simulation& simulation, std::string_view label) {
  if (joints_ == nullptr) return;
  Row row;
  const Model& model = simulation.model();
  simulation.GetJoints(&joint_frames_);
  for (const JointFrame& joint : joint_frames_) {
    Begin(&row, simulation.step(), simulation.time(), label);
    Put(&row, model.body(joint.body).joint.name);
    for (const double value : {joint.position, joint.rate, joint.force, joint.target})
      Put(&row, value);
    End(&row, joints_.get());
  }
}

void Recorder::WriteContacts(const Simulation& simulation, std::string_view label) {
  if (contacts_ == nullptr) return;
  Row row;
  const Model& model = simulation.model();
  for (const ContactFrame& contact : simulation.contacts()) {
    Begin(&row, simulation.step(), simulation.time(), label);
    Put(&row, int64_t{contact.key});
    Put(&row, NameOfA(model, contact));
    Put(&row, model.body(contact.body).name);
    Put(&row, contact.p_W);
    Put(&row, contact.n_W);
    for (const double value :
         {contact.signed_distance, contact.vn, contact.vt, contact.fn, contact.ft}) {
      Put(&row, value);
    }
    Put(&row, contact.word == kEstimated ? kEstimated : Name(contact.mode));
    for (const double value :
         {contact.gliding_offset, contact.gliding_predicted, contact.stiction_tolerance,
          contact.stiffness, contact.coulomb.distance, contact.coulomb.offset, ConeExcess(contact),
          DissipationDeficit(contact), contact.coulomb.lag}) {
      Put(&row, value);
    }
    if (torsion_) Put(&row, contact.torque);
    End(&row, contacts_.get());
  }
}

void Recorder::Record(const Event& event) {
  Row row;
  const std::string label = event.channel < 0 ? "" : At(names_, event.channel).back();
  Begin(&row, event.step, event.time, label);
  const EventText text = TextOf(event);
  Put(&row, text.kind);
  Put(&row, text.path);
  const auto* param = std::get_if<ParamChanged>(&event.item);
  if (param != nullptr) {
    const std::size_t owner = event.channel < 0 ? 0 : static_cast<std::size_t>(event.channel);
    const ParamInfo* info = FindParam(plan_.configs[owner], param->path);
    const bool choice = info != nullptr && !info->choices.empty();
    for (const double value : {param->from, param->to}) {
      if (choice)
        Put(&row, FormatValue(*info, value));
      else
        Put(&row, value);
    }
  } else {
    row.append(std::string_view(",,"));
  }
  std::string note = text.note;
  if (param != nullptr && param->path == kMethodParam) {
    std::string names;
    const int first = std::max(0, event.channel);
    const int last = event.channel < 0 ? static_cast<int>(names_.size()) - 1 : event.channel;
    for (int c = first; c <= last; ++c)
      names += (names.empty() ? "" : " ") + Label(c, static_cast<MethodId>(param->to));
    note = "rows from here on: " + names;
  }
  Put(&row, note);
  // the names of later rows are noted all the same
  if (events_ != nullptr) End(&row, events_.get());
}

bool Recorder::good() const {
  const std::vector<OutputFile*> all = files();
  return std::all_of(all.begin(), all.end(), [](const OutputFile* file) { return file->good(); });
}

void Recorder::Complete(const RunContext& context, const std::vector<ChannelMetrics>& metrics,
                        const RunResult& result, const std::vector<Track>& tracks) {
  if (metrics_) metrics_->Write(FormatMetrics(plan_, metrics, result));
  JsonWriter json;
  json.BeginObject().Text("schema", "slipscope.run/1");
  json.Text("command_line", context.command_line).Text("version", context.version);
  json.Text("build", context.build).Flag("complete", result.Complete());
  WriteSeed(*plan_.scene, &json);
  json.Integer("every", every_);
  json.Key("scene");
  WriteScene(*plan_.scene, &json);
  json.Key("notes").BeginList(false);
  WritePlanNotes(plan_, -1, &json);
  json.EndList().Key("channels").BeginList(false);
  for (std::size_t c = 0; c < tracks.size(); ++c) {
    json.BeginObject().Text("model", plan_.labels[c]);
    // what its rows were called from each change of method on
    const std::vector<std::string> later(names_[c].begin() + 1, names_[c].end());
    if (!later.empty()) json.Texts("later", later);
    json.Integer("steps", tracks[c].sim().step());
    json.Number("end_time_s", tracks[c].sim().time());
    WriteOutcome(result.channels[c], &json);
    WriteNotes(plan_, c, result.channels[c], &json);
    WriteReport(tracks[c].sim(), &json);
    json.Text("state_hash", fmt::format("{:016x}", Hash(tracks[c].sim().state())));
    json.Key("parameters");
    WriteParams(plan_.configs[c], nullptr, &json);
    json.EndObject();
  }
  for (const ChannelMetrics& each : metrics)
    if (each.foreign != nullptr) WriteForeign(*each.foreign, &json);
  json.EndList().Key("columns").BeginObject();
  DescribeColumns(&json);
  json.EndObject().EndObject();
  meta_->Write(json.Take());
}

void Recorder::DescribeColumns(JsonWriter* json) const {
  const auto describe = [&](const std::shared_ptr<OutputFile>& of, const char* file,
                            std::span<const Column> columns) {
    if (of == nullptr) return;
    json->Key(file).BeginObject();
    for (const Column& column : columns) json->Text(column.name, column.doc);
    json->EndObject();
  };
  describe(steps_, "steps.csv", StepColumns());
  describe(bodies_, "bodies.csv", BodyColumns());
  describe(joints_, "joints.csv", JointColumns());
  describe(contacts_, "contacts.csv", ContactColumns(torsion_));
  describe(events_, "events.csv", EventColumns());
  if (signals_ == nullptr) return;
  json->Key("signals.csv").BeginObject();
  for (const Signal signal : choice_.signals)
    json->Text(SignalColumn(*plan_.scene->model, signal), Info(signal).doc);
  json->EndObject();
}

std::vector<OutputFile*> Recorder::files() const {
  // last the one that says whether the others are complete
  std::vector<OutputFile*> all;
  for (const auto& file :
       {joints_, steps_, bodies_, contacts_, events_, signals_, foretold_, metrics_, meta_})
    if (file != nullptr) all.push_back(file.get());
  return all;
}

}  // namespace slip
