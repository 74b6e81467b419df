// Contacts: every contact of every shown channel, or those of one body; friction used; the cone.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/kit/widgets.h"
#include "app/panels/common/friction.h"
#include "app/panels/common/tab.h"
#include "app/panels/curves/plot_this.h"
#include "app/panels/inspect/contact_pairs.h"
#include "app/panels/inspect/contact_words.h"
#include "app/panels/inspect/tables.h"
#include "app/state/channel_style.h"
#include "app/view/shown.h"
#include "engine/core/numbers.h"

namespace slip::app {
namespace {

// Least heights of the table and the cone, height of a row of friction used [design px].
constexpr float kTableLow = 160, kConeLow = 150, kConeLeast = 100, kUsedRow = 20, kBudgetLow = 124;
// Table of multipliers with its heading, and the least room for names of a pair [design px].
constexpr float kBudgetTable = 98, kPairLow = 56;

void Number(const std::string& id, const std::string& text, bool strong = false) {
  const Role role = strong ? Role::kValueStrong : Role::kValue;
  const float width = MeasureText(text, role).x;
  const float room = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  DrawText(ImGui::GetWindowDrawList(), ImVec2(at.x + std::max(0.0f, room - width), at.y), text,
           role, Color(Token::kText));
  ImGui::Dummy(ImVec2(std::min(width, room), FontPx(role)));
  RegisterWidget(id, at, at, false, text);
}

void Heading(const char* rich, bool right, const char* tip = nullptr,
             Token colour = Token::kText3) {
  ImGui::TableNextColumn();
  const float width = MeasureRich(rich, Role::kCaption).x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x;
  DrawRich(ImGui::GetWindowDrawList(),
           ImVec2(at.x + (right ? std::max(0.0f, room - width) : 0), at.y), rich, Role::kCaption,
           Color(colour));
  ImGui::Dummy(ImVec2(tip != nullptr ? room : 1, FontPx(Role::kCaption)));
  if (tip != nullptr) Tooltip(tip);
}

/// Which numbers of a contact have a column; the rest is in the tool tip of its row.
struct Columns {
  bool gap = true, slip = true, torque = false;
  bool creep = false;                     ///< the scene is about creep: slip speeds in µm/s
  bool distance = false, offset = false;  ///< from Coulomb, from its law, in place of the first two
  int count() const {
    return 4 + (gap ? 1 : 0) + (slip ? 1 : 0) + (torque ? 1 : 0) + (distance ? 1 : 0) +
           (offset ? 1 : 0);
  }
};
constexpr float kMarkColumn = 14, kGapColumn = 56, kSlipColumn = 48, kCreepColumn = 60,
                kTorqueColumn = 54, kForceColumn = 56, kModeColumn = 34, kDistanceColumn = 56,
                kOffsetColumn = 66;

float SlipWidth(const Columns& columns) { return columns.creep ? kCreepColumn : kSlipColumn; }

Columns ChooseColumns(const Session& session, const std::vector<ContactRow>& rows, float width,
                      bool pile, bool distance) {
  if (distance) return {.gap = false, .slip = false, .distance = true, .offset = !pile};
  // in a pile the names of both bodies need the room
  if (pile) return {false, false, false, false};
  Columns columns;
  columns.torque = std::any_of(rows.begin(), rows.end(), [&](const ContactRow& row) {
    return ContactOf(session, row).torsional_friction > 0;
  });
  columns.creep = session.scene() != nullptr && session.scene()->instrument == Instrument::kCreep;
  // the tables' own scroll bar too
  const auto room = [&] {
    const float taken = kMarkColumn + kForceColumn + kModeColumn + (columns.gap ? kGapColumn : 0) +
                        (columns.slip ? SlipWidth(columns) : 0) +
                        (columns.torque ? kTorqueColumn : 0);
    return width - Px(taken + 8.0f * static_cast<float>(columns.count()) + 12);
  };
  if (room() < Px(kPairLow)) columns.gap = false;
  if (room() < Px(kPairLow)) columns.slip = false;
  return columns;
}

void TableRow(const Session& session, const ContactRow& row, int number, Columns columns,
              Picked* picked, PlotsState* plots, DialectsDrawer* dialects) {
  const ContactFrame& contact = ContactOf(session, row);
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const bool selected = picked->selection.key == contact.key &&
                        (picked->selection.channel < 0 || picked->selection.channel == row.channel);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string id = fmt::format("##contact{}-{}", row.channel, contact.key);
  if (ImGui::Selectable(id.c_str(), selected, ImGuiSelectableFlags_SpanAllColumns,
                        ImVec2(0, FontPx(Role::kValue)))) {
    picked->selection = selected ? Selection{} : Selection{contact.body, contact.key, row.channel};
  }
  RegisterLastItem(fmt::format("contacts/row/{}", number));
  if (PlotContactMenu(fmt::format("contacts/row/{}", number), contact.key,
                      PairName(session.model(), contact), plots)) {
    picked->selection = Selection{contact.body, contact.key, row.channel};
    dialects->open = true;
  }
  const Pair pair = PairOf(session.model(), contact);
  if (ImGui::IsItemHovered()) Tooltip(RowDetails(PairName(session.model(), contact), contact));
  DrawMark(list, ImVec2(at.x + Px(6), at.y + FontPx(Role::kValue) / 2),
           StyleOf(session, row.channel), 4.5f);
  ImGui::TableNextColumn();
  const ImVec2 name = ImGui::GetCursorScreenPos();
  const float name_room = ImGui::GetContentRegionAvail().x;
  // smaller letters before fewer
  const std::string whole = fmt::format("{} – {}", pair.b, pair.a);
  const Role role = MeasureText(whole, Role::kLabel).x > name_room ? Role::kCaption : Role::kLabel;
  const std::string shown = FitPair(pair, role, name_room);
  DrawText(list, name, shown, role, Color(Token::kText));
  RegisterWidget(fmt::format("contacts/pair/{}", number), name,
                 ImVec2(name.x + name_room, name.y + FontPx(role)), false, shown);
  if (columns.gap) {
    ImGui::TableNextColumn();
    Number(fmt::format("contacts/gap/{}", number), FormatFixed(contact.signed_distance * 1e3, 3));
  }
  if (columns.slip) {
    ImGui::TableNextColumn();
    const double creep = contact.vt * 1e6;
    Number(fmt::format("contacts/slip/{}", number),
           columns.creep ? FormatFixed(creep, creep < 1e4 ? 2 : 0) : FormatFixed(contact.vt, 3));
  }
  if (columns.torque) {
    ImGui::TableNextColumn();
    const double torque = contact.torque * 1e3;
    const std::string text =
        contact.torsional_friction > 0 ? FormatFixed(torque, std::abs(torque) < 1e3 ? 1 : 0) : "–";
    Number(fmt::format("contacts/torque/{}", number), text);
  }
  if (columns.distance) {
    ImGui::TableNextColumn();
    const double distance = AboveNoise(Signal::kCoulombDistance, contact.coulomb.distance);
    Number(fmt::format("contacts/distance/{}", number),
           std::isnan(distance)              ? "–"
           : distance > 0 && distance < 1e-3 ? fmt::format("{:.1e}", distance)
                                             : FormatFixed(distance, distance < 1e3 ? 3 : 0));
  }
  if (columns.offset) {
    ImGui::TableNextColumn();
    Number(fmt::format("contacts/offset/{}", number),
           std::isnan(contact.coulomb.offset) ? "–" : FormatFixed(contact.coulomb.offset * 1e3, 3));
  }
  ImGui::TableNextColumn();
  Number(fmt::format("contacts/fn/{}", number), FormatFixed(contact.fn, contact.fn < 1e3 ? 3 : 0),
         true);
  ImGui::TableNextColumn();
  const std::string_view word = contact.word;
  const ImVec2 cell = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x;
  DrawText(list,
           ImVec2(cell.x + std::max(0.0f, room - MeasureText(word, Role::kCaption).x), cell.y),
           word, Role::kCaption, Color(Token::kText2));
  RegisterWidget(fmt::format("contacts/mode/{}", number), cell, cell, false, word);
}

/// A heading by which rows are sorted when it is clicked.
void SortHeading(const char* rich, bool right, const char* tip, const char* id, ContactOrder order,
                 ContactsTab* own) {
  Heading(rich, right, tip, own->order == order ? Token::kText : Token::kText3);
  RegisterLastItem(id);
  if (ImGui::IsItemClicked()) own->order = order;
}

/// Only the rows in sight are made; with a height the rows scroll under the headings.
void Table(const Session& session, const std::vector<ContactRow>& rows, float height, bool pile,
           bool distance, ContactsTab* own, Picked* picked, PlotsState* plots,
           DialectsDrawer* dialects) {
  const Columns columns =
      ChooseColumns(session, rows, ImGui::GetContentRegionAvail().x, pile, distance);
  ImGuiTableFlags flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit;
  if (height > 0) flags |= ImGuiTableFlags_ScrollY;
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(Px(4), Px(6)));
  const std::string id = fmt::format(
      "contacts{}{}{}{}{}", columns.gap ? "g" : "", columns.slip ? (columns.creep ? "c" : "s") : "",
      columns.torque ? "t" : "", columns.distance ? "d" : "", columns.offset ? "o" : "");
  const bool open =
      ImGui::BeginTable(id.c_str(), columns.count(), flags, ImVec2(0, std::max(height, 0.0f)));
  ImGui::PopStyleVar();
  if (!open) return;
  const auto column = [](const char* name, float width) {
    ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_WidthFixed, Px(width));
  };
  ImGui::TableSetupScrollFreeze(0, 1);
  column("mark", kMarkColumn);
  ImGui::TableSetupColumn("pair", ImGuiTableColumnFlags_WidthStretch);
  if (columns.gap) column("gap", kGapColumn);
  if (columns.slip) column("slip", SlipWidth(columns));
  if (columns.torque) column("torque", kTorqueColumn);
  if (columns.distance) column("distance", kDistanceColumn);
  if (columns.offset) column("offset", kOffsetColumn);
  column("fn", kForceColumn);
  column("mode", kModeColumn);
  ImGui::TableNextRow();
  Heading("", false);
  SortHeading("pair", false,
              "Rows in the order of the bodies; they keep their places. A click sorts.",
              "contacts/sort/pair", ContactOrder::kContact, own);
  if (columns.gap) Heading("φ [mm]", true, "Signed distance at the end of the step");
  if (columns.slip) Heading(columns.creep ? "v_t [µm/s]" : "v_t [m/s]", true, "Slip speed");
  if (columns.torque) Heading("T [mN·m]", true, "Torque of torsional friction about the normal");
  if (columns.distance)
    Heading("dist. [N]", true,
            "Distance from Coulomb: how far force and velocity are from his friction with the "
            "scene's normal law. It saturates near √(1 + μ²) f_n where a model glides.");
  if (columns.offset)
    Heading("offset [mm]", true, "Where it is, less where the scene's normal law gives its f_n");
  SortHeading("f_n [N]", true, "Normal force. A click puts the largest first.", "contacts/sort/fn",
              ContactOrder::kForce, own);
  const std::string modes = ModeSentence("stick") + "\n" + ModeSentence("limit") + "\n" +
                            ModeSentence("slip") + "\n" + ModeSentence("open");
  Heading("mode", true, modes.c_str());
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      TableRow(session, At(rows, i), i, columns, picked, plots, dialects);
    }
  }
  ImGui::EndTable();
}

