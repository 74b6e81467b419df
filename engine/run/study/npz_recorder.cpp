#include "engine/run/study/npz_recorder.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "engine/core/numbers.h"
#include "engine/dynamics/kinematics.h"
#include "engine/sim/part_signals.h"

namespace slip {
namespace {

void PutVector(NpzWriter* writer, int array, const Vec3& v) { writer->Put(array, {v.data(), 3}); }

}  // namespace

void NpzRecorder::AddArrays(const Model& model, Channel* c) {
  NpzWriter* w = c->writer.get();
  std::vector<std::string> names, surfaces;
  c->place_of.assign(model.bodies.size(), -1);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (model.bodies[b].shape_of_link >= 0) continue;  // moves as its link does
    c->place_of[b] = static_cast<int>(c->bodies.size());
    c->bodies.push_back(static_cast<int>(b));
    names.push_back(model.bodies[b].name);
  }
  for (const Surface& surface : model.surfaces) surfaces.push_back(surface.name);
  const auto count = static_cast<int64_t>(names.size());
  w->AddTexts("bodies", names, false);
  w->AddTexts("surfaces", surfaces, false);
  c->time = w->Add("time", NpyType::kF8);
  c->step = w->Add("step", NpyType::kI8);
  c->position = w->Add("position", NpyType::kF8, {count, 3});
  c->turn = w->Add("quaternion", NpyType::kF8, {count, 4});
  c->velocity = w->Add("linear_velocity", NpyType::kF8, {count, 3});
  c->spin = w->Add("angular_velocity", NpyType::kF8, {count, 3});
  c->contact_time = w->Add("contact_time", NpyType::kF8);
  c->contact_a = w->Add("contact_a", NpyType::kI4);
  c->contact_b = w->Add("contact_b", NpyType::kI4);
  c->contact_surface = w->Add("contact_surface", NpyType::kI4);
  c->contact_position = w->Add("contact_position", NpyType::kF8, {3});
  c->contact_normal = w->Add("contact_normal", NpyType::kF8, {3});
  c->contact_force = w->Add("contact_force", NpyType::kF8, {3});
  c->contact_distance = w->Add("contact_signed_distance", NpyType::kF8);
  c->contact_vn = w->Add("contact_normal_velocity", NpyType::kF8);
  c->contact_vt = w->Add("contact_slip_speed", NpyType::kF8);
  c->contact_key = w->Add("contact_key", NpyType::kI8);
  c->contact_mode = w->Add("contact_mode", NpyType::kI4);
  c->contact_coulomb = w->Add("contact_coulomb_distance", NpyType::kF8);
  c->contact_offset = w->Add("contact_coulomb_offset", NpyType::kF8);
  for (const Signal signal : ListSignals(model)) {
    if (Info(signal).is_wall) continue;  // the same run, the same bytes
    c->signals.push_back(signal);
    c->signal.push_back(w->Add("signal_" + NameOf(model, signal), NpyType::kF8));
  }
}

