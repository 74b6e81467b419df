#include "engine/sim/record_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "engine/core/numbers.h"
#include "engine/sim/measure.h"

namespace slip {
namespace {

constexpr std::size_t kMaskBits = 48;  // a double holds such a number

// Writes what it visits as numbers.
class Packer {
 public:
  explicit Packer(double* out) : at_(out) {}

  template <class T>
  void operator()(const T& x) {
    *at_++ = static_cast<double>(x);
  }
  // Many signals are those of other methods: what there is not takes no room.
  void Known(std::span<const double> values) {
    double* at = at_;
    for (std::size_t first = 0; first < values.size(); first += kMaskBits) {
      double* mask = at++;
      uint64_t known = 0;
      for (std::size_t i = 0; i < std::min(kMaskBits, values.size() - first); ++i) {
        // without a branch: which signals there are is no pattern
        const double x = values[first + i];
        const uint64_t bit = std::isnan(x) ? 0 : 1;
        *at = x;
        at += bit;
        known |= bit << i;
      }
      *mask = static_cast<double>(known);
    }
    at_ = at;
  }
  double* end() const { return at_; }

 private:
  double* at_;
};

// Counts what a Packer writes, and the place behind it that a signal which is not known passes.
class Counter {
 public:
  template <class T>
  void operator()(const T&) {
    ++count_;
  }
  void Known(std::span<const double> values) {
    count_ += (values.size() + kMaskBits - 1) / kMaskBits;
    for (const double x : values) count_ += std::isnan(x) ? 0 : 1;
  }
  std::size_t count() const { return count_ + 1; }

 private:
  std::size_t count_ = 0;
};

// Reads them back.
class Unpacker {
 public:
  explicit Unpacker(const double* in) : in_(in) {}

  template <class T>
  void operator()(T& x) {
    x = static_cast<T>(*in_++);
  }
  void Known(std::span<double> values) {
    for (std::size_t first = 0; first < values.size(); first += kMaskBits) {
      const auto known = static_cast<uint64_t>(*in_++);
      for (std::size_t i = 0; i < std::min(kMaskBits, values.size() - first); ++i)
        values[first + i] = (known >> i & 1) != 0 ? *in_++ : kNaN;
    }
  }

 private:
  const double* in_;
};

// One visitor for writing and reading, so that the two cannot disagree. Integers are exact as
// doubles up to 2^53.
template <class Record, class Fn>
void Visit(Record& r, Fn&& fn) {
  auto& s = r.state;
  fn(s.step), fn(s.time_base), fn(s.step_base), fn(r.measured), fn(s.inner_step);
  fn(r.solve.program.status), fn(r.solve.program.rows), fn(r.solve.program.checked);
  for (auto& X : s.X_WB) {
    for (int i = 0; i < 3; ++i) fn(X.p[i]);
    for (int i = 0; i < 4; ++i) fn(X.q.coeffs()[i]);
  }
  for (auto* numbers : {&s.v, &s.q, &s.control}) {
    for (Eigen::Index i = 0; i < numbers->size(); ++i) fn((*numbers)[i]);
  }
  for (auto& of : s.memory) {
    fn(of.key), fn(of.slips);
    for (int i = 0; i < 3; ++i) fn(of.anchor_W[i]);
  }
  for (auto& x : s.warm_start) fn(x);
  auto& e = s.energy;
  fn(e.drive_work), fn(e.friction), fn(e.damping), fn(e.numerical), fn(e.mechanical);
  fn(e.elastic), fn(e.overlap), fn(e.found);
  for (auto& c : r.contacts) {
    fn(c.key), fn(c.surface), fn(c.body_a), fn(c.body);
    for (auto* v : {&c.p_W, &c.p_BP, &c.n_W, &c.ft_W, &c.vt_W}) {
      for (int i = 0; i < 3; ++i) fn((*v)[i]);
    }
    fn(c.signed_distance), fn(c.vn), fn(c.vt), fn(c.fn), fn(c.ft), fn(c.friction), fn(c.mode),
        fn(c.w);
    fn(c.torsional_friction);
    if (c.torsional_friction > 0) fn(c.spin), fn(c.torque);  // few have any
    if (r.solve.program.rows > 0) {                          // of the rest nobody asks
      fn(c.ft_C[0]), fn(c.ft_C[1]);
      for (auto& lambda : c.multipliers) fn(lambda);
    }
    fn(c.gliding_offset), fn(c.gliding_predicted), fn(c.creep_predicted);
    fn(c.coulomb.distance), fn(c.coulomb.offset), fn(c.coulomb.lag);
    fn(c.stiction_tolerance), fn(c.stiffness), fn(c.dissipation), fn(c.damping), fn(c.near_rigid);
    fn(c.friction_off);
  }
  for (auto& c : r.candidates) {
    fn(c.surface), fn(c.body_a), fn(c.body), fn(c.point), fn(c.phi), fn(c.fn);
  }
  fn.Known(r.signals);
  for (auto& value : r.part_signals) fn(value);
  auto& q = r.solve;
  fn(q.iterations), fn(q.line_search_iterations), fn(q.system_size), fn(q.contacts), fn(q.cost);
  fn(q.momentum_residual), fn(q.inverse_dynamics_residual), fn(q.condition_number);
  fn(q.condition_number_raw), fn(q.converged), fn(q.fallback);
  fn(q.interior_point_iterations), fn(q.islands), fn(q.largest_island), fn(q.fallbacks);
  fn(q.equivalent_iterations);
  auto& a = q.anchors;
  fn(a.raw_norm), fn(a.norm), fn(a.order), fn(a.squarings), fn(a.products), fn(a.clipped);
  fn(a.guard_passes), fn(a.pieces), fn(q.stable_step);
  fn(q.mismatch), fn(q.own.count);
  for (int i = 0; i < q.own.count; ++i) fn(At(q.own.value, i));
  fn(q.gain.energy), fn(q.gain.share), fn(q.gain.body), fn(q.made);
  for (int i = 0; i < q.recorded; ++i) {
    auto& h = At(q.history, i);
    fn(h.cost), fn(h.residual), fn(h.alpha), fn(h.line_search_iterations);
  }
  for (int i = 0; i < 3; ++i) fn(r.grab_force_W[i]);
}

// Bodies, contacts, iterations; coordinates of velocity, position and control; signals of robots;
// anchors of contacts; chosen points; accelerations of a solver's start.
constexpr std::size_t kHeader = 10;
std::array<double, kHeader> HeaderOf(const StepRecord& record) {
  const auto size = [](const auto& of) { return static_cast<double>(of.size()); };
  return {size(record.state.X_WB),
          size(record.contacts),
          static_cast<double>(record.solve.recorded),
          size(record.state.v),
          size(record.state.q),
          size(record.state.control),
          size(record.part_signals),
          size(record.state.memory),
          size(record.candidates),
          size(record.state.warm_start)};
}

// At most so many numbers have the parts of a record, found by counting records with one each.
struct Most {
  std::size_t fixed, body, memory, contact, candidate, iteration;

