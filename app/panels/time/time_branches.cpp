#include "app/panels/time/time_branches.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/kit/widgets.h"
#include "app/panels/time/time_marks.h"
#include "engine/core/numbers.h"

namespace slip::app {
namespace {

// So many are drawn; the first lies so far below the spine, the next below it [design px].
constexpr std::size_t kSpines = 2;
constexpr float kFirstSpine = 12, kNextSpine = 12;
constexpr float kLongestLabel = 150, kLabelHeight = 11;

/// One that is drawn, in pixels.
struct BranchSpine {
  int branch = 0;
  float x_from = 0, y_from = 0;  ///< where it takes off
  float x = 0, x_end = 0, y = 0;
};

/// Those that are drawn along come first, then the newest.
std::vector<int> ChooseSpines(const Branches& branches) {
  std::vector<int> others = branches.Living();
  std::erase(others, branches.present());
  std::stable_sort(others.begin(), others.end(), [&](int a, int b) {
    const bool along_a = branches.along().Has(a), along_b = branches.along().Has(b);
    return along_a != along_b ? along_a : a > b;
  });
  others.resize(std::min(others.size(), kSpines));
  std::sort(others.begin(), others.end());
  return others;
}

std::vector<BranchSpine> ArrangeSpines(const Branches& branches, const Spine& spine) {
  // those with nothing in common part at the start
  const auto fork_of = [&](int b) {
    return branches.SharedUntil(b, branches.present()).value_or(spine.start);
  };
  std::vector<int> chosen = ChooseSpines(branches);
  // who leaves the present one later lies above: no take-off crosses another spine
  std::stable_sort(chosen.begin(), chosen.end(),
                   [&](int a, int b) { return fork_of(a) > fork_of(b) + 1e-9; });
  std::vector<BranchSpine> rows;
  for (const int b : chosen) {
    BranchSpine row;
    row.branch = b;
    row.y = spine.y + Px(kFirstSpine + kNextSpine * static_cast<float>(rows.size()));
    // from the one that it went along with for longest
    double fork = fork_of(b);
    row.y_from = spine.y;
    for (const BranchSpine& other : rows) {
      const std::optional<double> shared = branches.SharedUntil(b, other.branch);
      if (!shared || *shared <= fork + 1e-9) continue;
      fork = *shared;
      row.y_from = other.y;
    }
    row.x_from = spine.X(fork);
    row.x = row.x_from + (row.y - row.y_from);  // at 45 degrees
    row.x_end = std::max(spine.X(branches.End(b)), row.x + Px(1));
    rows.push_back(row);
  }
  return rows;
}

/// Above the line, which it would hide.
void SpineTip(const Branches& branches, int branch, float y) {
  ImGui::SetNextWindowPos(ImVec2(ImGui::GetIO().MousePos.x, y), ImGuiCond_Always, ImVec2(0.5f, 1));
  ImGui::BeginTooltip();
  Rich(LiteralRich(branches.Name(branch)) + ": click to return to it", Role::kBody);
  const BranchInfo& info = At(branches.tree(), branch);
  const std::string where = info.parent >= 0
                                ? fmt::format("starts at {:.4g} s of {}", branches.Start(branch),
                                              branches.Name(info.parent))
                                : "starts at 0 s";
  Rich(LiteralRich(fmt::format("{}, ends at {:.4g} s", where, branches.End(branch))),
       Role::kCaption, Token::kText2);
  Rich(branches.Changes(branch), Role::kCaption, Token::kText2);
  ImGui::EndTooltip();
}

std::string SpineLabel(const Branches& branches, int branch, float along_opacity) {
  std::string text = LiteralRich(branches.Name(branch));
  if (branches.along().Has(branch)) {
    const int percent = static_cast<int>(std::lround(100 * along_opacity));
    return text + (percent > 0 ? fmt::format(" {} %", percent) : " hidden");
  }
  if (const std::string change = branches.ShortChange(branch); !change.empty())
    text += " " + change;
  return text;
}

void DrawOneSpine(const Branches& branches, const Spine& spine, const BranchSpine& row,
                  float along_opacity, Requests* requests) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::string label = EllipsizeRich(SpineLabel(branches, row.branch, along_opacity),
                                          Role::kTick, Px(kLongestLabel));
  const ImVec2 size = MeasureRich(label, Role::kTick);
  // beside its end, or before it where the line has no more room
  float x_label = row.x_end + Px(8);
  const bool before = x_label + size.x > spine.x1 + Px(12);
  if (before) x_label = row.x_end - Px(8) - size.x;
  const bool labelled = !before || x_label > row.x + Px(4);
  const float right = before || !labelled ? row.x_end + Px(4) : x_label + size.x;
  ImGui::SetCursorScreenPos(ImVec2(row.x - Px(4), row.y - Px(kNextSpine) / 2));
  const std::string id = fmt::format("time/branch/{}", row.branch + 1);
  if (ImGui::InvisibleButton(id.c_str(),
                             ImVec2(std::max(right - row.x + Px(4), Px(8)), Px(kNextSpine)))) {
    requests->Ask([branch = row.branch](Session* s) { s->branches().ReturnTo(branch); });
  }
  RegisterLastItem(id);
  const bool hovered = ImGui::IsItemHovered();
  if (hovered && TooltipAllowed()) SpineTip(branches, row.branch, spine.y - Px(40));
  const Token token = hovered                            ? Token::kAccent
                      : branches.along().Has(row.branch) ? Token::kText
                                                         : Token::kText3;
  const ImU32 colour = Color(token);
  const ImVec2 points[] = {{row.x_from, row.y_from}, {row.x, row.y}, {row.x_end, row.y}};
  list->AddPolyline(points, 3, colour, 0, Px(hovered ? 2.5f : 2));
  list->AddCircleFilled(points[0], Px(3), Color(Token::kPanel), 16);
  list->AddCircle(points[0], Px(3), colour, 16, Px(1.5f));
  list->AddCircleFilled(points[2], Px(3.5f), colour, 16);
  if (!labelled) return;
  const ImVec2 at(x_label, row.y - size.y / 2);
  // what the solver says of the present run may stand there
  const float half = Px(kLabelHeight) / 2;
  const ImVec2 min(at.x, row.y - half), max(at.x + size.x, row.y + half);
  list->AddRectFilled(ImVec2(min.x - Px(3), min.y), ImVec2(max.x + Px(3), max.y),
                      Color(Token::kPanel));
  DrawRich(list, at, label, Role::kTick, colour);
  RegisterWidget(id + "/label", min, max, false, label);
}

}  // namespace

