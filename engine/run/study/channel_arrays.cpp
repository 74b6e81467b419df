#include "engine/run/study/channel_arrays.h"

#include <cmath>
#include <span>

#include "engine/core/numbers.h"
#include "engine/dynamics/kinematics.h"
#include "engine/sim/part_signals.h"

namespace slip {
namespace {

void PutVector(ArraySink* sink, int array, const Vec3& v) {
  sink->Put(array, std::span<const double>(v.data(), 3));
}

}  // namespace

ChannelArrays::ChannelArrays(const Model& model, double time_step, ArraySink* sink,
                             const RunChoice& choice)
    : sink_(sink), has_contacts_(choice.Wants("contacts")), time_step_(time_step) {
  ArraySink* w = sink;
  std::vector<std::string> names, surfaces;
  place_of_.assign(model.bodies.size(), -1);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (model.bodies[b].shape_of_link >= 0) continue;  // moves as its link does
    place_of_[b] = static_cast<int>(names.size());
    if (choice.Wants("bodies")) bodies_.push_back(static_cast<int>(b));
    names.push_back(model.bodies[b].name);
  }
  for (const Surface& surface : model.surfaces) surfaces.push_back(surface.name);
  const auto count = static_cast<int64_t>(names.size());
  w->AddTexts("bodies", names, false);
  w->AddTexts("surfaces", surfaces, false);
  time_ = w->Add("time", NpyType::kF8);
  step_ = w->Add("step", NpyType::kI8);
  AddBodyArrays(count);
  if (has_contacts_) AddContactArrays();
  if (!choice.Wants("signals")) return;
  for (const Signal signal : choice.signals.empty() ? ListSignals(model) : choice.signals) {
    // the same run, the same bytes, unless somebody asks for them
    if (Info(signal).is_wall && choice.signals.empty()) continue;
    signals_.push_back(signal);
    signal_.push_back(w->Add("signal_" + NameOf(model, signal), NpyType::kF8));
  }
}

void ChannelArrays::AddBodyArrays(int64_t count) {
  ArraySink* w = sink_;
  if (bodies_.empty() && count > 0) return;
  position_ = w->Add("position", NpyType::kF8, {count, 3});
  turn_ = w->Add("quaternion", NpyType::kF8, {count, 4});
  velocity_ = w->Add("linear_velocity", NpyType::kF8, {count, 3});
  spin_ = w->Add("angular_velocity", NpyType::kF8, {count, 3});
}

void ChannelArrays::AddContactArrays() {
  ArraySink* w = sink_;
  contact_time_ = w->Add("contact_time", NpyType::kF8);
  contact_a_ = w->Add("contact_a", NpyType::kI4);
  contact_b_ = w->Add("contact_b", NpyType::kI4);
  contact_surface_ = w->Add("contact_surface", NpyType::kI4);
  contact_position_ = w->Add("contact_position", NpyType::kF8, {3});
  contact_normal_ = w->Add("contact_normal", NpyType::kF8, {3});
  contact_force_ = w->Add("contact_force", NpyType::kF8, {3});
  contact_distance_ = w->Add("contact_signed_distance", NpyType::kF8);
  contact_vn_ = w->Add("contact_normal_velocity", NpyType::kF8);
  contact_vt_ = w->Add("contact_slip_speed", NpyType::kF8);
  contact_key_ = w->Add("contact_key", NpyType::kI8);
  contact_mode_ = w->Add("contact_mode", NpyType::kI4);
  contact_coulomb_ = w->Add("contact_coulomb_distance", NpyType::kF8);
  contact_offset_ = w->Add("contact_coulomb_offset", NpyType::kF8);
}

void ChannelArrays::AddContacts(const Simulation& simulation) {
  ArraySink* w = sink_;
  const Model& model = simulation.model();
  const double time = simulation.time();
  const auto place = [&](int body) {
    if (body < 0) return int64_t{-1};
    return int64_t{At(place_of_, model.body(body).Owner(body))};
  };
  for (const ContactFrame& contact : simulation.contacts()) {
    w->Put(contact_time_, time);
    w->Put(contact_a_, place(contact.body_a));
    w->Put(contact_b_, place(contact.body));
    w->Put(contact_surface_, int64_t{contact.surface});
    PutVector(w, contact_position_, contact.p_W);
    PutVector(w, contact_normal_, contact.n_W);
    PutVector(w, contact_force_, contact.fn * contact.n_W + contact.ft_W);
    w->Put(contact_distance_, contact.signed_distance);
    w->Put(contact_vn_, contact.vn);
    w->Put(contact_vt_, contact.vt);
    w->Put(contact_key_, int64_t{contact.key});
    w->Put(contact_mode_, int64_t{static_cast<int>(contact.mode)});
    w->Put(contact_coulomb_, contact.coulomb.distance);
    w->Put(contact_offset_, contact.coulomb.offset);
  }
}

void ChannelArrays::Add(const Simulation& simulation) {
  ArraySink* w = sink_;
  const Model& model = simulation.model();
  const double time = simulation.time();
  if (simulation.config().step.time_step != time_step_) time_step_ = kNaN;
  w->Put(time_, time);
  w->Put(step_, simulation.step());
  for (const int b : bodies_) {
    const Pose shown = model.body(b).ShownPose(simulation.state().pose(b));
    const Vec6 V_WB = CalcVelocity(model, simulation.state(), b);
    PutVector(w, position_, shown.p);
    w->Put(turn_, shown.q.w());
    PutVector(w, turn_, shown.q.vec());
    PutVector(w, velocity_, V_WB.tail<3>());
    PutVector(w, spin_, V_WB.head<3>());
  }
  if (has_contacts_) AddContacts(simulation);
  for (std::size_t i = 0; i < signals_.size(); ++i)
    w->Put(At(signal_, i), ValueOf(simulation, signals_[i]));
}

void ChannelArrays::AddWords(const std::string& engine, const std::string& command_line) {
  const auto text = [&](const char* name, const std::string& value) {
    sink_->AddTexts(name, std::vector<std::string>{value}, true);
  };
  text("schema", "slipscope.foreign/1");
  text("engine", engine);
  text("command_line", command_line);
  text("quaternion_order", "wxyz");
  text("pose_of", "com");
  text("velocity_of", "com");
  text("angular_velocity_in", "world");
  text("up", "z");
  if (std::isfinite(time_step_)) sink_->AddNumber("time_step", time_step_);
}

}  // namespace slip
