#include "app/session/branches_along.h"

#include <algorithm>
#include <utility>

#include "app/session/branches.h"
#include "engine/core/numbers.h"

namespace slip::app {
namespace {

// Samples of one branch; the engine sends fewer.
constexpr std::size_t kBranchBudget = std::size_t{64} << 20;

}  // namespace

uint64_t BranchesAlong::PresentId() const { return branches_.IdOf(branches_.present()); }

bool BranchesAlong::Has(int branch) const {
  const uint64_t id = branches_.IdOf(branch);
  return std::any_of(drawn_.begin(), drawn_.end(), [id](const Drawn& d) { return d.id == id; });
}

void BranchesAlong::Set(int branch, bool along) {
  const uint64_t id = branches_.IdOf(branch);
  if (id == 0 || along == Has(branch)) return;
  if (!along) {
    std::erase_if(drawn_, [id](const Drawn& d) { return d.id == id; });
    return;
  }
  if (drawn_.size() == kMost) drawn_.erase(drawn_.begin());
  drawn_.push_back({.id = id});
}

std::vector<int> BranchesAlong::Numbers() const {
  std::vector<int> numbers;
  for (const Drawn& drawn : drawn_) {
    if (drawn.id != PresentId()) numbers.push_back(branches_.NumberOf(drawn.id));
  }
  return numbers;
}

int BranchesAlong::Ghost() const {
  const std::vector<int> along = Numbers();
  if (along.empty()) return -1;
  const int chosen = branches_.NumberOf(ghost_);
  return std::find(along.begin(), along.end(), chosen) != along.end() ? chosen : along.back();
}

void BranchesAlong::ChooseGhost(int branch) {
  Set(branch, true);
  ghost_ = branches_.IdOf(branch);
}

const SeriesStore* BranchesAlong::Samples(int branch) const {
  const uint64_t id = branches_.IdOf(branch);
  for (const Drawn& drawn : drawn_) {
    if (drawn.id == id && drawn.beside == PresentId() && id != PresentId()) return &drawn.samples;
  }
  return nullptr;
}

double BranchesAlong::End() const {
  double end = 0;
  for (const int b : Numbers()) {
    if (const SeriesStore* samples = Samples(b)) end = std::max(end, samples->end());
  }
  return end;
}

void BranchesAlong::Begin() {
  if (const auto restored = std::exchange(restored_, std::nullopt)) {
    for (const int b : restored->along) Set(b, true);
    ghost_ = branches_.IdOf(restored->ghost);
  } else if (branches_.Has(branches_.present())) {
    Set(At(branches_.tree(), branches_.present()).parent, true);
  }
}

void BranchesAlong::BeginWith(int branch) {
  Clear();
  Set(branch, true);
}

bool BranchesAlong::Update(int ghost) {
  std::erase_if(
      drawn_, [this](const Drawn& drawn) { return !branches_.Has(branches_.NumberOf(drawn.id)); });
  for (Drawn& drawn : drawn_) {
    if (drawn.id == PresentId() || drawn.asked == PresentId()) continue;
    drawn.asked = PresentId();
    send_(TellBranch{branches_.NumberOf(drawn.id)});
  }
  const int wanted = ghost_shown_ ? Ghost() : -1;
  if (branches_.IdOf(wanted) != ghost_asked_) {
    ghost_asked_ = branches_.IdOf(wanted);
    send_(slip::ShowGhost{wanted});
  }
  return std::exchange(ghost_seen_, ghost) != ghost_seen_;
}

void BranchesAlong::Take(const BranchSamples& told) {
  for (Drawn& drawn : drawn_) {
    if (drawn.id != told.id) continue;
    drawn.samples = SeriesStore();
    drawn.samples.set_budget(kBranchBudget);
    drawn.beside = told.beside;
    Telemetry telemetry;
    for (const Sample& sample : told.samples) {
      telemetry.item = sample;
      drawn.samples.Feed(telemetry);
    }
  }
}

}  // namespace slip::app
