#include "app/panels/inspect/dialects.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/kit/widgets.h"
#include "app/state/channel_style.h"
#include "engine/contact/knobs.h"
#include "engine/core/numbers.h"
#include "engine/core/quantity_text.h"
#include "engine/dialect/dialect.h"

namespace slip::app {
namespace {

constexpr float kTermRow = 20, kTermHead = 26;  // [design px]
constexpr std::string_view kLetters = "RICGL";
constexpr const char* kLetterTips[] = {
    "R: it rests as deep", "I: impacts leave as much of the speed", "C: it creeps as fast",
    "G: it glides at the same height", "L: the same limit of friction"};

/// Places in a row, from its left end [px]; 0: there is no room for it.
struct TermPlaces {
  float name = 0, value_end = 0, unit = 0, letters = 0, holds = 0;
};
TermPlaces TermPlacesOf(float width) {
  const float holds = width - Px(86);
  const float letters = holds - Px(92);
  if (letters < Px(300)) return {Px(8), width - Px(64), width - Px(58), 0, 0};
  return {Px(8), letters - Px(62), letters - Px(56), letters, holds};
}

/// The picked contact, where it carries load, else the one that carries most.
const ContactFrame* ChooseContact(const ChannelFrame& frame, ContactKey picked) {
  const ContactFrame* most = nullptr;
  for (const ContactFrame& c : frame.contacts) {
    if (!(c.fn > 0)) continue;
    if (c.key == picked) return &c;
    if (most == nullptr || c.fn > most->fn) most = &c;
  }
  return most;
}

void Translate(DialectsDrawer* own) {
  const DialectKeep keep = own->keeps_impact ? DialectKeep::kImpact : DialectKeep::kRest;
  const DialectContact& numbers = own->contact->numbers;
  own->blocks = {ToSlipscope(numbers)};
  for (const Dialect& dialect : Dialects()) own->blocks.push_back(dialect.to(numbers, keep));
}

void UpdateDialects(const Session& session, const Selection& picked, DialectsDrawer* own) {
  const int lead = session.looks().lead();
  const bool of_other = picked.channel >= 0 && picked.channel < session.channel_count();
  const int channel = of_other ? picked.channel : lead;
  if (own->count == session.written().count() && own->channel == channel &&
      own->key == picked.key && own->kept_impact == own->keeps_impact)
    return;
  own->count = session.written().count();
  own->channel = channel;
  own->key = picked.key;
  own->kept_impact = own->keeps_impact;
  own->contact.reset();
  const Snapshot& snapshot = session.written().snapshot();
  if (snapshot.model == nullptr) return;
  const ChannelFrame& frame = session.written().frame(channel);
  const ContactFrame* contact = ChooseContact(frame, picked.key);
  if (contact == nullptr) {
    own->why_none = "Nothing carries load at this step.";
    return;
  }
  Result<PickedContact> found = DescribeContact(*snapshot.model, frame.config, frame.contacts,
                                                *contact, own->masses.Of(snapshot.model));
  if (!found) {
    own->why_none = found.error().message + ".";
    return;
  }
  own->contact = std::move(found).value();
  Translate(own);
}

/// "slope:box of SAP at a load of 9.66 N, steps of 10.0 ms"
std::string NameOfState(const DialectsDrawer& own, const Session& session) {
  const ChannelFrame& frame = session.written().frame(own.channel);
  return fmt::format("{} of {} at a load of {}, steps of {}", own.contact->name,
                     slip::Info(frame.config.method()).label,
                     FormatQuantity(own.contact->numbers.fn, "N"),
                     FormatQuantity(own.contact->numbers.time_step, "s"));
}

std::string AllAsText(const DialectsDrawer& own, const Session& session) {
  std::string text = NameOfState(own, session) + "\n";
  for (std::size_t i = 0; i < own.blocks.size(); ++i) {
    text += i == 0 ? "\nSlipscope\n" : fmt::format("\n{}\n", Dialects()[i - 1].label);
    for (const DialectRow& row : own.blocks[i]) {
      text += fmt::format("  {} {} {} [{}] {}", row.name, row.ValueText(), row.unit, row.keeps,
                          Name(row.exactness));
      text += row.note.empty() ? "\n" : fmt::format(": {}\n", row.note);
    }
  }
  return text;
}

void DrawerHeader(const TabContext& context, DialectsDrawer* own) {
  const Session& session = context.session;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImGui::SetCursorScreenPos(ImVec2(at.x + width - Px(28), at.y - Px(4)));
  if (IconButton("dialects/close", icon::kClose, "Back to the tables of the inspector.", 28))
    own->open = false;
  const std::string title = own->contact ? own->contact->name : "Other engines' terms";
  DrawText(list, at, Ellipsize(title, Role::kCardTitle, 0.45f * width), Role::kCardTitle,
           Color(Token::kText));
  RegisterWidget("dialects/title", at, at, false, title);
  if (own->contact) {
    const float x =
        at.x + MeasureText(Ellipsize(title, Role::kCardTitle, 0.45f * width), Role::kCardTitle).x;
    const ChannelFrame& frame = session.written().frame(own->channel);
    const float middle = at.y + FontPx(Role::kCardTitle) / 2;
    DrawMark(list, ImVec2(x + Px(16), middle), StyleOf(session, own->channel), 4);
    const std::string of = fmt::format("{}   {}", slip::Info(frame.config.method()).label,
                                       FormatQuantity(session.written().time(), "s"));
    DrawText(list, ImVec2(x + Px(28), middle - FontPx(Role::kCaption) / 2), of, Role::kCaption,
             Color(Token::kText2));
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + Px(26)));
  ImGui::Dummy(ImVec2(1, 1));
}

/// The state in which all rows hold.
void StateTiles(const DialectContact& c) {
  struct TileText {
    const char* id;
    const char* caption;
    std::string number;
  };
  const std::string depth = c.k ? FormatQuantity((c.fn) / *c.k, "m") : std::string("rigid");
  const TileText tiles[] = {{"fn", "f_n", FormatQuantity(c.fn, "N")},
                            {"ft", "f_t", FormatQuantity(c.ft, "N")},
                            {"depth", "rest depth", depth},
                            {"creep", "creep", FormatQuantity(CalcCreep(c), "m/s")},
                            {"w", "w here", c.w > 0 ? FormatQuantity(c.w, "1/kg") : "–"},
                            {"mass", "inverse mass", FormatQuantity(c.inverse_mass, "1/kg")}};
  const float width = ImGui::GetContentRegionAvail().x / UiScale();
  const int columns = width > 480 ? 6 : 3;
  const float gap = 6,
              tile = (width - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
  for (int i = 0; i < 6; ++i) {
    if (i % columns != 0) ImGui::SameLine(0, Px(gap));
    const TileText& t = tiles[i];
    const std::size_t unit = std::min(t.number.rfind(' '), t.number.size());
    StatTile(std::string("dialects/") + t.id, t.caption, t.number.substr(0, unit),
             t.number.substr(std::min(unit + 1, t.number.size())), tile);
  }
}

void DrawLetters(ImDrawList* list, ImVec2 at, const std::string& keeps) {
  for (std::size_t i = 0; i < kLetters.size(); ++i) {
    const bool on = keeps.find(kLetters[i]) != keeps.npos;
    const ImVec2 min(at.x + Px(17 * static_cast<float>(i)), at.y),
        max(min.x + Px(15), min.y + Px(14));
    if (on) list->AddRectFilled(min, max, Color(Token::kAccentFill), Px(2));
    const std::string letter(1, kLetters[i]);
    const ImVec2 size = MeasureText(letter, Role::kTag);
    DrawText(list, ImVec2((min.x + max.x - size.x) / 2, (min.y + max.y - FontPx(Role::kTag)) / 2),
             letter, Role::kTag, Color(on ? Token::kText : Token::kText3));
  }
}

void DrawTermRow(const std::string& id, const DialectRow& row) {
  const float width = ImGui::GetContentRegionAvail().x;
  const TermPlaces x = TermPlacesOf(width);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool lost = row.values.empty() && row.word.empty();
  const auto put = [&](float left, const std::string& text, Role role, Token colour, float room) {
    DrawText(list, ImVec2(at.x + left, at.y + (Px(kTermRow) - FontPx(role)) / 2),
             Ellipsize(text, role, room), role, Color(colour));
  };
  const std::string value = row.ValueText();
  if (lost) {
    put(x.name, row.name, Role::kAxis, Token::kText3, Px(130));
    put(x.name + Px(136), "none: " + row.note, Role::kCaption, Token::kText3,
        width - x.name - Px(140));
  } else {
    const float taken = MeasureText(value, Role::kAxis).x;
    put(x.name, row.name, Role::kAxis, Token::kText, x.value_end - taken - x.name - Px(8));
    put(x.value_end - taken, value, Role::kAxis, Token::kText, taken + 1);
    put(x.unit, row.unit, Role::kCaption, Token::kText3, Px(54));
    if (x.letters > 0) DrawLetters(list, ImVec2(at.x + x.letters, at.y + Px(3)), row.keeps);
    if (x.holds > 0)
      put(x.holds, std::string(Name(row.exactness)), Role::kCaption, Token::kText2, Px(82));
  }
  ImGui::Dummy(ImVec2(width, Px(kTermRow)));
  RegisterWidget(id, at, ImVec2(at.x + width, at.y + Px(kTermRow)), false, row.name + " " + value);
  if (!ImGui::IsItemHovered()) return;
  std::string tip = fmt::format("{} {} {}", row.name, value, row.unit);
  if (!row.note.empty()) tip += "\n" + row.note + ".";
  for (std::size_t i = 0; i < kLetters.size(); ++i) {
    if (row.keeps.find(kLetters[i]) != row.keeps.npos) tip += fmt::format("\n{}", kLetterTips[i]);
  }
  Tooltip(tip);
}

/// True when "Copy" is clicked.
bool DrawTermHead(const std::string& id, std::string_view title, std::string_view detail,
                  bool copies) {
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, ImVec2(at.x + width, at.y + Px(kTermHead)), Color(Token::kControl),
                      Px(3));
  const auto put = [&](float x, std::string_view text, Role role, Token colour) {
    DrawText(list, ImVec2(x, at.y + (Px(kTermHead) - FontPx(role)) / 2), text, role, Color(colour));
  };
  put(at.x + Px(8), title, Role::kTitle, Token::kText);
  const float x = at.x + Px(18) + MeasureText(title, Role::kTitle).x;
  const std::string checked = detail.empty() ? std::string() : fmt::format("by {}", detail);
  put(x, Ellipsize(checked, Role::kCaption, at.x + width - Px(80) - x), Role::kCaption,
      Token::kText3);
  bool copy = false;
  if (copies) {
    ImGui::SetCursorScreenPos(
        ImVec2(at.x + width - Px(44), at.y + (Px(kTermHead) - FontPx(Role::kLabel)) / 2));
    copy = LinkText(id + "/copy", "Copy", "Copies these numbers as that engine reads them.",
                    Role::kLabel);
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + Px(kTermHead)));
  ImGui::Dummy(ImVec2(1, 1));
  return copy;
}

