// Contacts: every contact of every shown channel, largest force first; friction used; the cone.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/panels/panels.h"
#include "app/widgets.h"

namespace slip::app {
namespace {

struct Row {
  int channel = 0;
  const ContactFrame* contact = nullptr;
};

std::vector<Row> SortedRows(const Session& session) {
  std::vector<Row> rows;
  for (int i = 0; i < session.channel_count(); ++i) {
    if (!session.Shown(i)) continue;
    for (const ContactFrame& contact : session.frame(i).contacts) rows.push_back({i, &contact});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.contact->fn > b.contact->fn; });
  return rows;
}

std::string PairName(const Model* model, const ContactFrame& contact) {
  if (model == nullptr) return "–";
  return fmt::format("{}–{}", model->bodies[static_cast<std::size_t>(contact.body)].name,
                     NameOfA(*model, contact));
}

const char* ModeWord(ContactMode mode) {
  switch (mode) {
    case ContactMode::kOpen:
      return "open";
    case ContactMode::kStick:
      return "stick";
    case ContactMode::kSlip:
      return "slip";
  }
  return "";
}

void Number(const std::string& text, bool strong = false) {
  const Role role = strong ? Role::kValueStrong : Role::kValue;
  const float width = MeasureText(text, role).x;
  const float room = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  DrawText(ImGui::GetWindowDrawList(), ImVec2(at.x + std::max(0.0f, room - width), at.y), text,
           role, Color(Token::kText));
  ImGui::Dummy(ImVec2(std::min(width, room), FontPx(role)));
}

void Heading(const char* rich, bool right) {
  ImGui::TableNextColumn();
  const float width = MeasureRich(rich, Role::kCaption).x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x;
  DrawRich(ImGui::GetWindowDrawList(),
           ImVec2(at.x + (right ? std::max(0.0f, room - width) : 0), at.y), rich, Role::kCaption,
           Color(Token::kText3));
  ImGui::Dummy(ImVec2(1, FontPx(Role::kCaption)));
}

void Table(Ui* ui, const std::vector<Row>& rows) {
  // More rows than anyone reads cost time on every frame.
  constexpr std::size_t kMostRows = 60;
  const Session& session = ui->session;
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(Px(4), Px(6)));
  const bool open =
      ImGui::BeginTable("contacts", 6, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit);
  ImGui::PopStyleVar();
  if (!open) return;
  ImGui::TableSetupColumn("mark", ImGuiTableColumnFlags_WidthFixed, Px(14));
  ImGui::TableSetupColumn("pair", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("gap", ImGuiTableColumnFlags_WidthFixed, Px(56));
  ImGui::TableSetupColumn("slip", ImGuiTableColumnFlags_WidthFixed, Px(52));
  ImGui::TableSetupColumn("fn", ImGuiTableColumnFlags_WidthFixed, Px(56));
  ImGui::TableSetupColumn("mode", ImGuiTableColumnFlags_WidthFixed, Px(34));
  ImGui::TableNextRow();
  Heading("", false);
  Heading("pair", false);
  Heading("φ [mm]", true);
  Heading("v_t [m/s]", true);
  Heading("f_n [N]", true);
  Heading("mode", true);
  UiState& s = ui->state;
  for (std::size_t i = 0; i < std::min(rows.size(), kMostRows); ++i) {
    const ContactFrame& contact = *rows[i].contact;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const bool selected = s.selection.key == contact.key &&
                          (s.selection.channel < 0 || s.selection.channel == rows[i].channel);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::string id = fmt::format("##contact{}-{}", rows[i].channel, contact.key);
    if (ImGui::Selectable(id.c_str(), selected, ImGuiSelectableFlags_SpanAllColumns,
                          ImVec2(0, FontPx(Role::kValue)))) {
      s.selection = selected ? Selection{} : Selection{contact.body, contact.key, rows[i].channel};
    }
    RegisterLastItem(fmt::format("contacts/row/{}", i));
    DrawMark(ImGui::GetWindowDrawList(), ImVec2(at.x + Px(6), at.y + FontPx(Role::kValue) / 2),
             ui->style(rows[i].channel), 4.5f);
    ImGui::TableNextColumn();
    const ImVec2 name = ImGui::GetCursorScreenPos();
    DrawText(ImGui::GetWindowDrawList(), name,
             Ellipsize(PairName(session.model(), contact), Role::kLabel,
                       ImGui::GetContentRegionAvail().x),
             Role::kLabel, Color(Token::kText));
    ImGui::TableNextColumn();
    Number(FormatFixed(contact.signed_distance * 1e3, 3));
    ImGui::TableNextColumn();
    Number(FormatFixed(contact.vt, 3));
    ImGui::TableNextColumn();
    Number(FormatFixed(contact.fn, contact.fn < 1e3 ? 3 : 0), true);
    ImGui::TableNextColumn();
    const char* word = ModeWord(contact.mode);
    const ImVec2 cell = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x;
    DrawText(ImGui::GetWindowDrawList(),
             ImVec2(cell.x + std::max(0.0f, room - MeasureText(word, Role::kCaption).x), cell.y),
             word, Role::kCaption, Color(Token::kText2));
  }
  ImGui::EndTable();
  if (rows.size() > kMostRows) {
    Paragraph(fmt::format("and {} more with smaller forces", rows.size() - kMostRows),
              Role::kCaption, Token::kText3);
  }
}

/// Title at the left, what it is at the right.
void Heading2(const char* title, const std::string& rich) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImDrawList* list = ImGui::GetWindowDrawList();
  DrawText(list, at, title, Role::kTitle, Color(Token::kText));
  DrawRich(list, ImVec2(at.x + width - MeasureRich(rich, Role::kCaption).x, at.y), rich,
           Role::kCaption, Color(Token::kText3));
  ImGui::Dummy(ImVec2(1, FontPx(Role::kTitle) + Px(4)));
}

