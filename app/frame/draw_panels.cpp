// Which part of the window each panel gets.
#include <utility>

#include "app/frame/record_actions.h"
#include "app/frame/ui.h"
#include "app/panels/bars/bars.h"
#include "app/panels/bars/key_echo.h"
#include "app/panels/bars/popups.h"
#include "app/panels/common/stability.h"
#include "app/panels/curves/plot_export.h"
#include "app/panels/curves/plots.h"
#include "app/panels/inspect/side_panels.h"
#include "app/panels/picture/view.h"
#include "app/panels/record/record.h"
#include "app/panels/studies/studies.h"
#include "app/panels/time/time_line.h"
#include "app/state/tab.h"

namespace slip::app {

namespace {

/// A reader has a lesson's question before the eyes: what is said of the run's numbers waits.
bool ShowsQuestion(const Session& session, const Regions& regions, const Shell& shell) {
  const Narrow narrow = regions.narrow ? Narrow::kYes : Narrow::kNo;
  return !regions.left.empty() && ShownTab(session, shell.left_tab, narrow) == TabId::kLesson &&
         session.lessons().progress().AsksNow();
}

}  // namespace

void DrawPanels(Ui* ui) {
  const Session& session = ui->session;
  const Regions& regions = ui->regions;
  UiState& s = ui->state;
  Requests* requests = &ui->requests;
  const bool asked = ShowsQuestion(session, regions, s.shell);
  if (asked != session.message_log().question())
    requests->Ask([asked](Session* its) { its->message_log().SetQuestion(asked, its->now()); });
  const WindowActions actions = ui->actions();
  DrawView({.session = session,
            .rect = regions.view,
            .shell = s.shell,
            .joints = s.joints,
            .actions = actions,
            .view = s.view,
            .rig = ui->rig,
            .panes = ui->panes,
            .picked = s.picked,
            .mouse = s.mouse,
            .tags = s.tags,
            .labels = s.labels,
            .creep = s.creep,
            .label_numbers = s.label_numbers,
            .card = s.message_card,
            .plots = s.plots,
            .popups = s.popups,
            .marks = ui->marks,
            .requests = *requests});
  DrawMenuBar(regions.menu, actions, requests);
  if (!regions.tools.empty()) NoteStability(session, &s.param_rows.stable_steps);
  DrawToolBar({.session = session,
               .regions = regions,
               .stable_steps = s.param_rows.stable_steps,
               .picker_open = s.popups.picker.open,
               .studies_open = s.studies.open,
               .from_studies = s.studies.shown != nullptr,
               .presenter = s.shell.presenter,
               .record_open = s.record.open,
               .live = ui->live.get(),
               .compare = s.view.compare,
               .marks = ui->marks,
               .requests = *requests});
  const auto panel = [&](const Rect& rect) -> TabContext {
    return {session, rect, s, ui->sources.differences, *requests};
  };
  if (std::exchange(s.shell.foreign_seen, session.files().foreign().opened()) !=
      session.files().foreign().opened()) {
    s.shell.ShowLeft(TabId::kDiffers);
    // the lead alone would hide it
    if (s.view.compare == Compare::kSingle) s.view.compare = Compare::kGhosts;
  }
  DrawStudies({session, regions.studies, s.studies, *requests});
  DrawLeft(panel(regions.left), regions.narrow ? Narrow::kYes : Narrow::kNo);
  DrawRight(panel(regions.right));
  if (DrawPlots(session, regions, s.view.compare, &s.plots, &ui->sources, requests)) {
    s.shell.ShowLeft(TabId::kLesson);
    s.shell.hide_all = false;
    s.shell.only = Only::kWindow;
  }
  if (DrawTimeLine(session, regions.time, s.plots, s.mouse.pull.active, &s.time_line, requests))
    s.shell.ShowLeft(TabId::kBranches);
  const Machine* machine = s.shell.shows_machine ? &ui->machine : nullptr;
  DrawStatusBar(session, regions.status, machine, VideosOf(ui), &s.message_card, requests);
}

void DrawOverPanels(Ui* ui) {
  const Session& session = ui->session;
  const Regions& regions = ui->regions;
  UiState& s = ui->state;
  Requests* requests = &ui->requests;
  DrawRangeCard(session, regions.time, s.plots, &s.time_line.range, requests);
  if (s.popups.picker.open) ui->thumbnails.Update(&ui->panes);
  DrawScenePicker(session, regions.tools, s.shell.shown_theme(), s.studies.open, &s.popups.picker,
                  &ui->thumbnails, requests);
  DrawPalette(ui->actions(), &s.popups.palette, requests);
  DrawHelp(ui->keys, ui->keys_file, &s.popups.help);
  DrawAbout(ui->machine.gl_renderer, &s.popups.about);
  DrawReaders(session, &s.parameters.readers);
  DrawWhy(&s.param_rows.why);
  DrawExplain(session, &s.popups);
  DrawRecordCard(SourcesOf(*ui), VideosOf(ui), &s.view, &ui->marks, requests);
  if (std::exchange(s.record.start, false)) StartRecording(ui);
  if (EchoesKeys(*ui))
    DrawKeyEcho(session.now(), regions.view, s.record.settings.keys, &ui->echo, &ui->marks);
  DrawRecordingSigns(regions, VideosOf(ui), &ui->marks, requests);
}

void FinishPlotExport(Ui* ui) {
  ExportPlot(ui->session, ui->state.shell.shown_theme(), ui->state.view.compare, &ui->state.plots,
             &ui->sources, &ui->requests);
}

}  // namespace slip::app
