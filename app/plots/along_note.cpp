#include "app/plots/along_note.h"

#include <algorithm>
#include <string>

#include "app/kit/widgets.h"
#include "app/plots/curve_cover.h"

namespace slip::app {
float DrawAlongNote(const PlotFrame& frame, const PlotSpec& spec) {
  const float room = frame.well_max.x - frame.well_min.x - Px(16);
  if (spec.along_note.empty() || room < Px(80)) return frame.well_max.x;
  const std::string text = EllipsizeRich(spec.along_note, Role::kTag, room);
  const ImVec2 size = MeasureRich(text, Role::kTag), pad{Px(4), Px(2)};
  const float right = frame.well_max.x - Px(6) - size.x;
  const float middle = (frame.well_min.x + frame.well_max.x - size.x) / 2;
  const float top = frame.well_min.y + Px(3), bottom = frame.well_max.y - Px(4) - size.y;
  const auto is_free = [&](float x, float y) {
    const ImVec2 min{x - pad.x, y - pad.y}, max{x + size.x + pad.x, y + size.y + pad.y};
    return !AnyCurveIn(frame, spec.series, min, max) && !AnyCurveIn(frame, spec.along, min, max);
  };
  ImVec2 at{right, top};
  bool found = false;
  for (const float x : {right, middle}) {
    for (float y = top; !found && y <= bottom; y += size.y) {
      // the names of events stand at the top
      if (x < right && y < top + FontPx(Role::kCaption)) continue;
      found = is_free(x, y);
      if (found) at = {x, y};
    }
  }
  const ImVec2 end{at.x + size.x, at.y + size.y};
  frame.list->AddRectFilled({at.x - pad.x, at.y - pad.y}, {end.x + pad.x, end.y + pad.y},
                            frame.print ? IM_COL32_WHITE : Color(Token::kWell));
  DrawRich(frame.list, at, text, Role::kTag, Color(Token::kText2));
  RegisterWidget("plot/" + std::string(spec.id) + "/along", at, end, false, text);
  const bool beside_names = at.y < top + FontPx(Role::kCaption);
  return beside_names ? at.x - pad.x : frame.well_max.x;
}

}  // namespace slip::app
