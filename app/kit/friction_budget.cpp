// The friction budget of a quasi-dynamic contact: |F_1|/μ + |F_2|/μ + |T|/μ_w <= N, an octahedron
// whose corners are six of the step's constraints. As a bar, and as two sections.
#include <algorithm>
#include <cmath>

#include "app/kit/format.h"
#include "app/kit/widgets.h"

namespace slip::app {
namespace {

constexpr float kRowHeight = 24;

struct Section {
  const char *x, *y;          ///< names of the axes
  double x_most, y_most;      ///< corners at full budget
  double left;                ///< share of the budget that this section still has
  const char* const rows[4];  ///< constraints at the corners: right, top, left, bottom
};

/// A diamond about `centre`: the set at full budget dashed, the section through the point filled.
void DrawSection(ImDrawList* list, ImVec2 centre, float radius, const Section& section, double x,
                 double y, const ChannelStyle& style) {
  const auto corner = [&](int k, double share) {
    const float r = radius * static_cast<float>(std::clamp(share, 0.0, 1.0));
    constexpr float kX[] = {1, 0, -1, 0}, kY[] = {0, -1, 0, 1};
    return ImVec2{centre.x + kX[k] * r, centre.y + kY[k] * r};
  };
  list->AddRectFilled({centre.x - radius, centre.y}, {centre.x + radius, centre.y + Snap(1)},
                      Color(Token::kLineStrong));
  list->AddRectFilled({centre.x, centre.y - radius}, {centre.x + Snap(1), centre.y + radius},
                      Color(Token::kLineStrong));
  list->AddQuadFilled(corner(0, section.left), corner(1, section.left), corner(2, section.left),
                      corner(3, section.left), Color(Token::kAccent, 0.16f));
  list->AddQuad(corner(0, section.left), corner(1, section.left), corner(2, section.left),
                corner(3, section.left), Color(Token::kAccent), Px(1.5f));
  list->AddQuad(corner(0, 1), corner(1, 1), corner(2, 1), corner(3, 1), Color(Token::kLineStrong),
                Snap(1));
  for (int k = 0; k < 4; ++k) {
    const ImVec2 size = MeasureText(section.rows[k], Role::kTick), at = corner(k, 1);
    const float x0 = k == 0 ? at.x + Px(4) : k == 2 ? at.x - size.x - Px(4) : at.x + Px(5);
    const float y0 = k == 1 ? at.y - Px(2) : k == 3 ? at.y - size.y + Px(2) : at.y - size.y - Px(1);
    DrawText(list, {x0, y0}, section.rows[k], Role::kTick, Color(Token::kText3));
  }
  DrawRich(list, {centre.x + radius - MeasureRich(section.x, Role::kCaption).x, centre.y + Px(4)},
           section.x, Role::kCaption, Color(Token::kText2));
  DrawRich(list, {centre.x - Px(6) - MeasureRich(section.y, Role::kCaption).x, centre.y - radius},
           section.y, Role::kCaption, Color(Token::kText2));
  const auto place = [&](double value, double most) {
    return most > 0 ? radius * static_cast<float>(std::clamp(value / most, -1.2, 1.2)) : 0.0f;
  };
  DrawMark(list, {centre.x + place(x, section.x_most), centre.y - place(y, section.y_most)}, style,
           4.5f);
}

}  // namespace

BudgetShares CalcShares(const FrictionLoad& load) {
  if (!(load.fn > 0)) return {};
  const auto share = [&](double value, double bound) {
    return bound > 0 ? std::abs(value) / (bound * load.fn) : 0.0;
  };
  return {share(load.f1, load.mu) + share(load.f2, load.mu), share(load.torque, load.mu_w)};
}

void FrictionBudgetRow(std::string_view id, const FrictionLoad& load) {
  const BudgetShares shares = CalcShares(load);
  const ImVec2 o = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float middle = std::round(o.y + Px(kRowHeight / 2));
  ImDrawList* list = ImGui::GetWindowDrawList();
  DrawMark(list, {o.x + Px(8), middle}, load.style, 4.5f);
  const std::string text = FormatFixed(shares.total() * 100, 1) + " %";
  const float left = o.x + Px(28);
  const float right = o.x + width - MeasureText("100.0 %", Role::kAxis).x - Px(8);
  list->AddRectFilled({left, middle - Px(4)}, {right, middle + Px(4)}, Color(Token::kControl),
                      Px(2));
  const auto at = [&](double share) {
    return left + static_cast<float>(std::clamp(share, 0.0, 1.0)) * (right - left);
  };
  list->AddRectFilled({left, middle - Px(4)}, {at(shares.force), middle + Px(4)}, load.style.colour,
                      Px(2));
  // a gap parts the two: colour is not the only sign
  if (shares.torque > 0 && at(shares.total()) > at(shares.force) + Px(1)) {
    list->AddRectFilled({at(shares.force) + Px(1), middle - Px(4)},
                        {at(shares.total()), middle + Px(4)}, WithAlpha(load.style.colour, 0.55f),
                        Px(2));
  }
  DrawText(list, {o.x + width - MeasureText(text, Role::kAxis).x, middle - FontPx(Role::kAxis) / 2},
           text, Role::kAxis, Color(Token::kText));
  ImGui::Dummy({width, Snap(kRowHeight) - ImGui::GetStyle().ItemSpacing.y});
  RegisterLastItem(id);
  Tooltip("Force " + FormatFixed(shares.force * 100, 1) + " %, torque " +
          FormatFixed(shares.torque * 100, 1) + " % of what this normal force allows.");
}

void FrictionBudget(std::string_view id, const FrictionLoad& load, ImVec2 size) {
  const ImVec2 o = ImGui::GetCursorScreenPos();
  ImGui::Dummy(size);
  RegisterLastItem(id);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const BudgetShares shares = CalcShares(load);
  const bool torsion = load.mu_w > 0;
  const float radius =
      std::min((size.y - Px(12)) / 2, size.x / (torsion ? 4.0f : 2.0f) - Px(torsion ? 24 : 40));
  if (radius < Px(12)) return;
  const float middle = o.y + size.y / 2;
  const double most = load.mu * load.fn;
  DrawSection(list, {o.x + size.x * (torsion ? 0.25f : 0.5f), middle}, radius,
              {"F_1", "F_2", most, most, 1 - shares.torque, {"λ₁", "λ₂", "λ₃", "λ₄"}}, load.f1,
              load.f2, load.style);
  if (!torsion) return;
  // the other section holds the force's direction; its corners are of the larger component
  const bool first = std::abs(load.f1) >= std::abs(load.f2);
  const double other = first ? load.f2 : load.f1;
  const double used = most > 0 ? std::abs(other) / most : 0;
  DrawSection(list, {o.x + size.x * 0.75f, middle}, radius,
              {first ? "F_1" : "F_2",
               "T",
               most,
               load.mu_w * load.fn,
               1 - used,
               {first ? "λ₁" : "λ₂", "λ₅", first ? "λ₃" : "λ₄", "λ₆"}},
              first ? load.f1 : load.f2, load.torque, load.style);
}

}  // namespace slip::app
