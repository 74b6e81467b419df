// The chosen study: what it is, how far it is, its figures, statements and story.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/kit/widgets.h"
#include "app/panels/studies/studies.h"
#include "app/panels/studies/study_words.h"
#include "app/report/figure_plot.h"
#include "app/report/report_words.h"
#include "engine/core/worker_pool.h"

namespace slip::app {
namespace {

constexpr float kBarHeight = 44, kPanelHeight = 250, kOnePanelHeight = 290;  // [design px]

/// Rich text in lines of this width, as an ImGui item.
void RichParagraph(const std::string& rich, float width, Role role, Token colour) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  float y = 0;
  for (const std::string& line : WrapText(rich, role, width)) {
    DrawRich(ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + y), line, role, Color(colour));
    y += std::round(1.25f * FontPx(role));
  }
  ImGui::Dummy(ImVec2(width, y));
}

void DrawHead(const StudyEntry& entry, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  DrawRich(list, at, EllipsizeRich(StudyRich(entry.title), Role::kLessonTitle, width),
           Role::kLessonTitle, Color(Token::kText));
  float x = at.x;
  const float y = at.y + Px(28);
  x += DrawText(list, ImVec2(x, y), entry.id, Role::kAxis, Color(Token::kText2));
  std::string words;
  if (entry.plan() != nullptr)
    for (const StudyRun& run : entry.plan()->studies.front().runs)
      if (run.cells() > 0) words += "  ·  " + RunWords(run);
  if (!entry.source.empty()) words += "  ·  " + entry.source;
  DrawText(list, ImVec2(x, y), Ellipsize(words, Role::kCaption, at.x + width - x), Role::kCaption,
           Color(Token::kText2));
  ImGui::Dummy(ImVec2(width, Px(44)));
  RegisterLastItem("study/head");
  Tooltip(entry.id + words);
  if (!entry.shows.empty()) RichParagraph(StudyRich(entry.shows), width, Role::kBody, Token::kText);
}

/// What is said in the bar, and how far it is.
struct BarWords {
  std::string strong, more;
  double fraction = -1;  ///< below 0: no bar
};
BarWords WordsFor(const StudiesParts& parts, const StudyEntry& entry) {
  const std::size_t cells = entry.plan() != nullptr ? entry.plan()->cells() : 0;
  const std::size_t made = entry.shown != nullptr ? entry.shown->made : 0;
  const std::string set = entry.quick ? "quick set" : "all cells";
  const StudyJob* job = parts.studies().job();
  switch (entry.state) {
    case StudyState::kRuns: {
      BarWords words{fmt::format("{} of {} cells", made, cells), TimeText(entry.seconds), 0};
      if (job == nullptr) return words;
      words.fraction = job->progress();
      if (const auto left = job->SecondsLeft())
        words.more += fmt::format(", about {} left", TimeText(std::ceil(*left)));
      const int cores = std::min(HardwareThreads(), static_cast<int>(cells));
      words.more += fmt::format("  ·  {} core{}", cores, cores == 1 ? "" : "s");
      if (job->stopping()) words.more = "stops after the steps at hand";
      return words;
    }
    case StudyState::kWaits:
      return {"Waits", fmt::format("{} of {} cells; another study runs now", set, cells)};
    case StudyState::kDone:
      return {AnswersText(*entry.shown),
              fmt::format("{} in {}, {}", cells == 1 ? "1 cell" : fmt::format("{} cells", cells),
                          TimeText(entry.seconds), set) +
                  (entry.made_by.empty() ? ""
                   : entry.outdated      ? ", made by version " + entry.made_by + ", not this one"
                                         : ", made by version " + entry.made_by + ", kept")};
    case StudyState::kStopped:
      return {fmt::format("Stopped at {} of {} cells", made, cells), "those that are made are kept",
              cells > 0 ? static_cast<double>(made) / static_cast<double>(cells) : 0};
    case StudyState::kFailed:
      return {"It could not go on", entry.error};
    case StudyState::kFresh:
      break;
  }
  if (entry.plans[0] == nullptr) return {"The file cannot be read", entry.error};
  const bool has_quick = entry.plans[1]->cells() < entry.plans[0]->cells();
  return {"Not run yet",
          has_quick ? "the quick set is a first look, all cells are what is judged" : ""};
}

