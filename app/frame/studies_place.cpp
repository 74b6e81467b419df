// The studies come in place of the scene, which rests meanwhile.
#include <utility>

#include "app/frame/ui.h"

namespace slip::app {

void PlaceStudies(Ui* ui) {
  Session& session = ui->requests.session();
  Studies& studies = session.files().studies();
  StudiesView& view = ui->state.studies;
  if (std::exchange(view.opened_seen, studies.opened()) != studies.opened()) {
    view.open = true;
    view.file = studies.list()[studies.opened_as()].file;
    view.search.clear();
    view.filter = StudyFilter::kAll;
    view.run = view.point = 0;
  }
  if (view.open || view.shown != session.scene()) view.shown = nullptr;
  if (view.open && !view.was_open && ui->live != nullptr) {
    view.open = false;
    session.Say("The video shows the scene: the studies open when it has ended.");
  }
  if (view.open) ui->state.message_card.drawn = false;  // there is no picture that has it
  const bool comes = view.open && !view.was_open, goes = !view.open && view.was_open;
  view.was_open = view.open;
  // a scene may begin to run only now
  if (view.open && (comes || session.playback().playing())) {
    view.before = session.playback().Now();
    if (view.before.playing) session.playback().SetPlaying(false);
  }
  if (comes) {
    studies.List();
    ui->state.shell.hide_all = false;
    ui->state.shell.only = Only::kWindow;
    ui->state.popups.Close();
  } else if (goes && session.scene() != nullptr && view.before.playing) {
    session.playback().GoBackTo(view.before);
  }
}

}  // namespace slip::app
