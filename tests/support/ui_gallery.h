// A page with every widget of the kit on invented data: for pictures and the no-clipped-text test.
#pragma once

#include <vector>

#include "app/kit/widgets.h"
#include "app/plots/plot.h"

namespace slip::test {

class UiGallery {
 public:
  UiGallery();
  void Draw();

  double time_step = 4e-3, relaxation_time = 5e-3, dissipation = 0;
  app::PlotState force, gap, condition;
  app::LinkedX x;
  double play_head = 3.66;

 private:
  void DrawParameters();
  void DrawMiddle();
  void DrawPlots();
  void DrawInspector();
  app::Series force_[3], gap_[3], predicted_[3], condition_[3];
  std::vector<app::PlotPoint> residual_;
  int segment_ = 1, tab_ = 1, inspect_ = 1;
  bool toggle_ = true;
  std::string search_;
};

/// Invented rows in the shape of the engine's table.
const std::vector<ParamInfo>& GalleryParams();

}  // namespace slip::test
