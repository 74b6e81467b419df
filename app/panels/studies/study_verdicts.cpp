// The statements of a study: who said them, what was measured and expected, how they came out.
#include <fmt/format.h>

#include <algorithm>

#include "app/kit/widgets.h"
#include "app/panels/studies/studies.h"
#include "app/panels/studies/study_words.h"
#include "app/report/report_words.h"

namespace slip::app {
namespace {

constexpr float kLine = 18, kAir = 9;                      // of a row [design px]
constexpr float kSaid = 28, kSaidWidth = 64, kText = 108;  // columns from the left
constexpr float kVerdict = 120;                            // and from the right

/// Room for numbers, wider where there is more of it [px].
struct NumberColumns {
  float expected = 0, measured = 0;
};
NumberColumns ColumnsOf(float width) {
  return {std::clamp(0.15f * width, Px(92), Px(170)), std::clamp(0.2f * width, Px(112), Px(280))};
}

/// A row as it is drawn.
struct VerdictLine {
  StudySign sign;
  std::string said, text, measured, expected, why;
  bool fails = false;
};

VerdictLine LineOf(const StudyVerdict& verdict, bool whole) {
  const StudyCondition& of = *verdict.of;
  VerdictLine line;
  line.sign = SignOf(verdict, whole);
  line.said = kStudyMarks[static_cast<std::size_t>(of.mark)];
  line.text = StudyRich(of.text);
  const VerdictWords words = WordsOf(verdict);
  line.measured = words.measured;
  line.expected = words.expected;
  if (Waits(verdict, whole)) {
    line.measured = "–";
    return line;
  }
  line.fails = verdict.Fails();
  const bool told =
      verdict.answer != StudyAnswer::kHolds && verdict.answer != StudyAnswer::kLeftOut;
  if (told) line.why = StudyRich(verdict.note.empty() ? of.known : verdict.note);
  if (verdict.answer == StudyAnswer::kHoldsNow)
    line.why = "It holds, though the study knows a reason why it does not: " + line.why;
  return line;
}

/// Before the first run: what will be asked.
VerdictLine LineOf(const StudyCondition& of) {
  VerdictLine line;
  line.sign = {icon::kEmpty, Token::kText3, of.is_left ? "whole study only" : "waits"};
  line.said = kStudyMarks[static_cast<std::size_t>(of.mark)];
  line.text = StudyRich(of.text);
  line.measured = "–";
  line.expected = WordsOf(ExpectationOf(of)).expected;
  return line;
}

std::vector<VerdictLine> LinesOf(const StudyEntry& entry) {
  std::vector<VerdictLine> lines;
  if (entry.shown != nullptr) {
    for (const StudyVerdict& verdict : entry.shown->report.verdicts)
      lines.push_back(LineOf(verdict, entry.shown->whole));
  } else if (entry.plan() != nullptr) {
    for (const StudyCondition& condition : entry.plan()->studies.front().conditions)
      lines.push_back(LineOf(condition));
  }
  return lines;
}

void RightText(float x, float y, const std::string& text, Role role, Token colour) {
  DrawText(ImGui::GetWindowDrawList(), ImVec2(x - MeasureText(text, role).x, y), text, role,
           Color(colour));
}

void DrawVerdictHead(const StudyEntry& entry, std::size_t count, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float after =
      DrawText(list, at, "Statements", Role::kCardTitle, Color(Token::kText)) + Px(14);
  const std::string words = entry.shown != nullptr ? AnswersText(*entry.shown)
                                                   : fmt::format("{} wait{} for the first run",
                                                                 count, count == 1 ? "s" : "");
  DrawText(list, ImVec2(at.x + after, at.y + Px(2)), words, Role::kLabel, Color(Token::kText2));
  const float y = at.y + Px(30), right = at.x + width - Px(8);
  const NumberColumns columns = ColumnsOf(width);
  DrawText(list, ImVec2(at.x + Px(kSaid), y), "said", Role::kCaption, Color(Token::kText3));
  DrawText(list, ImVec2(at.x + Px(kText), y), "what must be true", Role::kCaption,
           Color(Token::kText3));
  RightText(right - Px(kVerdict) - columns.expected, y, "measured", Role::kCaption, Token::kText3);
  RightText(right - Px(kVerdict), y, "expected", Role::kCaption, Token::kText3);
  RightText(right, y, "verdict", Role::kCaption, Token::kText3);
  list->AddRectFilled(ImVec2(at.x, at.y + Px(24)), ImVec2(at.x + width, at.y + Px(24) + Snap(1)),
                      Color(Token::kLine));
  ImGui::Dummy(ImVec2(width, Px(50)));
}

void DrawSaid(ImVec2 at, const std::string& said) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 max(at.x + Px(kSaidWidth), at.y + Px(kLine));
  list->AddRectFilled(at, max, Color(Token::kControl), Px(3));
  const ImVec2 size = MeasureText(said, Role::kTag);
  DrawText(list, ImVec2((at.x + max.x - size.x) / 2, (at.y + max.y - FontPx(Role::kTag)) / 2), said,
           Role::kTag, Color(Token::kText2));
}

/// Mono text in lines of this width, right-aligned at x.
void DrawNumbers(float x, float y, const std::string& text, float width, Role role) {
  const std::vector<std::string> lines = WrapText(text, role, width);
  for (std::size_t i = 0; i < lines.size(); ++i)
    RightText(x, y + static_cast<float>(i) * Px(kLine), lines[i], role, Token::kText);
}

void DrawVerdict(const VerdictLine& line, std::size_t index, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float right = at.x + width - Px(8), top = at.y + Px(kAir) / 2;
  const float text_x = at.x + Px(kText);
  const NumberColumns columns = ColumnsOf(width);
  const float measured_x = right - Px(kVerdict) - columns.expected;
  const float text_width = std::max(Px(120), measured_x - columns.measured - Px(8) - text_x);
  const std::vector<std::string> words = WrapText(line.text, Role::kLabel, text_width);
  const float measured_lines =
      static_cast<float>(WrapText(line.measured, Role::kValueStrong, columns.measured).size());
  const float expected_lines =
      static_cast<float>(WrapText(line.expected, Role::kValue, columns.expected - Px(12)).size());
  const float lines =
      std::max({1.0f, static_cast<float>(words.size()), measured_lines, expected_lines});
  std::vector<std::string> why;
  if (!line.why.empty()) why = WrapText(line.why, Role::kCaption, right - text_x);
  const float why_line = std::round(1.25f * FontPx(Role::kCaption));
  const float height = lines * Px(kLine) + Px(kAir) + static_cast<float>(why.size()) * why_line;
  const ImVec2 max(at.x + width, at.y + height);
  if (line.fails) {
    list->AddRectFilled(at, max, Color(Token::kErr, 0.10f));
    list->AddRectFilled(at, ImVec2(at.x + Px(3), max.y), Color(Token::kErr));
  } else if (index % 2 == 1) {
    list->AddRectFilled(at, max, Color(Token::kRowAlt));
  }
  const float icon_y = top + (Px(kLine) - FontPx(Role::kIcon)) / 2;
  DrawText(list, ImVec2(at.x + Px(8), icon_y), line.sign.icon, Role::kIcon,
           Color(line.sign.colour));
  DrawSaid(ImVec2(at.x + Px(kSaid), top), line.said);
  const float y = top + (Px(kLine) - FontPx(Role::kLabel)) / 2;
  for (std::size_t i = 0; i < words.size(); ++i)
    DrawRich(list, ImVec2(text_x, y + static_cast<float>(i) * Px(kLine)), words[i], Role::kLabel,
             Color(Token::kText));
  const float number_y = top + (Px(kLine) - FontPx(Role::kValue)) / 2;
  DrawNumbers(measured_x, number_y, line.measured, columns.measured, Role::kValueStrong);
  DrawNumbers(right - Px(kVerdict), number_y, line.expected, columns.expected - Px(12),
              Role::kValue);
  RightText(right, y, line.sign.word, Role::kLabelStrong, line.sign.colour);
  for (std::size_t i = 0; i < why.size(); ++i)
    DrawRich(list, ImVec2(text_x, top + lines * Px(kLine) + static_cast<float>(i) * why_line),
             why[i], Role::kCaption, Color(Token::kText2));
  ImGui::Dummy(ImVec2(width, height));
  RegisterWidget(fmt::format("study/verdict/{}", index), at, max, false,
                 line.sign.word + ": " + line.measured);
}

}  // namespace

void DrawVerdicts(const StudyEntry& entry) {
  const std::vector<VerdictLine> lines = LinesOf(entry);
  if (lines.empty()) return;
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  DrawVerdictHead(entry, lines.size(), width);
  for (std::size_t i = 0; i < lines.size(); ++i) DrawVerdict(lines[i], i, width);
  ImGui::PopStyleVar();
}

}  // namespace slip::app
