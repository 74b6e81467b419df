// Session: parameter edits and their undo.
#include <fmt/format.h>

#include <algorithm>

#include "app/session/session.h"

namespace slip::app {
/// The value asked for last. Until the engine's snapshot shows it, a slider must not jump back.
double Session::Param(int channel, const std::string& path) const {
  if (channel < 0) channel = lead_;
  const auto wanted = pending_.find({channel, path});
  if (wanted != pending_.end()) return wanted->second.first;
  if (channel >= channel_count()) return 0;
  return GetParam(frame(channel).config, path).value_or(0);
}

double Session::DefaultParam(int channel, const std::string& path) const {
  if (scene_ == nullptr) return 0;
  if (channel < 0) channel = lead_;
  const std::string known = channel_count() > 0 ? PathInScene(frame(0).config, path) : path;
  // one that came later has its own model, the scene's values, and as many bodies as the others
  const std::vector<ChannelSpec>& specs = scene_->channels;
  const ChannelLook& own = look(channel);
  const bool of_file = own.of_scene >= 0 && At(own.of_scene) < specs.size();
  if (!of_file && path == kMethodParam) return static_cast<double>(own.added_as);
  if (!of_file && (specs.empty() || !Rebuilds(path)))
    return GetParam(scene_->config, known).value_or(0);
  return GetParam(specs[of_file ? At(own.of_scene) : 0].Own(), known).value_or(0);
}

std::optional<double> Session::TableDefault(const std::string& path) const {
  if (channel_count() == 0) return std::nullopt;
  Config usual = frame(lead_).config;
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

std::vector<double> Session::ValuesOf(const std::string& path) const {
  std::vector<double> values(At(channel_count()));
  for (int i = 0; i < channel_count(); ++i) values[At(i)] = Param(i, path);
  return values;
}

void Session::SendValues(const std::string& path, const std::vector<double>& values) {
  const int count = std::min(channel_count(), static_cast<int>(values.size()));
  if (count == 0) return;
  const bool same =
      std::all_of(values.begin(), values.end(), [&](double v) { return v == values[0]; });
  for (int i = 0; i < count; ++i) pending_[{i, path}] = {values[At(i)], now_};
  if (same && count == channel_count()) {
    Send(SetParamCommand{-1, path, values[0]});
    return;
  }
  for (int i = 0; i < count; ++i) {
    // The channels that already have their value get no command, hence no mark.
    if (GetParam(frame(i).config, path) != values[At(i)])
      Send(SetParamCommand{i, path, values[At(i)]});
  }
}

bool Session::OfThisHand(const Edit& edit) const {
  return held_since_ && edit.touched >= *held_since_;
}

Session::Edit* Session::FindOpenEdit(const std::string& path, std::size_t channels) {
  for (std::size_t i = edits_.size(); i-- > 0;) {
    Edit& edit = edits_[i];
    const bool last = i + 1 == edits_.size();
    if (last ? !OfThisHand(edit) && now_ - edit.touched >= kMergeSeconds
             : !OfThisHand(edit) || !edit.with_next)
      return nullptr;
    if (edit.path == path && edit.after.size() == channels) return &edit;
  }
  return nullptr;
}

void Session::SetParam(int channel, const std::string& path, double value) {
  if (channel_count() == 0 || channel >= channel_count() || IsOpening()) return;
  // the rows must not become one under the hand when they meet
  if (channel >= 0) OpenRow(path);
  const std::vector<double> before = ValuesOf(path);
  std::vector<double> after = before;
  if (channel < 0) {
    std::fill(after.begin(), after.end(), value);
  } else {
    after[At(channel)] = value;
  }
  if (after == before) return;
  edits_.resize(undo_at_);
  if (Edit* edit = FindOpenEdit(path, after.size())) {
    edit->after = after;
    edit->touched = now_;
  } else {
    edits_.push_back({path, before, after, now_});
  }
  undo_at_ = edits_.size();
  if (channel < 0) {
    SendValues(path, after);
  } else {
    pending_[{channel, path}] = {value, now_};
    Send(SetParamCommand{channel, path, value});
  }
}

void Session::AsOneEdit(const std::function<void()>& change) {
  // the hand goes on with what it began in an earlier frame
  const bool goes_on = undo_at_ > 0 && OfThisHand(edits_[undo_at_ - 1]);
  const std::size_t first = goes_on ? undo_at_ - 1 : undo_at_;
  change();
  for (std::size_t i = first; i + 1 < undo_at_; ++i) edits_[i].with_next = true;
}

bool Session::Shared(const std::string& path) const {
  if (unlocked_.count(path) != 0 || model() == nullptr) return unlocked_.count(path) == 0;
  // the value of a channel that does not use the parameter is not seen, so it opens no row
  std::optional<double> value;
  for (int i = 0; i < channel_count(); ++i) {
    const ParamInfo* info = FindParam(frame(i).config, path);
    if (info == nullptr || !Uses(*model(), frame(i).config, *info)) continue;
    const double own = Param(i, path);
    if (value && *value != own) return false;
    value = own;
  }
  return true;
}

void Session::Share(const std::string& path, int channel) {
  unlocked_.erase(path);
  if (channel_count() > 0) SetParam(-1, path, Param(channel, path));
}

bool Session::Changed(const std::string& path) const {
  for (int i = 0; i < channel_count(); ++i) {
    if (Param(i, path) != DefaultParam(i, path)) return true;
  }
  return false;
}

int Session::ChangedCount() const {
  if (channel_count() == 0) return 0;
  int count = 0;
  for (const ParamEntry& entry : ListParams(frame(lead_).config)) {
    if (Changed(entry.path)) ++count;
  }
  return count;
}

void Session::ResetParam(const std::string& path) {
  if (!Changed(path)) return;
  std::vector<double> after(At(channel_count()));
  for (int i = 0; i < channel_count(); ++i) after[At(i)] = DefaultParam(i, path);
  edits_.resize(undo_at_);
  edits_.push_back({path, ValuesOf(path), after, 0});
  undo_at_ = edits_.size();
  SendValues(path, after);
}

void Session::ResetAllParams() {
  if (channel_count() == 0) return;
  const std::size_t first = undo_at_;
  AsOneEdit([this] {
    for (const ParamEntry& entry : ListParams(frame(lead_).config)) ResetParam(entry.path);
  });
  if (undo_at_ <= first) return;
  edits_.back().of_reset_all = true;
  const std::size_t count = undo_at_ - first;
  Message message;
  message.subject = kResetAll;
  message.what = count == 1 ? "One parameter is the scene's again."
                            : fmt::format("{} parameters are the scene's again.", count);
  message.actions.push_back({"Undo", [](Session* s) { s->Undo(); }});
  status_ = message.what;
  Post(std::move(message));
}

void Session::Undo() {
  if (!CanUndo()) return;
  undid_reset_all_ = undid_reset_all_ || edits_[undo_at_ - 1].of_reset_all;
  do {
    const Edit& edit = edits_[--undo_at_];
    SendValues(edit.path, edit.before);
    status_ = fmt::format("Undone: {}", edit.path);
  } while (undo_at_ > 0 && edits_[undo_at_ - 1].with_next);
}

void Session::Redo() {
  if (!CanRedo()) return;
  do {
    const Edit& edit = edits_[undo_at_++];
    SendValues(edit.path, edit.after);
    status_ = fmt::format("Done again: {}", edit.path);
  } while (edits_[undo_at_ - 1].with_next && CanRedo());
}

}  // namespace slip::app
