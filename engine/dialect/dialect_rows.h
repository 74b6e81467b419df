// Rows of a dialect, as its functions write them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/dialect/dialect.h"

namespace slip {

/// Collects the rows of one engine.
class DialectWriter {
 public:
  explicit DialectWriter(std::string_view engine) : engine_(engine) {}

  void Number(std::string name, double value, std::string unit, std::string keeps,
              Exactness exactness, std::string note = {}) {
    Numbers(std::move(name), {value}, std::move(unit), std::move(keeps), exactness,
            std::move(note));
  }
  void Numbers(std::string name, std::vector<double> values, std::string unit, std::string keeps,
               Exactness exactness, std::string note = {}) {
    rows_.push_back({engine_,
                     std::move(name),
                     std::move(values),
                     {},
                     std::move(unit),
                     std::move(keeps),
                     exactness,
                     std::move(note)});
  }
  void Word(std::string name, std::string word, std::string keeps, std::string note = {}) {
    rows_.push_back({engine_,
                     std::move(name),
                     {},
                     std::move(word),
                     {},
                     std::move(keeps),
                     Exactness::kExact,
                     std::move(note)});
  }
  /// What has no equivalent there.
  void Lost(std::string name, std::string note) {
    rows_.push_back({engine_, std::move(name), {}, {}, {}, {}, Exactness::kNone, std::move(note)});
  }
  DialectRows Take() { return std::move(rows_); }

 private:
  std::string_view engine_;
  DialectRows rows_;
};

/// What most engines do not have: of ours what `takes` does not name.
struct DialectTakes {
  bool creep = false, torsion = false, dissipation = false, before_touch = false;
};
void WriteLost(const DialectContact& contact, const DialectTakes& takes, DialectWriter* rows);

/// A number that one of the engine's defaults or --values gives.
double ValueOf(const DialectValues& values, std::string_view name, std::size_t i = 0);

DialectRows ToMujoco(const DialectContact& contact, DialectKeep keep);
DialectContact FromMujoco(const DialectValues& values, const DialectContact& at, DialectKeep keep,
                          DialectRows* rows);
DialectRows ToMujocoPyramid(const DialectContact& contact, DialectKeep keep);
DialectContact FromMujocoPyramid(const DialectValues& values, const DialectContact& at,
                                 DialectKeep keep, DialectRows* rows);

DialectRows ToBullet(const DialectContact& contact, DialectKeep keep);
DialectContact FromBullet(const DialectValues& values, const DialectContact& at, DialectKeep keep,
                          DialectRows* rows);
DialectRows ToOde(const DialectContact& contact, DialectKeep keep);
DialectContact FromOde(const DialectValues& values, const DialectContact& at, DialectKeep keep,
                       DialectRows* rows);
DialectRows ToSdf(const DialectContact& contact, DialectKeep keep);
DialectContact FromSdf(const DialectValues& values, const DialectContact& at, DialectKeep keep,
                       DialectRows* rows);

DialectRows ToDrake(const DialectContact& contact, DialectKeep keep);
DialectContact FromDrake(const DialectValues& values, const DialectContact& at, DialectKeep keep,
                         DialectRows* rows);
DialectRows ToPhysx(const DialectContact& contact, DialectKeep keep);
DialectContact FromPhysx(const DialectValues& values, const DialectContact& at, DialectKeep keep,
                         DialectRows* rows);
DialectRows ToBox2d(const DialectContact& contact, DialectKeep keep);
DialectContact FromBox2d(const DialectValues& values, const DialectContact& at, DialectKeep keep,
                         DialectRows* rows);
DialectRows ToNewton(const DialectContact& contact, DialectKeep keep);
DialectContact FromNewton(const DialectValues& values, const DialectContact& at, DialectKeep keep,
                          DialectRows* rows);
DialectRows ToVbd(const DialectContact& contact, DialectKeep keep);
DialectContact FromVbd(const DialectValues& values, const DialectContact& at, DialectKeep keep,
                       DialectRows* rows);

}  // namespace slip
