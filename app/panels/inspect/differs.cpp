// The tab "Differs": recorded runs beside the models. What both are set to, in our terms, and where
// each recording comes from, is aligned and goes on.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/kit/widgets.h"
#include "app/panels/common/tab.h"
#include "app/panels/inspect/setting_rows.h"
#include "app/state/channel_style.h"
#include "engine/core/quantity_text.h"

namespace slip::app {
namespace {

constexpr float kSettingRow = 20, kRunLine = 18;  // [design px]

const char* WhyNoDiffers(const Session& session) {
  return session.files().foreign().count() > 0
             ? nullptr
             : "No recorded run is open: drop its file on the window.";
}

struct RunLine {
  std::string label, value;
};

/// What there is to read of a recorded run beside its name.
std::vector<RunLine> RunLinesOf(const Session& session, int index) {
  const ForeignRuns& foreign = session.files().foreign();
  const ForeignRun& run = foreign.run(index);
  const ForeignFile& file = run.file();
  const ForeignMeta& meta = file.meta;
  std::size_t moving = 0, matched = 0;
  for (std::size_t b = 0; b < run.model().bodies.size(); ++b) {
    const Body& body = run.model().bodies[b];
    if (!body.Moves() || body.shape_of_link >= 0) continue;
    ++moving;
    matched += run.Has(static_cast<int>(b)) ? 1 : 0;
  }
  std::vector<RunLine> lines;
  if (!meta.engine.empty()) lines.push_back({"engine", meta.engine});
  lines.push_back(
      {"file", fmt::format("{}, {} samples", std::filesystem::path(file.path).filename().string(),
                           run.samples())});
  lines.push_back(
      {"from, to", fmt::format("{:.4g} s, {:.4g} s", run.time(0), run.time(run.samples() - 1))});
  lines.push_back({"bodies matched", fmt::format("{} of {}", matched, moving)});
  lines.push_back({"frame", fmt::format("{}, {}, {} up", meta.pose_of_link ? "link" : "com",
                                        meta.xyzw ? "xyzw" : "wxyz", meta.y_up ? "y" : "z")});
  lines.push_back({"digits", file.single_precision ? "7, single precision"
                             : file.digit > 0
                                 ? fmt::format("{:.0f} decimals", -std::log10(file.digit))
                                 : "all"});
  lines.push_back(
      {"step", run.time_step() > 0
                   ? fmt::format("{}, every {}", FormatQuantity(run.time_step(), "s", 4),
                                 run.StepsTo(1) > 1 ? fmt::format("{}.", run.StepsTo(1)) : "one")
                   : "not said: time_step"});
  if (foreign.Progress(index) < 1)
    lines.push_back({"measured", fmt::format("{:.0f} %", 100 * foreign.Progress(index))});
  for (const auto& [name, value] : meta.settings) lines.push_back({name, value});
  return lines;
}

void DrawRunLine(const std::string& id, const RunLine& line, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::string label = EllipsizeRich(LiteralRich(line.label), Role::kLabel, 0.5f * width);
  const float used = DrawRich(list, at, label, Role::kLabel, Color(Token::kText2));
  const std::string value =
      EllipsizeRich(LiteralRich(line.value), Role::kAxis, width - used - Px(8));
  const float w = MeasureRich(value, Role::kAxis).x;
  DrawRich(list, ImVec2(at.x + width - w, at.y), value, Role::kAxis, Color(Token::kText));
  ImGui::Dummy(ImVec2(width, Px(kRunLine)));
  RegisterWidget(id, at, ImVec2(at.x + width, at.y + Px(kRunLine)), false,
                 line.label + ": " + line.value);
  Tooltip(line.label + ": " + line.value);
}

void AlignRow(const ForeignRuns& foreign, int index, const std::string& id, float width,
              Requests* requests) {
  struct Way {
    const char *word, *name, *tip;
    ForeignAlign how;
  };
  constexpr Way kWays[] = {
      {"start", "Start", "Its first sample at the run's start.", ForeignAlign::kStart},
      {"first-contact", "First contact", "Its first overlap at that of the lead.",
       ForeignAlign::kFirstContact},
      {"best", "Best", "The least distance of the first body, within half a second.",
       ForeignAlign::kBest}};
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string shift =
      fmt::format("align times, now by {:.4g} ms", foreign.run(index).shift() * 1e3);
  DrawText(ImGui::GetWindowDrawList(), at, shift, Role::kLabel, Color(Token::kText2));
  RegisterWidget(id + "/shift", at, ImVec2(at.x + width, at.y + Px(kRunLine)), false, shift);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + Px(20)));
  const float unit = (width / UiScale() - 12) / 10;
  const float widths[] = {3 * unit, 4.4f * unit, 2.6f * unit};
  for (int i = 0; i < 3; ++i) {
    const Way& way = kWays[i];
    if (i > 0) ImGui::SameLine(0, Px(6));
    if (TextButton(id + "/align/" + way.word, way.name, nullptr, false, std::floor(widths[i]), true,
                   way.tip))
      requests->Ask([index, how = way.how](Session* s) { s->files().foreign().Align(index, how); });
  }
}

void RunButtons(const ForeignRuns& foreign, int index, const std::string& id, float width,
                Requests* requests) {
  const std::string why = foreign.WhyNotStart(index);
  const float unit = width / UiScale() - 8;
  if (TextButton(
          id + "/start", "Start here", nullptr, true, std::floor(0.55f * unit), why.empty(),
          why.empty() ? "All models go on from its poses and velocities at this moment." : why))
    requests->Ask([index](Session* s) { s->files().foreign().StartHere(index); });
  ImGui::SameLine(0, Px(8));
  if (TextButton(id + "/remove", "Remove", nullptr, false, std::floor(0.45f * unit), true,
                 "Takes it out of the window; the file stays."))
    requests->Ask([index](Session* s) { s->files().foreign().Remove(index); });
}