/// The strongest contact of each shown channel, or the selected one.
std::vector<Row> Featured(const Ui& ui, const std::vector<Row>& rows) {
  std::vector<Row> out;
  for (int i = 0; i < ui.session.channel_count(); ++i) {
    const Row* best = nullptr;
    for (const Row& row : rows) {
      if (row.channel != i) continue;
      if (ui.state.selection.key >= 0 && row.contact->key != ui.state.selection.key) continue;
      best = &row;
      break;
    }
    if (best != nullptr) out.push_back(*best);
  }
  return out;
}

}  // namespace

void DrawContacts(Ui* ui) {
  const std::vector<Row> rows = SortedRows(ui->session);
  if (rows.empty()) {
    Paragraph("Nothing touches at this step.", Role::kLabel, Token::kText3);
    return;
  }
  // One contact per channel is a short table; a pile scrolls, and the cone stays in sight.
  if (rows.size() > 6) {
    ImGui::BeginChild("table",
                      ImVec2(0, std::max(Px(160), ImGui::GetContentRegionAvail().y * 0.4f)));
    Table(ui, rows);
    ImGui::EndChild();
  } else {
    Table(ui, rows);
  }
  const std::vector<Row> featured = Featured(*ui, rows);
  if (featured.empty()) return;
  HairLine();
  const float width = ImGui::GetContentRegionAvail().x;
  Heading2("Friction used", "|f_t| / (μ f_n)");
  std::vector<ConePoint> points;
  double mu = 0;
  for (const Row& row : featured) {
    const ContactFrame& c = *row.contact;
    const double most = c.friction * c.fn;
    FrictionUsedRow(fmt::format("friction/{}", row.channel), ui->style(row.channel),
                    most > 0 ? c.ft / most : 0);
    // Sign along the slip direction's larger component keeps left and right apart in the section.
    const double side = c.ft_W.x() + c.ft_W.y() < 0 ? -1 : 1;
    points.push_back({ui->style(row.channel), side * c.ft, c.fn});
    if (row.channel == ui->session.lead() || mu == 0) mu = c.friction;
  }
  const bool loaded =
      std::any_of(points.begin(), points.end(), [](const ConePoint& p) { return p.fn > 0; });
  if (!loaded) return;
  HairLine();
  Heading2("Friction cone", PairName(ui->session.model(), *featured.front().contact) + ", newtons");
  FrictionCone("contacts/cone", points, mu,
               ImVec2(width, std::clamp(ImGui::GetContentRegionAvail().y, Px(150), Px(220))));
}

}  // namespace slip::app