  Most() {
    StepRecord record;
    record.signals.fill(0);
    record.solve.own.count = static_cast<int>(record.solve.own.value.size());
    record.solve.program.rows = 1;
    fixed = CountNumbers(record);
    const auto with = [&](auto* list) {
      list->resize(1);
      const std::size_t count = CountNumbers(record) - fixed;
      list->clear();
      return count;
    };
    body = with(&record.state.X_WB);
    memory = with(&record.state.memory);
    candidate = with(&record.candidates);
    record.contacts.resize(1);
    record.contacts[0].torsional_friction = 1;
    contact = CountNumbers(record) - fixed;
    record.contacts.clear();
    record.solve.recorded = 1;
    iteration = CountNumbers(record) - fixed;
  }
  std::size_t Of(const StepRecord& record) const {
    const State& s = record.state;
    return fixed + body * s.X_WB.size() + memory * s.memory.size() +
           contact * record.contacts.size() + candidate * record.candidates.size() +
           iteration * static_cast<std::size_t>(record.solve.recorded) +
           static_cast<std::size_t>(s.v.size() + s.q.size() + s.control.size()) +
           s.warm_start.size() + record.part_signals.size();
  }
};

}  // namespace

void ReadNumbers(const double* in, StepRecord* record) {
  record->state.X_WB.resize(static_cast<std::size_t>(in[0]));
  // what is not kept of a contact must not be another step's
  record->contacts.assign(static_cast<std::size_t>(in[1]), ContactFrame{});
  record->solve = SolveRecord{};
  record->solve.recorded = static_cast<int>(in[2]);
  record->state.v.resize(static_cast<Eigen::Index>(in[3]));
  record->state.q.resize(static_cast<Eigen::Index>(in[4]));
  record->state.control.resize(static_cast<Eigen::Index>(in[5]));
  record->part_signals.resize(static_cast<std::size_t>(in[6]));
  record->state.memory.resize(static_cast<std::size_t>(in[7]));
  record->candidates.resize(static_cast<std::size_t>(in[8]));
  record->state.warm_start.resize(static_cast<std::size_t>(in[9]));
  in += kHeader;
  Visit(*record, Unpacker(in));
  // what the state keeps of its step is in the record
  record->state.contacts.clear();
  const FrictionBound bound =
      record->solve.program.rows > 0 ? FrictionBound::kOctahedron : FrictionBound::kCone;
  for (ContactFrame& contact : record->contacts) {
    JudgeFriction(bound, &contact);
    record->state.contacts.push_back(contact.key);
  }
}

std::size_t MostNumbers(const StepRecord& record) {
  static const Most most;
  return most.Of(record);
}

std::size_t CountNumbers(const StepRecord& record) {
  Counter counter;
  Visit(record, counter);
  return kHeader + counter.count();
}

std::size_t WriteNumbers(const StepRecord& record, double* out) {
  Packer packer(out);
  for (const double size : HeaderOf(record)) packer(size);
  Visit(record, packer);
  return static_cast<std::size_t>(packer.end() - out);
}

int64_t StepOfNumbers(const double* in) { return static_cast<int64_t>(in[kHeader]); }

}  // namespace slip
