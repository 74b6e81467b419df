// The friction budget of a quasi-dynamic contact: |F_1|/μ + |F_2|/μ + |T|/μ_w <= N, an octahedron
// whose corners are six of the step's constraints. As a bar, and as two sections.
#include <algorithm>
#include <cmath>
#include <string>

#include "app/kit/widgets.h"
#include "engine/core/numbers.h"
#include "engine/tell/format.h"

namespace slip::app {
namespace {

constexpr float kRowHeight = 20;
// Of the table, and where its columns begin [design px].
constexpr float kTableRow = 18, kFirstColumn = 24, kColumn = 62;
// Above and below a diamond, for the names at its corners [design px].
constexpr float kCornerRoom = 15;

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
  // outside the corners: names of the axes before those of their rows
  const float line = FontPx(Role::kCaption);
  for (int k = 0; k < 4; ++k) {
    const float w = MeasureText(section.rows[k], Role::kTick).x;
    const ImVec2 at = corner(k, 1);
    const float x0 = k == 0 ? at.x + Px(6) : k == 2 ? at.x - w - Px(6) : at.x + Px(2);
    const float y0 = k == 1 ? at.y - line - Px(1) : k == 3 ? at.y + Px(1) : at.y + Px(1);
    DrawText(list, {k == 3 ? at.x - w / 2 : x0, y0}, section.rows[k], Role::kTick,
             Color(Token::kText3));
  }
  DrawRich(list, {centre.x + radius + Px(6), centre.y - line}, section.x, Role::kCaption,
           Color(Token::kText2));
  DrawRich(list,
           {centre.x - Px(3) - MeasureRich(section.y, Role::kCaption).x,
            centre.y - radius - line - Px(1)},
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

void FrictionBudgetRow(std::string_view id, const FrictionLoad& load, const BudgetShares& written) {
  const BudgetShares shares = CalcShares(load);
  const ImVec2 o = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float middle = std::round(o.y + Px(kRowHeight / 2));
  ImDrawList* list = ImGui::GetWindowDrawList();
  DrawMark(list, {o.x + Px(8), middle}, load.style, 4.5f);
  const std::string text = FormatFixed(written.total() * 100, 1) + " %";
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
  RegisterWidget(id, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), false, text);
  Tooltip("Force " + FormatFixed(written.force * 100, 1) + " %, torque " +
          FormatFixed(written.torque * 100, 1) + " % of what this normal force allows.");
}

void FrictionBudget(std::string_view id, const FrictionLoad& load, ImVec2 size) {
  const ImVec2 o = ImGui::GetCursorScreenPos();
  ImGui::Dummy(size);
  RegisterLastItem(id);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const BudgetShares shares = CalcShares(load);
  const bool torsion = load.mu_w > 0;
  const float radius =
      std::min(size.y / 2 - Px(kCornerRoom), size.x / (torsion ? 4.0f : 2.0f) - Px(26));
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

void FrictionBudgetTable(const FrictionLoad& load) {
  struct Line {
    const char *id, *name, *tip;
    int plus, minus;  ///< multipliers; -1 = none
    double value, most;
    const char* unit;
  };
  const Line lines[] = {
      {"F1", "F_1", "F₁ = μ (λ₁ − λ₃)/δt of at most μ N, along the method's first tangent", 0, 2,
       load.f1, load.mu * load.fn, "N"},
      {"F2", "F_2", "F₂ = μ (λ₂ − λ₄)/δt of at most μ N, along its second tangent", 1, 3, load.f2,
       load.mu * load.fn, "N"},
      {"T", "T", "T = μ_w (λ₅ − λ₆)/δt of at most μ_w N, about the normal", 4, 5, load.torque,
       load.mu_w * load.fn, "N m"},
      {"N", "N", "N = (λ₁ + … + λ₆)/δt: every constraint that pushes, pushes along the normal too",
       -1, -1, load.fn, 0, "N"}};
  constexpr const char* kNames[] = {"λ₁", "λ₂", "λ₃", "λ₄", "λ₅", "λ₆"};
  const float width = ImGui::GetContentRegionAvail().x;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto row = [&](ImVec2 at, const char* tip) {
    ImGui::Dummy({width, Snap(kTableRow) - ImGui::GetStyle().ItemSpacing.y});
    Tooltip(tip);
    return at;
  };
  const ImVec2 head = row(ImGui::GetCursorScreenPos(),
                          "λ/δt: what each constraint pushes with along the normal. A constraint "
                          "keeps the points apart while they slide or turn one way.");
  const auto right = [&](ImVec2 at, const std::string& text, Role role, Token token) {
    DrawText(list, {head.x + width - MeasureText(text, role).x, at.y}, text, role, Color(token));
  };
  DrawText(list, {head.x + Px(kFirstColumn), head.y}, "λ/δt [N]", Role::kCaption,
           Color(Token::kText3));
  right(head, "net, of at most", Role::kCaption, Token::kText3);
  for (const Line& line : lines) {
    if (line.id[0] == 'T' && !(load.mu_w > 0)) continue;
    const ImVec2 at = row(ImGui::GetCursorScreenPos(), line.tip);
    DrawRich(list, at, line.name, Role::kLabel, Color(Token::kText2));
    float x = at.x + Px(kFirstColumn);
    for (const int i : {line.plus, line.minus}) {
      if (i < 0) continue;
      // a millionth of the load is what the solver leaves
      const double push = At(load.pushes, i);
      const double shown = std::abs(push) < 1e-6 * load.fn ? 0 : push;
      const std::string text = FormatFixed(shown, shown < 100 ? 2 : 0);
      DrawText(list, {x, at.y}, kNames[i], Role::kCaption, Color(Token::kText3));
      DrawText(list, {x + Px(kColumn - 8) - MeasureText(text, Role::kAxis).x, at.y}, text,
               Role::kAxis, Color(Token::kText));
      RegisterWidget(std::string("budget/lambda/") + std::to_string(i + 1), {x, at.y},
                     {x + Px(kColumn - 8), at.y + Px(kTableRow)}, false, text);
      x += Px(kColumn);
    }
    const double value = std::abs(line.value) < 1e-6 * line.most ? 0 : line.value;
    std::string text = FormatQuantity(value, line.unit);
    if (line.most > 0) {
      // both in one unit; torques in that of the table of contacts
      const bool torque = line.id[0] == 'T';
      const double factor = torque ? 1e3 : DisplayFactor(line.most, line.unit);
      // what is below the last digit of the most is the solver's
      const int decimals =
          std::clamp(2 - static_cast<int>(std::floor(std::log10(line.most * factor))), 0, 6);
      text = FormatFixed(value * factor, decimals + 1) + " of " +
             FormatFixed(line.most * factor, decimals) + " " +
             (torque ? "mN·m" : SplitQuantity(line.most, line.unit).unit);
    }
    right(at, text, Role::kAxis, Token::kText);
    const float text_x = head.x + width - MeasureText(text, Role::kAxis).x;
    RegisterWidget(std::string("budget/") + line.id, {text_x, at.y},
                   {head.x + width, at.y + Px(kTableRow)}, text_x < x, text);
  }
}

}  // namespace slip::app