void RunCard(const TabContext& context, int index, float width) {
  const ForeignRuns& foreign = context.session.files().foreign();
  const ForeignRun& run = foreign.run(index);
  const std::string id = fmt::format("foreign/{}", index + 1);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::string name = EllipsizeRich(LiteralRich(run.name()), Role::kCardTitle, width - Px(24));
  const float end = at.x + DrawRich(list, at, name, Role::kCardTitle, Color(Token::kText));
  DrawMark(list, ImVec2(end + Px(12), at.y + FontPx(Role::kCardTitle) / 2), ForeignStyle(index), 5);
  ImGui::Dummy(ImVec2(width, Px(24)));
  RegisterWidget(id, at, ImVec2(at.x + width, at.y + Px(24)), false, run.name());
  int count = 0;
  for (const RunLine& line : RunLinesOf(context.session, index))
    DrawRunLine(fmt::format("{}/line/{}", id, count++), line, width);
  for (const std::string& note : run.notes()) {
    ImGui::Dummy(ImVec2(1, Px(4)));
    Paragraph(Capital(note) + ".", Role::kCaption, Token::kText2);
  }
  const ForeignForces& forces = foreign.forces(index);
  if (forces.band_of_weight > 0.2) {
    AmberNote(id + "/digits", "Too few digits for forces",
              fmt::format("They are off by up to {}: write 12 digits, or add velocities.",
                          FormatQuantity(forces.band, "N")),
              "");
  }
  ImGui::Dummy(ImVec2(1, Px(6)));
  AlignRow(foreign, index, id, width, &context.requests);
  ImGui::Dummy(ImVec2(1, Px(8)));
  RunButtons(foreign, index, id, width, &context.requests);
  ImGui::Dummy(ImVec2(1, Px(16)));
}

void SettingHeads(const SettingTable& table, float first, float cell) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    DrawMark(ImGui::GetWindowDrawList(),
             ImVec2(at.x + first + cell * static_cast<float>(c + 1) - Px(6), at.y + Px(8)),
             table.columns[c].style, 5);
  ImGui::Dummy(ImVec2(1, Px(kSettingRow)));
}

void SettingRows(const SettingTable& table, float width) {
  // names beside the numbers, or above them where these would be cut
  const auto columns = static_cast<float>(table.columns.size());
  const bool above = 0.58f * width < columns * Px(60);
  const float first = above ? 0 : 0.42f * width;
  const float cell = (width - first) / columns;
  SettingHeads(table, first, cell);
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (const SettingRow& row : table.rows) {
    if (row.agrees) continue;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    DrawRich(list, at,
             EllipsizeRich(LiteralRich(row.name), Role::kLabel, above ? width : first - Px(4)),
             Role::kLabel, Color(Token::kText2));
    const float below = above ? Px(16) : 0;
    std::string all;
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      const std::string text = EllipsizeRich(LiteralRich(row.cells[c]), Role::kAxis, cell - Px(4));
      const float w = MeasureRich(text, Role::kAxis).x;
      DrawRich(list, ImVec2(at.x + first + cell * static_cast<float>(c + 1) - w, at.y + below),
               text, Role::kAxis, Color(row.cells[c] == kNoSetting ? Token::kText3 : Token::kText));
      all += fmt::format("\n{}: {}", table.columns[c].name, row.cells[c]);
    }
    const float height = Px(kSettingRow) + below;
    ImGui::Dummy(ImVec2(width, height));
    RegisterWidget("differs/row/" + row.id, at, ImVec2(at.x + width, at.y + height), false,
                   row.name + all);
    Tooltip(row.name + all);
  }
}

void DrawDiffers(const TabContext& context) {
  const Session& session = context.session;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(Px(16), Px(12)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::BeginChild("differs", ImVec2(0, 0), false,
                    ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoBackground);
  const float width = ImGui::GetContentRegionAvail().x;
  const SettingTable table = CompareSettings(session, &context.state.dialects.masses);
  Rich("What differs", Role::kCardTitle);
  ImGui::Dummy(ImVec2(1, Px(6)));
  Paragraph(table.words, Role::kLabel, Token::kText2);
  ImGui::Dummy(ImVec2(1, Px(6)));
  SettingRows(table, width);
  std::vector<std::string> same;
  for (const SettingRow& row : table.rows)
    if (row.agrees) same.push_back(row.name + " " + row.cells.front());
  if (!same.empty()) {
    Paragraph(fmt::format("{} agree: {}", same.size(), fmt::join(same, ", ")), Role::kCaption,
              Token::kText2);
  }
  for (const std::string& note : table.notes) {
    ImGui::Dummy(ImVec2(1, Px(4)));
    Paragraph(note, Role::kCaption, Token::kText3);
  }
  ImGui::Dummy(ImVec2(1, Px(10)));
  HairLine();
  ImGui::Dummy(ImVec2(1, Px(12)));
  for (int i = 0; i < session.files().foreign().count(); ++i) RunCard(context, i, width);
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
}

}  // namespace

const Tab kDiffersTab{
    .name = "Differs",
    .tip = "Recorded runs: what they are set to beside the models, where they come from.",
    .doc = "Recorded runs: what they are set to beside the models, where they come from.",
    .why_not = WhyNoDiffers,
    .draw = DrawDiffers,
};

}  // namespace slip::app
