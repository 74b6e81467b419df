#include "app/plots/svg_text.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "app/kit/rich_runs.h"

namespace slip::app {

std::string EscapeSvg(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string RichSpans(std::string_view text) {
  std::vector<RichRun> runs;
  SplitRuns(text, &runs);
  std::string out;
  double shift = 0;
  for (const RichRun& run : runs) {
    const double wanted = run.level == RichLevel::kSub     ? 3
                          : run.level == RichLevel::kSuper ? -4.5
                                                           : 0;
    const bool small = run.level != RichLevel::kBase;
    if (wanted != shift || small) {
      out += fmt::format("<tspan dy=\"{:g}\"{}>{}</tspan>", wanted - shift,
                         small ? " font-size=\"75%\"" : "", EscapeSvg(run.text));
    } else {
      out += EscapeSvg(run.text);
    }
    shift = wanted;
  }
  return out;
}

std::string SvgColour(ImU32 colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", (colour >> IM_COL32_R_SHIFT) & 255u,
                     (colour >> IM_COL32_G_SHIFT) & 255u, (colour >> IM_COL32_B_SHIFT) & 255u);
}

std::vector<std::pair<double, double>> MarkCorners(render::Mark mark, double radius) {
  using render::Mark;
  constexpr int kRound = 24;
  int corners = 4;
  double turn = -1.5708;  // the first corner is on top
  double reach = 1.25 * radius;
  switch (mark) {
    case Mark::kNone:
      return {};
    case Mark::kDisc:
      corners = kRound;
      reach = radius;
      break;
    case Mark::kSquare:
      turn = -0.7854;
      break;
    case Mark::kDiamond:
      break;
    case Mark::kTriangleUp:
      corners = 3;
      break;
    case Mark::kTriangleDown:
      corners = 3;
      turn = 1.5708;
      break;
    case Mark::kPentagon:
      corners = 5;
      break;
  }
  std::vector<std::pair<double, double>> list;
  for (int i = 0; i < corners; ++i) {
    const double angle = turn + 6.28319 * i / corners;
    list.emplace_back(reach * std::cos(angle), reach * std::sin(angle));
  }
  return list;
}

std::string SvgMark(render::Mark mark, double x, double y, double radius,
                    const std::string& paint) {
  if (mark == render::Mark::kNone) return {};
  if (mark == render::Mark::kDisc)
    return fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:g}\" {}/>\n", x, y, radius,
                       paint);
  std::string text = "<polygon points=\"";
  for (const auto& [dx, dy] : MarkCorners(mark, radius))
    text += fmt::format("{}{:.2f},{:.2f}", text.back() == '"' ? "" : " ", x + dx, y + dy);
  return text + "\" " + paint + "/>\n";
}

}  // namespace slip::app
