// The list of studies: search, filters that count, a row each under its paper.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/kit/widgets.h"
#include "app/panels/common/region.h"
#include "app/panels/studies/studies.h"
#include "app/panels/studies/study_words.h"
#include "engine/core/numbers.h"

namespace slip::app {
namespace {

constexpr float kRow = 27, kHeading = 34, kFootRoom = 44;  // [design px]
constexpr float kStrong = 66, kTime = 52;                  // columns

void DrawFilters(const StudiesParts& parts) {
  struct FilterPill {
    StudyFilter filter;
    StudyMood mood;
    const char *one, *many;
  };
  constexpr FilterPill kPills[] = {{StudyFilter::kHold, StudyMood::kHolds, "holds", "hold"},
                                   {StudyFilter::kKnown, StudyMood::kKnown, "known", "known"},
                                   {StudyFilter::kFail, StudyMood::kFails, "fails", "fail"},
                                   {StudyFilter::kRun, StudyMood::kRuns, "runs", "run"}};
  const auto counts = CountByFilter(parts.studies().list());
  StudyFilter& chosen = parts.view.filter;
  for (const FilterPill& pill : kPills) {
    const int count = counts[static_cast<std::size_t>(pill.filter)];
    const StudySign sign = SignOf(pill.mood);
    if (Pill(fmt::format("studies/filter/{}", pill.many), sign.icon,
             fmt::format("{} {}", count, count == 1 ? pill.one : pill.many),
             count > 0 ? sign.colour : Token::kText3))
      chosen = chosen == pill.filter ? StudyFilter::kAll : pill.filter;
    if (chosen == pill.filter)
      ImGui::GetWindowDrawList()->AddRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                          Color(Token::kAccent), Px(12), 0, Px(1.5f));
    Tooltip(chosen == pill.filter ? "Shows these alone. Click: all again." : "Click: these alone.");
    ImGui::SameLine(0, Px(6));
  }
  ImGui::NewLine();
}

void DrawHeading(const StudyRow& row, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::string shown = Ellipsize(row.strong, Role::kTitle, width - Px(8));
  DrawText(list, ImVec2(at.x + Px(4), at.y + Px(10)), shown, Role::kTitle, Color(Token::kText2));
  const float y = std::round(at.y + Px(kHeading)) - Snap(1);
  list->AddRectFilled(ImVec2(at.x, y), ImVec2(at.x + width, y + Snap(1)), Color(Token::kLine));
  ImGui::Dummy(ImVec2(width, Px(kHeading)));
  if (shown != row.strong) Tooltip(row.strong);
}

/// Right-aligned at x.
void TextBefore(float x, float middle, const std::string& text, Role role, Token colour) {
  const ImVec2 size = MeasureText(text, role);
  DrawText(ImGui::GetWindowDrawList(), ImVec2(x - size.x, middle - FontPx(role) / 2), text, role,
           Color(colour));
}

/// What stands at the right end: how many statements hold and the time, or what is to be run.
/// Returns its left end.
float DrawRowNumbers(const StudiesParts& parts, const StudyEntry& entry, float right,
                     float middle) {
  const std::string held = HeldText(entry);
  const StudyJob* job = parts.studies().job();
  const bool runs = entry.state == StudyState::kRuns && job != nullptr;
  if (runs || !held.empty()) {
    const bool fails = MoodOf(entry) == StudyMood::kFails;
    TextBefore(right, middle,
               runs ? fmt::format("{:.0f} %", 100 * job->progress()) : TimeText(entry.seconds),
               Role::kAxis, runs ? Token::kAccent : Token::kText3);
    TextBefore(right - Px(kTime), middle, held, Role::kAxis, fails ? Token::kErr : Token::kText2);
    const float left = right - Px(kTime) - MeasureText(held, Role::kAxis).x;
    if (!entry.quick) return left;
    const std::string quick = "quick";
    TextBefore(left - Px(8), middle, quick, Role::kTag, Token::kText3);
    return left - Px(8) - MeasureText(quick, Role::kTag).x;
  }
  const auto& plan = entry.plans[0];
  std::string words = "unreadable";
  if (plan != nullptr)
    words = fmt::format("{} cell{}", plan->cells(), plan->cells() == 1 ? "" : "s");
  if (entry.state == StudyState::kWaits) words = "waits";
  TextBefore(right, middle, words, Role::kTag, Token::kText3);
  return right - MeasureText(words, Role::kTag).x;
}

std::string RowTip(const StudyEntry& entry) {
  std::string tip = entry.id + ": " + entry.title + "\n" + SignOf(MoodOf(entry)).word;
  if (!entry.error.empty()) return tip + ": " + entry.error;
  if (entry.shown != nullptr) {
    tip += ": " + AnswersText(*entry.shown);
    tip += entry.quick ? ", of the quick set." : ".";
  }
  return tip;
}

void DrawRow(const StudiesParts& parts, const StudyRow& row, bool chosen, float width) {
  const StudyEntry& entry = parts.studies().list()[static_cast<std::size_t>(row.entry)];
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 max(at.x + width, at.y + Px(kRow));
  ImGui::PushID(row.entry);
  const bool clicked = ImGui::InvisibleButton("row", ImVec2(width, Px(kRow)));
  ImGui::PopID();
  const StudySign sign = SignOf(MoodOf(entry));
  RegisterWidget("studies/" + entry.id, at, max, false, sign.word + " " + HeldText(entry));
  const bool moved = chosen && std::exchange(parts.view.listed, entry.file) != entry.file;
  if (moved && !ImGui::IsItemVisible()) ImGui::SetScrollHereY(0.5f);
  if (!ImGui::IsItemVisible()) return;
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (chosen || ImGui::IsItemHovered())
    list->AddRectFilled(at, max, Color(chosen ? Token::kSel : Token::kHover), Px(4));
  Tooltip(RowTip(entry));
  const float middle = (at.y + max.y) / 2;
  DrawText(list, ImVec2(at.x + Px(8), middle - FontPx(Role::kIcon) / 2), sign.icon, Role::kIcon,
           Color(sign.colour));
  float x = at.x + Px(32);
  const float end = DrawRowNumbers(parts, entry, max.x - Px(8), middle) - Px(10);
  const std::string strong = EllipsizeMiddle(row.strong, Role::kLabelStrong, 0.6f * (end - x));
  x += std::max(Px(entry.own ? 0 : kStrong),
                DrawText(list, ImVec2(x, middle - FontPx(Role::kLabelStrong) / 2), strong,
                         Role::kLabelStrong, Color(Token::kText)) +
                    Px(8));
  const std::string words = EllipsizeRich(StudyRich(row.words), Role::kLabel, end - x);
  DrawRich(list, ImVec2(x, middle - FontPx(Role::kLabel) / 2), words, Role::kLabel,
           Color(Token::kText2));
  if (clicked) {
    parts.view.file = entry.file;
    parts.view.run = parts.view.point = 0;
  }
}

/// To the study above or below in the list.
void MoveByKeys(const std::vector<StudyEntry>& entries, const std::vector<StudyRow>& rows,
                int chosen, StudiesView* view) {
  if (ImGui::GetIO().WantTextInput) return;
  const int by = KeyPressed(ImGuiKey_DownArrow, true) ? 1
                 : KeyPressed(ImGuiKey_UpArrow, true) ? -1
                                                      : 0;
  if (by == 0) return;
  std::vector<int> shown;
  for (const StudyRow& row : rows)
    if (row.entry >= 0) shown.push_back(row.entry);
  if (shown.empty()) return;
  const auto now = std::find(shown.begin(), shown.end(), chosen);
  const auto last = static_cast<std::ptrdiff_t>(shown.size()) - 1;
  const std::ptrdiff_t at =
      now == shown.end() ? 0 : std::clamp<std::ptrdiff_t>(now - shown.begin() + by, 0, last);
  view->file = entries[static_cast<std::size_t>(At(shown, at))].file;
  view->run = view->point = 0;
}

void DrawListFoot(const StudiesParts& parts) {
  const Studies& studies = parts.studies();
  Requests* requests = &parts.requests;
  ImGui::Dummy(ImVec2(0, Px(4)));
  if (studies.job() != nullptr) {
    const std::string words = studies.waiting() > 0
                                  ? fmt::format("one runs, {} wait{}", studies.waiting(),
                                                studies.waiting() == 1 ? "s" : "")
                                  : std::string("one runs");
    if (TextButton("studies/stop-all", "Stop all", icon::kStop, false, 0, true,
                   "Cells that are made are kept, and a study goes on with them."))
      requests->Ask([](Session* s) { s->files().studies().StopAll(); });
    ImGui::SameLine(0, Px(12));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    DrawText(ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + (Px(32) - FontPx(Role::kLabel)) / 2),
             words, Role::kLabel, Color(Token::kText2));
    return;
  }
  const bool any = !studies.list().empty();
  if (TextButton("studies/quick-all", "Quick set of all", icon::kRun, true, 0, any,
                 "Runs every study with the few values that its file gives for that: about four "
                 "minutes on two cores."))
    requests->Ask([](Session* s) { s->files().studies().RunAll(true); });
  ImGui::SameLine(0, Px(8));
  if (TextButton("studies/all", "Run all", nullptr, false, 0, any,
                 "Runs every study with all its cells: up to half an hour on two cores."))
    requests->Ask([](Session* s) { s->files().studies().RunAll(false); });
}

}  // namespace

