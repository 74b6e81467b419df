// Past: what another branch went through, beside the present one.
#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/run/scope/past.h"

namespace slip {
namespace {

// Of a branch that is drawn beside the present one: more than a screen has columns [samples].
constexpr std::size_t kMostBeside = std::size_t{1} << 14;

/// The least and the most of each signal over successive steps, at the first two of their times: no
/// peak is lost.
class Extremes {
 public:
  void Add(Sample sample) {
    if (count_++ == 0) {
      low_ = sample;
      high_ = std::move(sample);
      return;
    }
    if (count_ == 2) high_.time = sample.time, high_.step = sample.step;
    Widen(sample.values, low_.values, high_.values);
    if (sample.part_values.size() == low_.part_values.size())
      Widen(sample.part_values, low_.part_values, high_.part_values);
  }
  std::size_t count() const { return count_; }
  void AppendTo(std::vector<Sample>* samples) {
    if (count_ > 0) samples->push_back(std::move(low_));
    if (count_ > 1) samples->push_back(std::move(high_));
    count_ = 0;
  }

 private:
  template <class Values>
  static void Widen(const Values& values, Values& low, Values& high) {
    for (std::size_t k = 0; k < values.size(); ++k) {  // of a gap and a value the value
      low[k] = std::fmin(low[k], values[k]);
      high[k] = std::fmax(high[k], values[k]);
    }
  }

  Sample low_, high_;
  std::size_t count_ = 0;
};

/// The same channel where it runs on the branch too, else the one in its place; null = none.
std::shared_ptr<Track> FindThere(const Channels& channels, int c, const Branch& branch) {
  const Channels::List& there = branch.channels;
  const auto place = static_cast<std::size_t>(c);
  if (std::find(there.begin(), there.end(), channels.list()[place]) != there.end())
    return channels.list()[place];
  return place < there.size() ? there[place] : nullptr;
}

}  // namespace

void Past::AskGhost(int which, const Branches& branches) {
  ghost_ = branches.Has(which) ? branches.at(which).id : 0;
}

void Past::FillGhost(const Channels& channels, const Branches& branches, GhostRun* shown) const {
  const int which = ghost_ == 0 ? -1 : branches.Find(ghost_);
  shown->branch = branches.Has(which) && which != branches.present() ? which : -1;
  shown->place = GhostRun::Place::kNone;
  shown->model = nullptr;
  shown->shared_until = shown->end = 0;
  shown->channels.resize(shown->branch < 0 ? 0 : channels.list().size());
  if (shown->branch < 0) return;
  shown->model = branches.at(which).model;
  for (int c = 0; c < channels.count(); ++c) {
    std::vector<BodyFrame>& bodies = At(shown->channels, c);
    bodies.clear();
    const std::shared_ptr<Track> there = FindThere(channels, c, branches.at(which));
    if (there == nullptr) continue;
    const TrackLines::Beside beside = there->lines().FindBeside(
        which, channels.MarkTime() + 1e-9, channels.mark_step(), &ghost_record_);
    shown->place = std::max(shown->place, beside.place);
    shown->shared_until = std::max(shown->shared_until, beside.shared_until);
    shown->end = std::max(shown->end, beside.end);
    if (beside.place != GhostRun::Place::kApart) continue;
    for (const Pose& pose : ghost_record_.state.X_WB) bodies.push_back({.X_WB = pose});
  }
  // one that goes on says more than one that ended
  if (std::any_of(shown->channels.begin(), shown->channels.end(),
                  [](const auto& bodies) { return !bodies.empty(); }))
    shown->place = GhostRun::Place::kApart;
}

BranchSamples Past::SamplesOf(int which, const Branches& branches) const {
  BranchSamples told;
  if (!branches.Has(which) || which == branches.present()) return told;
  const Branch& one = branches.at(which);
  told.id = one.id;
  told.beside = branches.at(branches.present()).id;
  for (std::size_t c = 0; c < one.channels.size(); ++c) {
    const Track& track = *one.channels[c];
    const std::size_t count = track.lines().CountBeside(which);
    const std::size_t stride = (count + kMostBeside - 1) / kMostBeside;
    std::size_t i = 0;
    Extremes some;
    track.lines().VisitBeside(which, [&](const StepRecord& record, double time, MethodId method) {
      Sample sample = SampleOf(static_cast<int>(c), record, time, method);
      const std::size_t at = i++;
      // the first and the last as they are, and between them the least and the most of so many
      if (stride > 1 && at > 0 && at + 1 < count) {
        some.Add(std::move(sample));
        if (some.count() == 2 * stride) some.AppendTo(&told.samples);
        return;
      }
      some.AppendTo(&told.samples);
      told.samples.push_back(std::move(sample));
    });
  }
  return told;
}

}  // namespace slip
