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
  void AppendTo(DialectRows* all) { all->insert(all->end(), rows_.begin(), rows_.end()); }

 private:
  std::string_view engine_;
  DialectRows rows_;
};

/// What most engines do not have: of ours what `takes` does not name.
struct DialectTakes {
  bool creep = false, torsion = false, dissipation = false, before_touch = false, glide = false,
       near_rigid = false;
};
void WriteLost(const DialectContact& contact, const DialectTakes& takes, DialectWriter* rows);

/// A number that one of the engine's defaults or --values gives.
double ValueOf(const DialectValues& values, std::string_view name, std::size_t i = 0);

/// How far a translated spring and damper hold.
Exactness HoldsOf(const DialectContact& contact);

/// The contact of `at` with a law that has no more than this; k: none = rigid.
DialectContact WithLaw(const DialectContact& at, std::optional<double> k, double c, double mu);

// The rows of the table, each beside its functions.
std::vector<Dialect> MujocoDialects();
std::vector<Dialect> SpringDialects();
std::vector<Dialect> OtherDialects();

}  // namespace slip
