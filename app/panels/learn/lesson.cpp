// Lesson: title, progress, cards. A card turns green by a measured condition, never by a click
// alone: a prediction needs an answer, too.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "app/kit/param_scale.h"
#include "app/kit/widgets.h"
#include "app/panels/common/tab.h"
#include "app/panels/learn/param_rows.h"
#include "engine/core/numbers.h"
#include "engine/core/quantity_text.h"

namespace slip::app {
namespace {

// Of a done card, while nothing that it has shown is measured.
constexpr std::string_view kWaits =
    "Changed since. What it showed stands here when the run shows it again.";

/// How a prediction turned out, once it was seen.
enum class Outcome { kNone, kRight, kWrong };

/// The answer that was given; empty for none, and for a reader who wanted to be shown.
std::string GivenAnswer(const LessonProgress& progress, const LessonCard& card, int index) {
  const std::optional<int> given = progress.Given(index);
  if (!given || *given < 0 || static_cast<std::size_t>(*given) >= card.answers.size()) return {};
  return At(card.answers, *given);
}

Outcome OutcomeOf(const LessonProgress& progress, const LessonCard& card, int index) {
  const std::string given = GivenAnswer(progress, card, index);
  if (given.empty() || !progress.done(index)) return Outcome::kNone;
  return given == card.answer ? Outcome::kRight : Outcome::kWrong;
}

/// What a done card looks like: seen, but not as it was predicted, is no tick.
Token DoneColour(Outcome outcome) { return outcome == Outcome::kWrong ? Token::kWarn : Token::kOk; }
const char* DoneIcon(Outcome outcome) {
  return outcome == Outcome::kWrong ? icon::kClose : icon::kDone;
}

void Progress(const Session& session, const Lesson& lesson, Requests* requests) {
  const LessonProgress& progress = session.lessons().progress();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const int count = progress.count();
  const float gap = Px(8);
  const float width = (ImGui::GetContentRegionAvail().x - gap * static_cast<float>(count - 1)) /
                      static_cast<float>(count);
  for (int i = 0; i < count; ++i) {
    const float x = at.x + static_cast<float>(i) * (width + gap);
    const LessonCard& card = At(lesson.cards, i);
    const Token fill = progress.done(i)         ? DoneColour(OutcomeOf(progress, card, i))
                       : i == progress.active() ? Token::kAccent
                                                : Token::kControl;
    list->AddRectFilled(ImVec2(x, at.y), ImVec2(x + width, at.y + Px(4)), Color(fill), Px(2));
    const std::string kind = Ellipsize(Capital(card.kind), Role::kCaption, width + gap);
    DrawText(list, ImVec2(x, at.y + Px(8)), kind, Role::kCaption,
             Color(progress.active() == i ? Token::kText : Token::kText3));
    ImGui::SetCursorScreenPos(ImVec2(x, at.y));
    ImGui::PushID(i);
    if (ImGui::InvisibleButton("step", ImVec2(width, Px(24))))
      requests->Ask([i](Session* s) { s->lessons().progress().Select(i); });
    RegisterLastItem("lesson/step/" + std::to_string(i));
    Tooltip(fmt::format("Card {} of {}: {}", i + 1, count, card.title));
    ImGui::PopID();
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + Px(36)));
  ImGui::Dummy(ImVec2(1, 1));
}

/// Frame of a card around whatever `content` draws; its height is known only afterwards.
template <class Content>
void CardFrame(Token bar, bool active, Content content) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  list->ChannelsSplit(2);
  list->ChannelsSetCurrent(1);
  ImGui::SetCursorScreenPos(ImVec2(at.x + Px(16), at.y + Px(12)));
  ImGui::BeginGroup();
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width - Px(28));
  content(width - Px(28));
  ImGui::PopTextWrapPos();
  ImGui::EndGroup();
  const float bottom = ImGui::GetItemRectMax().y + Px(12);
  list->ChannelsSetCurrent(0);
  list->AddRectFilled(at, ImVec2(at.x + width, bottom), Color(Token::kRaised), Px(4));
  if (active)
    list->AddRect(at, ImVec2(at.x + width, bottom), Color(Token::kLineStrong), Px(4), 0, Snap(1));
  list->AddRectFilled(at, ImVec2(at.x + Px(3), bottom), Color(bar), Px(2));
  list->ChannelsMerge();
  ImGui::SetCursorScreenPos(ImVec2(at.x, bottom + Px(8)));
  ImGui::Dummy(ImVec2(width, 1));
}

