// What a plot of a window shows.
#pragma once

#include <cstddef>

#include "app/frame/ui.h"
#include "app/panels/curves/plot_content.h"

namespace slip::test {

inline app::PlotContent ContentOf(app::Ui* ui, std::size_t slot) {
  return app::MakePlotContent(ui->session, ui->state.plots, slot, ui->state.view.compare,
                              &ui->sources);
}

}  // namespace slip::test
