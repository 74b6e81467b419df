// Legend of the difference picture: how far the shown models are from the lead.
#include <algorithm>
#include <cmath>

#include "app/kit/widgets.h"
#include "app/panels/picture/over_view.h"
#include "app/panels/picture/view.h"
#include "render/scene/difference.h"

namespace slip::app {

void DrawDifferenceLegend(const Session& session, const Pane& pane, FrameMarks* marks) {
  if (pane.request.compare != render::CompareMode::kDifference) return;
  const int bodies = static_cast<int>(session.frame(session.looks().lead()).bodies.size());
  const auto most_of = [&](const Snapshot& snapshot) {
    double most = 0;
    for (int b = 0; b < bodies; ++b)
      most = std::max(most, render::PositionDifference(snapshot, pane.request, b));
    return most;
  };
  const double most = most_of(session.snapshot());
  const std::string title = "Distance from " + session.looks().Name(session.looks().lead());
  const std::string now =
      "now " + FormatSignal(Signal::kPositionX, most_of(session.written().snapshot()));
  const float pad = Px(12), bar = Px(300), height = Px(64);
  const float text =
      MeasureText(title, Role::kCaption).x + Px(16) + MeasureText(now, Role::kAxis).x;
  const float width = std::max(bar, text) + 2 * pad;
  // under the readout: the lower left belongs to the legend and to what lies on the ground
  const ImVec2 at(pane.min.x + Px(12), pane.min.y + Px(12 + 32 + 8));
  marks->overlays.push_back({at, ImVec2(at.x + width, at.y + height)});
  RegisterWidget("overlay/difference", at, ImVec2(at.x + width, at.y + height),
                 at.x + width > pane.max.x);
  ImDrawList* list = ImGui::GetWindowDrawList();
  DrawGlass(list, at, ImVec2(at.x + width, at.y + height));
  DrawText(list, ImVec2(at.x + pad, at.y + Px(7)), title, Role::kCaption, Color(Token::kText));
  DrawText(list, ImVec2(at.x + width - pad - MeasureText(now, Role::kAxis).x, at.y + Px(7)), now,
           Role::kAxis, Color(Token::kText));
  const float x0 = at.x + pad, x1 = at.x + width - pad, top = at.y + Px(28);
  const auto decades = std::log10(render::kMostDifference / render::kLeastDifference);
  constexpr int kParts = 64;
  for (int i = 0; i < kParts; ++i) {
    const double unit = (i + 0.5) / kParts;
    const double metres = render::kLeastDifference * std::pow(10.0, unit * decades);
    const float a = x0 + (x1 - x0) * static_cast<float>(i) / kParts;
    list->AddRectFilled(ImVec2(a, top), ImVec2(a + (x1 - x0) / kParts + 1, top + Px(8)),
                        render::DifferenceColour(metres).Packed());
  }
  const auto place = [&](double metres) {
    return x0 + (x1 - x0) * static_cast<float>(render::DifferenceUnit(metres));
  };
  if (most > 0) {
    const float x = place(most);
    list->AddTriangleFilled(ImVec2(x - Px(4), top - Px(5)), ImVec2(x + Px(4), top - Px(5)),
                            ImVec2(x, top + Px(1)), Color(Token::kHead));
  }
  static constexpr const char* kDecades[] = {"1 µm", "10 µm", "0.1 mm", "1 mm", "1 cm", "10 cm"};
  double metres = render::kLeastDifference;
  for (const char* label : kDecades) {
    const float x = place(metres);
    list->AddRectFilled(ImVec2(x, top + Px(8)), ImVec2(x + Snap(1), top + Px(11)),
                        Color(Token::kText2));
    const float w = MeasureText(label, Role::kTick).x;
    DrawText(list, ImVec2(std::clamp(x - w / 2, x0, x1 - w), top + Px(14)), label, Role::kTick,
             Color(Token::kText2));
    metres *= 10;
  }
}

}  // namespace slip::app
