#include "engine/sim/timeline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "engine/core/numbers.h"
#include "engine/sim/measure.h"

namespace slip {
namespace {

constexpr std::size_t kMaskBits = 48;  // a double holds such a number

/// Of the signals from `first` on: a bit for each that there is.
uint64_t MaskOf(const SignalValues& signals, std::size_t first) {
  uint64_t known = 0;
  for (std::size_t i = 0; i < kMaskBits && first + i < signals.size(); ++i)
    known |= uint64_t{std::isnan(signals[first + i]) ? 0u : 1u} << i;
  return known;
}

// Many signals are those of other methods: what there is not takes no room.
template <class Record, class Fn>
void VisitSignals(Record& r, Fn&& fn) {
  for (std::size_t first = 0; first < r.signals.size(); first += kMaskBits) {
    uint64_t known = MaskOf(r.signals, first);
    fn(known);
    for (std::size_t i = 0; i < kMaskBits && first + i < r.signals.size(); ++i) {
      if ((known >> i & 1) != 0) {
        fn(r.signals[first + i]);
      } else if constexpr (!std::is_const_v<Record>) {
        r.signals[first + i] = kNaN;
      }
    }
  }
}

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
  VisitSignals(r, fn);
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
// A record is never smaller than this many numbers, so the index never outgrows its share.
constexpr std::size_t kSmallestRecord = 64;
// Making room copies what stays: so much of the block is freed at a time that a step pays for a few
// copies of itself.
constexpr std::size_t kFreedShare = 8;

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

// Exactly what Append writes: a block that has room for it does not grow.
std::size_t CountNumbers(const StepRecord& record) {
  std::size_t count = kHeader;
  Visit(record, [&count](const auto&) { ++count; });
  return count;
}

void LoadFrom(const double* in, StepRecord* record) {
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
  Visit(*record, [&in](auto& x) { x = static_cast<std::remove_reference_t<decltype(x)>>(*in++); });
  // what the state keeps of its step is in the record
  record->state.contacts.clear();
  const FrictionBound bound =
      record->solve.program.rows > 0 ? FrictionBound::kOctahedron : FrictionBound::kCone;
  for (ContactFrame& contact : record->contacts) {
    JudgeFriction(bound, &contact);
    record->state.contacts.push_back(contact.key);
  }
}

// The first number of a record.
int64_t StepAt(const std::vector<double>& data, std::size_t offset) {
  return static_cast<int64_t>(data[offset + kHeader]);
}

template <class Index>
std::size_t SizeOf(const Index& index, const std::vector<double>& data, std::size_t i) {
  return (i + 1 < index.size() ? index[i + 1].offset : data.size()) - index[i].offset;
}

}  // namespace

Timeline::Timeline(std::size_t budget_bytes) {
  const std::size_t share = kSmallestRecord * sizeof(double) + sizeof(Entry);
  const std::size_t records = std::max<std::size_t>(budget_bytes / share, 16);
  data_.reserve(records * kSmallestRecord);
  index_.reserve(records);
}

void Timeline::Clear() {
  data_.clear();
  index_.clear();
}

// Room for a record of so many numbers; false when it does not fit beside the first one.
bool Timeline::FindRoom(std::size_t numbers) {
  if (empty() && numbers > data_.capacity()) data_.reserve(numbers);
  if (!empty() && Size(0) + numbers > data_.capacity()) return false;
  if (data_.size() + numbers > data_.capacity() || index_.size() == index_.capacity())
    MakeRoom(numbers);
  return true;
}

void Timeline::Append(const StepRecord& record, double time, bool flagged) {
  if (!FindRoom(CountNumbers(record))) return;
  index_.push_back({data_.size(), time, flagged, false});
  const auto header = HeaderOf(record);
  data_.insert(data_.end(), header.begin(), header.end());
  Visit(record, [this](const auto& x) { data_.push_back(static_cast<double>(x)); });
}

TimelinePart TimelinePart::CutAfter(int64_t step, std::vector<double>* data,
                                    std::vector<Entry>* index) {
  TimelinePart part;
  const auto first = std::find_if(index->begin(), index->end(), [&](const Entry& entry) {
    return StepAt(*data, entry.offset) > step;
  });
  if (first == index->end()) return part;
  const std::size_t offset = first->offset;
  part.index_.assign(first, index->end());
  part.data_.assign(data->begin() + static_cast<std::ptrdiff_t>(offset), data->end());
  for (Entry& entry : part.index_) entry.offset -= offset;
  index->erase(first, index->end());
  data->resize(offset);
  return part;
}

TimelinePart TimelinePart::After(int64_t step) && { return CutAfter(step, &data_, &index_); }

TimelinePart Timeline::TakeAfter(int64_t step) {
  return TimelinePart::CutAfter(step, &data_, &index_);
}

void Timeline::AppendPart(const TimelinePart& part, int64_t after, int64_t last) {
  for (std::size_t i = 0; i < part.size(); ++i) {
    Entry entry = part.index_[i];
    const int64_t step = part.step(i);
    if (step <= after || step > last) continue;
    const std::size_t numbers = SizeOf(part.index_, part.data_, i);
    if (!FindRoom(numbers)) continue;
    const auto begin = part.data_.begin() + static_cast<std::ptrdiff_t>(entry.offset);
    entry.offset = data_.size();
    index_.push_back(entry);
    data_.insert(data_.end(), begin, begin + static_cast<std::ptrdiff_t>(numbers));
  }
}

int64_t Timeline::step(std::size_t i) const { return StepAt(data_, index_[i].offset); }
int64_t TimelinePart::step(std::size_t i) const { return StepAt(data_, index_[i].offset); }

void Timeline::Load(std::size_t i, StepRecord* record) const {
  LoadFrom(data_.data() + index_[i].offset, record);
}

void TimelinePart::Load(std::size_t i, StepRecord* record) const {
  LoadFrom(data_.data() + index_[i].offset, record);
}

std::size_t TimelinePart::CountUpTo(int64_t step) const {
  std::size_t first = 0, last = size();
  while (first < last) {
    const std::size_t middle = first + (last - first) / 2;
    this->step(middle) <= step ? first = middle + 1 : last = middle;
  }
  return first;
}

std::size_t TimelinePart::CountBefore(double time) const {
  const auto later = std::upper_bound(index_.begin(), index_.end(), time,
                                      [](double t, const Entry& entry) { return t < entry.time; });
  return static_cast<std::size_t>(later - index_.begin());
}

bool TimelinePart::Thin() {
  // every second one of a kind, counted from the newest
  const auto drop = [&](bool flagged) {
    bool some = false;
    std::size_t nth = 0;
    for (std::size_t i = index_.size(); i-- > 0;) {
      if (index_[i].flagged != flagged || i + 1 == index_.size()) continue;
      index_[i].dropped = ++nth % 2 == 1;
      some = some || index_[i].dropped;
    }
    return some;
  };
  if (!drop(false) && !drop(true)) return false;
  std::vector<double> data;
  std::vector<Entry> index;
  for (std::size_t i = 0; i < index_.size(); ++i) {
    if (index_[i].dropped) continue;
    const auto begin = data_.begin() + static_cast<std::ptrdiff_t>(index_[i].offset);
    const auto numbers = static_cast<std::ptrdiff_t>(SizeOf(index_, data_, i));
    index.push_back(index_[i]);
    index.back().offset = data.size();
    data.insert(data.end(), begin, begin + numbers);
  }
  data.shrink_to_fit();
  index.shrink_to_fit();
  data_ = std::move(data);
  index_ = std::move(index);
  return true;
}

std::size_t Timeline::Find(double t) const {
  const auto later = std::upper_bound(index_.begin(), index_.end(), t,
                                      [](double a, const Entry& b) { return a < b.time; });
  return later == index_.begin() ? 0 : static_cast<std::size_t>(later - index_.begin()) - 1;
}

std::size_t Timeline::Size(std::size_t i) const { return SizeOf(index_, data_, i); }

// Marks a good third of the steps of this kind in [first, last) or more, so that the rest are
// spread evenly in time; all of them when they are few. Returns how many numbers they hold.
std::size_t Timeline::MarkSome(std::size_t first, std::size_t last, bool flagged) {
  const auto meant = [&](const Entry& entry) { return entry.flagged == flagged && !entry.dropped; };
  // Calls drop(i) for those nearer than `gap` to one that stays. From the newest on: of two steps
  // at the same time the later one counts.
  const auto scan = [&](double gap, const auto& drop) {
    std::size_t kept = 0;
    double next = kInfinity;
    for (std::size_t i = last; i-- > first;) {
      if (!meant(index_[i])) continue;
      if (index_[i].time < next && next - index_[i].time >= gap) {
        next = index_[i].time;
        ++kept;
      } else {
        drop(i);
      }
    }
    return kept;
  };
  const auto nothing = [](std::size_t) {};
  std::size_t count = 0;
  for (std::size_t i = first; i < last; ++i) count += meant(index_[i]);
  if (count == 0) return 0;
  double wide = kInfinity;  // drops all but one
  if (count >= 4) {
    const double span = index_[last - 1].time - index_[first].time;
    double narrow = 0;
    wide = 2 * span / static_cast<double>(count);  // drops half or more
    for (int i = 0; i < 16; ++i) {
      const double middle = 0.5 * (narrow + wide);
      (8 * scan(middle, nothing) > 5 * count ? narrow : wide) = middle;
    }
  }
  std::size_t freed = 0;
  const auto drop = [&](std::size_t i) {
    index_[i].dropped = true;
    freed += Size(i);
  };
  if (scan(wide, drop) == count) {
    for (std::size_t i = first; i < last; ++i) {
      if (meant(index_[i])) drop(i);
    }
  }
  return freed;
}

// Marks steps until `wanted` numbers are free, the dearest last.
void Timeline::MarkDropped(std::size_t wanted) {
  // first step of what holds the newest `part` of all numbers
  const auto before = [&](double part) {
    const auto offset = static_cast<std::size_t>((1 - part) * static_cast<double>(data_.size()));
    const auto at = std::lower_bound(index_.begin() + 1, index_.end(), offset,
                                     [](const Entry& e, std::size_t o) { return e.offset < o; });
    return static_cast<std::size_t>(at - index_.begin());
  };
  std::size_t freed = 0;
  // thinned until enough is free, or nothing of the kind is left there
  const auto drop = [&](std::size_t last, bool flagged) {
    while (freed < wanted) {
      const std::size_t more = MarkSome(1, last, flagged);
      if (more == 0) return;
      freed += more;
    }
  };
  const std::size_t half = before(0.5), old = before(0.25);
  freed += MarkSome(1, half, false);
  drop(old, false);
  drop(half, true);
  drop(old, true);
  drop(index_.size(), false);
  drop(index_.size(), true);
}

void Timeline::MakeRoom(std::size_t wanted) {
  const std::size_t needed = data_.size() + wanted;
  const std::size_t lacking = needed > data_.capacity() ? needed - data_.capacity() : 0;
  MarkDropped(std::max(lacking, data_.capacity() / kFreedShare));
  // order and offsets stay increasing
  std::size_t kept = 0, write = 0;
  for (std::size_t i = 0; i < index_.size(); ++i) {
    Entry entry = index_[i];
    if (entry.dropped) continue;
    const auto begin = data_.begin() + static_cast<std::ptrdiff_t>(entry.offset);
    const auto size = static_cast<std::ptrdiff_t>(Size(i));
    std::copy(begin, begin + size, data_.begin() + static_cast<std::ptrdiff_t>(write));
    entry.offset = write;
    write += static_cast<std::size_t>(size);
    index_[kept++] = entry;
  }
  index_.resize(kept);
  data_.resize(write);
}

}  // namespace slip
