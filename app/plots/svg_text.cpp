#include "app/plots/svg_text.h"

#include <fmt/format.h>

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

}  // namespace slip::app
