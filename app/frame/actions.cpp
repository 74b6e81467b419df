// What each action of the table does.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/frame/input.h"
#include "app/frame/key_changes.h"
#include "app/frame/record_actions.h"
#include "app/frame/ui.h"
#include "app/panels/curves/plot_keys.h"
#include "app/panels/inspect/tables.h"
#include "app/panels/picture/handles.h"
#include "app/panels/time/time_line.h"
#include "app/session/clipboard.h"
#include "app/session/live_recording.h"
#include "engine/core/numbers.h"
#include "render/quantities/quantity.h"

namespace slip::app {
namespace {

constexpr float kScaleSteps[] = {0.75f, 0.9f, 1.0f, 1.1f, 1.25f, 1.5f, 1.75f, 2.0f, 2.5f, 3.0f};

void ChangeUiScale(UiState* state, int direction) {
  const float now = state->shell.user_scale;
  float best = now;
  for (float step : kScaleSteps) {
    if (direction > 0 && step > now + 0.01f) {
      best = step;
      break;
    }
    if (direction < 0 && step < now - 0.01f) best = step;
  }
  state->shell.user_scale = best;
}

/// Closes what lies over the window: menus first, then pop-ups. False when there is none.
bool CloseTop(Ui* ui) {
  UiState& s = ui->state;
  if (s.time_line.note_edit.note != 0) {
    // one that was just made goes with the wish for it
    if (s.time_line.note_edit.fresh)
      ui->requests.session().notebook().RemoveNote(s.time_line.note_edit.note);
    s.time_line.note_edit = {};
    ImGui::SetWindowFocus(nullptr);
  } else if (s.branch_edit.branch >= 0) {
    s.branch_edit = {};
    ImGui::SetWindowFocus(nullptr);
  } else if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) {
    ImGui::SetWindowFocus(nullptr);  // menus close when no window has the keyboard
  } else if (!s.param_rows.why.text.empty()) {
    s.param_rows.why = {};
  } else if (s.record.open) {
    s.record.open = false;
  } else if (s.popups.AnyOpen() || s.parameters.readers) {
    s.popups.Close();
    s.parameters.readers = false;
  } else {
    return false;
  }
  return true;
}

void Escape(Ui* ui) {
  UiState& s = ui->state;
  if (ImGui::GetIO().WantTextInput) return;  // the text box takes it
  if (ui->session.files().opening()) return ui->requests.session().files().Cancel();
  if (ui->live != nullptr && ui->live->counting()) return StopLive(ui);
  const Message* card = ui->session.Card();
  if (card != nullptr && card->level != Message::Level::kInfo) {
    const auto index = static_cast<std::size_t>(card - ui->session.messages().data());
    ui->requests.session().message_log().Close(index);
  } else if (s.time_line.range.active) {
    s.time_line.range = {};
  } else if (s.studies.open) {
    s.studies.open = false;
  } else if (s.shell.hide_all) {
    s.shell.hide_all = false;
  } else if (s.dialects.open) {
    s.dialects.open = false;
  } else if (s.picked.selection.body >= 0 || s.picked.selection.key >= 0) {
    s.picked.selection = {};
  } else if (s.picked.follow_body < 0 && s.studies.shown != nullptr) {
    s.studies.open = true;
  } else {
    s.picked.follow_body = -1;
  }
}

/// To the next mark of the time line, or with -1 to the one before.
void SeekMark(Ui* ui, int direction) {
  Session& session = ui->requests.session();
  const TimeMark* mark = session.notebook().Beside(session.snapshot().time, direction);
  if (mark != nullptr) session.playback().Seek(mark->time);
}

void FocusSelection(Ui* ui) {
  const Session& session = ui->session;
  const int body = std::max(0, ui->state.picked.selection.body);
  if (session.channel_count() == 0) return;
  const ChannelFrame& frame = session.frame(session.looks().lead());
  if (static_cast<std::size_t>(body) >= frame.bodies.size()) return;
  ui->rig.camera.Focus(At(frame.bodies, body).X_WB.p, 0, !ui->state.shell.reduced_motion);
  BeginKeepInView(&ui->rig, body);
}

void Paste(Ui* ui) {
  Session& session = ui->requests.session();
  const char* text = ImGui::GetClipboardText();
  if (session.channel_count() == 0) return;
  const Pasted pasted =
      ReadPasted(text != nullptr ? text : "", session.frame(session.looks().lead()).config,
                 ui->rig.camera.spec());
  for (const std::string& problem : pasted.problems) {
    Message message;
    message.level = Message::Level::kWarning;
    message.what = problem;
    message.where = "Clipboard";
    message.advice = "Not taken.";
    session.Post(std::move(message));
  }
  if (pasted.empty()) session.Say("The clipboard holds no camera and no parameters of this scene.");
  if (pasted.camera) EndKeepInView(&ui->rig);
  if (pasted.camera) ui->rig.camera.FlyTo(*pasted.camera, !ui->state.shell.reduced_motion);
  for (const auto& [path, value] : pasted.params) session.params().Set(-1, path, value);
  std::string taken = pasted.camera ? "the camera" : "";
  if (const std::size_t n = pasted.params.size(); n > 0) {
    taken += fmt::format("{}{} parameter{}", taken.empty() ? "" : " and ", n, n == 1 ? "" : "s");
  }
  if (!taken.empty()) session.Say("Pasted " + taken + ".");
}

/// Kept views are those of the start: a followed body takes them along.
void KeepView(Ui* ui, int slot) {
  if (ui->session.scene() == nullptr) return;
  At(ui->state.kept.views[ui->session.scene()->id], slot) = ui->rig.Unmoved();
  const Action go = static_cast<Action>(static_cast<int>(Action::kView1) + slot);
  ui->requests.session().Say(
      fmt::format("View {} kept; {} comes back to it.", slot + 1, ui->keys.Label(go)));
}

void FlyToKept(Ui* ui, int slot) {
  auto& kept = ui->state.kept.views[ui->session.scene()->id];
  CameraSpec view = *At(kept, slot);
  view.target += ui->rig.moved();
  EndKeepInView(&ui->rig);
  ui->rig.camera.set_orthographic(false);
  ui->rig.camera.FlyTo(view, !ui->state.shell.reduced_motion);
}

/// The one that the inspector shows.
DataTable TableOf(Ui* ui) {
  return ShownTable(ui->session, ui->state.shell.inspect_tab, &ui->sources.differences);
}

void SetPreset(Ui* ui, int preset) { ui->state.view.preset = static_cast<Preset>(preset); }

void MakeScreenshot(Ui* ui, int) {
  ui->state.shell.screenshot = true;
  ui->quality.ApplyKept(&ui->state.view);
  ui->requests.session().RenewNumbers();  // all of them are of the picture that is kept
}

void Undo(Ui* ui, int) {
  if (IsKeyChangeNext(ui->session, ui->state.key_changes)) {
    UndoKeyChanges(ui);
  } else {
    ui->requests.session().params().Undo();
  }
}

void StepForward(Ui* ui, int) {
  Session& session = ui->requests.session();
  if (ui->state.mouse.pull.active && session.snapshot().live)
    SendPull(session, &ui->state.mouse, &ui->requests, true);
  ui->requests.Perform();  // before the step
  session.playback().Step(1);
}

void GoToStart(Ui* ui, int) {
  Session& session = ui->requests.session();
  session.playback().SetPlaying(false);
  session.playback().Seek(session.snapshot().history_start);
}

void AddNote(Ui* ui, int) {
  Session& session = ui->requests.session();
  EditNote(session, session.notebook().AddNote(), &ui->state.time_line.note_edit, &ui->requests);
  ui->state.time_line.note_edit.fresh = true;
}

void EnlargeUi(Ui* ui, int) {
  ChangeUiScale(&ui->state, 1);
  if (ui->asked_scale() > ui->most_scale)
    ui->requests.session().Say(fmt::format("The window has room for an interface of {:.0f} %.",
                                           100 * static_cast<double>(ui->most_scale)));
}

void GoHome(Ui* ui, int) {
  ui->rig.camera.set_orthographic(false);
  ui->rig.camera.FlyTo(HomeView(ui->session, ui->rig), !ui->state.shell.reduced_motion);
  BeginKeepInView(&ui->rig);
}

using A = Action;
template <auto kDo>
void Play(Ui* ui, int number) {
  kDo(&ui->requests.session().playback(), number);
}

// clang-format off
constexpr ActionRow kActionRows[] = {
  {A::kOpenScene, [](Ui* ui, int) { bool& open = ui->state.popups.picker.open; open = !open; }},
  {A::kReload, [](Ui* ui, int) { ui->requests.session().files().Reload(); }},
  {A::kPreviousScene, [](Ui* ui, int by) { ui->requests.session().files().LoadNeighbour(by); }, -1},
  {A::kNextScene, [](Ui* ui, int by) { ui->requests.session().files().LoadNeighbour(by); }, 1},
  {A::kSaveExperiment, [](Ui* ui, int) { SaveExperiment(ui); }},
  {A::kSaveScene, [](Ui* ui, int) { SaveSceneFile(ui); }},
  {A::kFormerBranch, [](Ui* ui, int by) { ui->requests.session().branches().ReturnBy(by); }, -1},
  {A::kNextBranch, [](Ui* ui, int by) { ui->requests.session().branches().ReturnBy(by); }, 1},
  {A::kScreenshot, MakeScreenshot},
  {A::kRecord, [](Ui* ui, int) { RecordKey(ui); }},
  {A::kQuit, [](Ui* ui, int) { if (!KeepsFromQuitting(ui)) ui->state.shell.quit = true; }},
  {A::kUndo, Undo},
  {A::kRedo, [](Ui* ui, int) { ui->requests.session().params().Redo(); }},
  {A::kResetParameters, [](Ui* ui, int) { ui->requests.session().params().ResetAll(); }},
  {A::kForgetImpacts, [](Ui* ui, int) { ui->requests.session().series().ForgetImpacts(); }},
  {A::kCopyCommand, [](Ui* ui, int) { CopyRunCommand(ui); }},
  {A::kCopyState, [](Ui* ui, int) { ui->requests.Copy(MetricsText(ui->session, &ui->sources.differences, false), "Numbers"); }},
  {A::kCopyTable, [](Ui* ui, int) { ui->requests.Copy(Csv(TableOf(ui)), "Table"); }},
  {A::kCopyMarkdown, [](Ui* ui, int) { ui->requests.Copy(Markdown(TableOf(ui)), "Table"); }},
  {A::kSaveTable, [](Ui* ui, int) { SaveTable(ui->session, TableOf(ui), &ui->requests); }},
  {A::kCopyCamera, [](Ui* ui, int) { ui->requests.Copy(CameraText(ui->rig.camera.spec()), "Camera"); }},
  {A::kPaste, [](Ui* ui, int) { Paste(ui); }},
  {A::kCopyRender, [](Ui* ui, int) { CopyRenderCommand(ui); }},
  {A::kRunPause, Play<[](Playback* p, int) { p->Toggle(); }>},
  {A::kStep, StepForward},
  {A::kStepBack, Play<[](Playback* p, int) { p->Step(-1); }>},
  {A::kForwardShort, Play<[](Playback* p, int) { p->SeekBy(0.1); }>},
  {A::kBackShort, Play<[](Playback* p, int) { p->SeekBy(-0.1); }>},
  {A::kForwardLong, Play<[](Playback* p, int) { p->SeekBy(1); }>},
  {A::kBackLong, Play<[](Playback* p, int) { p->SeekBy(-1); }>},
  {A::kStart, GoToStart},
  {A::kLive, Play<[](Playback* p, int) { p->GoLive(); }>},
  {A::kNextMark, [](Ui* ui, int by) { SeekMark(ui, by); }, 1},
  {A::kPreviousMark, [](Ui* ui, int by) { SeekMark(ui, by); }, -1},
  {A::kSlower, Play<[](Playback* p, int by) { p->ChangeSpeed(by); }>, -1},
  {A::kFaster, Play<[](Playback* p, int by) { p->ChangeSpeed(by); }>, 1},
  {A::kNormalSpeed, Play<[](Playback* p, int) { p->SetSpeed(1); }>},
  {A::kFastest, Play<[](Playback* p, int) { p->SetSpeed(kInfinity); }>},
  {A::kReset, Play<[](Playback* p, int) { p->Reset(); }>},
  {A::kResync, [](Ui* ui, int) { ui->requests.session().Send(Resync{ui->session.looks().lead()}); }},
  {A::kMakeReference, [](Ui* ui, int) { ui->requests.session().reference().Make(); }},
  {A::kDropReference, [](Ui* ui, int) { ui->requests.session().reference().Drop(); }},
  {A::kNote, AddNote},
  {A::kTheme, [](Ui* ui, int) { Theme& theme = ui->state.shell.shown_theme(); theme = theme == Theme::kDark ? Theme::kLight : Theme::kDark; }},
  {A::kBiggerUi, EnlargeUi},
  {A::kSmallerUi, [](Ui* ui, int) { ChangeUiScale(&ui->state, -1); }},
  {A::kNormalUi, [](Ui* ui, int) { ui->state.shell.user_scale = 1; }},
  {A::kCompareMode, [](Ui* ui, int) { Compare& mode = ui->state.view.compare; mode = static_cast<Compare>((static_cast<int>(mode) + 1) % static_cast<int>(Compare::kCount)); }},
  {A::kQualityAuto, SetPreset, static_cast<int>(Preset::kAuto)},
  {A::kQualityFast, SetPreset, static_cast<int>(Preset::kFast)},
  {A::kQualityBalanced, SetPreset, static_cast<int>(Preset::kBalanced)},
  {A::kQualityBest, SetPreset, static_cast<int>(Preset::kBest)},
  {A::kHomeView, GoHome},
  {A::kSideView, [](Ui* ui, int) { ui->rig.camera.SideView(!ui->state.shell.reduced_motion); }},
  {A::kFocus, [](Ui* ui, int) { FocusSelection(ui); }},
  {A::kView1, FlyToKept, 0},
  {A::kView2, FlyToKept, 1},
  {A::kView3, FlyToKept, 2},
  {A::kKeepView1, KeepView, 0},
  {A::kKeepView2, KeepView, 1},
  {A::kKeepView3, KeepView, 2},
  {A::kShowAllBodies, [](Ui* ui, int) { ui->state.view.hidden = {}; }},
  {A::kShow1, [](Ui* ui, int channel) { ui->requests.session().looks().ToggleVisible(channel); }, 0},
  {A::kShow2, [](Ui* ui, int channel) { ui->requests.session().looks().ToggleVisible(channel); }, 1},
  {A::kShow3, [](Ui* ui, int channel) { ui->requests.session().looks().ToggleVisible(channel); }, 2},
  {A::kShow4, [](Ui* ui, int channel) { ui->requests.session().looks().ToggleVisible(channel); }, 3},
  {A::kShow5, [](Ui* ui, int channel) { ui->requests.session().looks().ToggleVisible(channel); }, 4},
  {A::kLead1, [](Ui* ui, int channel) { ui->requests.session().looks().SetLead(channel); }, 0},
  {A::kLead2, [](Ui* ui, int channel) { ui->requests.session().looks().SetLead(channel); }, 1},
  {A::kLead3, [](Ui* ui, int channel) { ui->requests.session().looks().SetLead(channel); }, 2},
  {A::kLead4, [](Ui* ui, int channel) { ui->requests.session().looks().SetLead(channel); }, 3},
  {A::kLead5, [](Ui* ui, int channel) { ui->requests.session().looks().SetLead(channel); }, 4},
  {A::kHelp, [](Ui* ui, int) { ui->state.popups.help = !ui->state.popups.help; }},
  {A::kPalette, [](Ui* ui, int) { auto& palette = ui->state.popups.palette; palette.open = !palette.open; palette.search.clear(); palette.row = 0; }},
  {A::kAbout, [](Ui* ui, int) { ui->state.popups.about = true; }},
  {A::kEscape, [](Ui* ui, int) { Escape(ui); }},
};
// clang-format on

/// Switches, those of quantities too. False where the action is none.
bool PerformSwitch(Ui* ui, Action action) {
  UiState& s = ui->state;
  if (bool* toggle = ToggleOf(&s, action)) {
    *toggle = !*toggle;
    if (action == Action::kPresenter) {
      s.shell.presenter_theme = Theme::kLight;
      s.shell.presenter_left = s.shell.presenter_right = false;
    }
    return true;
  }
  const render::Quantity* drawn = QuantityOf(action);
  if (drawn == nullptr || drawn->show == nullptr) return false;
  drawn->show(&s.view, !ui->actions().IsOn(action));
  return true;
}

void Perform(Ui* ui, Action action) {
  const Session& session = ui->session;
  UiState& s = ui->state;
  // whichever action Esc stands for here
  if ((action == Action::kEscape || action == Action::kPlotLeave) && CloseTop(ui)) return;
  if (ui->actions().WhyDisabled(action) != nullptr || PerformSwitch(ui, action)) return;
  if (PerformPlotAction(session, action, s.view.compare, ui->regions.low, &s.plots, &ui->sources,
                        &ui->requests)) {
    if (action == Action::kPlotFocus && s.plots.focus.on) s.shell.hide_all = false;
    return;
  }
  if (const auto tab = TabOf(action)) return s.shell.Show(*tab, ui->regions.narrow);
  if (NudgeHand(session, action, s.picked.selection.body, s.joints.alone, &ui->requests)) return;
  if (const ActionRow* row = FindActionRow(action)) row->run(ui, row->number);
}

}  // namespace

const ActionRow* FindActionRow(Action action) {
  for (const ActionRow& row : kActionRows) {
    if (row.action == action) return &row;
  }
  return nullptr;
}

void PerformActions(Ui* ui) {
  UpdateKeyChanges(ui);
  // Actions that are queued while these run wait for the next frame.
  std::deque<bool> bare_keys;
  const std::deque<Action> actions = ui->requests.TakeActions(&bare_keys);
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const Action action = actions[i];
    const std::unique_ptr<BeforeKey> before = bare_keys[i] ? RememberForKey(*ui, action) : nullptr;
    Perform(ui, action);
    ui->requests.Perform();
    if (before != nullptr) SayKeyChange(action, *before, ui);
  }
}

}  // namespace slip::app
