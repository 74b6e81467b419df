// Contacts: every contact of every shown channel, or those of one body, largest force first;
// friction used; the cone.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/kit/widgets.h"
#include "app/panels/panels.h"

namespace slip::app {
namespace {

// Least heights of the table and the cone, height of a row of friction used [design px].
constexpr float kTableLow = 160, kConeLow = 150, kUsedRow = 24, kBudgetLow = 116;

const ContactFrame& ContactOf(const Session& session, const ContactRow& row) {
  return session.frame(row.channel).contacts[static_cast<std::size_t>(row.index)];
}

std::string PairName(const Model* model, const ContactFrame& contact) {
  if (model == nullptr) return "–";
  // of a robot that is alone the links' own names will do
  const auto own = [&](std::string_view name) {
    const std::size_t slash = name.find('/');
    return model->robots.size() == 1 && slash != std::string_view::npos ? name.substr(slash + 1)
                                                                        : name;
  };
  return fmt::format("{} – {}", own(model->bodies[static_cast<std::size_t>(contact.body)].name),
                     own(NameOfA(*model, contact)));
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

/// What the columns of a pile leave out.
std::string RowDetails(const std::string& pair, const ContactFrame& c) {
  return fmt::format("{}\ngap {}   slip {}\nf_n {}   f_t {}", pair,
                     FormatSignal(Signal::kSignedDistance, c.signed_distance),
                     FormatSignal(Signal::kSlipSpeed, c.vt),
                     FormatSignal(Signal::kNormalForce, c.fn),
                     FormatSignal(Signal::kFrictionForce, c.ft));
}

void TableRow(Ui* ui, const ContactRow& row, int number, bool pile) {
  const Session& session = ui->session;
  const ContactFrame& contact = ContactOf(session, row);
  UiState& s = ui->state;
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const bool selected = s.selection.key == contact.key &&
                        (s.selection.channel < 0 || s.selection.channel == row.channel);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string id = fmt::format("##contact{}-{}", row.channel, contact.key);
  if (ImGui::Selectable(id.c_str(), selected, ImGuiSelectableFlags_SpanAllColumns,
                        ImVec2(0, FontPx(Role::kValue)))) {
    s.selection = selected ? Selection{} : Selection{contact.body, contact.key, row.channel};
  }
  RegisterLastItem(fmt::format("contacts/row/{}", number));
  const std::string pair = PairName(session.model(), contact);
  const bool hovered = ImGui::IsItemHovered();
  DrawMark(list, ImVec2(at.x + Px(6), at.y + FontPx(Role::kValue) / 2), ui->style(row.channel),
           4.5f);
  ImGui::TableNextColumn();
  const ImVec2 name = ImGui::GetCursorScreenPos();
  const float name_room = ImGui::GetContentRegionAvail().x;
  // smaller letters before fewer
  const Role role = MeasureText(pair, Role::kLabel).x > name_room ? Role::kCaption : Role::kLabel;
  const std::string shown = Ellipsize(pair, role, name_room);
  DrawText(list, name, shown, role, Color(Token::kText));
  if (hovered && (pile || shown != pair)) Tooltip(RowDetails(pair, contact));
  if (!pile) {
    ImGui::TableNextColumn();
    Number(FormatFixed(contact.signed_distance * 1e3, 3));
    ImGui::TableNextColumn();
    Number(FormatFixed(contact.vt, 3));
  }
  ImGui::TableNextColumn();
  Number(FormatFixed(contact.fn, contact.fn < 1e3 ? 3 : 0), true);
  ImGui::TableNextColumn();
  const char* word = ModeWord(contact.mode);
  const ImVec2 cell = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x;
  DrawText(list,
           ImVec2(cell.x + std::max(0.0f, room - MeasureText(word, Role::kCaption).x), cell.y),
           word, Role::kCaption, Color(Token::kText2));
}

/// Only the rows in sight are made; with a height the rows scroll under the headings. In a pile the
/// names of both bodies need the room of gap and slip.
void Table(Ui* ui, const std::vector<ContactRow>& rows, float height) {
  const bool pile = ShowsPile(*ui);
  ImGuiTableFlags flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit;
  if (height > 0) flags |= ImGuiTableFlags_ScrollY;
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(Px(4), Px(6)));
  const bool open = ImGui::BeginTable(pile ? "pile" : "contacts", pile ? 4 : 6, flags,
                                      ImVec2(0, std::max(height, 0.0f)));
  ImGui::PopStyleVar();
  if (!open) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("mark", ImGuiTableColumnFlags_WidthFixed, Px(14));
  ImGui::TableSetupColumn("pair", ImGuiTableColumnFlags_WidthStretch);
  if (!pile) {
    ImGui::TableSetupColumn("gap", ImGuiTableColumnFlags_WidthFixed, Px(56));
    ImGui::TableSetupColumn("slip", ImGuiTableColumnFlags_WidthFixed, Px(52));
  }
  ImGui::TableSetupColumn("fn", ImGuiTableColumnFlags_WidthFixed, Px(56));
  ImGui::TableSetupColumn("mode", ImGuiTableColumnFlags_WidthFixed, Px(34));
  ImGui::TableNextRow();
  Heading("", false);
  Heading("pair", false);
  if (!pile) {
    Heading("φ [mm]", true);
    Heading("v_t [m/s]", true);
  }
  Heading("f_n [N]", true);
  Heading("mode", true);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      TableRow(ui, rows[static_cast<std::size_t>(i)], i, pile);
    }
  }
  ImGui::EndTable();
}

