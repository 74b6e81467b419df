#include "app/session/branches.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/session/change_text.h"
#include "app/session/session.h"
#include "engine/core/numbers.h"
#include "engine/tell/format.h"

namespace slip::app {
namespace {

constexpr const char* kBegan = "a branch began";  // subject of its message
// A branch that was dropped can be taken back so long [s].
constexpr double kTakeBack = 30;

std::string DroppedSubject(uint64_t id) { return fmt::format("branch dropped {}", id); }

}  // namespace

std::span<const BranchInfo> Branches::tree() const {
  return tree_ != nullptr ? std::span<const BranchInfo>(*tree_) : std::span<const BranchInfo>();
}

const BranchInfo* Branches::Find(int branch) const {
  const auto all = tree();
  return branch >= 0 && branch < static_cast<int>(all.size()) ? &At(all, branch) : nullptr;
}

bool Branches::Has(int branch) const {
  const BranchInfo* info = Find(branch);
  return info != nullptr && !info->dropped;
}

int Branches::NumberOf(uint64_t id) const {
  const auto all = tree();
  const auto found =
      std::find_if(all.begin(), all.end(), [id](const BranchInfo& info) { return info.id == id; });
  return found != all.end() ? static_cast<int>(found - all.begin()) : -1;
}

uint64_t Branches::IdOf(int branch) const {
  const BranchInfo* info = Find(branch);
  return info != nullptr ? info->id : 0;
}

bool Branches::Update(const Snapshot& snapshot, double now) {
  now_ = now;
  history_end_ = snapshot.history_end;
  history_bytes_ = snapshot.history_bytes;
  if (!snapshot.channels.empty()) config_ = snapshot.channels.front().config;
  const auto old = std::exchange(tree_, snapshot.tree);
  if (tree_ != old) {
    paths_.assign(tree().size(), {});
    for (std::size_t b = 0; b < paths_.size(); ++b) {
      double until = kInfinity;
      for (const BranchInfo* info = Find(static_cast<int>(b)); info != nullptr;
           info = Find(info->parent)) {
        paths_[b].insert(paths_[b].begin(), {NumberOf(info->id), until});
        until = info->fork_time;
      }
    }
  }
  const std::shared_ptr<const Scene> scene_before = std::exchange(scene_, snapshot.scene);
  present_ = snapshot.branch;
  const uint64_t before = std::exchange(present_id_, IdOf(present_));
  if (present_id_ != before && before == 0 && along_.restores()) along_.Begin();
  if (present_id_ != before && before != 0) {
    const bool fresh = std::none_of(old->begin(), old->end(), [this](const BranchInfo& info) {
      return info.id == present_id_;
    });
    const int left = NumberOf(before);
    if (Has(left)) {
      // the one that was left is looked at beside the new one
      along_.BeginWith(left);
      if (fresh) SayBegan(left);
    } else if (left < 0) {
      // another session
      along_.Clear();
      dropped_.clear();
      remove_(kBegan);
      along_.Begin();
    }
    if (!fresh) remove_(kBegan);
  }
  const bool other_ghost = along_.Update(snapshot.ghost.branch);
  FreeDropped(now);
  return tree_ != old || other_ghost;
}

void Branches::SayBegan(int left) {
  const BranchInfo& began = *Find(present_);
  const bool forked = began.parent >= 0;
  Message message;
  message.subject = kBegan;
  message.what =
      fmt::format("The old {} is kept as run {}.", forked ? "future" : "run", Name(left));
  if (forked && began.changes.empty()) {
    message.where =
        fmt::format("You went back to {:.4g} s and went on from there.", began.fork_time);
  } else if (forked) {
    message.where = fmt::format("You went back to {:.4g} s and changed {}.", began.fork_time,
                                PlainText(ParamName(config_, began.changes.front().path)));
  }
  const uint64_t id = IdOf(left);
  message.actions.push_back({"Return", [id](Session* s) {
                               Branches& branches = s->branches();
                               branches.ReturnTo(branches.NumberOf(id));
                             }});
  remove_(kBegan);  // a new card, not the same once more
  post_(std::move(message));
}

std::vector<int> Branches::Living() const {
  std::vector<int> numbers;
  for (int b = 0; b < static_cast<int>(tree().size()); ++b) {
    if (Has(b)) numbers.push_back(b);
  }
  return numbers;
}

std::string Branches::Name(int branch) const {
  const BranchInfo* info = Find(branch);
  if (info != nullptr && !info->name.empty()) return info->name;
  return fmt::format("b{}", branch + 1);
}

double Branches::Start(int branch) const {
  const BranchInfo* info = Find(branch);
  return info != nullptr && info->parent >= 0 ? info->fork_time : 0;
}

double Branches::End(int branch) const {
  const BranchInfo* info = Find(branch);
  if (info == nullptr) return 0;
  return branch == present_ ? history_end_ : info->end_time;
}

std::size_t Branches::Bytes(int branch) const {
  const BranchInfo* info = Find(branch);
  if (info == nullptr) return 0;
  if (branch != present_) return info->bytes;
  // the snapshot gave its part when that was smaller
  std::size_t others = 0;
  for (const BranchInfo& other : tree()) others += &other == info ? 0 : other.bytes;
  return history_bytes_ - std::min(history_bytes_, others);
}

std::optional<double> Branches::SharedUntil(int branch, int other) const {
  if (Find(branch) == nullptr || Find(other) == nullptr) return std::nullopt;
  const auto& a = At(paths_, branch);
  const auto& b = At(paths_, other);
  std::optional<double> until;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()) && a[i].branch == b[i].branch; ++i) {
    until = std::min({a[i].until, b[i].until, End(a[i].branch)});
    if (a[i].until != b[i].until) break;
  }
  return until;
}