/// A sign in a disc, 16 px, with its middle at the height of a line that begins at `at`.
void Badge(ImVec2 at, const char* icon, Token colour) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddCircleFilled(ImVec2(at.x + Px(8), at.y + Px(9)), Px(8), Color(colour, 0.25f), 20);
  const ImVec2 size = MeasureText(icon, Role::kIconSmall);
  DrawText(list, ImVec2(at.x + Px(8) - size.x / 2, at.y + Px(9) - size.y / 2), icon,
           Role::kIconSmall, Color(colour));
}

void DoneCard(const LessonProgress& progress, const LessonCard& card, int index) {
  const Outcome outcome = OutcomeOf(progress, card, index);
  CardFrame(DoneColour(outcome), false, [&](float width) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    Badge(at, DoneIcon(outcome), DoneColour(outcome));
    ImGui::SetCursorScreenPos(ImVec2(at.x + Px(24), at.y));
    Paragraph(card.title, width - Px(24), Role::kTitle, Token::kText);
    if (!progress.seen(index).empty()) Tooltip("Seen then: " + progress.seen(index));
    if (outcome == Outcome::kWrong) {
      ImGui::SetCursorScreenPos(ImVec2(at.x + Px(24), ImGui::GetCursorScreenPos().y));
      Paragraph("Right: " + card.answer + ". You said: " + GivenAnswer(progress, card, index) + ".",
                width - Px(24), Role::kCaption, Token::kText2);
    }
    RegisterWidget("lesson/done/" + std::to_string(index), at,
                   ImVec2(at.x + width, ImGui::GetCursorScreenPos().y), false,
                   outcome == Outcome::kWrong ? "wrong" : "right");
  });
}

/// Formula lines in rich text; one that is too long goes on, indented, after a space.
void FormulaLines(const std::string& formula, float width) {
  std::size_t start = 0;
  while (start < formula.size()) {
    const std::size_t end = std::min(formula.find('\n', start), formula.size());
    std::string line = formula.substr(start, end - start);
    start = end + 1;
    while (!line.empty()) {
      std::size_t cut = line.size();
      while (MeasureRich(line.substr(0, cut), Role::kBody).x > width) {
        const std::size_t space = cut > 0 ? line.rfind(' ', cut - 1) : std::string::npos;
        if (space == std::string::npos || space < 4) break;
        cut = space;
      }
      Rich(line.substr(0, cut), Role::kBody);
      line = cut < line.size() ? "   " + line.substr(cut + 1) : "";
    }
  }
}

/// The entry of the card's parameter; nothing when the card has none.
std::optional<ParamEntry> ParameterOf(const Session& session, const LessonCard& card) {
  if (card.parameter.empty() || session.channel_count() == 0) return std::nullopt;
  for (const ParamEntry& entry : ListParams(session.frame(session.looks().lead()).config)) {
    if (entry.path == card.parameter || entry.info->name == card.parameter) return entry;
  }
  return std::nullopt;
}

/// The card's slider with its notes, and the advice that holds now. A table is the region of a
/// given width that is as high as its content.
void CardControls(const Session& session, const LessonCard& card, float width, ParamRows* rows,
                  Requests* requests) {
  const std::optional<ParamEntry> entry = ParameterOf(session, card);
  const int advice = session.lessons().progress().advice();
  if (!entry && advice < 0) return;
  const float inset = Px(8);  // half the knob and the mark of a changed value
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(ImVec2(at.x + inset, at.y));
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(0, 0));
  const bool open =
      ImGui::BeginTable("controls", 1, ImGuiTableFlags_NoClip, ImVec2(width - 2 * inset, 0));
  ImGui::PopStyleVar();
  if (!open) return;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  if (entry) DrawParam(session, *entry, rows, requests);
  if (advice >= 0) AmberNote("lesson/advice", session.lessons().progress().say(), "", "");
  ImGui::EndTable();
}

