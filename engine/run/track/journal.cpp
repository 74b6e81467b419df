#include "engine/run/track/journal.h"

#include <algorithm>

namespace slip {
namespace {

// Calls fn for every number of the state's bodies: as many in every state of a model, which what
// controllers remember is not.
template <class Fn>
void VisitBodies(const State& state, Fn&& fn) {
  for (const Pose& X : state.X_WB) {
    for (int i = 0; i < 3; ++i) fn(X.p[i]);
    fn(X.q.w()), fn(X.q.x()), fn(X.q.y()), fn(X.q.z());
  }
  for (const auto* numbers : {&state.v, &state.q}) {
    for (Eigen::Index i = 0; i < numbers->size(); ++i) fn((*numbers)[i]);
  }
}

std::size_t BodyCount(const State& state) {
  return state.X_WB.size() * 7 + static_cast<std::size_t>(state.v.size() + state.q.size());
}

}  // namespace

bool StateChange::operator==(const StateChange& other) const {
  if (state == nullptr || other.state == nullptr) return state == other.state;
  return Equal(*state, *other.state);
}

Status ApplyToConfig(const Change& change, Config* config) {
  if (const auto* param = std::get_if<ParamChange>(&change))
    return SetParam(config, param->path, param->value);
  if (const auto* grab = std::get_if<Grab>(&change)) config->grab = *grab;
  return Ok{};
}

std::vector<double> BodyNumbers(const State& state) {
  std::vector<double> numbers;
  numbers.reserve(BodyCount(state));
  VisitBodies(state, [&](double x) { numbers.push_back(x); });
  return numbers;
}

StateLog::StateLog(std::vector<Hash> hashes, const std::vector<Bodies>& bodies)
    : hashes_(std::move(hashes)) {
  for (const Bodies& one : bodies) {
    record_ = one.numbers.size() + 1;
    numbers_.push_back(static_cast<double>(one.step));
    numbers_.insert(numbers_.end(), one.numbers.begin(), one.numbers.end());
  }
}

void StateLog::Reserve(const State& state) {
  record_ = 1 + BodyCount(state);
  hashes_.reserve(kMostHashes + 1);
  numbers_.reserve(std::max(kMostNumbers, record_) + record_);
}

void StateLog::AddBodies(const State& state) {
  numbers_.push_back(static_cast<double>(state.step));
  VisitBodies(state, [this](double x) { numbers_.push_back(x); });
}

void StateLog::Add(const State& state) {
  if (record_ == 0) Reserve(state);
  if (state.step % hash_stride_ == 0) {
    if (hashes_.size() == kMostHashes) {
      hash_stride_ *= 2;
      std::erase_if(hashes_, [this](const Hash& h) { return h.step % hash_stride_ != 0; });
    }
    if (state.step % hash_stride_ == 0) hashes_.push_back({state.step, slip::Hash(state)});
  }
  if (state.step % bodies_stride_ != 0) return;
  if (!numbers_.empty() && numbers_.size() + record_ > kMostNumbers) {
    bodies_stride_ *= 2;
    std::size_t kept = 0;
    for (std::size_t at = 0; at < numbers_.size(); at += record_) {
      if (static_cast<int64_t>(numbers_[at]) % bodies_stride_ != 0) continue;
      const auto begin = numbers_.begin() + static_cast<std::ptrdiff_t>(at);
      std::copy(begin, begin + static_cast<std::ptrdiff_t>(record_),
                numbers_.begin() + static_cast<std::ptrdiff_t>(kept));
      kept += record_;
    }
    numbers_.resize(kept);
    if (state.step % bodies_stride_ != 0 || (kept > 0 && kept + record_ > kMostNumbers)) return;
  }
  AddBodies(state);
}

void StateLog::AddLast(const State& state) {
  if (record_ == 0) Reserve(state);
  if (hashes_.empty() || hashes_.back().step < state.step)
    hashes_.push_back({state.step, slip::Hash(state)});
  const std::size_t last = numbers_.size() - std::min(numbers_.size(), record_);
  if (numbers_.empty() || static_cast<int64_t>(numbers_[last]) < state.step) AddBodies(state);
}

std::vector<StateLog::Bodies> StateLog::bodies() const {
  std::vector<Bodies> all;
  for (std::size_t at = 0; at < numbers_.size(); at += record_) {
    const auto begin = numbers_.begin() + static_cast<std::ptrdiff_t>(at);
    all.push_back({static_cast<int64_t>(numbers_[at]),
                   std::vector<double>(begin + 1, begin + static_cast<std::ptrdiff_t>(record_))});
  }
  return all;
}

}  // namespace slip
