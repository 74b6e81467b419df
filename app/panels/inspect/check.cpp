// The tab "Check": what of the scene's robots will surprise, link by link, and the switches by
// which the picture shows it.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "app/kit/widgets.h"
#include "app/panels/common/tab.h"
#include "engine/core/quantity_text.h"
#include "engine/scene/robot_scene.h"
#include "engine/urdf/robot_description.h"
#include "render/quantities/quantity.h"

namespace slip::app {
namespace {

constexpr float kRow = 45, kLine = 18, kIconWidth = 24;  // [design px]
constexpr double kMarked = 1.2;                          // [s]

/// Of paths between quotation marks their last part alone: a row is narrow.
std::string ShortPaths(const std::string& text) {
  std::string out;
  std::size_t quote = std::string::npos;  // where one begins in `out`
  for (const char c : text) {
    out += c;
    if (c == '\'' || c == '"')
      quote = quote == std::string::npos ? out.size() : std::string::npos;
    else if (c == '/' && quote != std::string::npos)
      out.resize(quote);
  }
  return out;
}

std::string Count(std::size_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

/// "solo.urdf, 17 links, 12 joints move, 2.50 kg".
std::string Summary(const Scene& scene) {
  std::size_t links = 0, joints = 0;
  double mass = 0;
  std::string names;
  for (const SceneRobot& robot : scene.robots) {
    links += robot.file->links.size();
    mass += robot.file->CalcMass();
    for (const RobotJoint& joint : robot.file->joints)
      joints += joint.kind == RobotJointKind::kFixed ? 0 : 1;
    names += (names.empty() ? "" : ", ") + robot.name;
  }
  if (IsRobotFile(scene.file)) names = std::filesystem::path(scene.file).filename().string();
  return fmt::format("{}: {}, {} move, {}", names, Count(links, "link"), Count(joints, "joint"),
                     FormatQuantity(mass, "kg"));
}

/// Makes the list where the scene is another one.
void Look(const Scene& scene, CheckTab* own) {
  if (own->of == &scene) return;
  *own = {.of = &scene, .list = FindSurprises(scene), .summary = Summary(scene), .next = {}};
  for (Surprise& remark : FoldRemarks(scene.notes)) own->list.push_back(std::move(remark));
}

struct SurpriseSign {
  const char* glyph;
  Token colour;
};
SurpriseSign SignOf(SurpriseKind kind) {
  switch (kind) {
    case SurpriseKind::kRight:
      return {icon::kDone, Token::kOk};
    case SurpriseKind::kWrong:
      return {icon::kWarning, Token::kWarn};
    case SurpriseKind::kAssumed:
      break;
  }
  return {icon::kInfo, Token::kText2};
}

/// What is said on hover: all of it.
std::string Whole(const Surprise& surprise) {
  constexpr std::size_t kMost = 12;
  std::string text = Capital(surprise.text) + ".";
  if (!surprise.hint.empty()) text += " " + Capital(surprise.hint) + ".";
  const bool remark = surprise.id == "remark";
  for (std::size_t i = 1; i < std::min(surprise.names.size(), kMost + 1); ++i)
    text += (i == 1 ? "\nLikewise: " : remark ? "\n" : ", ") + surprise.names[i];
  if (surprise.names.size() > kMost + 1)
    text += fmt::format(" and {} more", surprise.names.size() - kMost - 1);
  return text;
}

void DrawSurprise(const Session& session, std::size_t index, CheckTab* own, Picked* picked) {
  const Surprise& surprise = own->list[index];
  const std::string id = fmt::format("check/{}", index);
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  // two lines, the second one before its link
  std::string link;
  std::size_t& next = own->next[index];
  if (surprise.bodies.size() == 1) link = "Show";
  if (surprise.bodies.size() > 1)
    link = fmt::format("Show {} of {}", next % surprise.bodies.size() + 1, surprise.bodies.size());
  const float link_width = link.empty() ? 0 : MeasureText(link, Role::kLabel).x;
  const ImVec2 link_min(min.x + width - link_width, min.y + Px(3) + Px(kLine));
  const ImVec2 link_max(min.x + width, link_min.y + Px(kLine));
  ImGui::Dummy(ImVec2(width, Px(kRow)));
  const std::string whole = Whole(surprise);
  // the link has a tip of its own
  if (link.empty() || !ImGui::IsMouseHoveringRect(link_min, link_max)) Tooltip(whole);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const SurpriseSign sign = SignOf(surprise.kind);
  DrawText(list, ImVec2(min.x, min.y + Px(kLine) / 2 + Px(3) - FontPx(Role::kIcon) / 2), sign.glyph,
           Role::kIcon, Color(sign.colour));
  std::string text = ShortPaths(Capital(surprise.text));
  if (surprise.names.size() > 1)
    text += fmt::format("; {} more likewise", surprise.names.size() - 1);
  const float room = width - Px(kIconWidth);
  std::vector<std::string> lines = WrapText(text, Role::kLabel, room);
  if (lines.size() > 1) {
    // the rest of the text in what is left of the second line
    const std::string rest = text.substr(std::min(text.size(), lines.front().size() + 1));
    lines = {lines.front(), rest};
  }
  float y = min.y + Px(3);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const float most = i == 0 || link.empty() ? room : room - link_width - Px(12);
    const std::string shown = EllipsizeRich(LiteralRich(lines[i]), Role::kLabel, most);
    DrawRich(list, ImVec2(min.x + Px(kIconWidth), y), shown, Role::kLabel,
             Color(i == 0 ? Token::kText : Token::kText2));
    y += Px(kLine);
  }
  RegisterWidget(id, min, ImVec2(min.x + width, min.y + Px(kRow)), false,
                 std::string(WordOf(surprise.kind)) + ": " + whole);
  if (link.empty()) return;
  const ImVec2 after = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(link_min);
  if (LinkText(id + "/show", link, "Flies to the link and marks it for a moment.", Role::kLabel)) {
    picked->shown_link = {.body = surprise.bodies[next % surprise.bodies.size()],
                          .until = session.now() + kMarked};
    ++next;
  }
  ImGui::SetCursorScreenPos(after);
}

/// The quantities that say what bodies are drawn as.
std::vector<const render::Quantity*> Switches() {
  std::vector<const render::Quantity*> switches;
  for (const render::Quantity* quantity : render::Quantities()) {
    if (quantity->section != nullptr && quantity->on != nullptr &&
        std::string_view(quantity->section) == render::kBodiesSection)
      switches.push_back(quantity);
  }
  return switches;
}

void DrawSwitches(ViewState* view) {
  HairLine();
  Rich("Shown in the picture", Role::kTitle);
  const float left = ImGui::GetCursorScreenPos().x;
  const float column = ImGui::GetContentRegionAvail().x / 2;
  const std::vector<const render::Quantity*> switches = Switches();
  for (std::size_t i = 0; i < switches.size(); ++i) {
    const render::Quantity& quantity = *switches[i];
    if (i % 2 == 1) {
      ImGui::SameLine();
      ImGui::SetCursorScreenPos(ImVec2(left + column, ImGui::GetCursorScreenPos().y));
    }
    Toggle("check/" + std::string(quantity.name), quantity.name, &(view->*quantity.on),
           quantity.doc);
  }
}

float SwitchesHeight() {
  const auto rows = static_cast<float>((Switches().size() + 1) / 2);
  const float gap = ImGui::GetStyle().ItemSpacing.y;
  return Snap(1) + 2 * gap + FontPx(Role::kTitle) + rows * (Snap(24) + gap) + Px(12);
}

void DrawCheck(const TabContext& context) {
  const Scene* scene = context.session.scene();
  if (scene == nullptr) return;
  CheckTab* own = &context.state.check;
  Look(*scene, own);
  Rich("What will surprise", Role::kCardTitle);
  Paragraph(own->summary, Role::kAxis, Token::kText2);
  const float room = ImGui::GetContentRegionAvail().y - SwitchesHeight();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::BeginChild("surprises", ImVec2(0, std::max(room, Px(2 * kRow))));
  for (std::size_t i = 0; i < own->list.size(); ++i)
    DrawSurprise(context.session, i, own, &context.state.picked);
  if (own->list.empty())
    Paragraph("Nothing that was looked at is out of the ordinary.", Role::kLabel, Token::kText3);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  DrawSwitches(&context.state.view);
}

const char* WhyNoCheck(const Session& session) {
  const Scene* scene = session.scene();
  return scene != nullptr && !scene->robots.empty() ? nullptr : "There is no robot in this scene.";
}

}  // namespace

const Tab kCheckTab{
    .name = "Check",
    .tip = "What of a robot is computed with something else than is drawn, or was likely meant.",
    .doc = "What of a robot's file will surprise.",
    .why_not = WhyNoCheck,
    .draw = DrawCheck,
};

}  // namespace slip::app
