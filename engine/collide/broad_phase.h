// Broad phase: which axis-aligned boxes overlap. Bodies are binned by size into levels; every level
// is a uniform grid whose cells are as large as its largest body, so that overlapping bodies of one
// level lie in neighbouring cells. Bodies of two levels meet in the grid of one. A grid is a torus:
// far-flung bodies alias into it and are told apart by their boxes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/types.h"

namespace slip {

struct Bounds {
  Vec3 min = Vec3::Zero();  ///< [m]
  Vec3 max = Vec3::Zero();
  bool is_static = false;  ///< two static boxes are never a pair
};

struct BodyPair {
  uint32_t i = 0;  ///< i < j
  uint32_t j = 0;
  auto operator<=>(const BodyPair&) const = default;
};

/// Holds only scratch: the same boxes give the same pairs, whatever was asked before. Boxes that
/// touch count as overlapping.
///
/// Limits: coordinates must not be NaN. Boxes that are infinite, or farther from the origin than
/// 1e12 times their level's cell, are compared with all others; so are those of a seventeenth
/// level upwards (each level spans a factor two of sizes). Cells are cubes: long thin bodies share
/// theirs with more others than they touch. Bodies spaced regularly by exactly the period
/// of the torus, at least 4 cells and typically the extent of the scene, cost time, never pairs.
class BroadPhase {
 public:
  /// Pairs of overlapping boxes, i < j, sorted; the reference is valid until the next call.
  const std::vector<BodyPair>& FindPairs(std::span<const Bounds> boxes);

 private:
  static constexpr int kMaxLevels = 16;

  // A box in the order of its level's cells. Its corners are rounded down to a lattice, 20 bits and
  // a guard bit per axis in one word, so that two subtractions compare all six sides; only boxes
  // that agree in a lattice coordinate need their exact ones.
  struct Entry {
    uint64_t lo, hi;
    uint32_t id;
    uint32_t movable;  // 0 or 1
  };
  struct Level {
    double inverse_cell = 0;
    int64_t first[3] = {}, last[3] = {};  // range of the cells in use, before wrapping
    int64_t count[3] = {1, 1, 1};         // cells of the torus: 1 where one suffices, else >= 4
    std::size_t begin = 0, end = 0;       // in entries_
    std::vector<uint32_t> start;          // per wrapped cell, in entries_; one more at the end
  };

  void ChooseLattice();
  uint64_t Round(const Vec3& corner) const;
  Entry MakeEntry(uint32_t i) const;
  void SplitLevels();
  void FillLevel(double cell, Level* level);
  void PairsWithin(const Level& level);
  void PairsBetween(const Level& small, const Level& large);
  void PairsIn(const Level& level, const Entry& entry);
  void TestRow(const Level& level, int64_t row, int64_t x_first, int64_t x_last,
               const Entry& entry);
  void Test(const Entry& entry, std::size_t begin, std::size_t end);
  void Sort(std::size_t n);

  std::span<const Bounds> boxes_;  // of the current call
  Vec3 lattice_origin_ = Vec3::Zero();
  double inverse_step_ = 1;
  std::array<Level, kMaxLevels> levels_;
  int level_count_ = 0;
  std::vector<Entry> entries_;            // level by level, then the giants
  std::size_t giants_ = 0;                // where the giants begin
  std::vector<double> size_;              // largest edge of every box
  std::vector<uint32_t> rest_, members_;  // boxes without a level; those of the level being filled
  std::vector<int64_t> cells_;            // three per member, before wrapping
  std::vector<uint32_t> cell_of_;         // wrapped cell of every member
  std::vector<BodyPair> found_;           // unsorted, with spare room
  std::vector<BodyPair> sorted_by_j_, pairs_;
  std::size_t found_count_ = 0;
  std::vector<uint32_t> offset_;  // per body: where its pairs go, by i and by j
};

}  // namespace slip
