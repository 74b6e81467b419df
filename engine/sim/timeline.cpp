#include "engine/sim/timeline.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/sim/record_numbers.h"

namespace slip {
namespace {

// A record is never smaller than this many numbers, so the index never outgrows its share.
constexpr std::size_t kSmallestRecord = 64;
// Making room copies what stays: so much of the block is freed at a time that a step pays for a few
// copies of itself.
constexpr std::size_t kFreedShare = 8;

int64_t StepAt(const std::vector<double>& data, std::size_t offset) {
  return StepOfNumbers(data.data() + offset);
}

template <class Index>
std::size_t SizeOf(const Index& index, const std::vector<double>& data, std::size_t i) {
  return (i + 1 < index.size() ? index[i + 1].offset : data.size()) - index[i].offset;
}

}  // namespace

Timeline::Timeline(std::size_t budget_bytes) {
  (void)MostNumbers({});  // what it allocates once is not the first step's
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
  std::size_t numbers = MostNumbers(record);
  // near the end of the block each number counts
  if (data_.size() + numbers > data_.capacity() || index_.size() == index_.capacity()) {
    numbers = CountNumbers(record);
    if (!FindRoom(numbers)) return;
  }
  const std::size_t offset = data_.size();
  index_.push_back({offset, time, flagged, false});
  data_.resize(offset + numbers);
  data_.resize(offset + WriteNumbers(record, data_.data() + offset));
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
  ReadNumbers(data_.data() + index_[i].offset, record);
}

void TimelinePart::Load(std::size_t i, StepRecord* record) const {
  ReadNumbers(data_.data() + index_[i].offset, record);
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
