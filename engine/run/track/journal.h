// What was done to a running channel, by step: with the start, this is all that its future depends
// on.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/dynamics/state.h"
#include "engine/method/config.h"

namespace slip {

/// Sets a parameter; the method is one too. Path as in config.h.
struct ParamChange {
  std::string path;
  double value = 0;

  bool operator==(const ParamChange&) const = default;
};

/// The channel takes over the bodies of another. It counts as a step of its own.
struct StateChange {
  std::shared_ptr<const State> state;  ///< its step does not count; time_base is its time

  bool operator==(const StateChange& other) const;
};

using Change = std::variant<ParamChange, Grab, StateChange>;

/// A change after so many steps, hence before the next one.
struct JournalEntry {
  int64_t step = 0;
  Change change;

  bool operator==(const JournalEntry&) const = default;
};

/// The knobs with an entry's change made; a state leaves them as they are. Refuses what SetParam
/// refuses.
Status ApplyToConfig(const Change& change, Config* config);

/// A parameter change at a time, as if made in the window.
struct TimedChange {
  double time = 0;  ///< [s]
  std::string path;
  double value = 0;
  int channel = -1;  ///< -1 = all

  bool operator==(const TimedChange&) const = default;
};

/// The bits of the steps of one run, and at some of them the bodies, so that a run that comes out
/// otherwise can be told where, which body, and by how much. It holds so many steps; when they are
/// more, every second goes and from then on only every second comes.
class StateLog {
 public:
  struct Hash {
    int64_t step = 0;
    uint64_t hash = 0;
    bool operator==(const Hash&) const = default;
  };
  /// Position [m], quaternion (w, x, y, z) of every body, then the velocity coordinates.
  struct Bodies {
    int64_t step = 0;
    std::vector<double> numbers;
    bool operator==(const Bodies&) const = default;
  };

  StateLog() = default;
  /// As it was written down.
  StateLog(std::vector<Hash> hashes, const std::vector<Bodies>& bodies);

  /// Reserves what it will ever need for states of this size.
  void Reserve(const State& state);
  void Add(const State& state);
  /// Adds it even where it is not due: the last of a run.
  void AddLast(const State& state);
  const std::vector<Hash>& hashes() const { return hashes_; }
  std::vector<Bodies> bodies() const;

 private:
  static constexpr std::size_t kMostHashes = 512;
  static constexpr std::size_t kMostNumbers = 1024;
  void AddBodies(const State& state);

  std::vector<Hash> hashes_;
  int64_t hash_stride_ = 1;
  std::vector<double> numbers_;  // step and bodies, one after the other
  std::size_t record_ = 0;       // numbers of one
  int64_t bodies_stride_ = 1;
};

/// The numbers that StateLog keeps of a state.
std::vector<double> BodyNumbers(const State& state);

}  // namespace slip