std::string Branches::Changes(int branch) const {
  const BranchInfo* info = Find(branch);
  if (info == nullptr) return {};
  // what does not fit on a card is counted
  constexpr std::size_t kMost = 4;
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  std::size_t told = 0;
  std::vector<std::string> said;
  for (const BranchChange& change : info->changes) {
    const std::string one = ChangeText(config_, change.path, change.from, change.to);
    // joints of a robot, and channels that were changed one by one
    if (std::find(said.begin(), said.end(), one) != said.end()) continue;
    said.push_back(one);
    if (told++ < kMost) add(one);
  }
  if (told > kMost) add(fmt::format("and {} more", told - kMost));
  if (!info->set_back.empty()) {
    const std::size_t back = info->set_back.size();
    add(back == 1 ? ParamName(config_, info->set_back.front()) + " changed and set back"
                  : fmt::format("{} parameters changed and set back", back));
  }
  if (info->added > 0) add(info->added == 1 ? "a model added" : "models added");
  if (info->pulled) add("pulled");
  if (info->resynced) add("re-synced");
  if (!text.empty()) return text;
  return info->parent < 0 ? "as the scene file says" : "nothing changed";
}

std::string Branches::ShortChange(int branch) const {
  const BranchInfo* info = Find(branch);
  if (info == nullptr) return {};
  if (!info->changes.empty()) {
    const BranchChange& change = info->changes.front();
    return ValueText(config_, change.path, change.to);
  }
  return info->pulled              ? "pulled"
         : info->resynced          ? "re-synced"
         : !info->set_back.empty() ? "set back"
                                   : "";
}

std::string Branches::WhyKept(int branch) const {
  if (branch == present_) return "This is the run that is shown.";
  std::string others;
  for (const int b : Living()) {
    if (Find(b)->parent == branch) others += (others.empty() ? "" : ", ") + Name(b);
  }
  return others.empty() ? std::string() : others + " begins on it, and needs it.";
}

// What the user does -----------------------------------------------------------------------------

void Branches::ReturnTo(int branch) {
  if (Has(branch)) send_(GoToBranch{branch});
}

int Branches::Beside(int offset) const {
  const std::vector<int> living = Living();
  const auto here = std::find(living.begin(), living.end(), present_);
  if (here == living.end()) return -1;
  const auto at = here - living.begin() + offset;
  return at >= 0 && at < static_cast<std::ptrdiff_t>(living.size()) ? At(living, at) : -1;
}

void Branches::ReturnBy(int offset) { ReturnTo(Beside(offset)); }

void Branches::Rename(int branch, std::string name) {
  if (Has(branch)) send_(NameBranch{branch, std::move(name)});
}

void Branches::Drop(int branch) {
  if (!Has(branch) || !WhyKept(branch).empty()) return;
  const uint64_t id = IdOf(branch);
  Message message;
  message.subject = DroppedSubject(id);
  message.what = fmt::format("Run {} was dropped.", Name(branch));
  message.where = fmt::format("Its history of {:.1f} MB goes in {:.0f} s.",
                              static_cast<double>(Bytes(branch)) / (1024.0 * 1024.0), kTakeBack);
  message.actions.push_back({"Undo", [branch](Session* s) { s->branches().TakeBack(branch); }});
  post_(std::move(message));
  dropped_[id] = now_;
  send_(DropBranch{branch});
}

void Branches::TakeBack(int branch) {
  const uint64_t id = IdOf(branch);
  if (dropped_.erase(id) == 0) return;
  remove_(DroppedSubject(id));
  send_(KeepBranch{branch});
}

/// All at once: the last one decides when.
void Branches::FreeDropped(double now) {
  if (dropped_.empty()) return;
  double last = 0;
  for (const auto& [id, since] : dropped_) last = std::max(last, since);
  if (now - last < kTakeBack) return;
  for (const auto& [id, since] : dropped_) remove_(DroppedSubject(id));
  dropped_.clear();
  send_(slip::FreeDropped{});
}

}  // namespace slip::app