struct BarButton {
  const char *id, *label, *icon;
  bool primary;
  std::string tip;
  std::function<void(Session*)> run;
};
std::vector<BarButton> ButtonsFor(const StudyEntry& entry, std::size_t index) {
  std::vector<BarButton> buttons;
  if (entry.plans[0] == nullptr) return buttons;
  if (entry.Waits()) {
    buttons.push_back({"study/stop", "Stop", icon::kStop, false,
                       "Cells that are made are kept, and the study goes on with them.",
                       [index](Session* s) { s->files().studies().Stop(index); }});
    return buttons;
  }
  const auto run = [index](bool quick) {
    return [index, quick](Session* s) { s->files().studies().Run(index, quick); };
  };
  const std::size_t whole = entry.plans[0]->cells(), quick = entry.plans[1]->cells();
  const bool stopped = entry.state == StudyState::kStopped;
  const bool done = entry.state == StudyState::kDone;
  if (stopped)
    buttons.push_back({"study/go-on", "Go on", icon::kRun, true,
                       "Makes the cells that are missing.", run(entry.quick)});
  if (quick < whole && !(stopped && entry.quick))
    buttons.push_back({"study/quick", done && entry.quick ? "Quick set again" : "Quick set",
                       done ? nullptr : icon::kRun, !done && !stopped,
                       fmt::format("{} of its {} cells.", quick, whole), run(true)});
  if (!(stopped && !entry.quick))
    buttons.push_back({"study/run", done && !entry.quick ? "Run again" : "Run all cells",
                       quick < whole ? nullptr : icon::kRun, quick >= whole && !done,
                       fmt::format("All {} cells.", whole), run(false)});
  return buttons;
}

/// Width of a TextButton of the kit [px].
float ButtonWidth(const BarButton& button) {
  return std::round(MeasureText(button.label, Role::kLabelStrong).x +
                    (button.icon != nullptr ? Px(22) : 0) + Px(24));
}

void DrawBar(const StudiesParts& parts, std::size_t index, float width) {
  const StudyEntry& entry = parts.studies().list()[index];
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const ImVec2 max(min.x + width, min.y + Px(kBarHeight));
  const float middle = (min.y + max.y) / 2;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(min, max, Color(Token::kControl, 0.55f), Px(4));
  const BarWords words = WordsFor(parts, entry);
  const StudySign sign = SignOf(MoodOf(entry));
  RegisterWidget("study/bar", min, max, false, words.strong + "; " + words.more);
  const std::vector<BarButton> buttons = ButtonsFor(entry, index);
  float right = max.x - Px(6);
  for (auto button = buttons.rbegin(); button != buttons.rend(); ++button) {
    right -= ButtonWidth(*button);
    ImGui::SetCursorScreenPos(ImVec2(right, middle - Px(16)));
    if (TextButton(button->id, button->label, button->icon, button->primary, 0, true, button->tip))
      parts.requests.Ask(button->run);
    right -= Px(6);
  }
  right -= Px(10);
  float x = min.x + Px(12);
  DrawText(list, ImVec2(x, middle - FontPx(Role::kIcon) / 2), sign.icon, Role::kIcon,
           Color(sign.colour));
  x += Px(24);
  const std::string strong = Ellipsize(words.strong, Role::kLabelStrong, right - x);
  x += DrawText(list, ImVec2(x, middle - FontPx(Role::kLabelStrong) / 2), strong,
                Role::kLabelStrong, Color(Token::kText)) +
       Px(16);
  const float more = MeasureText(words.more, Role::kLabel).x;
  if (words.fraction >= 0 && right - x - more > Px(80)) {
    const float end = right - more - Px(20), y = std::round(middle - Px(3));
    list->AddRectFilled(ImVec2(x, y), ImVec2(end, y + Px(6)), Color(Token::kLineStrong, 0.5f),
                        Px(2));
    const float part = std::clamp(static_cast<float>(words.fraction), 0.0f, 1.0f);
    list->AddRectFilled(ImVec2(x, y), ImVec2(x + part * (end - x), y + Px(6)),
                        Color(Token::kAccent), Px(2));
    x = end + Px(16);
  }
  DrawText(list, ImVec2(x, middle - FontPx(Role::kLabel) / 2),
           Ellipsize(words.more, Role::kLabel, right - x), Role::kLabel, Color(Token::kText2));
  ImGui::SetCursorScreenPos(min);
  ImGui::Dummy(ImVec2(width, Px(kBarHeight)));
  if (entry.state == StudyState::kFailed) Tooltip(entry.error);
}

std::size_t ColumnsFor(std::size_t panels, float width) {
  if (panels >= 3 && width >= Px(1200)) return 3;
  return panels >= 2 && width >= Px(640) ? 2 : 1;
}

void DrawFigure(const StudiesParts& parts, const StudyShown& shown, std::size_t index,
                float width) {
  const Figure& figure = shown.report.figures[index];
  const Study& study = shown.study();
  const StudyFigure& of = study.figures[index];
  StudiesView& view = parts.view;
  const std::string id = "study/figure/" + of.id;
  Rich(StudyRich(figure.title), Role::kTitle, Token::kText);
  FigureLegend(id, figure, width);
  const StudyRun* run = study.FindRun(of.run);
  const auto at = static_cast<std::size_t>(run - study.runs.data());
  const double marked = at == view.run ? MarkedValue(study, of, *run, view.point) : kNaN;
  const std::size_t columns = ColumnsFor(figure.panels.size(), width);
  const float gap = Px(12);
  const float each =
      std::floor((width - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns));
  const float height = Px(columns > 1 ? kPanelHeight : kOnePanelHeight);
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    if (p % columns > 0) ImGui::SameLine(0, gap);
    const auto picked = FigurePanelPlot(fmt::format("{}/{}", id, p), figure, shown.axes[index], p,
                                        std::isnan(marked) ? std::nullopt : std::optional(marked),
                                        ImVec2(each, height));
    if (!picked) continue;
    view.point = PointAt(*run, at == view.run ? view.point : 0, *picked);
    view.run = at;
  }
  ImGui::Dummy(ImVec2(0, Px(4)));
}

