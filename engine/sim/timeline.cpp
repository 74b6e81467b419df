#include "engine/sim/timeline.h"

#include <algorithm>

namespace slip {
namespace {

// One visitor for writing and reading, so that the two cannot disagree. Integers are exact as
// doubles up to 2^53.
template <class Record, class Fn>
void Visit(Record& r, Fn&& fn) {
  auto& s = r.state;
  fn(s.step), fn(s.time_base), fn(s.step_base);
  for (auto& X : s.X_WB) {
    for (int i = 0; i < 3; ++i) fn(X.p[i]);
    for (int i = 0; i < 4; ++i) fn(X.q.coeffs()[i]);
  }
  for (Eigen::Index i = 0; i < s.v.size(); ++i) fn(s.v[i]);
  auto& e = s.energy;
  fn(e.drive_work), fn(e.friction), fn(e.damping), fn(e.numerical), fn(e.mechanical);
  for (auto& c : r.contacts) {
    fn(c.key), fn(c.surface), fn(c.body_a), fn(c.body);
    for (auto* v : {&c.p_W, &c.n_W, &c.ft_W, &c.vt_W}) {
      for (int i = 0; i < 3; ++i) fn((*v)[i]);
    }
    fn(c.signed_distance), fn(c.vn), fn(c.vt), fn(c.fn), fn(c.ft), fn(c.friction), fn(c.mode);
    fn(c.gliding_offset), fn(c.gliding_predicted), fn(c.creep_predicted);
    fn(c.stiction_tolerance), fn(c.stiffness), fn(c.dissipation), fn(c.damping), fn(c.near_rigid);
  }
  for (auto& value : r.signals) fn(value);
  auto& q = r.solve;
  fn(q.iterations), fn(q.line_search_iterations), fn(q.system_size), fn(q.contacts), fn(q.cost);
  fn(q.momentum_residual), fn(q.inverse_dynamics_residual), fn(q.condition_number);
  fn(q.condition_number_raw), fn(q.converged), fn(q.fallback);
  fn(q.interior_point_iterations), fn(q.islands), fn(q.largest_island), fn(q.fallbacks);
  fn(q.equivalent_iterations);
  for (int i = 0; i < q.recorded; ++i) {
    auto& h = q.history[static_cast<std::size_t>(i)];
    fn(h.cost), fn(h.residual), fn(h.alpha), fn(h.line_search_iterations);
  }
  for (int i = 0; i < 3; ++i) fn(r.grab_force_W[i]);
}

constexpr std::size_t kHeader = 4;  // bodies, velocity coordinates, contacts, iterations

}  // namespace

Timeline::Timeline(std::size_t budget_bytes) {
  data_.reserve(std::max<std::size_t>(budget_bytes / sizeof(double), 4096));
  // a record is never smaller than this many numbers, so the index never outgrows its share
  index_.reserve(data_.capacity() / 64 + 16);
}

void Timeline::Clear() {
  data_.clear();
  index_.clear();
}

void Timeline::Append(const StepRecord& record, double time, int config, bool flagged) {
  const std::size_t upper = kHeader + 11 + record.state.X_WB.size() * 7 +
                            static_cast<std::size_t>(record.state.v.size()) +
                            record.contacts.size() * 32 + record.signals.size() + 24 +
                            static_cast<std::size_t>(record.solve.recorded) * 4;
  if (data_.size() + upper > data_.capacity() || index_.size() == index_.capacity()) Thin();
  index_.push_back({data_.size(), time, config, flagged});
  data_.push_back(static_cast<double>(record.state.X_WB.size()));
  data_.push_back(static_cast<double>(record.state.v.size()));
  data_.push_back(static_cast<double>(record.contacts.size()));
  data_.push_back(record.solve.recorded);
  Visit(record, [this](const auto& x) { data_.push_back(static_cast<double>(x)); });
}

void Timeline::Load(std::size_t i, StepRecord* record) const {
  const double* in = data_.data() + index_[i].offset;
  record->state.X_WB.resize(static_cast<std::size_t>(in[0]));
  record->state.v.resize(static_cast<Eigen::Index>(in[1]));
  record->contacts.resize(static_cast<std::size_t>(in[2]));
  record->solve = SolveRecord{};
  record->solve.recorded = static_cast<int>(in[3]);
  in += kHeader;
  Visit(*record, [&in](auto& x) { x = static_cast<std::remove_reference_t<decltype(x)>>(*in++); });
  // what the state keeps of its step is in the record
  record->state.contacts.clear();
  for (const ContactFrame& contact : record->contacts)
    record->state.contacts.push_back(contact.key);
}

void Timeline::Truncate(std::size_t count) {
  if (count >= index_.size()) return;
  data_.resize(index_[count].offset);
  index_.resize(count);
}

std::size_t Timeline::Find(double t) const {
  const auto later = std::upper_bound(index_.begin(), index_.end(), t,
                                      [](double a, const Entry& b) { return a < b.time; });
  return later == index_.begin() ? 0 : static_cast<std::size_t>(later - index_.begin()) - 1;
}

void Timeline::Thin() {
  // every second step of the older half goes; order and offsets stay increasing
  const std::size_t half = index_.size() / 2;
  std::size_t kept = 0, write = 0;
  const std::size_t total = data_.size();
  for (std::size_t i = 0; i < index_.size(); ++i) {
    const std::size_t begin = index_[i].offset;
    const std::size_t end = i + 1 < index_.size() ? index_[i + 1].offset : total;
    if (i < half && i % 2 == 1 && !index_[i].flagged) continue;
    std::copy(data_.begin() + static_cast<std::ptrdiff_t>(begin),
              data_.begin() + static_cast<std::ptrdiff_t>(end),
              data_.begin() + static_cast<std::ptrdiff_t>(write));
    Entry entry = index_[i];
    entry.offset = write;
    index_[kept++] = entry;
    write += end - begin;
  }
  index_.resize(kept);
  data_.resize(write);
}

}  // namespace slip