/// What a prediction can be, beside each other where they fit, and a way out.
void Answers(const LessonCard& card, float width, Requests* requests) {
  const auto answer_with = [requests](int choice) {
    requests->Ask([choice](Session* s) { s->lessons().progress().Answer(choice); });
  };
  const float gap = Px(8), padding = Px(24);
  float all = -gap;
  for (const std::string& answer : card.answers)
    all += gap + std::round(MeasureRich(answer, Role::kLabelStrong).x + padding);
  const bool row = all <= width;
  ImGui::Dummy(ImVec2(1, Px(2)));
  for (std::size_t i = 0; i < card.answers.size(); ++i) {
    if (row && i > 0) ImGui::SameLine(0, gap);
    if (TextButton("lesson/answer/" + std::to_string(i), card.answers[i], nullptr, false,
                   row ? 0 : width / Px(1), true,
                   "Your prediction. The run decides; the card says how it turned out.")) {
      answer_with(static_cast<int>(i));
    }
  }
  if (card.answers.empty()) {
    if (TextButton("lesson/show", "Show me", icon::kShow)) answer_with(LessonProgress::kShowMe);
  } else if (LinkText("lesson/show", "No idea: show me",
                      "Goes on without a prediction: the card waits for what it asks you to do.")) {
    answer_with(LessonProgress::kShowMe);
  }
}

/// One of the answers, with a sign if it has one.
void AnswerLine(int number, const std::string& text, const char* icon, Token colour, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (icon != nullptr) Badge(at, icon, colour);
  ImGui::SetCursorScreenPos(ImVec2(at.x + Px(24), at.y));
  Paragraph(text, width - Px(24), icon != nullptr ? Role::kLabelStrong : Role::kLabel,
            icon != nullptr ? Token::kText : Token::kText3);
  RegisterWidget("lesson/verdict/" + std::to_string(number), at,
                 ImVec2(at.x + width, ImGui::GetCursorScreenPos().y), false, text);
  ImGui::SetCursorScreenPos(ImVec2(at.x, ImGui::GetCursorScreenPos().y));
}

/// What was predicted, and once it is seen whether that was right, with the right one marked.
void Verdict(const LessonProgress& progress, const LessonCard& card, int index, float width) {
  const std::string given = GivenAnswer(progress, card, index);
  if (given.empty()) return;
  const Outcome outcome = OutcomeOf(progress, card, index);
  const std::string text =
      outcome == Outcome::kNone    ? "Your answer: " + given + ". Now watch the run."
      : outcome == Outcome::kRight ? "Your answer: " + given + ". That is right."
                                   : "Not right this time. What came out:";
  const ImVec2 at = ImGui::GetCursorScreenPos();
  Paragraph(text, width, Role::kLabelStrong, Token::kText);
  RegisterWidget("lesson/verdict", at, ImVec2(at.x + width, ImGui::GetCursorScreenPos().y), false,
                 text);
  if (outcome != Outcome::kWrong) return;
  for (std::size_t i = 0; i < card.answers.size(); ++i) {
    const std::string& answer = card.answers[i];
    const int number = static_cast<int>(i);
    if (answer == card.answer) {
      AnswerLine(number, answer + ": this is right", icon::kDone, Token::kOk, width);
    } else if (answer == given) {
      AnswerLine(number, answer + ": your answer", icon::kClose, Token::kWarn, width);
    } else {
      AnswerLine(number, answer, nullptr, Token::kText3, width);
    }
  }
}

void ActiveCard(const Session& session, const LessonCard& card, int index, LessonTab* own,
                ParamRows* rows, Requests* requests) {
  const LessonProgress& progress = session.lessons().progress();
  const bool done = progress.done(index);
  if (own->glow_card != index) {
    own->glow_card = index;
    rows->glow_started = session.now();
    own->hint = false;
  }
  const Outcome outcome = OutcomeOf(progress, card, index);
  CardFrame(done ? DoneColour(outcome) : Token::kAccent, true, [&](float width) {
    Paragraph(card.title, width, Role::kCardTitle, Token::kText);
    Paragraph(progress.text(index), width, Role::kLabel, Token::kText2);
    // first the answer, then the means to find out
    if (progress.Asks(index)) {
      Answers(card, width, requests);
      return;
    }
    if (!card.formula.empty()) FormulaLines(progress.formula(index), width);
    CardControls(session, card, width, rows, requests);
    Verdict(progress, card, index, width);
    if (done) {
      const bool waits = progress.waits(index) && !progress.seen(index).empty();
      const std::string seen = waits ? std::string(kWaits) : progress.seen(index);
      const ImVec2 at = ImGui::GetCursorScreenPos();
      if (!seen.empty()) Paragraph(seen, width, Role::kLabel, waits ? Token::kText3 : Token::kOk);
      RegisterWidget("lesson/seen", at, ImVec2(at.x + width, ImGui::GetCursorScreenPos().y), false,
                     seen);
      const bool last = index + 1 >= progress.count();
      if (TextButton("lesson/next", last ? "Finish" : "Next",
                     outcome == Outcome::kWrong ? nullptr : icon::kDone, true))
        requests->Ask([](Session* its) { its->lessons().progress().Next(); });
    } else {
      if (!card.hint.empty() &&
          TextButton("lesson/hint", own->hint ? "Hide hint" : "Hint", icon::kHint)) {
        own->hint = !own->hint;
      }
      if (own->hint) Paragraph(progress.hint(index), width, Role::kLabel, Token::kText2);
    }
  });
  // what has just come up must not lie below the edge; under a hand nothing moves
  const int look = 1000 * index + 10 * (progress.advice() + 1) + (done ? 1 : 0);
  int* shown = ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("look"), -1);
  if (*shown == look || ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  *shown = look;
  ImGui::SetScrollHereY(1);
}