/// Whose contacts these are, and a link back to all of them.
void FilterLine(const Session& session, ContactsTab* own, Picked* picked) {
  const int body = own->body;
  const ContactRows& table = own->table;
  const Model* model = session.model();
  if (body < 0 || model == nullptr || table.rows().size() == table.total()) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const std::string all = fmt::format("All {}", table.total());
  const float right = MeasureText(all, Role::kCaption).x;
  const std::string title = fmt::format("{}: {} contact{}", model->body(body).name,
                                        table.rows().size(), table.rows().size() == 1 ? "" : "s");
  DrawText(ImGui::GetWindowDrawList(), at, Ellipsize(title, Role::kTitle, width - right - Px(12)),
           Role::kTitle, Color(Token::kText));
  ImGui::SetCursorScreenPos(ImVec2(at.x + width - right, at.y));
  if (LinkText("contacts/all", all, "Contacts of every body again.")) {
    own->body = -1;
    picked->selection = {};
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + FontPx(Role::kTitle) + Px(6)));
  ImGui::Dummy(ImVec2(1, 1));
}

/// Title at the left, what it is at the right.
void Heading2(const char* title, const std::string& rich, const char* tip = nullptr) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImDrawList* list = ImGui::GetWindowDrawList();
  DrawText(list, at, title, Role::kTitle, Color(Token::kText));
  DrawRich(list, ImVec2(at.x + width - MeasureRich(rich, Role::kCaption).x, at.y), rich,
           Role::kCaption, Color(Token::kText3));
  ImGui::Dummy(ImVec2(tip != nullptr ? width : 1, FontPx(Role::kTitle) + Px(4)));
  if (tip != nullptr) Tooltip(tip);
}

