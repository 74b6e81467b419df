// The card of the newest message, where it hides the least of the picture, and the list of all of
// them behind the sign in the status bar. Nothing is modal.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/kit/widgets.h"
#include "app/panels/common/card_place.h"
#include "app/panels/common/messages.h"
#include "engine/core/numbers.h"
#include "engine/tell/format.h"

namespace slip::app {
namespace {

// The card keeps this distance from the border of the picture [px].
constexpr float kCardMargin = 12;
// A card that came to lie on a body may move so often [s].
constexpr double kMovesAfter = 0.25;

Token LevelColour(Message::Level level) {
  return level == Message::Level::kError     ? Token::kErr
         : level == Message::Level::kWarning ? Token::kWarn
                                             : Token::kAccent;
}

const char* LevelIcon(Message::Level level) {
  return level == Message::Level::kInfo ? icon::kInfo : icon::kWarning;
}

std::string Title(const Message& message) {
  return message.repeats > 1 && !message.ongoing
             ? fmt::format("{} (×{})", message.what, message.repeats)
             : message.what;
}

float TextHeight(const std::string& text, Role role, float width) {
  if (text.empty()) return 0;
  return FontPx(role) * static_cast<float>(WrapText(text, role, width).size());
}

/// Wrapped text at the cursor; moves the cursor below it.
void Text(const std::string& text, Role role, Token colour, float width) {
  if (text.empty()) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  float y = at.y;
  for (const std::string& line : WrapText(text, role, width)) {
    DrawRich(ImGui::GetWindowDrawList(), ImVec2(at.x, y), SentenceRich(line), role, Color(colour));
    y += FontPx(role);
  }
  ImGui::Dummy(ImVec2(width, y - at.y));
  ImGui::SetCursorScreenPos(ImVec2(at.x, y));
}

/// The links under a message, on one line or two. The index of the action that was clicked; -1.
int Links(const Message& message, const std::string& id, float width, bool draw, float* height) {
  const float line = FontPx(Role::kLabel) + Px(4), x0 = ImGui::GetCursorScreenPos().x;
  float x = x0, y = ImGui::GetCursorScreenPos().y;
  int clicked = -1;
  *height = line;
  const auto link = [&](const std::string& name, const std::string& label) {
    const float w = MeasureRich(label, Role::kLabel).x;
    if (x > x0 && x + w > x0 + width) {
      x = x0;
      y += line;
      *height += line;
    }
    bool hit = false;
    if (draw) {
      ImGui::SetCursorScreenPos(ImVec2(x, y));
      hit = LinkText(id + "/" + name, label, {}, Role::kLabel);
    }
    x += w + Px(16);
    return hit;
  };
  for (std::size_t a = 0; a < message.actions.size(); ++a) {
    if (link(std::to_string(a), message.actions[a].label)) clicked = static_cast<int>(a);
  }
  if (message.level != Message::Level::kInfo && link("copy", "Copy details"))
    ImGui::SetClipboardText(message.Text().c_str());
  if (x == x0) *height = 0;
  return clicked;
}

/// "what", then "where" and "advice" as far as there is room.
struct CardText {
  std::string what, rest;
  float what_height = 0, rest_height = 0, links_height = 0;
  float links_left = 0;  ///< on the only line, from the words' left; 0 = below them
  ImVec2 size;
};

float LinksWidth(const Message& message) {
  float width = 0;
  for (const MessageAction& action : message.actions)
    width += MeasureRich(action.label, Role::kLabel).x + Px(16);
  return width;
}

/// At most `width` wide, a line at most 0.6 of `most`; `others`: it says that there are more.
CardText Arrange(const Message& message, bool others, float width, float most, float room) {
  CardText card;
  card.what = Title(message);
  card.rest = message.where;
  if (!message.advice.empty()) card.rest += (card.rest.empty() ? "" : "\n") + message.advice;
  if (message.level == Message::Level::kInfo && card.rest.empty()) {
    // a short one is a line
    const float words = MeasureRich(SentenceRich(card.what), Role::kTitle).x + Px(16);
    const float all = Px(12 + 24) + words + LinksWidth(message) + Px(others ? 64 : 36);
    if (all <= std::max(width, 0.6f * most)) {
      card.what_height = FontPx(Role::kTitle);
      card.links_left = words;
      card.size = ImVec2(std::round(all), std::round(Px(40)));
      return card;
    }
  }
  const float inner = width - Px(12 + 24 + 36);
  Links(message, "message", inner, false, &card.links_height);
  for (;;) {
    card.what_height = TextHeight(card.what, Role::kTitle, inner);
    card.rest_height = TextHeight(card.rest, Role::kCaption, inner);
    float height = Px(10) + card.what_height + Px(10);
    if (card.rest_height > 0) height += Px(2) + card.rest_height;
    if (card.links_height > 0) height += Px(6) + card.links_height;
    card.size = ImVec2(width, std::round(height));
    // the list has the rest of it
    if (height <= room || card.rest.empty()) return card;
    const std::size_t line = card.rest.rfind('\n');
    card.rest = line == std::string::npos ? std::string() : card.rest.substr(0, line);
  }
}

/// Puts the card where it hides the least. It stays where it is while it says the same, there is
/// room, and no body comes there.
void PlaceCard(const Session& session, const std::vector<Pane>& panes, const Rect& view,
               const Message& message, ImVec2 size, const FrameMarks& marks, MessageCard* own) {
  MessageCard& place = *own;
  const bool same = place.subject == message.subject && place.size.x == size.x &&
                    place.size.y == size.y && place.view.x == view.width() &&
                    place.view.y == view.height();
  const ImVec2 was(view.min.x + place.offset.x, view.min.y + place.offset.y);
  const Rect there{was, ImVec2(was.x + size.x, was.y + size.y)};
  const bool moves = !place.hovered && session.now() - place.placed > kMovesAfter &&
                     HidesBody(place.bodies, session.now(), there, view);
  if (same && !moves) return;
  SeeBodies(session, panes, view, true, &place.bodies);
  const CardPlace found = FindCardPlace(place.bodies, session.now(), size, view, marks);
  place.offset = ImVec2(found.at.x - view.min.x, found.at.y - view.min.y);
  place.fits = found.hidden <= 0;
  place.subject = message.subject;
  place.size = size;
  place.view = ImVec2(view.width(), view.height());
  place.placed = session.now();
}

void DrawCardGround(const Message& message, ImVec2 at, ImVec2 max) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  // ImGui would fill it with the picture's own list, which the video has
  list->AddRectFilled(at, max, Color(Token::kRaised), Px(6));
  list->AddRect(at, max, Color(Token::kLineStrong), Px(6), 0, Snap(1));
  const Token colour = LevelColour(message.level);
  list->AddRectFilled(ImVec2(at.x + Snap(1), at.y + Px(8)), ImVec2(at.x + Px(4), max.y - Px(8)),
                      Color(colour));
  DrawText(list, ImVec2(at.x + Px(12), at.y + Px(10)), LevelIcon(message.level), Role::kIcon,
           Color(colour));
}

/// Words and links; the index of the action that was clicked, or -1.
int DrawCardText(const Message& message, const CardText& card, ImVec2 at) {
  const float x = at.x + Px(12 + 24), inner = card.size.x - Px(12 + 24 + 36);
  const bool line = card.links_left > 0;
  ImGui::SetCursorScreenPos(ImVec2(x, at.y + Px(10)));
  if (line) {
    DrawRich(ImGui::GetWindowDrawList(), ImVec2(x, at.y + (card.size.y - FontPx(Role::kTitle)) / 2),
             SentenceRich(card.what), Role::kTitle, Color(Token::kText));
  } else {
    Text(card.what, Role::kTitle, Token::kText, inner);
  }
  if (!card.rest.empty()) {
    ImGui::SetCursorScreenPos(ImVec2(x, ImGui::GetCursorScreenPos().y + Px(2)));
    Text(card.rest, Role::kCaption, Token::kText2, inner);
  }
  const float links = line ? at.y + (card.size.y - FontPx(Role::kLabel)) / 2
                           : ImGui::GetCursorScreenPos().y + Px(6);
  ImGui::SetCursorScreenPos(ImVec2(x + card.links_left, links));
  float unused = 0;
  return Links(message, "message", inner, true, &unused);
}

/// How many more there are; true when it was clicked.
bool DrawMore(int waiting, const CardText& card, ImVec2 at, ImVec2 max) {
  const std::string more = fmt::format("+{}", waiting);
  const ImVec2 text = MeasureText(more, Role::kLabel);
  // on a card of one line beside the close sign, else under it
  const bool low = card.size.y < Px(30 + 10) + text.y;
  const float y = card.links_left > 0 ? (card.size.y - text.y) / 2 : Px(10);
  ImGui::SetCursorScreenPos(low ? ImVec2(max.x - Px(36) - text.x, at.y + y)
                                : ImVec2(max.x - Px(12) - text.x, max.y - Px(10) - text.y));
  return LinkText("message/more", more,
                  "More messages: all of them are in the list of the status bar.", Role::kLabel);
}

}  // namespace

