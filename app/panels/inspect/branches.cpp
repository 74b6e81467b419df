// The tab "Branches": a card for every branch of the run, whose curves are drawn along, and
// what of the history each takes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/kit/widgets.h"
#include "app/panels/common/tab.h"
#include "engine/core/numbers.h"

namespace slip::app {
namespace {

constexpr float kCardPad = 12, kCardGap = 8, kCardLine = 18;  // design pixels
constexpr double kMegabyte = 1024.0 * 1024.0;

std::string HowManyRuns(std::size_t count) {
  static constexpr std::array<std::string_view, 13> kWords = {
      "No",    "One",   "Two",  "Three", "Four",   "Five",  "Six",
      "Seven", "Eight", "Nine", "Ten",   "Eleven", "Twelve"};
  const std::string number =
      count < kWords.size() ? std::string(kWords[count]) : std::to_string(count);
  return fmt::format("{} run{} of this session", number, count == 1 ? "" : "s");
}

/// The spine as it is drawn on the time line.
void SpineSign(ImDrawList* list, ImVec2 left_centre, bool present, ImU32 colour) {
  const float length = Px(20);
  const ImVec2 end(left_centre.x + length, left_centre.y);
  if (present) {
    list->AddRectFilled(ImVec2(left_centre.x, left_centre.y - Px(3)), ImVec2(end.x, end.y + Px(3)),
                        colour, Px(2));
  } else {
    list->AddLine(left_centre, end, colour, Px(2));
    list->AddCircleFilled(end, Px(3.5f), colour, 16);
  }
}

std::string StartText(const Branches& branches, int b) {
  const BranchInfo& info = At(branches.tree(), b);
  if (info.parent < 0) return fmt::format("{:.0f} s", branches.Start(b));
  return fmt::format("{:.2f} s of {}", branches.Start(b), branches.Name(info.parent));
}

/// "starts at 0.26 s of b1" at the left, "ends at 0.80 s" at the right; with a long name in two
/// lines. How many it takes; without drawing it only counts.
int WhereLines(const Branches& branches, int b, ImVec2 at, float width, bool draw) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float gap = Px(5);
  const std::string start = LiteralRich(StartText(branches, b));
  const std::string end = fmt::format("{:.2f} s", branches.End(b));
  const float starts = MeasureText("starts at", Role::kCaption).x + gap;
  const float ends = MeasureText("ends at", Role::kCaption).x + gap;
  const float start_width = MeasureRich(start, Role::kAxis).x;
  const float end_width = MeasureText(end, Role::kAxis).x;
  const bool one = starts + start_width + Px(12) + ends + end_width <= width;
  if (!draw) return one ? 1 : 2;
  DrawText(list, at, "starts at", Role::kCaption, Color(Token::kText3));
  DrawRich(list, ImVec2(at.x + starts, at.y), EllipsizeRich(start, Role::kAxis, width - starts),
           Role::kAxis, Color(Token::kText));
  ImVec2 place(at.x + width - end_width - ends, at.y);
  if (!one) place = ImVec2(at.x, at.y + Px(kCardLine));
  DrawText(list, place, "ends at", Role::kCaption, Color(Token::kText3));
  DrawText(list, ImVec2(place.x + ends, place.y), end, Role::kAxis, Color(Token::kText));
  return one ? 1 : 2;
}

/// Keeps the name that was typed.
void KeepName(BranchEdit* own, Requests* requests) {
  if (own->branch >= 0) {
    requests->Ask([branch = own->branch, text = own->text](Session* s) {
      s->branches().Rename(branch, text);
    });
  }
  *own = {};
}

/// The name, or the box in which it is typed.
void NameLine(const Branches& branches, int b, ImVec2 at, float width, BranchEdit* own,
              Requests* requests) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::string id = fmt::format("branches/{}", b + 1);
  if (own->branch == b) {
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y - Px(6)));
    const bool opens = !std::exchange(own->opened, true);
    const TextBoxResult box = TextBox(id + "/name", &own->text, fmt::format("b{}", b + 1),
                                      width - Px(32 + 28), icon::kBranch, opens);
    const bool elsewhere =
        !opens && ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
        !ImGui::IsMouseHoveringRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    if (box.entered || elsewhere) KeepName(own, requests);
    return;
  }
  const bool present = b == branches.present();
  SpineSign(list, ImVec2(at.x, at.y + FontPx(Role::kValueStrong) / 2), present,
            Color(present                   ? Token::kAccent
                  : branches.along().Has(b) ? Token::kText
                                            : Token::kText3));
  const std::string note = present ? "this one" : b == 0 ? "first run" : "";
  const float note_width = note.empty() ? 0 : MeasureText(note, Role::kCaption).x + Px(10);
  const float x = at.x + Px(32), room = width - Px(32 + 36 + 28) - note_width;
  const std::string name = EllipsizeRich(LiteralRich(branches.Name(b)), Role::kValueStrong, room);
  const float end =
      x + DrawRich(list, ImVec2(x, at.y), name, Role::kValueStrong, Color(Token::kText));
  RegisterWidget(id + "/title", ImVec2(x, at.y), ImVec2(end, at.y + FontPx(Role::kValueStrong)),
                 false, name);
  DrawText(list, ImVec2(end + Px(10), at.y + Px(1)), note, Role::kCaption, Color(Token::kText3));
}