/// The strongest contact of each shown channel, or the selected one.
std::vector<ContactRow> Featured(const Session& session, const ContactRows& table,
                                 ContactKey selected) {
  std::vector<ContactRow> out;
  for (int i = 0; i < session.channel_count(); ++i) {
    const ContactRow* best = nullptr;
    for (const ContactRow& row : table.rows()) {
      if (row.channel != i) continue;
      if (selected >= 0 && ContactOf(session, row).key != selected) continue;
      if (best == nullptr || row.fn > best->fn) best = &row;
    }
    if (best != nullptr) out.push_back(*best);
  }
  return out;
}

bool AreOneContact(const Session& session, const std::vector<ContactRow>& featured) {
  return std::all_of(featured.begin(), featured.end(), [&](const ContactRow& row) {
    return ContactOf(session, row).key == ContactOf(session, featured.front()).key;
  });
}

/// Which contacts the bars are of, in so much room.
std::string FeaturedName(const Session& session, const std::vector<ContactRow>& featured,
                         float room, bool selected) {
  const ContactFrame& first = ContactOf(session, featured.front());
  if (!AreOneContact(session, featured)) return "contact of largest f_n, each";
  const std::string what = selected ? "" : "largest f_n: ";
  const float left = room - MeasureRich(what, Role::kCaption).x;
  return what + LiteralRich(FitPair(PairOf(session.model(), first), Role::kCaption, left));
}