Result<std::unique_ptr<NpzRecorder>> NpzRecorder::Open(const std::string& path, const RunPlan& plan,
                                                       int64_t every, bool force, bool* taken) {
  namespace fs = std::filesystem;
  const fs::path whole(path);
  const fs::path folder = whole.has_parent_path() ? whole.parent_path() : fs::path(".");
  std::vector<std::string> names;
  for (std::size_t c = 0; c < plan.configs.size(); ++c) {
    const std::string label = plan.configs.size() == 1 ? "" : "-" + plan.labels[c];
    names.push_back(whole.stem().string() + label + std::string(kNpzSuffix));
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  auto files = OpenOutputFiles(folder.string(), views, force, taken);
  if (!files) return files.errors();
  std::unique_ptr<NpzRecorder> recorder(new NpzRecorder);
  recorder->every_ = every;
  for (std::size_t c = 0; c < files->size(); ++c) {
    auto writer = NpzWriter::Open((folder / names[c]).string());
    if (!writer) return writer.errors();
    Channel channel;
    channel.file = (*files)[c];
    channel.writer = std::move(writer).value();
    channel.label = plan.labels[c];
    channel.time_step = plan.configs[c].step.time_step;
    AddArrays(*plan.scene->model, &channel);
    recorder->channels_.push_back(std::move(channel));
  }
  return recorder;
}

void NpzRecorder::Step(int channel, const Simulation& simulation) {
  if (simulation.step() % every_ != 0) return;
  Channel& c = At(channels_, channel);
  NpzWriter* w = c.writer.get();
  const Model& model = simulation.model();
  const double time = simulation.time();
  if (simulation.config().step.time_step != c.time_step) c.time_step = kNaN;
  w->Put(c.time, time);
  w->Put(c.step, simulation.step());
  for (const int b : c.bodies) {
    const Pose shown = model.body(b).ShownPose(simulation.state().pose(b));
    const Vec6 V_WB = CalcVelocity(model, simulation.state(), b);
    PutVector(w, c.position, shown.p);
    w->Put(c.turn, shown.q.w());
    PutVector(w, c.turn, shown.q.vec());
    PutVector(w, c.velocity, V_WB.tail<3>());
    PutVector(w, c.spin, V_WB.head<3>());
  }
  const auto place = [&](int body) {
    if (body < 0) return int64_t{-1};
    return int64_t{At(c.place_of, model.body(body).Owner(body))};
  };
  for (const ContactFrame& contact : simulation.contacts()) {
    w->Put(c.contact_time, time);
    w->Put(c.contact_a, place(contact.body_a));
    w->Put(c.contact_b, place(contact.body));
    w->Put(c.contact_surface, int64_t{contact.surface});
    PutVector(w, c.contact_position, contact.p_W);
    PutVector(w, c.contact_normal, contact.n_W);
    PutVector(w, c.contact_force, contact.fn * contact.n_W + contact.ft_W);
    w->Put(c.contact_distance, contact.signed_distance);
    w->Put(c.contact_vn, contact.vn);
    w->Put(c.contact_vt, contact.vt);
    w->Put(c.contact_key, int64_t{contact.key});
    w->Put(c.contact_mode, int64_t{static_cast<int>(contact.mode)});
    w->Put(c.contact_coulomb, contact.coulomb.distance);
    w->Put(c.contact_offset, contact.coulomb.offset);
  }
  const SignalValues& values = simulation.signals();
  const std::vector<double>& parts = simulation.now().part_signals;
  for (std::size_t i = 0; i < c.signals.size(); ++i) {
    const auto at = static_cast<std::size_t>(Place(c.signals[i]));
    const double value = at < values.size()                  ? values[at]
                         : at - values.size() < parts.size() ? parts[at - values.size()]
                                                             : kNaN;
    w->Put(At(c.signal, i), value);
  }
}

void NpzRecorder::Complete(const RunContext& context) {
  for (Channel& c : channels_) {
    const auto text = [&](const char* name, const std::string& value) {
      c.writer->AddTexts(name, std::vector<std::string>{value}, true);
    };
    text("schema", "slipscope.foreign/1");
    text("engine", fmt::format("Slipscope {} {}", context.version, c.label));
    text("command_line", context.command_line);
    text("quaternion_order", "wxyz");
    text("pose_of", "com");
    text("velocity_of", "com");
    text("angular_velocity_in", "world");
    text("up", "z");
    if (std::isfinite(c.time_step)) c.writer->AddNumber("time_step", c.time_step);
    c.writer->Finish(c.file.get());
  }
}

std::vector<OutputFile*> NpzRecorder::files() const {
  std::vector<OutputFile*> files;
  for (const Channel& channel : channels_) files.push_back(channel.file.get());
  return files;
}

bool NpzRecorder::good() const {
  for (const Channel& channel : channels_) {
    if (!channel.writer->good() || !channel.file->good()) return false;
  }
  return true;
}

}  // namespace slip