void CardButtons(const Branches& branches, int b, ImVec2 at, float width, BranchEdit* own,
                 Requests* requests) {
  const std::string id = fmt::format("branches/{}", b + 1);
  const bool present = b == branches.present();
  const float gap = Px(8), unit = (width - 2 * gap) / UiScale();
  ImGui::SetCursorScreenPos(at);
  if (TextButton(id + "/return", "Return here", nullptr, false, std::floor(0.4f * unit), !present,
                 present ? "This is the run that is shown." : "Goes to the end of this run.")) {
    requests->Ask([b](Session* s) { s->branches().ReturnTo(b); });
  }
  ImGui::SameLine(0, gap);
  if (TextButton(id + "/rename", "Rename", nullptr, false, std::floor(0.32f * unit), true,
                 "Gives this run a name of yours.")) {
    KeepName(own, requests);
    *own = {.branch = b, .text = At(branches.tree(), b).name};
  }
  ImGui::SameLine(0, gap);
  const std::string why = branches.WhyKept(b);
  if (TextButton(id + "/drop", "Drop", nullptr, false, std::floor(0.28f * unit), why.empty(),
                 why.empty() ? "Its history goes; for half a minute that can be undone." : why)) {
    requests->Ask([b](Session* s) { s->branches().Drop(b); });
  }
}

