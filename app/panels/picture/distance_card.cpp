// Distance from Coulomb over the picture: what the colours of the discs mean, and of each model the
// contact that is farthest, with its offset. The bar of a model that glides ends near the tick.
#include <algorithm>
#include <cmath>
#include <string>

#include "app/kit/instrument_parts.h"
#include "app/kit/widgets.h"
#include "app/panels/picture/over_view.h"
#include "app/state/channel_style.h"
#include "app/view/shown.h"
#include "engine/core/numbers.h"
#include "render/quantities/distance_discs.h"

namespace slip::app {
namespace {

// Ends of the bars [N]; measures of the card [design px]. A lower picture has the colours alone,
// and none where not even these leave it half.
constexpr double kLeast = 1e-8, kMost = 100;
constexpr float kWidth = 336, kColours = 46, kHead = 22, kRow = 20, kLegendFoot = 24, kBar = 96;
constexpr float kSwatch = 36, kRoom = 420, kLeastRoom = 240;

float UnitOf(double newtons) {
  if (!(newtons > kLeast)) return 0;
  return static_cast<float>(std::min(1.0, std::log(newtons / kLeast) / std::log(kMost / kLeast)));
}

/// The colours' names from `at` on.
void Colours(ImDrawList* list, const Pane& pane, ImVec2 at) {
  const char* title = "Colour by distance";
  DrawText(list, ImVec2(at.x, at.y + Px(9)), title, Role::kCaption, Color(Token::kText));
  static constexpr const char* kNames[] = {"1 µN", "1 mN", "0.1 N", "1 N", "10 N"};
  float x = at.x + Px(kWidth - 24) - Px(kSwatch) * 5;
  for (int i = 0; i < 5; ++i, x += Px(kSwatch)) {
    list->AddRectFilled(ImVec2(x, at.y + Px(9)), ImVec2(x + Px(kSwatch) - Snap(1), at.y + Px(18)),
                        render::DistanceColour(i, pane.request.theme).Packed());
    const float width = MeasureText(At(kNames, i), Role::kTick).x;
    DrawText(list, ImVec2(x + (Px(kSwatch) - width) / 2, at.y + Px(24)), At(kNames, i), Role::kTick,
             Color(Token::kText2));
  }
}

/// One model: the bar as drawn, the numbers as written.
void Row(const Session& session, int channel, ImDrawList* list, float left, float right, float y) {
  const ChannelStyle style = StyleOf(session, channel);
  DrawMark(list, ImVec2(left + Px(6), y), style, 4);
  const RowText text{list};
  const float bar = left + Px(20), end = bar + Px(kBar);
  list->AddRectFilled(ImVec2(bar, y - Px(3)), ImVec2(end, y + Px(3)), Color(Token::kLine));
  if (const ContactFrame* far = render::FarthestFromCoulomb(session.frame(channel))) {
    const float unit = UnitOf(far->coulomb.distance);
    list->AddRectFilled(ImVec2(bar, y - Px(3)), ImVec2(bar + unit * (end - bar), y + Px(3)),
                        style.colour);
    const double full = std::sqrt(1 + far->friction * far->friction) * far->fn;
    if (full > kLeast) {
      const float tick = bar + UnitOf(full) * (end - bar);
      list->AddRectFilled(ImVec2(tick - Snap(1), y - Px(6)), ImVec2(tick + Snap(1), y + Px(6)),
                          Color(Token::kHead));
    }
  }
  const ContactFrame* far = render::FarthestFromCoulomb(session.written().frame(channel));
  const std::string distance =
      far != nullptr ? FormatSignal(Signal::kCoulombDistance, far->coulomb.distance) : "–";
  const std::string offset =
      far != nullptr ? FormatSignal(Signal::kCoulombOffset, far->coulomb.offset) : "–";
  text.Right(right - Px(84), y, AsRich(distance), Role::kValueStrong, Token::kText);
  text.Right(right, y, AsRich(offset), Role::kValue, Token::kText2);
  RegisterWidget("overlay/distance/" + std::to_string(channel), ImVec2(left, y - Px(10)),
                 ImVec2(right, y + Px(10)), false, distance + " " + offset);
}

}  // namespace

void DrawDistanceCard(const Session& session, const Pane& pane, float bottom, FrameMarks* marks) {
  const float room = pane.max.y - pane.min.y;
  if (room < Px(kLeastRoom) || pane.request.compare == render::CompareMode::kDifference) return;
  const bool table = room >= Px(kRoom);
  const float rows =
      table ? kHead + kRow * static_cast<float>(ShownChannels(session)) + kLegendFoot : 0;
  const ImVec2 at(pane.min.x + Px(12), bottom - Px(kColours + rows));
  const ImVec2 end(at.x + Px(kWidth), bottom);
  if (end.x > pane.max.x) return;
  ImDrawList* list = ImGui::GetWindowDrawList();
  DrawGlass(list, at, end);
  marks->overlays.push_back({at, end});
  RegisterWidget("overlay/distance", at, end);
  const float left = at.x + Px(12), right = end.x - Px(12);
  Colours(list, pane, ImVec2(left, at.y));
  if (!table) return;
  const RowText text{list};
  float y = at.y + Px(kColours + 8);
  list->AddRectFilled(ImVec2(left, at.y + Px(kColours - 4)),
                      ImVec2(right, at.y + Px(kColours - 4) + Snap(1)), Color(Token::kGlassLine));
  text.Left(left, y, "farthest contact", Role::kCaption, Token::kText3);
  text.Right(right - Px(84), y, "distance", Role::kCaption, Token::kText3);
  text.Right(right, y, "offset", Role::kCaption, Token::kText3);
  y += Px(kRow);
  for (int i = 0; i < session.channel_count(); ++i) {
    if (!session.looks().Present(i)) continue;
    Row(session, i, list, left, right, y);
    y += Px(kRow);
  }
  text.Left(left, y + Px(2), "10 nN to 100 N. At the tick it saturates: see offset", Role::kCaption,
            Token::kText3);
}

}  // namespace slip::app