/// A bar for each method; what is on the cone comes back in `points`.
void UsedRows(const Session& session, const std::vector<ContactRow>& featured, bool selected,
              std::vector<ConePoint>* points) {
  const float room =
      ImGui::GetContentRegionAvail().x - MeasureText("Friction used", Role::kTitle).x - Px(12);
  Heading2("Friction used", FeaturedName(session, featured, room, selected),
           "Of one contact per method: the one that is picked in the table or in the picture, else "
           "the one with the largest normal force. Share of what friction can give: "
           "|(f_t/μ, T/μ_w)|/f_n, of quasi-dynamic steps (|F₁| + |F₂|)/(μ N) + |T|/(μ_w N). The "
           "signal \"Largest friction used\" is that of whichever contact uses most.");
  for (const ContactRow& row : featured) {
    const ContactFrame& c = DrawnContactOf(session, row);
    const ContactFrame& written = ContactOf(session, row);
    const ChannelFrame& frame = session.frame(row.channel);
    const ChannelStyle style = StyleOf(session, row.channel);
    const std::string id = fmt::format("friction/{}", row.channel);
    switch (written.bound) {
      case FrictionBound::kOctahedron: {
        const double h = frame.config.step.time_step;
        FrictionBudgetRow(id, LoadOf(c, style, h), CalcShares(LoadOf(written, style, h)));
        break;
      }
      case FrictionBound::kCone:
        FrictionUsedRow(id, style, c.friction_used, written.friction_used);
        break;
    }
    // Sign along the slip direction's larger component keeps left and right apart in the section.
    const double side = c.ft_W.x() + c.ft_W.y() < 0 ? -1 : 1;
    points->push_back({style, side * c.ft, c.fn, c.friction});
  }
}

