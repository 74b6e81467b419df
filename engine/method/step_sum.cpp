#include "engine/method/step_sum.h"

#include "engine/core/numbers.h"

namespace slip {

void StepSum::Reserve(std::size_t contacts) {
  for (auto* list : {&contacts_, &merged_}) list->reserve(contacts);
  for (auto* list : {&forces_, &merged_forces_}) list->reserve(contacts);
}

void StepSum::Clear() {
  contacts_.clear();
  forces_.clear();
  losses_ = {};
  motor_work_ = joint_damping_loss_ = joint_friction_loss_ = 0;
  pull_ = {};
}

void StepSum::AddContacts(std::span<const ContactOutcome> contacts, double weight, double share) {
  merged_.clear();
  merged_forces_.clear();
  std::size_t old = 0;
  for (const ContactOutcome& outcome : contacts) {
    for (; old < contacts_.size() && contacts_[old].key < outcome.key; ++old) {
      merged_.push_back(contacts_[old]);
      merged_forces_.push_back(forces_[old]);
    }
    ContactOutcome& out = merged_.emplace_back(outcome);
    Vec3& force = merged_forces_.emplace_back(share * outcome.ToWorld(outcome.f_C));
    out.torsion.torque *= share;
    out.drive_work *= weight;
    if (old == contacts_.size() || contacts_[old].key != outcome.key) continue;
    force += forces_[old];
    out.torsion.torque += contacts_[old].torsion.torque;
    out.drive_work += contacts_[old].drive_work;
    out.vn0 = contacts_[old].vn0;
    ++old;
  }
  for (; old < contacts_.size(); ++old) {
    merged_.push_back(contacts_[old]);
    merged_forces_.push_back(forces_[old]);
  }
  contacts_.swap(merged_);
  forces_.swap(merged_forces_);
}

void StepSum::Add(const StepOutput& part, std::span<const ContactOutcome> contacts, double weight,
                  double h, double outer) {
  AddContacts(contacts, weight, weight * h / outer);
  const double span = weight * h;
  if (part.losses) {
    losses_.friction += weight * part.losses->friction;
    losses_.damping += weight * part.losses->damping;
  }
  for (const ContactOutcome& c : contacts) {
    if (part.losses) break;
    losses_.Add(c, Vec2(c.f_C.head<2>()), Vec2(c.v_C.head<2>()), span);
  }
  pull_.force_W += span / outer * part.pull.force_W;
  pull_.work += weight * part.pull.work;
  motor_work_ += weight * part.motor_work;
  joint_damping_loss_ += weight * part.joint_damping_loss;
  joint_friction_loss_ += weight * part.joint_friction_loss;
}

void StepSum::Finish(const State& start, StepOutput* output) {
  State& end = output->end;
  end.step = start.step + 1;
  end.time_base = start.time_base;
  end.step_base = start.step_base;
  output->pull = pull_;
  output->motor_work = motor_work_;
  output->joint_damping_loss = joint_damping_loss_;
  output->joint_friction_loss = joint_friction_loss_;
  output->losses = losses_;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    ContactOutcome& c = contacts_[i];
    c.f_C = Vec3(c.t1_W.dot(forces_[i]), c.t2_W.dot(forces_[i]), c.n_W.dot(forces_[i]));
    c.ft = c.f_C.head<2>().norm();
    // of the last part alone it is that part's start
    c.start_energy = kNaN;
  }
  // as a record of the step has them: a contact that was left on the way is one for its force
  end.contacts.clear();
  for (const ContactOutcome& c : contacts_) end.contacts.push_back(c.key);
}

}  // namespace slip