bool HasOtherBranches(const Session& session) { return session.branches().Living().size() > 1; }

double LastBranchEnd(const Session& session) {
  double end = 0;
  for (const int b : session.branches().Living()) end = std::max(end, session.branches().End(b));
  return end;
}

bool DrawBranchSpines(const Branches& branches, const Spine& spine, float along_opacity,
                      Requests* requests) {
  const std::vector<BranchSpine> rows = ArrangeSpines(branches, spine);
  // the ring of one lies over the line of the other
  for (std::size_t i = rows.size(); i-- > 0;)
    DrawOneSpine(branches, spine, rows[i], along_opacity, requests);
  const int folded = static_cast<int>(branches.Living().size() - 1 - rows.size());
  if (folded <= 0) return false;
  const std::string more = fmt::format("+{}", folded);
  const ImVec2 size = MeasureText(more, Role::kTick);
  const float y = spine.y + Px(kFirstSpine + kNextSpine);
  ImGui::SetCursorScreenPos(ImVec2(spine.x0 - Px(12) - size.x, y - size.y / 2));
  const bool clicked =
      LinkText("time/branches/more", more, "All runs, in the tab of branches.", Role::kTick);
  Tooltip(fmt::format("{} more run{}: in the tab Branches.", folded, folded == 1 ? "" : "s"));
  return clicked;
}

}  // namespace slip::app