void DrawContacts(const TabContext& context) {
  const Session& session = context.session;
  ContactsTab* own = &context.state.contacts;
  Picked* picked = &context.state.picked;
  PlotsState* plots = &context.state.plots;
  // a body that is selected narrows the table; a row of it that is clicked leaves it so
  const int bodies =
      session.model() != nullptr ? static_cast<int>(session.model()->bodies.size()) : 0;
  if (picked->selection.key < 0) own->body = picked->selection.body;
  if (own->body >= bodies) own->body = -1;
  // slides of a gripper touch nothing: one whose handle is dragged narrows nothing
  if (own->body >= 0 && !session.model()->body(own->body).collides) own->body = -1;
  ContactRows::Shown shown{};
  for (int i = 0; i < std::min(session.channel_count(), Snapshot::kMaxChannels); ++i) {
    At(shown, i) = session.looks().Present(i);
  }
  // under a hand that is about to click
  const bool held = session.playback().playing() &&
                    ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows |
                                           ImGuiHoveredFlags_AllowWhenBlockedByPopup);
  own->table.Update(session.written().snapshot(), session.written().count(), shown, own->body, held,
                    session.now(), own->order);
  FilterLine(session, own, picked);
  const std::vector<ContactRow>& rows = own->table.rows();
  if (rows.empty()) {
    Paragraph("Nothing touches at this step.", Role::kLabel, Token::kText3);
    return;
  }
  const std::vector<ContactRow> featured = Featured(session, own->table, picked->selection.key);
  // One contact per channel is a short table; more of them scroll, and the cone stays in sight.
  const float row = FontPx(Role::kValue) + Px(12);
  const float all = row * static_cast<float>(rows.size() + 1);
  const MethodId method = session.frame(session.looks().lead()).config.method();
  const bool octahedral = slip::Info(method).family == Family::kProgram;
  const float below = Px(octahedral ? kBudgetLow + kBudgetTable + 72 : kConeLow + 100) +
                      Px(kUsedRow) * static_cast<float>(featured.size());
  const float room = std::max(Px(octahedral ? kTableLow - 40 : kTableLow),
                              ImGui::GetContentRegionAvail().y - below);
  // whole rows: half a number is none
  Table(session, rows, all > room ? row * std::floor(room / row) : 0.0f, ShowsPile(session),
        context.state.view.coulomb_distance, own, picked, plots, &context.state.dialects);
  if (featured.empty()) return;
  HairLine();
  const float width = ImGui::GetContentRegionAvail().x;
  std::vector<ConePoint> points;
  UsedRows(session, featured, picked->selection.key >= 0, &points);
  const bool loaded =
      std::any_of(points.begin(), points.end(), [](const ConePoint& p) { return p.fn > 0; });
  if (!loaded) return;
  const auto lead = std::find_if(featured.begin(), featured.end(), [&](const ContactRow& row) {
    return row.channel == session.looks().lead();
  });
  if (octahedral && lead != featured.end()) {
    const ContactFrame& c = ContactOf(session, *lead);
    const ChannelStyle style = StyleOf(session, lead->channel);
    const double h = session.frame(lead->channel).config.step.time_step;
    if (c.friction > 0 && c.fn > 0)
      DrawFrictionBudget(LoadOf(DrawnContactOf(session, *lead), style, h), LoadOf(c, style, h),
                         Px(kBudgetLow));
    return;
  }
  // half a cone says nothing
  if (ImGui::GetContentRegionAvail().y < Px(kConeLeast + 30)) return;
  HairLine();
  const double mu = ContactOf(session, lead != featured.end() ? *lead : featured.front()).friction;
  const std::string of =
      AreOneContact(session, featured)
          ? LiteralRich(PairName(session.model(), ContactOf(session, featured.front())))
          : "largest f_n, each";
  Heading2("Friction cone", of + ", newtons");
  FrictionCone(
      "contacts/cone", points, mu,
      ImVec2(width, std::clamp(ImGui::GetContentRegionAvail().y, Px(kConeLeast), Px(220))));
}

}  // namespace

const Tab kContactsTab{
    .name = "Contacts",
    .tip = "Contacts by load, how much friction they use, and the friction cone.",
    .doc = "Table of all contacts.",
    .draw = DrawContacts,
    .table = ContactsTable,
};

}  // namespace slip::app
