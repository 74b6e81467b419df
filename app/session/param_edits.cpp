#include "app/session/param_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/session/session.h"
#include "engine/core/numbers.h"

namespace slip::app {

double ParamEdits::Value(int channel, const std::string& path) const {
  if (channel < 0) channel = looks_.chosen_lead();
  const auto wanted = pending_.find({channel, path});
  if (wanted != pending_.end()) return wanted->second.first;
  if (channel >= core_.channel_count()) return 0;
  return GetParam(core_.frame(channel).config, path).value_or(0);
}

double ParamEdits::Default(int channel, const std::string& path) const {
  if (core_.scene() == nullptr) return 0;
  if (channel < 0) channel = looks_.chosen_lead();
  const std::string known =
      core_.channel_count() > 0 ? PathInScene(core_.frame(0).config, path) : path;
  // one that came later has its own model, the scene's values, and as many bodies as the others
  const std::vector<ChannelSpec>& specs = core_.scene()->channels;
  const ChannelLook& own = looks_.Of(channel);
  const bool of_file = own.of_scene >= 0 && ToIndex(own.of_scene) < specs.size();
  if (!of_file && path == kMethodParam) return static_cast<double>(own.added_as);
  if (!of_file && (specs.empty() || !Rebuilds(path)))
    return GetParam(core_.scene()->config, known).value_or(0);
  return GetParam(specs[of_file ? ToIndex(own.of_scene) : 0].Own(), known).value_or(0);
}

std::optional<double> ParamEdits::TableDefault(const std::string& path) const {
  if (core_.channel_count() == 0) return std::nullopt;
  Config usual = core_.frame(looks_.chosen_lead()).config;
  usual.step = StepParams{};
  for (Material& material : usual.materials) {
    Material plain;
    plain.name = material.name;
    material = plain;
  }
  usual.surfaces.clear();
  usual.piles.clear();
  usual.bodies.clear();
  return GetParam(usual, path);
}

bool ParamEdits::Rebuilds(const std::string& path) const {
  const ParamInfo* info =
      core_.channel_count() > 0 ? FindParam(core_.frame(0).config, path) : nullptr;
  return info != nullptr && info->applies == Applies::kRebuild;
}

std::vector<double> ParamEdits::ValuesOf(const std::string& path) const {
  std::vector<double> values(ToIndex(core_.channel_count()));
  for (int i = 0; i < core_.channel_count(); ++i) At(values, i) = Value(i, path);
  return values;
}

void ParamEdits::SendValues(const std::string& path, const std::vector<double>& values) {
  const int count = std::min(core_.channel_count(), static_cast<int>(values.size()));
  if (count == 0) return;
  const bool same =
      std::all_of(values.begin(), values.end(), [&](double v) { return v == values[0]; });
  for (int i = 0; i < count; ++i) pending_[{i, path}] = {At(values, i), core_.now()};
  if (same && count == core_.channel_count()) {
    core_.Send(SetParamCommand{-1, path, values[0]});
    return;
  }
  for (int i = 0; i < count; ++i) {
    // The channels that already have their value get no command, hence no mark.
    if (GetParam(core_.frame(i).config, path) != At(values, i))
      core_.Send(SetParamCommand{i, path, At(values, i)});
  }
}

bool ParamEdits::OfThisHand(const Edit& edit) const {
  return held_since_ && edit.touched >= *held_since_;
}

ParamEdits::Edit* ParamEdits::FindOpenEdit(const std::string& path, std::size_t channels) {
  for (std::size_t i = edits_.size(); i-- > 0;) {
    Edit& edit = edits_[i];
    const bool last = i + 1 == edits_.size();
    if (last ? !OfThisHand(edit) && core_.now() - edit.touched >= kMergeSeconds
             : !OfThisHand(edit) || !edit.with_next)
      return nullptr;
    if (edit.path == path && edit.after.size() == channels) return &edit;
  }
  return nullptr;
}

void ParamEdits::Set(int channel, const std::string& path, double value) {
  if (core_.channel_count() == 0 || channel >= core_.channel_count() || core_.IsOpening()) return;
  // the rows must not become one under the hand when they meet
  if (channel >= 0) OpenRow(path);
  const std::vector<double> before = ValuesOf(path);
  std::vector<double> after = before;
  if (channel < 0) {
    std::fill(after.begin(), after.end(), value);
  } else {
    At(after, channel) = value;
  }
  if (after == before) return;
  edits_.resize(undo_at_);
  if (Edit* edit = FindOpenEdit(path, after.size())) {
    edit->after = after;
    edit->touched = core_.now();
  } else {
    edits_.push_back({path, before, after, core_.now()});
  }
  undo_at_ = edits_.size();
  last_edit_ = core_.now();
  if (channel < 0) {
    SendValues(path, after);
  } else {
    pending_[{channel, path}] = {value, core_.now()};
    core_.Send(SetParamCommand{channel, path, value});
  }
}

void ParamEdits::AsOneEdit(const std::function<void()>& change) {
  // merges with the edit that this drag began in an earlier frame
  const bool merges = undo_at_ > 0 && OfThisHand(edits_[undo_at_ - 1]);
  const std::size_t first = merges ? undo_at_ - 1 : undo_at_;
  change();
  for (std::size_t i = first; i + 1 < undo_at_; ++i) edits_[i].with_next = true;
}

bool ParamEdits::Shared(const std::string& path) const {
  if (unlocked_.count(path) != 0 || core_.model() == nullptr) return unlocked_.count(path) == 0;
  // the value of a channel that does not use the parameter is not seen, so it opens no row
  std::optional<double> value;
  for (int i = 0; i < core_.channel_count(); ++i) {
    const ParamInfo* info = FindParam(core_.frame(i).config, path);
    if (info == nullptr || !Uses(*core_.model(), core_.frame(i).config, *info)) continue;
    const double own = Value(i, path);
    if (value && *value != own) return false;
    value = own;
  }
  return true;
}

void ParamEdits::Share(const std::string& path, int channel) {
  unlocked_.erase(path);
  if (core_.channel_count() > 0) Set(-1, path, Value(channel, path));
}

bool ParamEdits::Changed(const std::string& path) const {
  for (int i = 0; i < core_.channel_count(); ++i) {
    if (Value(i, path) != Default(i, path)) return true;
  }
  return false;
}

int ParamEdits::ChangedCount() const {
  if (core_.channel_count() == 0) return 0;
  int count = 0;
  for (const ParamEntry& entry : ListParams(core_.frame(looks_.chosen_lead()).config)) {
    if (Changed(entry.path)) ++count;
  }
  return count;
}

void ParamEdits::Reset(const std::string& path) {
  if (!Changed(path)) return;
  std::vector<double> after(ToIndex(core_.channel_count()));
  for (int i = 0; i < core_.channel_count(); ++i) At(after, i) = Default(i, path);
  edits_.resize(undo_at_);
  edits_.push_back({path, ValuesOf(path), after, 0});
  last_edit_ = core_.now();
  undo_at_ = edits_.size();
  SendValues(path, after);
}

void ParamEdits::ResetAll() {
  if (core_.channel_count() == 0) return;
  const std::size_t first = undo_at_;
  AsOneEdit([this] {
    for (const ParamEntry& entry : ListParams(core_.frame(looks_.chosen_lead()).config))
      Reset(entry.path);
  });
  if (undo_at_ <= first) return;
  edits_.back().of_reset_all = true;
  const std::size_t count = undo_at_ - first;
  Message message;
  message.subject = kResetAll;
  message.what = count == 1 ? "One parameter is the scene's again."
                            : fmt::format("{} parameters are the scene's again.", count);
  message.actions.push_back({"Undo", [](Session* s) { s->params().Undo(); }});
  core_.SetStatus(message.what);
  core_.Post(std::move(message));
}

void ParamEdits::Undo() {
  if (!CanUndo()) return;
  undid_reset_all_ = undid_reset_all_ || edits_[undo_at_ - 1].of_reset_all;
  do {
    const Edit& edit = edits_[--undo_at_];
    SendValues(edit.path, edit.before);
    core_.SetStatus(fmt::format("Undone: {}", edit.path));
  } while (undo_at_ > 0 && edits_[undo_at_ - 1].with_next);
}

void ParamEdits::Redo() {
  if (!CanRedo()) return;
  do {
    const Edit& edit = edits_[undo_at_++];
    SendValues(edit.path, edit.after);
    core_.SetStatus(fmt::format("Done again: {}", edit.path));
  } while (edits_[undo_at_ - 1].with_next && CanRedo());
}

void ParamEdits::Update() {
  // not before: its own action may have been what undid it
  if (std::exchange(undid_reset_all_, false)) core_.Unsay(std::string(kResetAll));
  for (auto it = pending_.begin(); it != pending_.end();) {
    const auto& [key, wanted] = *it;
    const bool gone = key.first >= core_.channel_count();
    const bool old = core_.now() - wanted.second > kEchoSeconds;
    const bool met = !gone && GetParam(core_.frame(key.first).config, key.second) == wanted.first;
    it = gone || old || met ? pending_.erase(it) : std::next(it);
  }
}

void ParamEdits::Forget() {
  ForgetEdits();
  unlocked_.clear();
}

void ParamEdits::ForgetEdits() {
  edits_.clear();
  undo_at_ = 0;
  pending_.clear();
}

void ParamEdits::TakeBack(const std::string& path) {
  pending_.clear();
  if (undo_at_ == 0 || undo_at_ != edits_.size() || edits_.back().path != path) return;
  edits_.pop_back();
  --undo_at_;
}

}  // namespace slip::app