void DrawBlocks(const TabContext& context, const DialectsDrawer& own) {
  for (std::size_t i = 0; i < own.blocks.size(); ++i) {
    const Dialect* dialect = i == 0 ? nullptr : &Dialects()[i - 1];
    const std::string id =
        "dialects/" + std::string(dialect != nullptr ? dialect->id : "slipscope");
    if (dialect == nullptr) {
      DrawTermHead(id, "Slipscope", "", false);
    } else if (DrawTermHead(id, dialect->label, dialect->checked, true)) {
      context.requests.Copy(
          FormatForEngine(*dialect, own.blocks[i], NameOfState(own, context.session)),
          "The contact as " + std::string(dialect->label) + " has it");
    }
    for (std::size_t r = 0; r < own.blocks[i].size(); ++r)
      DrawTermRow(fmt::format("{}/{}", id, r), own.blocks[i][r]);
    ImGui::Dummy(ImVec2(1, Px(6)));
  }
}

}  // namespace

void DrawDialects(const TabContext& context) {
  DialectsDrawer* own = &context.state.dialects;
  UpdateDialects(context.session, context.state.picked.selection, own);
  ImGui::SetCursorPosX(0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(Px(16), Px(12)));
  ImGui::BeginChild("dialects", ImVec2(0, 0), false,
                    ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar();
  DrawerHeader(context, own);
  if (!own->contact) {
    Paragraph(context.session.channel_count() == 0 ? "No scene is loaded yet." : own->why_none,
              Role::kLabel, Token::kText3);
    ImGui::EndChild();
    return;
  }
  StateTiles(own->contact->numbers);
  const ImVec2 line = ImGui::GetCursorScreenPos();
  const float keep = MeasureText("Keep", Role::kLabel).x;
  DrawText(ImGui::GetWindowDrawList(), ImVec2(line.x, line.y + Px(6)), "Keep", Role::kLabel,
           Color(Token::kText2));
  ImGui::SetCursorScreenPos(ImVec2(line.x + keep + Px(10), line.y));
  int kept = own->keeps_impact ? 1 : 0;
  constexpr std::string_view kKeeps[] = {"Rest", "Impact"};
  constexpr std::string_view kTips[] = {
      "Where one number cannot keep both, the rest depth stays and rebounds change.",
      "Where one number cannot keep both, rebounds stay and the rest depth changes."};
  if (Segmented("dialects/keep", kKeeps, &kept, kTips)) own->keeps_impact = kept == 1;
  const float foot = FontPx(Role::kCaption) + Px(10);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::BeginChild("blocks", ImVec2(0, std::max(Px(60), ImGui::GetContentRegionAvail().y - foot)));
  DrawBlocks(context, *own);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  // of the letters in the rows, where there is room for them
  if (TermPlacesOf(width).letters > 0)
    DrawText(ImGui::GetWindowDrawList(), at,
             "R rest depth   I impact   C creep   G glide   L friction limit", Role::kCaption,
             Color(Token::kText3));
  const std::string all = "Copy all as text";
  ImGui::SetCursorScreenPos(ImVec2(at.x + width - MeasureText(all, Role::kCaption).x, at.y));
  if (LinkText("dialects/copy-all", all, "The whole table, with the load that it holds at."))
    context.requests.Copy(AllAsText(*own, context.session), "The table");
  ImGui::EndChild();
}

}  // namespace slip::app