void BranchCard(const Branches& branches, int b, float width, BranchEdit* own, bool* run_ghost,
                Requests* requests) {
  const bool present = b == branches.present();
  const float pad = Px(kCardPad), inner = width - 2 * pad, line = Px(kCardLine);
  const std::vector<std::string> changes = WrapText(branches.Changes(b), Role::kCaption, inner);
  const auto lines = static_cast<float>(std::max<std::size_t>(changes.size(), 1));
  // of the one that is shown everybody sees why it stays
  const std::vector<std::string> kept =
      present ? std::vector<std::string>() : WrapText(branches.WhyKept(b), Role::kCaption, inner);
  const auto whys = static_cast<float>(kept.size());
  const auto where = static_cast<float>(WhereLines(branches, b, ImVec2(0, 0), inner, false));
  const float height = Px(10 + 26) + line * (where + lines + whys) + Px(8 + 32 + 12);
  const ImVec2 min = ImGui::GetCursorScreenPos(), max(min.x + width, min.y + std::round(height));
  const std::string id = fmt::format("branches/{}", b + 1);
  // buttons that come after it take the mouse first
#if IMGUI_VERSION_NUM >= 18970
  ImGui::SetNextItemAllowOverlap();
#endif
  const bool clicked = ImGui::InvisibleButton(id.c_str(), ImVec2(width, max.y - min.y));
#if IMGUI_VERSION_NUM < 18970
  ImGui::SetItemAllowOverlap();
#endif
  RegisterLastItem(id);
  const bool hovered = ImGui::IsItemHovered();
  // its buttons have their own
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (mouse.y < max.y - Px(12 + 32) && mouse.x < max.x - pad - Px(24 + 28))
    Tooltip(present ? "The run that is shown." : "Click: goes to the end of this run.");
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Token fill = present ? Token::kSel : hovered ? Token::kHover : Token::kRaised;
  list->AddRectFilled(min, max, Color(fill), Px(6));
  list->AddRect(min, max, Color(present ? Token::kAccent : Token::kLine), Px(6), 0, Snap(1));
  ImVec2 at(min.x + pad, min.y + Px(12));
  NameLine(branches, b, at, inner, own, requests);
  if (!present) {
    const bool along = branches.along().Has(b);
    ImGui::SetCursorScreenPos(ImVec2(max.x - pad - Px(24), at.y - Px(6)));
    if (IconButton(id + "/eye", along ? icon::kShow : icon::kHide,
                   along ? "Its curves are drawn along in the plots. Click hides them."
                         : "Draws its curves along in the plots.",
                   28, true, false, along ? Token::kText : Token::kText3)) {
      requests->Ask([b, along](Session* s) { s->branches().along().Set(b, !along); });
    }
    const bool ghost = *run_ghost && branches.along().Ghost() == b;
    ImGui::SetCursorScreenPos(ImVec2(max.x - pad - Px(24 + 28), at.y - Px(6)));
    if (IconButton(id + "/ghost", icon::kScene,
                   ghost ? "Its bodies stand in the picture as a ghost. Click takes them out."
                         : "Puts its bodies into the picture as a ghost, at the same time.",
                   28, true, false, ghost ? Token::kText : Token::kText3)) {
      *run_ghost = !ghost;
      requests->Ask([b](Session* s) { s->branches().along().ChooseGhost(b); });
    }
  }
  at.y = min.y + Px(10 + 26);
  WhereLines(branches, b, at, inner, true);
  at.y += line * where;
  for (const std::string& text : changes) {
    DrawRich(list, at, text, Role::kCaption, Color(Token::kText2));
    at.y += line;
  }
  for (const std::string& text : kept) {
    DrawRich(list, at, text, Role::kCaption, Color(Token::kText3));
    RegisterWidget(id + "/kept", at, ImVec2(at.x + inner, at.y + line), false, text);
    at.y += line;
  }
  CardButtons(branches, b, ImVec2(at.x, max.y - Px(12 + 32)), inner, own, requests);
  if (clicked && !present && own->branch < 0)
    requests->Ask([b](Session* s) { s->branches().ReturnTo(b); });
  ImGui::SetCursorScreenPos(ImVec2(min.x, max.y));
  ImGui::Dummy(ImVec2(width, Px(kCardGap)));
}

/// How much of their colour the curves of other branches have.
void OpacitySlider(const Branches& branches, float width, float* along_opacity) {
  float& opacity = *along_opacity;
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImVec2 at = ImGui::GetCursorScreenPos();
  DrawText(list, at, "In the plots", Role::kTitle, Color(Token::kText));
  std::string names;
  for (const int b : branches.along().Numbers())
    names += (names.empty() ? "" : ", ") + branches.Name(b);
  std::string value = names.empty() ? "no other run"
                      : opacity > 0 ? fmt::format("{} at {:.0f} %", names, 100 * opacity)
                                    : names + " hidden";
  value = EllipsizeRich(LiteralRich(value), Role::kAxis, width - Px(100));
  const float value_width = MeasureRich(value, Role::kAxis).x;
  DrawRich(list, ImVec2(at.x + width - value_width, at.y), value, Role::kAxis,
           Color(Token::kText2));
  RegisterWidget("branches/along", ImVec2(at.x + width - value_width, at.y),
                 ImVec2(at.x + width, at.y + FontPx(Role::kAxis)), false, value);
  at.y += Px(20);
  const float r = Px(8), x0 = at.x + r, x1 = at.x + width - r, y = at.y + Px(12);
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton("branches/opacity", ImVec2(width, Px(24)));
  RegisterLastItem("branches/opacity");
  if (ImGui::IsItemActive()) {
    const float unit = std::clamp((ImGui::GetIO().MousePos.x - x0) / (x1 - x0), 0.0f, 1.0f);
    opacity = std::round(20 * unit) / 20;
  }
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) opacity = 0.4f;
  Tooltip("How much of their colour the curves of other runs have. Double click: 40 %.");
  const float x = x0 + opacity * (x1 - x0);
  list->AddRectFilled(ImVec2(at.x, y - Px(2)), ImVec2(at.x + width, y + Px(2)),
                      Color(Token::kControl), Px(2));
  list->AddRectFilled(ImVec2(at.x, y - Px(2)), ImVec2(x, y + Px(2)), Color(Token::kAccent), Px(2));
  list->AddCircleFilled(ImVec2(x, y), r, Color(Token::kHead), 24);
  list->AddCircleFilled(ImVec2(x, y), Px(4), Color(Token::kPanel), 16);
  at.y += Px(26);
  DrawText(list, at, "hidden", Role::kCaption, Color(Token::kText3));
  const float full = MeasureText("full", Role::kCaption).x;
  DrawText(list, ImVec2(at.x + width - full, at.y), "full", Role::kCaption, Color(Token::kText3));
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy(ImVec2(width, Px(24)));
}

