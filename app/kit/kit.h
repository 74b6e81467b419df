// What the widgets remember from frame to frame, with the ImGui context that they draw in. Whoever
// opens a window owns one; the widgets find that of ImGui's current context.
#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "app/kit/bars.h"
#include "app/kit/fonts.h"
#include "app/kit/rich_runs.h"
#include "app/kit/theme.h"
#include "app/kit/widget_registry.h"

namespace slip::app {

/// Points of one x of a line: what a decimated one has of a column of pixels.
struct LineColumn {
  std::size_t begin = 0, end = 0;
  float x = 0, top = 0, bottom = 0;
};

class Kit {
 public:
  /// Makes an ImGui context and makes it current.
  Kit();
  /// Destroys the context. If it was the current one, none is.
  ~Kit();
  Kit(const Kit&) = delete;
  Kit& operator=(const Kit&) = delete;

  void MakeCurrent() { ImGui::SetCurrentContext(context_); }

  /// The theme in force.
  struct {
    Theme theme = Theme::kDark;
    float scale = 0;  ///< 0: no atlas yet
    FontTable fonts{};
    RoleSizes px{};
  } look;
  /// The registry of widgets.
  struct {
    bool enabled = false;
    std::vector<WidgetRecord> records;
  } widgets;
  /// The item under the mouse, by its corner: ids are not always at hand.
  struct {
    ImVec2 place{-1, -1};
    double since = 0;
  } hovered;
  struct {
    int depth = 0;    ///< above 0 inside one
    int frame = -10;  ///< when one was last drawn: what comes before it in a frame must know
  } overlay;
  /// The one value box that is typed into.
  struct ValueEdit {
    ImGuiID id = 0;
    char buffer[64] = {};
    std::string text;  ///< of the last frame
    bool bare = true;  ///< without unit of its own: that of the box stands beside it
    bool focus = false;
    bool refused = false;  ///< Enter was pressed on a text that means nothing
  } edit;
  double drag_start = 0;  ///< value of the slider that is dragged, when the drag began

  // Memory that is reused.
  std::vector<ImVec2> dash;
  std::vector<LineColumn> columns;
  BarStack bars;
  std::vector<RichRun> runs;

 private:
  ImGuiContext* context_;
};

/// Of ImGui's current context, which a Kit must have made.
Kit& CurrentKit();

}  // namespace slip::app
