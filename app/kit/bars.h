// Bars of one pixel's width, which dense curves are made of, and what of them nobody sees.
#pragma once

#include <imgui.h>

#include <vector>

namespace slip::app {

/// Remembers the bars that a list gets, and takes away what later ones hide. A renderer on the CPU
/// shades every pixel of them: six spikes over one another cost it six times.
class BarStack {
 public:
  /// From here on all bars of the list have one clip rectangle, the current one.
  void Begin(ImDrawList* list);
  /// The list has `count` new bars, drawn by PrimRect, as its last vertices.
  void Add(const ImDrawList* list, int count);
  /// Shortens what lies under opaque bars of the same column of pixels; the picture stays the same.
  void End();

 private:
  struct Run {
    int vertex = 0, count = 0;
  };
  /// Hidden part of a column.
  struct Cover {
    float x = 0, top = 0, bottom = 0;
  };

  ImDrawList* list_ = nullptr;  ///< null outside Begin and End
  std::vector<Run> runs_;
  std::vector<Cover> covers_;
};

}  // namespace slip::app
