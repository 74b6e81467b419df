#include "app/frame/ui.h"

#include "engine/sim/part_signals.h"

namespace slip::app {

Ui::~Ui() { requests.session().experiments().SetViewSource({}); }

Ui::Ui(Session* the_session) : session(*the_session), requests(the_session, &keys) {
  the_session->experiments().SetViewSource([this] {
    WindowView view;
    view.camera = rig.Unmoved();  // beside the others
    for (const PlotSlot& slot : state.plots.slots)
      view.plots.push_back(NameOf(session.scene_model(), slot));
    view.run_ghost = state.view.run_ghost;
    return view;
  });
}

}  // namespace slip::app
