#include "engine/dynamics/state.h"

#include <bit>

#include "engine/core/hash.h"

namespace slip {
namespace {

// Every number of the state in one fixed order.
template <class Fn>
void VisitNumbers(const State& s, Fn&& fn) {
  fn(static_cast<uint64_t>(s.step));
  fn(std::bit_cast<uint64_t>(s.time_base));
  fn(static_cast<uint64_t>(s.step_base));
  const auto number = [&fn](double x) { fn(std::bit_cast<uint64_t>(x)); };
  for (const Pose& X : s.X_WB) {
    for (int i = 0; i < 3; ++i) number(X.p[i]);
    for (int i = 0; i < 4; ++i) number(X.q.coeffs()[i]);
  }
  for (Eigen::Index i = 0; i < s.q.size(); ++i) number(s.q[i]);
  for (Eigen::Index i = 0; i < s.v.size(); ++i) number(s.v[i]);
  for (Eigen::Index i = 0; i < s.control.size(); ++i) number(s.control[i]);
  for (const ContactKey key : s.contacts) fn(static_cast<uint64_t>(key));
  for (const ContactMemory& of : s.memory) {
    fn(static_cast<uint64_t>(of.key));
    for (int i = 0; i < 3; ++i) number(of.anchor_W[i]);
    fn(of.slips);
  }
  for (const double x : s.warm_start) number(x);
  if (s.inner_step != 0) number(s.inner_step);
  for (double x : {s.energy.drive_work, s.energy.friction, s.energy.damping, s.energy.numerical,
                   s.energy.mechanical}) {
    number(x);
  }
  if (s.energy.overlap != 0) number(s.energy.overlap);
}

}  // namespace

uint64_t Hash(const State& state) {
  Fnv1a hash;
  VisitNumbers(state, [&hash](uint64_t bits) { hash.Add(bits); });
  return hash.value();
}

bool Equal(const State& a, const State& b) {
  return a.X_WB.size() == b.X_WB.size() && a.q.size() == b.q.size() && a.v.size() == b.v.size() &&
         a.control.size() == b.control.size() && Hash(a) == Hash(b);
}

}  // namespace slip