/// Whose contacts these are, and the way back to all of them.
void FilterLine(Ui* ui) {
  const int body = ui->state.contacts_of;
  const ContactRows& table = ui->contact_rows;
  const Model* model = ui->session.model();
  if (body < 0 || model == nullptr || table.rows().size() == table.total()) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const std::string all = fmt::format("All {}", table.total());
  const float right = MeasureText(all, Role::kCaption).x;
  const std::string title =
      fmt::format("{}: {} contact{}", model->bodies[static_cast<std::size_t>(body)].name,
                  table.rows().size(), table.rows().size() == 1 ? "" : "s");
  DrawText(ImGui::GetWindowDrawList(), at, Ellipsize(title, Role::kTitle, width - right - Px(12)),
           Role::kTitle, Color(Token::kText));
  ImGui::SetCursorScreenPos(ImVec2(at.x + width - right, at.y));
  if (LinkText("contacts/all", all)) {
    ui->state.contacts_of = -1;
    ui->state.selection = {};
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + FontPx(Role::kTitle) + Px(6)));
  ImGui::Dummy(ImVec2(1, 1));
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
std::vector<ContactRow> Featured(const Ui& ui) {
  std::vector<ContactRow> out;
  const ContactKey selected = ui.state.selection.key;
  for (int i = 0; i < ui.session.channel_count(); ++i) {
    for (const ContactRow& row : ui.contact_rows.rows()) {
      if (row.channel != i) continue;
      if (selected >= 0 && ContactOf(ui.session, row).key != selected) continue;
      out.push_back(row);
      break;
    }
  }
  return out;
}

}  // namespace

void DrawContacts(Ui* ui) {
  const Session& session = ui->session;
  UiState& s = ui->state;
  // a body that is selected narrows the table; a row of it that is clicked leaves it so
  const int bodies =
      session.model() != nullptr ? static_cast<int>(session.model()->bodies.size()) : 0;
  if (s.selection.key < 0) s.contacts_of = s.selection.body;
  if (s.contacts_of >= bodies) s.contacts_of = -1;
  ContactRows::Shown shown{};
  for (int i = 0; i < std::min(session.channel_count(), Snapshot::kMaxChannels); ++i) {
    shown[static_cast<std::size_t>(i)] = session.Present(i);
  }
  ui->contact_rows.Update(session.snapshot(), session.changed(), shown, s.contacts_of);
  FilterLine(ui);
  const std::vector<ContactRow>& rows = ui->contact_rows.rows();
  if (rows.empty()) {
    Paragraph("Nothing touches at this step.", Role::kLabel, Token::kText3);
    return;
  }
  const std::vector<ContactRow> featured = Featured(*ui);
  // One contact per channel is a short table; more of them scroll, and the cone stays in sight.
  const float all = (FontPx(Role::kValue) + Px(12)) * static_cast<float>(rows.size() + 1);
  const bool octahedral = IsQuasiDynamic(session.frame(session.lead()));
  const float below =
      Px(kConeLow + (octahedral ? 170 : 100)) + Px(kUsedRow) * static_cast<float>(featured.size());
  const float room = std::max(Px(octahedral ? kTableLow - 40 : kTableLow),
                              ImGui::GetContentRegionAvail().y - below);
  Table(ui, rows, all > room ? room : 0.0f);
  if (featured.empty()) return;
  HairLine();
  const float width = ImGui::GetContentRegionAvail().x;
  Heading2("Friction used",
           octahedral ? "(|F_1| + |F_2|) / (μ N) + |T| / (μ_w N)" : "|f_t| / (μ f_n)");
  std::vector<ConePoint> points;
  double mu = 0;
  for (const ContactRow& row : featured) {
    const ContactFrame& c = ContactOf(session, row);
    const std::string id = fmt::format("friction/{}", row.channel);
    const FrictionLoad load = LoadOf(c, ui->style(row.channel));
    if (IsQuasiDynamic(session.frame(row.channel))) {
      FrictionBudgetRow(id, load);
    } else {
      const BudgetShares shares = CalcShares(load);
      const double most = c.friction * c.fn;
      FrictionUsedRow(id, ui->style(row.channel),
                      most > 0 ? std::hypot(c.ft / most, shares.torque) : 0);
    }
    // Sign along the slip direction's larger component keeps left and right apart in the section.
    const double side = c.ft_W.x() + c.ft_W.y() < 0 ? -1 : 1;
    points.push_back({ui->style(row.channel), side * c.ft, c.fn});
    if (row.channel == session.lead() || mu == 0) mu = c.friction;
  }
  const bool loaded =
      std::any_of(points.begin(), points.end(), [](const ConePoint& p) { return p.fn > 0; });
  if (!loaded) return;
  HairLine();
  const auto lead = std::find_if(featured.begin(), featured.end(), [&](const ContactRow& row) {
    return row.channel == session.lead();
  });
  if (octahedral && lead != featured.end()) {
    const ContactFrame& c = ContactOf(session, *lead);
    Heading2("Friction budget", LiteralRich(PairName(session.model(), c)));
    if (c.friction > 0 && c.fn > 0)
      DrawFrictionBudget(LoadOf(c, ui->style(session.lead())), Px(kBudgetLow));
    return;
  }
  Heading2(
      "Friction cone",
      LiteralRich(PairName(session.model(), ContactOf(session, featured.front()))) + ", newtons");
  FrictionCone("contacts/cone", points, mu,
               ImVec2(width, std::clamp(ImGui::GetContentRegionAvail().y, Px(kConeLow), Px(220))));
}

}  // namespace slip::app
