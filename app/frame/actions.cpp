// What each action of the table does.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "app/frame/input.h"
#include "app/frame/key_changes.h"
#include "app/frame/record_actions.h"
#include "app/frame/ui.h"
#include "app/panels/handles.h"
#include "app/panels/plot_keys.h"
#include "app/panels/tables.h"
#include "app/panels/time_line.h"
#include "app/session/clipboard.h"
#include "app/session/live_recording.h"
#include "render/quantity.h"

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
  if (ui->session.Opening()) return ui->requests.session().CancelOpening();
  if (ui->live != nullptr && ui->live->counting()) return StopLive(ui);
  const Message* card = ui->session.Card();
  if (card != nullptr && card->level != Message::Level::kInfo) {
    const auto index = static_cast<std::size_t>(card - ui->session.messages().data());
    ui->requests.session().message_log().Close(index);
  } else if (s.time_line.range.active) {
    s.time_line.range = {};
  } else if (s.shell.hide_all) {
    s.shell.hide_all = false;
  } else if (s.picked.selection.body >= 0 || s.picked.selection.key >= 0) {
    s.picked.selection = {};
  } else {
    s.picked.follow_body = -1;
  }
}

void FocusSelection(Ui* ui) {
  const Session& session = ui->session;
  const int body = std::max(0, ui->state.picked.selection.body);
  if (session.channel_count() == 0) return;
  const ChannelFrame& frame = session.frame(session.looks().lead());
  if (static_cast<std::size_t>(body) >= frame.bodies.size()) return;
  ui->rig.camera.Focus(frame.bodies[static_cast<std::size_t>(body)].X_WB.p, 0,
                       !ui->state.shell.reduced_motion);
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
  ui->state.kept.views[ui->session.scene()->id][static_cast<std::size_t>(slot)] = ui->rig.Unmoved();
  const Action go = static_cast<Action>(static_cast<int>(Action::kView1) + slot);
  ui->requests.session().Say(
      fmt::format("View {} kept; {} comes back to it.", slot + 1, ui->keys.Label(go)));
}

void FlyToKept(Ui* ui, std::size_t slot) {
  CameraSpec view = *ui->state.kept.views[ui->session.scene()->id][slot];
  view.target += ui->rig.moved();
  EndKeepInView(&ui->rig);
  ui->rig.camera.set_orthographic(false);
  ui->rig.camera.FlyTo(view, !ui->state.shell.reduced_motion);
}

/// The one that the inspector shows.
DataTable TableOf(Ui* ui) {
  return ShownTable(ui->session, ui->state.shell.inspect_tab, &ui->sources.differences);
}