void DrawLesson(const TabContext& context) {
  const Session& session = context.session;
  const Rect& rect = context.rect;
  Popups* popups = &context.state.popups;
  Requests* requests = &context.requests;
  const Scene* scene = session.scene();
  if (scene == nullptr) return;
  const float footer = Px(40);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(Px(16), Px(14)));
  ImGui::BeginChild("lesson", ImVec2(0, -footer), false,
                    ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(Px(8), Px(6)));
  const Lesson& lesson = scene->lesson;
  const float full = ImGui::GetContentRegionAvail().x;
  if (lesson.cards.empty()) {
    Paragraph(scene->title, full, Role::kLessonTitle, Token::kText);
    Paragraph(scene->story, full, Role::kBody, Token::kText2);
    if (!scene->source.empty()) Paragraph(scene->source, full, Role::kCaption, Token::kText3);
    Paragraph("This scene has no lesson. The Parameters tab has everything that can be turned.",
              full, Role::kCaption, Token::kText3);
  } else {
    const LessonProgress& progress = session.lessons().progress();
    const int shown = std::min(progress.active() + 1, progress.count());
    std::string place = fmt::format("Card {} of {}", shown, progress.count());
    if (lesson.number > 0) place = fmt::format("Lesson {} · ", lesson.number) + place;
    Paragraph(place, full, Role::kCaption, Token::kText3);
    Paragraph(lesson.title.empty() ? scene->title : lesson.title, full, Role::kLessonTitle,
              Token::kText);
    ImGui::Dummy(ImVec2(1, Px(2)));
    Progress(session, lesson, requests);
    for (int i = 0; i < progress.count(); ++i) {
      const LessonCard& card = At(lesson.cards, i);
      ImGui::PushID(i);
      if (i == progress.active()) {
        ActiveCard(session, card, i, &context.state.lesson, &context.state.param_rows, requests);
      } else if (i < progress.active() && progress.done(i)) {
        DoneCard(progress, card, i);
      }
      ImGui::PopID();
    }
    if (progress.finished()) {
      Paragraph("All cards are done. Turn any parameter, or go on to the next lesson.", full,
                Role::kLabel, Token::kText2);
      if (TextButton("lesson/next_scene", "Next lesson", icon::kLesson, true))
        requests->Do(Action::kNextScene);
    }
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();

  ImGui::GetWindowDrawList()->AddLine(ImVec2(rect.min.x + Px(16), rect.max.y - footer),
                                      ImVec2(rect.max.x - Px(16), rect.max.y - footer),
                                      Color(Token::kLine), Snap(1));
  const float y = ImGui::GetWindowHeight() - footer + Px(12);
  ImGui::SetCursorPos(ImVec2(Px(16), y));
  if (LinkText("lesson/explain", "What am I seeing?",
               "What the scene shows, and the formulas behind its numbers."))
    popups->explain = true;
  if (!lesson.teacher_notes.empty()) {
    const float width = MeasureText("For teachers", Role::kCaption).x;
    ImGui::SetCursorPos(ImVec2(rect.width() - width - Px(16), y));
    if (LinkText("lesson/teachers", "For teachers", "Time, aims and questions for a class."))
      popups->teacher_notes = true;
  }
}

}  // namespace

const Tab kLessonTab{
    .name = "Lesson",
    .tip = "What the scene shows, and what to try.",
    .doc = "What the scene shows, and what to try.",
    .draw = DrawLesson,
};

}  // namespace slip::app