void DrawCard(const Session& session, const std::vector<Pane>& panes, const Rect& view,
              MessageCard* own, FrameMarks* marks, Requests* requests) {
  MessageCard& place = *own;
  const Message* shown = session.Card();
  place.drawn = false;
  SeeBodies(session, panes, view, false, &place.bodies);
  // before there are bodies nobody knows where they will be
  if (shown == nullptr || place.listed || session.channel_count() == 0 || !session.TakenOver())
    return;
  const Message& message = *shown;
  const auto index = static_cast<std::size_t>(shown - session.messages().data());
  const float width = std::min(Px(440), view.width() - 2 * Px(kCardMargin));
  const float room = view.height() - 2 * Px(kCardMargin);
  const int waiting = session.message_log().Waiting(session.now());
  const CardText card = Arrange(message, waiting > 0, width, view.width(), room);
  if (card.size.y > room || width < Px(200)) return;  // the status bar says it
  PlaceCard(session, panes, view, message, card.size, *marks, own);
  place.hovered = false;
  // what is no warning hides no body: the status bar says it
  if (!place.fits && message.level == Message::Level::kInfo && !message.stays) return;
  place.drawn = true;
  const ImVec2 at(view.min.x + place.offset.x, view.min.y + place.offset.y);
  const ImVec2 max(at.x + card.size.x, at.y + card.size.y);
  // part of the picture's own window: menus and pop-ups lie over it, whenever they open
  ImGui::SetCursorScreenPos(at);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::BeginChild("card", card.size, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse |
                        ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                        ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar();
  marks->KeepOutOfVideo();
  RegisterWidget("message", at, max);
  DrawCardGround(message, at, max);
  const int clicked = DrawCardText(message, card, at);
  ImGui::SetCursorScreenPos(ImVec2(
      max.x - Px(30), card.links_left > 0 ? at.y + (card.size.y - Px(24)) / 2 : at.y + Px(6)));
  const bool close =
      IconButton("message/close", icon::kClose,
                 message.level == Message::Level::kInfo ? "Close" : "Close (Esc)", 24);
  if (waiting > 0 && DrawMore(waiting, card, at, max)) own->open_list = true;
  place.hovered = ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  if (place.hovered) requests->Ask([](Session* s) { s->message_log().Hold(s->now()); });
  ImGui::EndChild();
  if (clicked >= 0 || close) requests->Ask([index](Session* s) { s->message_log().Close(index); });
  if (clicked >= 0) requests->Ask(At(message.actions, clicked).run);
}

float MessageSign(const Session& session, const Rect& bar, MessageCard* own) {
  int warnings = 0;
  Message::Level worst = Message::Level::kInfo;
  for (const Message& message : session.messages()) {
    warnings += message.level != Message::Level::kInfo ? 1 : 0;
    worst = std::max(worst, message.level);
  }
  if (session.messages().empty()) return bar.max.x;
  const Token colour = worst == Message::Level::kInfo ? Token::kText3 : LevelColour(worst);
  const std::string number = warnings > 0 ? std::to_string(warnings) : "";
  const float icon = MeasureText(icon::kBell, Role::kIconSmall).x;
  const float text = number.empty() ? 0 : Px(6) + MeasureText(number, Role::kTick).x;
  const ImVec2 at(bar.max.x - Px(20) - icon - text, bar.min.y);
  ImGui::SetCursorScreenPos(at);
  if (ImGui::InvisibleButton("messages", ImVec2(icon + text + Px(16), bar.height())))
    own->open_list = true;
  RegisterLastItem("status/messages");
  const bool hovered = ImGui::IsItemHovered();
  Tooltip(warnings > 0 ? fmt::format("{} warning{} so far. Click for all messages.", warnings,
                                     warnings == 1 ? "" : "s")
                       : std::string("What was said so far."));
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (hovered)
    list->AddRectFilled(at, ImVec2(bar.max.x - Px(4), bar.max.y), Color(Token::kHover), Px(4));
  DrawText(list, ImVec2(at.x + Px(8), (bar.min.y + bar.max.y - FontPx(Role::kIconSmall)) / 2),
           icon::kBell, Role::kIconSmall, Color(colour));
  DrawText(list,
           ImVec2(at.x + Px(8) + icon + Px(6), (bar.min.y + bar.max.y - FontPx(Role::kTick)) / 2),
           number, Role::kTick, Color(colour));
  return at.x;
}

void DrawMessageList(const Session& session, const Rect& bar, MessageCard* own,
                     Requests* requests) {
  if (own->open_list) ImGui::OpenPopup("messages");
  own->open_list = false;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float width = std::min(Px(460), display.x - Px(16));
  ImGui::SetNextWindowPos(ImVec2(display.x - Px(8), bar.min.y - Px(4)), ImGuiCond_Always,
                          ImVec2(1, 1));
  ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(width, 0.7f * bar.min.y));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(Px(12), Px(12)));
  const bool open = own->listed = ImGui::BeginPopup("messages");
  ImGui::PopStyleVar();
  if (!open) return;
  const float inner = width - Px(24) - Px(24) - Px(12);
  RegisterWidget("messages/list", ImGui::GetWindowPos(),
                 ImVec2(ImGui::GetWindowPos().x + ImGui::GetWindowSize().x,
                        ImGui::GetWindowPos().y + ImGui::GetWindowSize().y));
  Rich("Messages", Role::kTitle);
  ImGui::SameLine(width - Px(24) - MeasureRich("Clear", Role::kCaption).x);
  const bool clear = LinkText("messages/clear", "Clear", "Empties the list.");
  const std::vector<Message>& messages = session.messages();
  for (std::size_t i = messages.size(); i-- > 0;) {
    const Message& message = messages[i];
    ImGui::Dummy(ImVec2(width - Px(24), Px(2)));
    HairLine();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    DrawText(ImGui::GetWindowDrawList(), ImVec2(at.x, at.y), LevelIcon(message.level),
             Role::kIconSmall, Color(LevelColour(message.level)));
    ImGui::SetCursorScreenPos(ImVec2(at.x + Px(24), at.y));
    Text(Title(message), Role::kLabel, Token::kText, inner);
    Text(message.where, Role::kCaption, Token::kText2, inner);
    Text(message.advice, Role::kCaption, Token::kText2, inner);
    float height = 0;
    const ImVec2 links(at.x + Px(24), ImGui::GetCursorScreenPos().y + Px(3));
    ImGui::SetCursorScreenPos(links);
    const int clicked = Links(message, fmt::format("messages/{}", i), inner, true, &height);
    ImGui::SetCursorScreenPos(ImVec2(at.x, links.y + height));
    if (clicked < 0) continue;
    requests->Ask(At(message.actions, clicked).run);
    ImGui::CloseCurrentPopup();
    break;
  }
  ImGui::Dummy(ImVec2(0, 0));
  if (clear) {
    requests->Ask(
        [](Session* s) { s->message_log().RemoveIf([](const Message&) { return true; }); });
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace slip::app
