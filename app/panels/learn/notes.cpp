// What is drawn under a parameter's row: the match with another model's parameter, and amber notes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/kit/widgets.h"
#include "app/panels/common/keep_room.h"
#include "app/panels/learn/param_rows.h"
#include "app/session/run_moment.h"
#include "engine/tell/match.h"
#include "engine/tell/param_notes.h"

namespace slip::app {
namespace {

void MatchLine(const Session& session, const ParamEntry& entry, int channel, FrameMoments* moments,
               Requests* requests) {
  const std::optional<Match> match =
      FindMatch(moments->OfPicture(session, ImGui::GetFrameCount()), entry, channel);
  if (!match) return;
  const std::string id = "match/" + entry.path + (channel < 0 ? "" : "@" + std::to_string(channel));
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, line = Px(18);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float x = min.x + Px(4);
  const bool possible = match->obstacle.empty();
  const std::string value = FormatQuantity(match->value, entry.info->unit);
  ImGui::PushID(id.c_str());
  bool pressed = false;
  float end = x;
  if (match->met) {
    const ImVec2 tick = MeasureText(icon::kDone, Role::kIconSmall);
    DrawText(list, {x, min.y + (line - tick.y) / 2}, icon::kDone, Role::kIconSmall,
             Color(Token::kOk));
    end = x + Px(18);
    end += DrawRich(list, {end, min.y + Px(2)}, "Matches " + match->partner, Role::kCaption,
                    Color(Token::kText2));
  } else if (possible) {
    ImGui::SetCursorScreenPos({x, min.y + Px(2)});
    const std::string link = "Match " + match->partner;
    pressed = LinkText(id, link, "Sets the value that makes both models alike.");
    end = x + MeasureRich(link, Role::kCaption).x;
    end +=
        DrawRich(list, {end, min.y + Px(2)}, " → " + value, Role::kCaption, Color(Token::kText2));
  } else {
    end += DrawRich(list, {x, min.y + Px(2)}, "Match " + match->partner, Role::kCaption,
                    Color(Token::kText3));
  }
  // the rule is never out of sight: before the press as after it
  const std::string rule = possible ? match->rule : match->obstacle;
  int lines = 1;
  float rule_end = x;
  std::string rest = rule;
  while (!rest.empty() && lines < 4) {
    std::size_t cut = rest.size();
    while (MeasureRich(rest.substr(0, cut), Role::kCaption).x > width - Px(8)) {
      const std::size_t space = rest.rfind(' ', cut - 1);
      if (space == std::string::npos || space == 0) break;
      cut = space;
    }
    rule_end = x + DrawRich(list, {x, min.y + Px(2) + line * static_cast<float>(lines)},
                            rest.substr(0, cut), Role::kCaption, Color(Token::kText3));
    rest = cut < rest.size() ? rest.substr(cut + 1) : std::string();
    ++lines;
  }
  if (match->by_impact) {
    constexpr const char* kForget = "forget it";
    float at = rule_end + Px(8);
    if (at + MeasureRich(kForget, Role::kCaption).x > min.x + width) at = x, ++lines;
    ImGui::SetCursorScreenPos({at, min.y + Px(2) + line * static_cast<float>(lines - 1)});
    if (LinkText(id + "/forget", kForget, "Goes by the impacts from now on."))
      requests->Do(Action::kForgetImpacts);
  }
  const float height = line * static_cast<float>(lines) + Px(8);
  RegisterWidget(id + "/line", min, {min.x + width, min.y + height}, end > min.x + width + 0.5f);
  ImGui::SetCursorScreenPos(min);
  ImGui::Dummy({width, height - ImGui::GetStyle().ItemSpacing.y});
  if (possible) Tooltip(match->details);
  ImGui::PopID();
  if (!pressed) return;
  const std::string done = fmt::format("{} set to {} to match {} ({}).", entry.info->label, value,
                                       match->partner, match->rule);
  requests->Ask([channel, path = entry.path, set = match->value, done](Session* s) {
    s->params().Set(channel, path, set);
    s->Say(done);
  });
}

/// Gravity of known places, one press each.
void GravityLine(const ParamEntry& entry, int channel, Requests* requests) {
  struct Place {
    const char* name;
    double gravity;
  };
  static constexpr Place kPlaces[] = {{"Earth", 9.81}, {"Moon", 1.62}, {"none", 0}};
  const ImVec2 min = ImGui::GetCursorScreenPos();
  float x = min.x + Px(4);
  for (const Place& place : kPlaces) {
    ImGui::SetCursorScreenPos({x, min.y + Px(2)});
    if (LinkText(std::string("gravity/") + place.name, place.name, "Its gravity at the surface.")) {
      requests->Ask([channel, path = entry.path, gravity = place.gravity](Session* s) {
        s->params().Set(channel, path, gravity);
      });
    }
    Tooltip(FormatQuantity(place.gravity, entry.info->unit));
    x += MeasureText(place.name, Role::kCaption).x + Px(16);
  }
  ImGui::SetCursorScreenPos(min);
  ImGui::Dummy({ImGui::GetContentRegionAvail().x, Px(26) - ImGui::GetStyle().ItemSpacing.y});
}

/// On the row's first line, before its lock: there is a note, and no room was made for it yet.
void NoteSign(const std::string& path, ImVec2 row, const std::vector<ParamNote>& notes,
              RoomUnder* room) {
  const ImVec2 cursor = ImGui::GetCursorScreenPos();
  const ImVec2 at{row.x + ImGui::GetContentRegionAvail().x - Px(44), row.y};
  ImGui::SetCursorScreenPos(at);
  ImGui::PushID(path.c_str());
  if (ImGui::InvisibleButton("note/sign", {Px(20), Px(20)})) room->Unfold();
  ImGui::PopID();
  RegisterLastItem("note/sign/" + path);
  std::string text;
  for (const ParamNote& note : notes) text += note.text + "\n" + note.detail + "\n";
  TooltipBeside(text + "Click to unfold it.");
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 size = MeasureText(icon::kWarning, Role::kIconSmall);
  list->AddRectFilled(at, {at.x + Px(20), at.y + Px(20)}, Color(Token::kPanel), Px(4));
  DrawText(list, {at.x + (Px(20) - size.x) / 2, at.y + (Px(20) - size.y) / 2}, icon::kWarning,
           Role::kIconSmall, Color(Token::kWarn));
  ImGui::SetCursorScreenPos(cursor);
}

}  // namespace

void DrawParamNotes(const Session& session, const ParamEntry& entry, ImVec2 row, ParamRows* rows) {
  const std::vector<ParamNote> notes =
      NotesOf(rows->moments.OfNumbers(session, ImGui::GetFrameCount()), entry);
  RoomUnder* room = &rows->rooms["notes/" + entry.path];
  KeepRoom(room, [&] {
    for (const ParamNote& note : notes) {
      const std::string id = "note/" + std::string(note.id);
      if (AmberNote(id, note.text, note.detail))
        rows->why = {note.answer.question, note.answer.text};
    }
  });
  if (room->folded && !notes.empty()) NoteSign(entry.path, row, notes, room);
}

void DrawParamMatch(const Session& session, const ParamEntry& entry, int channel, ParamRows* rows,
                    Requests* requests) {
  KeepRoom(&rows->rooms["match/" + entry.path + "@" + std::to_string(channel)], [&] {
    if (entry.info->name == "gravity") GravityLine(entry, channel, requests);
    MatchLine(session, entry, channel, &rows->moments, requests);
  });
}

}  // namespace slip::app
