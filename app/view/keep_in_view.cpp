#include "app/view/keep_in_view.h"

#include "app/view/ui.h"

namespace slip::app {

void EndKeepInView(Ui* ui) {
  KeepInView& keep = ui->keep_in_view;
  if (keep.shift != render::ViewShift{}) {
    ui->camera = render::Shifted(ui->camera, keep.shift);
  }
  keep.on = false;
  keep.shift = {};
}

void BeginKeepInView(Ui* ui, int body) {
  KeepInView& keep = ui->keep_in_view;
  keep.on = true;
  keep.body = body;
}

}  // namespace slip::app