void GhostToggle(const Branches& branches, bool* run_ghost) {
  const int b = branches.along().Ghost();
  if (b < 0) return;
  const std::string label = fmt::format("Run {} as a ghost in the picture", branches.Name(b));
  Toggle("branches/ghost", label, run_ghost,
         "Its bodies where they were at the time that is shown. Neutral and dashed: no model.");
}

void HistoryLine(const Session& session) {
  const Branches& branches = session.branches();
  const Snapshot& snapshot = session.snapshot();
  std::string text = fmt::format(
      "History {:.0f} of {:.0f} MB: ", static_cast<double>(snapshot.history_bytes) / kMegabyte,
      static_cast<double>(snapshot.history_budget) / kMegabyte);
  bool first = true;
  const auto add = [&](const std::string& name, std::size_t bytes) {
    const double size = static_cast<double>(bytes) / kMegabyte;
    text += fmt::format("{}{} {:.{}f}", std::exchange(first, false) ? "" : ", ", name, size,
                        size < 9.95 ? 1 : 0);
  };
  std::size_t dropped = 0;
  for (int b = 0; b < static_cast<int>(branches.tree().size()); ++b) {
    if (branches.Has(b)) {
      add(branches.Name(b), branches.Bytes(b));
    } else {
      dropped += branches.Bytes(b);
    }
  }
  if (dropped > 0) add("dropped", dropped);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  DrawText(ImGui::GetWindowDrawList(), at, icon::kInfo, Role::kIconSmall, Color(Token::kAccent));
  ImGui::Indent(Px(20));
  Paragraph(text, Role::kCaption, Token::kText2);
  ImGui::Unindent(Px(20));
}

void DrawBranches(const TabContext& context) {
  const Session& session = context.session;
  BranchEdit* own = &context.state.branch_edit;
  bool* run_ghost = &context.state.view.run_ghost;
  Requests* requests = &context.requests;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(Px(16), Px(12)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::BeginChild("branches", ImVec2(0, 0), false,
                    ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoBackground);
  const Branches& branches = session.branches();
  std::vector<int> living = branches.Living();
  const float width = ImGui::GetContentRegionAvail().x;
  if (!branches.Has(own->branch)) *own = {};
  Rich(HowManyRuns(living.size()), Role::kCardTitle);
  ImGui::Dummy(ImVec2(1, Px(6)));
  Paragraph(living.size() > 1
                ? "Going back and changing something keeps the old future. Click a run to return "
                  "to it."
                : "Going on from the past, a reset (" + requests->keys().Label(Action::kReset) +
                      ") and reading the scene again begin another run. The old one is kept: "
                      "here, and below the time line.",
            Role::kLabel, Token::kText2);
  ImGui::Dummy(ImVec2(1, Px(12)));
  std::reverse(living.begin(), living.end());
  for (const int b : living) BranchCard(branches, b, width, own, run_ghost, requests);
  if (living.size() > 1) {
    ImGui::Dummy(ImVec2(1, Px(8)));
    OpacitySlider(branches, width, &context.state.plots.along_opacity);
    ImGui::Dummy(ImVec2(1, Px(4)));
    GhostToggle(branches, run_ghost);
    ImGui::Dummy(ImVec2(1, Px(4)));
  }
  HairLine();
  ImGui::Dummy(ImVec2(1, Px(10)));
  HistoryLine(session);
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
}

}  // namespace

const Tab kBranchesTab{
    .name = "Branches",
    .tip = "Runs that were left: going on from the past keeps them.",
    .doc = "Runs that were left, to return to, and to draw along.",
    .draw = DrawBranches,
};

}  // namespace slip::app
