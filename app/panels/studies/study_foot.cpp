// What can be done with a study: shown as a live scene, written, copied as a command.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/kit/widgets.h"
#include "app/panels/studies/studies.h"
#include "app/panels/studies/study_words.h"

namespace slip::app {
namespace {

/// A drop-down over texts, at most so wide [px]; nothing where that is too little.
void TextChoice(const char* id, const std::vector<std::string>& texts, const char* tip, float most,
                std::size_t* chosen) {
  if (most < Px(60)) return;
  float widest = 0;
  for (const std::string& text : texts)
    widest = std::max(widest, MeasureText(text, Role::kLabel).x);
  const std::vector<std::string_view> labels(texts.begin(), texts.end());
  int index = static_cast<int>(*chosen);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + Px(4)));
  if (Choice(id, labels, &index, tip, std::min(most, widest + Px(48))))
    *chosen = static_cast<std::size_t>(index);
  ImGui::SameLine(0, Px(8));
  ImGui::SetCursorScreenPos(ImVec2(ImGui::GetCursorScreenPos().x, at.y));
}

/// Before `right`.
void DrawShowMe(const StudiesParts& parts, std::size_t index, float right) {
  const StudyEntry& entry = parts.studies().list()[index];
  StudiesView& view = parts.view;
  const auto& plan = entry.ShownPlan();
  const Study* study = plan != nullptr ? &plan->studies.front() : nullptr;
  if (study == nullptr || study->runs.empty()) return;
  view.run = std::min(view.run, study->runs.size() - 1);
  const StudyRun& run = study->runs[view.run];
  view.point = std::min(view.point, run.plan.points() - 1);
  if (TextButton("study/show", "Show me", icon::kRun, true, 0, true,
                 "Opens the scene of this run live, with these values: " +
                     ShownWords(run, view.point) + "."))
    parts.requests.Ask([index, at = view.run, point = view.point](Session* s) {
      s->files().studies().ShowMe(index, at, point);
    });
  ImGui::SameLine(0, Px(8));
  const auto room = [right] { return right - ImGui::GetCursorScreenPos().x - Px(16); };
  if (study->runs.size() > 1) {
    std::vector<std::string> runs;
    for (const StudyRun& each : study->runs) runs.push_back(each.id);
    const std::size_t before = view.run;
    TextChoice("study/show/run", runs, "Which of its runs.", std::min(Px(160), room()), &view.run);
    if (view.run != before) view.point = 0;
  }
  constexpr std::size_t kMostListed = 400;
  const StudyRun& chosen = study->runs[view.run];
  if (chosen.plan.points() > 1 && chosen.plan.points() <= kMostListed) {
    std::vector<std::string> points;
    for (std::size_t p = 0; p < chosen.plan.points(); ++p) points.push_back(PointWords(chosen, p));
    TextChoice("study/show/point", points,
               "With which values. A click on a point of a figure or on a row of a table chooses, "
               "too.",
               std::min(Px(260), room()), &view.point);
  }
  // what does not fit beside the buttons is told by the tip
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::size_t models = chosen.plan.models(), live = ShownModels(chosen, view.point).size();
  const std::string words = live < models
                                ? fmt::format("{} of {} models", live, models)
                                : fmt::format("{} model{}", models, models == 1 ? "" : "s");
  const float wide = right - at.x - Px(20);
  const std::string where =
      chosen.suite != nullptr ? std::string() : chosen.plan.base.scene->id + ", ";
  const bool fits = MeasureText(where + words, Role::kLabel).x <= wide;
  const std::string told = fits ? where + words : words;
  if (MeasureText(told, Role::kLabel).x > wide) return;
  const ImVec2 size = MeasureText(told, Role::kLabel);
  ImGui::SetCursorScreenPos(ImVec2(at.x + Px(4), at.y));
  ImGui::Dummy(ImVec2(size.x, Px(32)));
  RegisterLastItem("study/show/words");
  Tooltip(where + ShownWords(chosen, view.point) + ".");
  DrawText(ImGui::GetWindowDrawList(),
           ImVec2(at.x + Px(4), at.y + (Px(32) - FontPx(Role::kLabel)) / 2), told, Role::kLabel,
           Color(live < models ? Token::kText : Token::kText2));
}

std::string CommandOf(const StudyEntry& entry) {
  const std::string name = entry.own ? entry.file : entry.id;
  return fmt::format("slipscope study {}{} -o {}", name, entry.quick ? " --quick" : "", entry.id);
}

}  // namespace

void DrawStudyFoot(const StudiesParts& parts, std::size_t index) {
  const StudyEntry& entry = parts.studies().list()[index];
  const Studies& studies = parts.studies();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(origin.x, origin.y - Px(12)),
                                            ImVec2(origin.x + width, origin.y - Px(12) + Snap(1)),
                                            Color(Token::kLine));
  const float save = MeasureText("Save", Role::kLabelStrong).x + Px(46);
  const float copy = MeasureText("Copy command", Role::kLabelStrong).x + Px(46);
  const float right = origin.x + width - save - copy - Px(8);
  DrawShowMe(parts, index, right);
  ImGui::SetCursorScreenPos(ImVec2(right, origin.y));
  if (TextButton("study/copy", "Copy command", icon::kCopy, false, 0, entry.plan() != nullptr,
                 CommandOf(entry)))
    parts.requests.Copy(CommandOf(entry), "Command");
  ImGui::SameLine(0, Px(8));
  const bool can = entry.cells != nullptr && !studies.saving();
  if (TextButton("study/save", "Save", icon::kExport, false, 0, can,
                 studies.saving() ? "It is being written."
                 : entry.cells == nullptr
                     ? "Only a study that was run to its end is written."
                     : "Tables as CSV, figures as SVG and PNG, report.html: the "
                       "folder that the command writes, here."))
    parts.requests.Ask([index](Session* s) { s->files().studies().Save({index}); });
}

}  // namespace slip::app
