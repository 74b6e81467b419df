#include "app/panels/time/time_marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/kit/widgets.h"
#include "app/state/channel_style.h"

namespace slip::app {
namespace {

// A note on the line: the height in which a click means it, and the longest text [design px].
constexpr float kNoteHeight = 20, kNoteText = 220;
// Marks begin this far below notes where these have a row of their own [design px].
constexpr float kFirstRow = -1, kSecondRow = 14;
// Crosses nearer than this are drawn as one [design px].
constexpr float kCrossStep = 9;

ImU32 MarkColour(const Session& session, const TimeMark& mark) {
  if (mark.kind == TimeMark::Kind::kFailure || mark.kind == TimeMark::Kind::kNotConverged)
    return Color(Token::kErr);
  return mark.channel >= 0 ? StyleOf(session, mark).colour : Color(Token::kHead);
}

const TimeMark* LastGrab(const Session& session) {
  const auto& marks = session.notebook().marks();
  const auto last = std::find_if(marks.rbegin(), marks.rend(), [](const TimeMark& mark) {
    return mark.kind == TimeMark::Kind::kGrab;
  });
  return last != marks.rend() ? &*last : nullptr;
}

void MarkTip(const TimeMark& mark, const std::string& rich, const std::string& more) {
  ImGui::BeginTooltip();
  Rich(rich, Role::kBody);
  ImGui::Text("t = %.4f s, step %lld%s", mark.time, static_cast<long long>(mark.step),
              more.c_str());
  ImGui::EndTooltip();
}

/// Below the spine, where a model stopped or did not converge; crosses that would touch are one.
/// True when the mouse is on one, which then says what it stands for.
bool DrawCrosses(const Session& session, ImDrawList* list, const Spine& spine) {
  struct Cross {
    float x;
    const TimeMark* mark;
    int count;
  };
  std::vector<Cross> crosses;
  for (const TimeMark& mark : session.notebook().marks()) {
    if (mark.IsAutomatic()) crosses.push_back({spine.X(mark.time), &mark, 1});
  }
  std::sort(crosses.begin(), crosses.end(),
            [](const Cross& a, const Cross& b) { return a.x < b.x; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < crosses.size(); ++i) {
    Cross* last = kept > 0 ? &crosses[kept - 1] : nullptr;
    if (last == nullptr || crosses[i].x - last->x >= Px(kCrossStep)) {
      crosses[kept++] = crosses[i];
      continue;
    }
    ++last->count;
    // a stop says more than one of many steps
    if (crosses[i].mark->kind == TimeMark::Kind::kFailure) last->mark = crosses[i].mark;
  }
  crosses.resize(kept);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float r = Px(3), y = spine.y + Px(7.5f);
  bool pointed = false;
  for (const Cross& cross : crosses) {
    const float x = cross.x;
    const ImU32 colour = MarkColour(session, *cross.mark);
    // free of the amber beside it
    list->AddRectFilled(ImVec2(x - r - Px(2), y - r - Px(0.5f)),
                        ImVec2(x + r + Px(2), y + r + Px(0.5f)), Color(Token::kPanel));
    list->AddLine(ImVec2(x - r, y - r), ImVec2(x + r, y + r), colour, Px(1.5f));
    list->AddLine(ImVec2(x - r, y + r), ImVec2(x + r, y - r), colour, Px(1.5f));
    RegisterWidget("time/cross", ImVec2(x - r, y - r), ImVec2(x + r, y + r));
    if (pointed || std::abs(mouse.x - x) >= Px(5) || mouse.y < spine.y ||
        mouse.y > spine.y + Px(14) || !ImGui::IsWindowHovered() || !TooltipAllowed()) {
      continue;
    }
    pointed = true;
    const TimeMark& mark = *cross.mark;
    const std::string who = mark.channel >= 0 ? session.looks().Name(mark.channel) + " " : "";
    const std::string more =
        cross.count > 1 ? fmt::format("\nand {} more here", cross.count - 1) : "";
    MarkTip(mark, LiteralRich(who) + session.notebook().Label(mark), more);
  }
  return pointed;
}

/// Notes and pulls stand in row 0 where they have one of their own.
int RowOf(const TimeMark& mark, const Spine& spine) {
  const bool upper = mark.kind == TimeMark::Kind::kNote || mark.kind == TimeMark::Kind::kGrab;
  return spine.high && !upper ? 1 : 0;
}

/// Without those that the solver made, whatever the order in which they were set.
std::vector<const TimeMark*> MarksByTime(const Session& session) {
  std::vector<const TimeMark*> marks;
  for (const TimeMark& mark : session.notebook().marks()) {
    if (!mark.IsAutomatic()) marks.push_back(&mark);
  }
  std::stable_sort(marks.begin(), marks.end(),
                   [](const TimeMark* a, const TimeMark* b) { return a->time < b->time; });
  return marks;
}

}  // namespace

bool DrawTimeMarks(const Session& session, const Spine& spine, float line_top, bool pulling,
                   TimeLineState* own) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  bool pointed = DrawCrosses(session, list, spine);
  // of notes and pulls, and of the others; with one row they share it
  float free_from[2] = {spine.x0 - Px(40), spine.x0 - Px(40)};
  own->notes.clear();
  const std::vector<const TimeMark*> marks = MarksByTime(session);
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const TimeMark& mark = *marks[i];
    const bool note = mark.kind == TimeMark::Kind::kNote;
    const int row = RowOf(mark, spine);
    float& text_free = free_from[row];
    const float top = line_top + (!spine.high ? 0 : Px(row > 0 ? kSecondRow : kFirstRow));
    const float x = spine.X(mark.time);
    float x_end = x + Px(3);  // of what is drawn
    if (mark.kind == TimeMark::Kind::kGrab) {
      // the one that is going on grows with time
      const bool held = pulling && &mark == LastGrab(session);
      const double end = held ? session.snapshot().time : mark.end_time;
      x_end = std::max(x + Px(4), spine.X(end));
      list->AddRectFilled(ImVec2(x, top + Px(8)), ImVec2(x_end, top + Px(12)), Color(Token::kText2),
                          Px(2));
    } else if (note) {
      x_end = x + DrawText(list, ImVec2(x, top + Px(2)), icon::kNote, Role::kIconSmall,
                           Color(Token::kHead));
      own->notes.push_back(
          {mark.note, {ImVec2(x - Px(4), top), ImVec2(x_end + Px(4), top + Px(kNoteHeight))}});
    } else {
      const ImU32 colour = MarkColour(session, mark);
      const float r = Px(4), y = top + Px(10);
      list->AddLine(ImVec2(x, y), ImVec2(x, spine.y), WithAlpha(colour, 0.6f), Snap(1));
      list->AddQuadFilled(ImVec2(x, y - r), ImVec2(x + r, y), ImVec2(x, y + r), ImVec2(x - r, y),
                          colour);
    }
    RegisterWidget(fmt::format("time/mark/{}", i), ImVec2(x - Px(3), top + Px(6)),
                   ImVec2(x_end, top + Px(14)));
    // a note as it was typed: no sub- and superscripts
    const std::string typed = session.notebook().Label(mark);
    const std::string label = note ? LiteralRich(typed) : typed;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const float bottom = spine.high && row == 0 ? top + Px(kSecondRow) : spine.y;
    if (std::abs(mouse.x - x) < Px(6) && mouse.y > top && mouse.y < bottom && !pointed &&
        ImGui::IsWindowHovered() && TooltipAllowed()) {
      pointed = true;
      MarkTip(mark, label, note ? "\nClick to edit the note." : "");
    }
    const float x_text = x_end + Px(6);
    const bool free = x_text > text_free;
    text_free = std::max(text_free, x_end + Px(4));
    if (!own->show_mark_labels || !free) continue;
    // up to what is drawn next; a note is cut where it would be too long
    std::size_t next = i + 1;
    while (next < marks.size() && RowOf(*marks[next], spine) != row) ++next;
    const float x_next = next < marks.size() ? spine.X(marks[next]->time) - Px(8) : spine.x1;
    float room = std::min(x_next, spine.x1) - x_text;
    if (note) room = std::min(room, Px(kNoteText));
    const std::string shown = note ? Ellipsize(typed, Role::kCaption, room) : label;
    const std::string rich = note ? LiteralRich(shown) : shown;
    const float width = MeasureRich(rich, Role::kCaption).x;
    if (width > room || (note && room < Px(24))) continue;
    const ImVec2 at(x_text, top + Px(2));
    DrawRich(list, at, rich, Role::kCaption, Color(note ? Token::kText : Token::kText2));
    text_free = x_text + width + Px(12);
    if (note) own->notes.back().rect.max.x = x_text + width;
    RegisterWidget(fmt::format("time/label/{}", i), at,
                   ImVec2(x_text + width, at.y + FontPx(Role::kCaption)), false, rich);
  }
  for (const NotePlace& note : own->notes)
    RegisterWidget(fmt::format("time/note/{}", note.note), note.rect.min, note.rect.max);
  return pointed;
}

}  // namespace slip::app
