#include "engine/collide/broad_phase.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"

namespace slip {
namespace {

// Below this many boxes comparing all pairs is faster than any grid (measured).
constexpr std::size_t kFewBoxes = 40;
// Cells are made larger than the largest body by more than the rounding of cell coordinates below
// kFarthestCell.
constexpr double kCellSlack = 1 + 1e-3;
constexpr double kFarthestCell = 1e12;
// Boxes up to this factor larger than the smallest one of a level share its grid.
constexpr double kLevelRatio = 2;
// Smaller bodies than this [m] are binned as if they were of this size.
constexpr double kSmallestSize = 1e-6;

// Lattice coordinates: 20 bits per axis, 21 apart.
constexpr int kBits = 20;
constexpr double kLatticeSize = 1 << kBits;
constexpr uint64_t kOnes = 1 | (uint64_t{1} << (kBits + 1)) | (uint64_t{1} << (2 * kBits + 2));
constexpr uint64_t kGuards = kOnes << kBits;
// Steps per typical body: finer leaves fewer pairs to the exact test, coarser spans more room.
constexpr double kStepsPerBody = 1024;

// Marks a pair that agrees in a lattice coordinate, in the spare top bit of j.
constexpr uint32_t kUnsure = uint32_t{1} << 31;

bool Overlap(const Bounds& a, const Bounds& b) {
  return (a.min.array() <= b.max.array()).all() && (b.min.array() <= a.max.array()).all();
}

std::size_t MaxCells(std::size_t members) { return 8 * members + 64; }

int64_t Wrap(int64_t cell, int64_t first, int64_t count) {
  const int64_t offset = (cell - first) % count;
  return offset < 0 ? offset + count : offset;
}

}  // namespace

const std::vector<BodyPair>& BroadPhase::FindPairs(std::span<const Bounds> boxes) {
  boxes_ = boxes;
  found_count_ = 0;
  entries_.resize(boxes.size());
  level_count_ = 0;
  giants_ = 0;
  rest_.clear();
  size_.resize(boxes.size());
  for (uint32_t i = 0; i < boxes.size(); ++i) {
    size_[i] = std::max((boxes[i].max - boxes[i].min).maxCoeff(), kSmallestSize);
    rest_.push_back(i);
  }
  ChooseLattice();
  if (boxes.size() > kFewBoxes) {
    // bodies may change levels as they turn, and that must not allocate
    for (Level& level : levels_) level.start.reserve(MaxCells(boxes.size()) + 2);
    cells_.reserve(3 * boxes.size());
    cell_of_.reserve(boxes.size());
    members_.reserve(boxes.size());
    SplitLevels();
  }

  // what has no level is compared with everything before it
  std::size_t end = giants_;
  for (const uint32_t i : rest_) {
    entries_[end] = MakeEntry(i);
    Test(entries_[end], 0, end);
    ++end;
  }
  const std::span<const Level> levels(levels_.data(), static_cast<std::size_t>(level_count_));
  for (const Level& level : levels) PairsWithin(level);
  for (std::size_t large = 1; large < levels.size(); ++large) {
    for (std::size_t small = 0; small < large; ++small) PairsBetween(levels[small], levels[large]);
  }
  Sort(boxes.size());
  boxes_ = {};
  return pairs_;
}

// A step and an origin for the typical body: a few in far places or of odd sizes must not matter.
void BroadPhase::ChooseLattice() {
  constexpr std::size_t kSamples = 9;
  if (boxes_.empty()) return;
  std::array<double, kSamples> sample[4];
  for (std::size_t s = 0; s < kSamples; ++s) {
    const std::size_t i = s * boxes_.size() / kSamples;
    const Vec3 centre = 0.5 * (boxes_[i].min + boxes_[i].max);
    for (int k = 0; k < 3; ++k) sample[k][s] = std::isfinite(centre[k]) ? centre[k] : 0;
    sample[3][s] = size_[i];
  }
  for (auto& values : sample) {
    std::nth_element(values.begin(), values.begin() + kSamples / 2, values.end());
  }
  const double size = sample[3][kSamples / 2];
  inverse_step_ = std::isfinite(size) ? kStepsPerBody / size : 1;
  for (int k = 0; k < 3; ++k) {
    lattice_origin_[k] = sample[k][kSamples / 2] - 0.5 * kLatticeSize / inverse_step_;
  }
}

// Monotone, and clamped at the ends: what the lattice separates is apart.
uint64_t BroadPhase::Round(const Vec3& corner) const {
  uint64_t packed = 0;
  for (int k = 2; k >= 0; --k) {
    const double x = (corner[k] - lattice_origin_[k]) * inverse_step_;
    packed =
        (packed << (kBits + 1)) |
        static_cast<uint64_t>(static_cast<int64_t>(std::min(std::max(x, 0.0), kLatticeSize - 1)));
  }
  return packed;
}

BroadPhase::Entry BroadPhase::MakeEntry(uint32_t i) const {
  const Bounds& box = boxes_[i];
  return {Round(box.min), Round(box.max), i, box.is_static ? 0u : 1u};
}

// Takes level after level out of rest_, smallest bodies first.
void BroadPhase::SplitLevels() {
  while (level_count_ < kMaxLevels && !rest_.empty()) {
    double smallest = kInfinity;
    for (const uint32_t i : rest_) smallest = std::min(smallest, size_[i]);
    if (!std::isfinite(smallest)) break;
    const double limit = kLevelRatio * smallest;
    double cell = 0;
    for (const uint32_t i : rest_) {
      if (size_[i] <= limit) cell = std::max(cell, size_[i]);
    }
    cell *= kCellSlack;
    members_.clear();
    std::size_t kept = 0;
    for (const uint32_t i : rest_) {
      const bool near = boxes_[i].min.minCoeff() > -kFarthestCell * cell &&
                        boxes_[i].max.maxCoeff() < kFarthestCell * cell;
      if (size_[i] <= limit && near) {
        members_.push_back(i);
      } else {
        // too far away for the grid: infinite size keeps it out of all the others
        if (!near) size_[i] = size_[i] <= limit ? kInfinity : size_[i];
        rest_[kept++] = i;
      }
    }
    rest_.resize(kept);
    if (members_.empty()) continue;
    FillLevel(cell, &At(levels_, level_count_++));
  }
}

// Sorts the members into the cells of their centres.
void BroadPhase::FillLevel(double cell, Level* level) {
  level->inverse_cell = 1 / cell;
  const std::size_t n = members_.size();
  cells_.resize(3 * n);
  for (int k = 0; k < 3; ++k) {
    level->first[k] = INT64_MAX;
    level->last[k] = INT64_MIN;
  }
  for (std::size_t m = 0; m < n; ++m) {
    const Bounds& box = boxes_[members_[m]];
    for (int k = 0; k < 3; ++k) {
      const double x = 0.5 * (box.min[k] + box.max[k]) * level->inverse_cell;
      const auto truncated = static_cast<int64_t>(x);
      const int64_t c = truncated - (x < static_cast<double>(truncated) ? 1 : 0);
      cells_[3 * m + static_cast<std::size_t>(k)] = c;
      level->first[k] = std::min(level->first[k], c);
      level->last[k] = std::max(level->last[k], c);
    }
  }

  // one spare cell keeps the two ends of the range from being neighbours; too large a torus folds
  for (int k = 0; k < 3; ++k) {
    const int64_t used = level->last[k] - level->first[k] + 1;
    const auto most = static_cast<int64_t>(4 * n + 4);
    level->count[k] = used == 1 ? 1 : std::clamp<int64_t>(used + 1, 4, most);
  }
  const auto budget = static_cast<double>(MaxCells(n));
  const auto volume = [&] {
    return static_cast<double>(level->count[0]) * static_cast<double>(level->count[1]) *
           static_cast<double>(level->count[2]);
  };
  while (volume() > budget) {
    int64_t* largest = std::max_element(level->count, level->count + 3);
    if (*largest <= 4) break;
    *largest = std::max<int64_t>(4, *largest / 2);
  }

  // counting sort
  const int64_t* count = level->count;
  level->start.assign(static_cast<std::size_t>(count[0] * count[1] * count[2]) + 1, 0);
  cell_of_.resize(n);
  for (std::size_t m = 0; m < n; ++m) {
    int64_t wrapped[3];
    for (int k = 0; k < 3; ++k) {
      const int64_t offset = cells_[3 * m + static_cast<std::size_t>(k)] - level->first[k];
      wrapped[k] = offset < count[k] ? offset : offset % count[k];
    }
    const int64_t c = (wrapped[2] * count[1] + wrapped[1]) * count[0] + wrapped[0];
    cell_of_[m] = static_cast<uint32_t>(c);
    ++level->start[cell_of_[m] + 1];
  }
  level->begin = giants_;
  uint32_t sum = static_cast<uint32_t>(giants_);
  for (uint32_t& start : level->start) start = sum += start;
  for (std::size_t m = n; m-- > 0;) {
    // counting down from the next cell's start leaves this cell's start behind
    entries_[--level->start[cell_of_[m] + 1]] = MakeEntry(members_[m]);
  }
  giants_ += n;
  level->end = giants_;
  level->start.erase(level->start.begin());
  level->start.push_back(static_cast<uint32_t>(giants_));
}

// Every cell against itself and the half of its neighbours that come after it.
void BroadPhase::PairsWithin(const Level& level) {
  const int64_t nx = level.count[0], ny = level.count[1], nz = level.count[2];
  int64_t cell = 0;
  for (int64_t z = 0; z < nz; ++z) {
    for (int64_t y = 0; y < ny; ++y) {
      // rows after this one: (y + 1, z) and (y - 1 .. y + 1, z + 1)
      int64_t rows[4];
      int row_count = 0;
      const int64_t y_next = y + 1 == ny ? 0 : y + 1, y_before = y == 0 ? ny - 1 : y - 1;
      const int64_t z_next = z + 1 == nz ? 0 : z + 1;
      if (ny > 1) rows[row_count++] = z * ny + y_next;
      if (nz > 1) rows[row_count++] = z_next * ny + y;
      if (nz > 1 && ny > 1) {
        rows[row_count++] = z_next * ny + y_before;
        rows[row_count++] = z_next * ny + y_next;
      }
      for (int64_t x = 0; x < nx; ++x, ++cell) {
        const std::size_t begin = At(level.start, cell);
        const std::size_t end = level.start[static_cast<std::size_t>(cell) + 1];
        if (begin == end) continue;
        const bool last = x + 1 == nx;
        const std::size_t own_end = last ? end : level.start[static_cast<std::size_t>(cell) + 2];
        for (std::size_t e = begin; e < end; ++e) {
          const Entry entry = entries_[e];
          Test(entry, e + 1, own_end);
          if (last && nx > 1) TestRow(level, z * ny + y, 0, 0, entry);
          const int64_t reach = nx > 1 ? 1 : 0;
          for (int r = 0; r < row_count; ++r) TestRow(level, rows[r], x - reach, x + reach, entry);
        }
      }
    }
  }
}

// Large bodies look among the small ones, or small among large, whichever visits fewer rows of
// cells.
void BroadPhase::PairsBetween(const Level& small, const Level& large) {
  const auto small_count = static_cast<double>(small.end - small.begin);
  const auto large_count = static_cast<double>(large.end - large.begin);
  const double across = small.inverse_cell / large.inverse_cell + 2;
  const double rows_down = large_count * std::min(across * across, small_count);
  const double rows_up = small_count * std::min(9.0, large_count);
  const bool down = rows_down <= rows_up;
  const Level& from = down ? large : small;
  for (std::size_t e = from.begin; e < from.end; ++e) PairsIn(down ? small : large, entries_[e]);
}

// A body, of whatever size, against the grid of another level.
void BroadPhase::PairsIn(const Level& level, const Entry& entry) {
  int64_t first[3], last[3];
  double cells = 1;
  for (int k = 0; k < 3; ++k) {
    // centres of overlapping members are at most half a cell outside of this box
    const double low = std::floor(boxes_[entry.id].min[k] * level.inverse_cell - 0.5 * kCellSlack);
    const double high = std::floor(boxes_[entry.id].max[k] * level.inverse_cell + 0.5 * kCellSlack);
    if (low > static_cast<double>(level.last[k])) return;
    if (high < static_cast<double>(level.first[k])) return;
    first[k] =
        low < static_cast<double>(level.first[k]) ? level.first[k] : static_cast<int64_t>(low);
    last[k] =
        high > static_cast<double>(level.last[k]) ? level.last[k] : static_cast<int64_t>(high);
    if (last[k] - first[k] >= level.count[k]) last[k] = first[k] + level.count[k] - 1;
    cells *= static_cast<double>(last[k] - first[k] + 1);
  }
  if (cells > static_cast<double>(level.end - level.begin)) {
    Test(entry, level.begin, level.end);
    return;
  }
  const int64_t x = Wrap(first[0], level.first[0], level.count[0]);
  for (int64_t z = first[2]; z <= last[2]; ++z) {
    const int64_t row_z = Wrap(z, level.first[2], level.count[2]) * level.count[1];
    for (int64_t y = first[1]; y <= last[1]; ++y) {
      const int64_t row = row_z + Wrap(y, level.first[1], level.count[1]);
      TestRow(level, row, x, x + last[0] - first[0], entry);
    }
  }
}

// Cells x_first .. x_last of one row of the torus; the range may leave it at either end.
void BroadPhase::TestRow(const Level& level, int64_t row, int64_t x_first, int64_t x_last,
                         const Entry& entry) {
  const int64_t nx = level.count[0];
  const uint32_t* start = level.start.data() + row * nx;
  if (x_first < 0) {
    Test(entry, start[x_first + nx], start[nx]);
    x_first = 0;
  }
  if (x_last >= nx) {
    Test(entry, start[0], start[x_last - nx + 1]);
    x_last = nx - 1;
  }
  Test(entry, start[x_first], start[x_last + 1]);
}

// Appends without branching on the outcome, which no processor could predict: whoever overlaps
// stays.
void BroadPhase::Test(const Entry& entry, std::size_t begin, std::size_t end) {
  if (begin >= end) return;
  if (found_.size() < found_count_ + (end - begin)) {
    found_.resize(std::max(2 * found_.size(), found_count_ + (end - begin) + 64));
  }
  const uint64_t lo = entry.lo, hi = entry.hi | kGuards;
  const uint32_t id = entry.id, movable = entry.movable;
  BodyPair* out = found_.data() + found_count_;
  for (const Entry* b = entries_.data() + begin; b != entries_.data() + end; ++b) {
    const uint64_t below = hi - b->lo, above = (b->hi | kGuards) - lo;
    const uint64_t distinct = (below - kOnes) & (above - kOnes) & kGuards;
    *out = {id, b->id | (distinct == kGuards ? 0 : kUnsure)};
    out += ((below & above & kGuards) == kGuards) & ((movable | b->movable) != 0);
  }
  found_count_ = static_cast<std::size_t>(out - found_.data());
}

// Settles what the lattice left open; then two counting sorts, by j and by i, as comparisons would
// be as hard to predict as the tests.
void BroadPhase::Sort(std::size_t n) {
  offset_.assign(2 * n + 2, 0);
  uint32_t* by_i = offset_.data();
  uint32_t* by_j = offset_.data() + n + 1;
  std::size_t kept = 0;
  for (std::size_t p = 0; p < found_count_; ++p) {
    const uint32_t a = found_[p].i, b = found_[p].j & ~kUnsure;
    if ((found_[p].j & kUnsure) != 0 && !Overlap(boxes_[a], boxes_[b])) continue;
    const uint32_t swap = (a ^ b) & (0 - static_cast<uint32_t>(b < a));
    const BodyPair pair = {a ^ swap, b ^ swap};
    found_[kept++] = pair;
    ++by_i[pair.i + 1];
    ++by_j[pair.j + 1];
  }
  for (std::size_t i = 0; i < n; ++i) {
    by_i[i + 1] += by_i[i];
    by_j[i + 1] += by_j[i];
  }
  if (pairs_.capacity() < kept) {
    // room for half as many again now, so that a moving pile soon stops allocating
    pairs_.reserve(2 * kept);
    sorted_by_j_.reserve(2 * kept);
    found_.resize(std::max(found_.size(), 2 * kept));
  }
  sorted_by_j_.resize(kept);
  for (std::size_t p = 0; p < kept; ++p) sorted_by_j_[by_j[found_[p].j]++] = found_[p];
  pairs_.resize(kept);
  for (std::size_t p = 0; p < kept; ++p) pairs_[by_i[sorted_by_j_[p].i]++] = sorted_by_j_[p];
}

}  // namespace slip