void DrawTable(const StudiesParts& parts, const StudyShown& shown, std::size_t index, float width) {
  const ReportTable& table = shown.report.tables[index];
  if (table.rows.size() < 2) return;
  const Study& study = shown.study();
  const StudyRun* run = study.FindRun(study.tables[index].run);
  const auto at = static_cast<std::size_t>(run - study.runs.data());
  constexpr std::size_t kMostRows = 12;
  const float row_height = Px(22);
  Rich(StudyRich(table.title), Role::kTitle, Token::kText);
  std::vector<float> ends;
  float x = 0;
  for (std::size_t c = 0; c < table.rows[0].size(); ++c) {
    float widest = 0;
    for (std::size_t r = 0; r < table.rows.size(); ++r)
      widest =
          std::max(widest, MeasureText(table.rows[r][c], r == 0 ? Role::kCaption : Role::kAxis).x);
    ends.push_back(x += widest + Px(24));
  }
  const auto cells = [&](std::size_t r, ImVec2 min) {
    for (std::size_t c = 0; c < table.rows[r].size(); ++c) {
      const Role role = r == 0 ? Role::kCaption : Role::kAxis;
      const std::string& text = table.rows[r][c];
      DrawText(ImGui::GetWindowDrawList(),
               ImVec2(min.x + ends[c] - MeasureText(text, role).x, min.y + Px(3)), text, role,
               Color(r == 0 ? Token::kText3 : Token::kText));
    }
  };
  cells(0, ImGui::GetCursorScreenPos());
  ImGui::Dummy(ImVec2(width, row_height));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  const auto rows = static_cast<float>(std::min(table.rows.size() - 1, kMostRows));
  ImGui::BeginChild(fmt::format("table{}", index).c_str(), ImVec2(width, rows * row_height));
  const float inner = ImGui::GetContentRegionAvail().x;
  for (std::size_t r = 1; r < table.rows.size(); ++r) {
    const ImVec2 min = ImGui::GetCursorScreenPos();
    const ImVec2 max(min.x + inner, min.y + row_height);
    const std::string id = fmt::format("study/table/{}/{}", index, r);
    const bool clicked = ImGui::InvisibleButton(id.c_str(), ImVec2(inner, row_height));
    RegisterLastItem(id);
    const std::size_t point = (r - 1) / run->plan.models();
    const bool chosen = parts.view.run == at && parts.view.point == point;
    const Token fill = chosen                   ? Token::kSel
                       : ImGui::IsItemHovered() ? Token::kHover
                       : r % 2 == 0             ? Token::kRowAlt
                                                : Token::kPanel;
    ImGui::GetWindowDrawList()->AddRectFilled(min, max, Color(fill));
    Tooltip("Click: \"Show me\" opens the scene with these values.");
    cells(r, min);
    if (!clicked) continue;
    parts.view.run = at;
    parts.view.point = point;
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::Dummy(ImVec2(0, Px(4)));
}

}  // namespace

void DrawStudy(const StudiesParts& parts, std::size_t index) {
  const StudyEntry& entry = parts.studies().list()[index];
  const float width = ImGui::GetContentRegionAvail().x;
  if (std::exchange(parts.view.seen, entry.file) != entry.file) ImGui::SetScrollY(0);
  DrawHead(entry, width);
  DrawBar(parts, index, width);
  ImGui::Dummy(ImVec2(0, Px(2)));
  if (entry.shown != nullptr) {
    const StudyShown& shown = *entry.shown;
    for (std::size_t i = 0; i < shown.report.figures.size(); ++i)
      DrawFigure(parts, shown, i, width);
    if (shown.report.failed > 0)
      AmberNote("study/failed",
                fmt::format("{} cell{} failed; a row of the tables says why.", shown.report.failed,
                            shown.report.failed == 1 ? "" : "s"),
                "What was not measured holds nothing.", "");
    for (std::size_t i = 0; i < shown.report.tables.size(); ++i) DrawTable(parts, shown, i, width);
  }
  DrawVerdicts(entry);
  if (entry.story.empty()) return;
  ImGui::Dummy(ImVec2(0, Px(6)));
  Rich("What it tells", Role::kTitle, Token::kText);
  RichParagraph(StudyRich(entry.story), std::min(width, Px(760)), Role::kLabel, Token::kText2);
}

}  // namespace slip::app