void DrawStudyList(const StudiesParts& parts) {
  const float width = ImGui::GetContentRegionAvail().x;
  const std::vector<StudyEntry>& entries = parts.studies().list();
  SearchBox("studies/search", &parts.view.search, "Find a figure, a word, a verdict", width);
  DrawFilters(parts);
  const float height = ImGui::GetContentRegionAvail().y - Px(kFootRoom);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::BeginChild("rows", ImVec2(0, std::max(height, Px(kRow))));
  const float inner = ImGui::GetContentRegionAvail().x;
  const int chosen = FindEntry(entries, parts.view.file);
  // others have come above it
  if (std::exchange(parts.view.listed_of, entries.size()) != entries.size())
    parts.view.listed.clear();
  const std::vector<StudyRow> rows = RowsOf(entries, parts.view);
  MoveByKeys(entries, rows, chosen, &parts.view);
  bool own = false;
  for (const StudyRow& row : rows) {
    if (row.entry < 0) {
      DrawHeading(row, inner);
    } else {
      own = own || entries[static_cast<std::size_t>(row.entry)].own;
      DrawRow(parts, row, row.entry == chosen, inner);
    }
  }
  if (rows.empty()) {
    ImGui::Dummy(ImVec2(0, Px(12)));
    Paragraph(parts.studies().listing() ? "They are being read."
              : entries.empty()         ? "No study was found."
                                        : "No study fits. The pills above and the search choose.",
              Role::kLabel, Token::kText3);
  } else if (!own && parts.view.search.empty() && parts.view.filter == StudyFilter::kAll) {
    DrawHeading({-1, "Yours", {}}, inner);
    ImGui::Dummy(ImVec2(0, Px(6)));
    Paragraph(
        "Drop the .toml file of a study on the window, or start the program beside it. The "
        "README of engine/study shows one.",
        Role::kCaption, Token::kText3);
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  DrawListFoot(parts);
}

}  // namespace slip::app