void Perform(Ui* ui, Action action) {
  Session& session = ui->requests.session();
  UiState& s = ui->state;
  // whichever action Esc stands for here
  if ((action == Action::kEscape || action == Action::kPlotLeave) && CloseTop(ui)) return;
  if (ui->actions().WhyDisabled(action) != nullptr) return;
  if (bool* toggle = ToggleOf(&s, action)) {
    *toggle = !*toggle;
    if (action == Action::kPresenter) {
      s.shell.presenter_theme = Theme::kLight;
      s.shell.presenter_left = s.shell.presenter_right = false;
    }
    return;
  }
  const render::Quantity* drawn = QuantityOf(action);
  if (drawn != nullptr && drawn->show != nullptr)
    return drawn->show(&s.view, !ui->actions().IsOn(action));
  if (PerformPlotAction(session, action, s.view.compare, ui->regions.low, &s.plots, &ui->sources,
                        &ui->requests)) {
    if (action == Action::kPlotFocus && s.plots.focus.on) s.shell.hide_all = false;
    return;
  }
  if (const auto tab = TabOf(action)) return s.shell.Show(*tab, ui->regions.narrow);
  if (NudgeHand(session, action, s.picked.selection.body, s.joints.apart, &ui->requests)) return;
  const int number = static_cast<int>(action);
  switch (action) {
    case Action::kOpenScene:
      s.popups.picker.open = !s.popups.picker.open;
      break;
    case Action::kReload:
      session.Reload();
      break;
    case Action::kPreviousScene:
      session.LoadNeighbour(-1);
      break;
    case Action::kNextScene:
      session.LoadNeighbour(1);
      break;
    case Action::kSaveExperiment:
      SaveExperiment(ui);
      break;
    case Action::kFormerBranch:
      session.branches().ReturnBy(-1);
      break;
    case Action::kNextBranch:
      session.branches().ReturnBy(1);
      break;
    case Action::kScreenshot:
      s.shell.screenshot = true;
      ui->quality.ApplyKept(&s.view);
      session.RenewNumbers();  // all of them are of the picture that is kept
      break;
    case Action::kRecord:
      RecordKey(ui);
      break;
    case Action::kQuit:
      if (!KeepsFromQuitting(ui)) s.shell.quit = true;
      break;
    case Action::kUndo:
      if (IsKeyChangeNext(ui->session, ui->state.key_changes)) {
        UndoKeyChanges(ui);
      } else {
        session.params().Undo();
      }
      break;
    case Action::kRedo:
      session.params().Redo();
      break;
    case Action::kResetParameters:
      session.params().ResetAll();
      break;
    case Action::kForgetImpacts:
      session.ForgetImpacts();
      break;
    case Action::kCopyCommand:
      CopyRunCommand(ui);
      break;
    case Action::kCopyState:
      ui->requests.Copy(MetricsText(session, &ui->sources.differences, false), "Numbers");
      break;
    case Action::kCopyTable:
      ui->requests.Copy(Csv(TableOf(ui)), "Table");
      break;
    case Action::kCopyMarkdown:
      ui->requests.Copy(Markdown(TableOf(ui)), "Table");
      break;
    case Action::kSaveTable:
      SaveTable(session, TableOf(ui), &ui->requests);
      break;
    case Action::kCopyCamera:
      ui->requests.Copy(CameraText(ui->rig.camera.spec()), "Camera");
      break;
    case Action::kPaste:
      Paste(ui);
      break;
    case Action::kCopyRender:
      CopyRenderCommand(ui);
      break;
    case Action::kRunPause:
      session.playback().Toggle();
      break;
    case Action::kStep:
      if (ui->state.mouse.pull.active && session.snapshot().live)
        SendPull(session, &s.mouse, &ui->requests, true);
      ui->requests.Perform();  // before the step
      session.playback().Step(1);
      break;
    case Action::kStepBack:
      session.playback().Step(-1);
      break;
    case Action::kForwardShort:
      session.playback().SeekBy(0.1);
      break;
    case Action::kBackShort:
      session.playback().SeekBy(-0.1);
      break;
    case Action::kForwardLong:
      session.playback().SeekBy(1);
      break;
    case Action::kBackLong:
      session.playback().SeekBy(-1);
      break;
    case Action::kStart:
      session.playback().SetPlaying(false);
      session.playback().Seek(session.snapshot().history_start);
      break;
    case Action::kLive:
      session.playback().GoLive();
      break;
    case Action::kNextMark:
      session.SeekMark(1);
      break;
    case Action::kPreviousMark:
      session.SeekMark(-1);
      break;
    case Action::kSlower:
      session.playback().ChangeSpeed(-1);
      break;
    case Action::kFaster:
      session.playback().ChangeSpeed(1);
      break;
    case Action::kNormalSpeed:
      session.playback().SetSpeed(1);
      break;
    case Action::kFastest:
      session.playback().SetSpeed(std::numeric_limits<double>::infinity());
      break;
    case Action::kReset:
      session.playback().Reset();
      break;
    case Action::kResync:
      session.Send(Resync{session.looks().lead()});
      break;
    case Action::kMakeReference:
      session.reference().Make();
      break;
    case Action::kDropReference:
      session.reference().Drop();
      break;
    case Action::kNote:
      EditNote(session, session.notebook().AddNote(), &s.time_line.note_edit, &ui->requests);
      s.time_line.note_edit.fresh = true;
      break;
    case Action::kTheme:
      s.shell.shown_theme() = s.shell.shown_theme() == Theme::kDark ? Theme::kLight : Theme::kDark;
      break;
    case Action::kBiggerUi:
      ChangeUiScale(&s, 1);
      if (ui->asked_scale() > ui->most_scale)
        session.Say(fmt::format("The window has room for an interface of {:.0f} %.",
                                100 * static_cast<double>(ui->most_scale)));
      break;
    case Action::kSmallerUi:
      ChangeUiScale(&s, -1);
      break;
    case Action::kNormalUi:
      s.shell.user_scale = 1;
      break;
    case Action::kCompareMode:
      s.view.compare = static_cast<Compare>((static_cast<int>(s.view.compare) + 1) %
                                            static_cast<int>(Compare::kCount));
      break;
    case Action::kQualityAuto:
    case Action::kQualityFast:
    case Action::kQualityBalanced:
    case Action::kQualityBest:
      s.view.preset = static_cast<Preset>(number - static_cast<int>(Action::kQualityAuto));
      break;
    case Action::kHomeView:
      ui->rig.camera.set_orthographic(false);
      ui->rig.camera.FlyTo(HomeView(session, ui->rig), !s.shell.reduced_motion);
      BeginKeepInView(&ui->rig);
      break;
    case Action::kSideView:
      ui->rig.camera.SideView(!s.shell.reduced_motion);
      break;
    case Action::kFocus:
      FocusSelection(ui);
      break;
    case Action::kView1:
    case Action::kView2:
    case Action::kView3:
      FlyToKept(ui, static_cast<std::size_t>(number - static_cast<int>(Action::kView1)));
      break;
    case Action::kKeepView1:
    case Action::kKeepView2:
    case Action::kKeepView3:
      KeepView(ui, number - static_cast<int>(Action::kKeepView1));
      break;
    case Action::kShowAllBodies:
      s.view.hidden = {};
      break;
    case Action::kShow1:
    case Action::kShow2:
    case Action::kShow3:
    case Action::kShow4:
      session.looks().ToggleVisible(number - static_cast<int>(Action::kShow1));
      break;
    case Action::kLead1:
    case Action::kLead2:
    case Action::kLead3:
    case Action::kLead4:
      session.looks().SetLead(number - static_cast<int>(Action::kLead1));
      break;
    case Action::kHelp:
      s.popups.help = !s.popups.help;
      break;
    case Action::kPalette:
      s.popups.palette.open = !s.popups.palette.open;
      s.popups.palette.search.clear();
      s.popups.palette.row = 0;
      break;
    case Action::kAbout:
      s.popups.about = true;
      break;
    case Action::kEscape:
      Escape(ui);
      break;
    default:
      break;
  }
}

}  // namespace

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
