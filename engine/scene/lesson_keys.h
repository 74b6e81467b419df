// Keys of lessons.
#pragma once

#include <array>

#include "engine/scene/scene_keys.h"

namespace slip {

namespace key_words {

inline constexpr std::array<std::string_view, 4> kCardKinds = {"predict", "observe", "explain",
                                                               "try"};

}  // namespace key_words

inline constexpr SceneKey kLessonKeys[] = {
    {.name = "title", .kind = KeyKind::kText, .needed = true, .doc = "A question."},
    {.name = "number",
     .kind = KeyKind::kWhole,
     .range = {1, 999},
     .doc = "Its place in the course."},
    {.name = "teacher_notes", .kind = KeyKind::kText, .doc = "For who teaches with it."},
    {.name = "card", .form = "tables [[lesson.card]]", .doc = "In their order."},
};

inline constexpr SceneKey kCardKeys[] = {
    {.name = "kind",
     .kind = KeyKind::kChoice,
     .choices = key_words::kCardKinds,
     .needed = true,
     .doc = "A card to predict asks for an answer before the run."},
    {.name = "title", .kind = KeyKind::kText, .needed = true, .doc = "Its heading."},
    {.name = "text",
     .kind = KeyKind::kText,
     .needed = true,
     .doc = "At most 80 words. Numbers in braces are measured now: {max(slip_speed@sap)}, "
            "{time_step}, {value} of the card's parameter, {friction * gravity [m/s^2]}."},
    {.name = "formula", .kind = KeyKind::kText, .doc = "Drawn below the text; likewise."},
    {.name = "parameter",
     .kind = KeyKind::kText,
     .doc = "Path of one, whose slider the card shows."},
    {.name = "needs",
     .kind = KeyKind::kText,
     .doc = "Id of a model: where the build lacks it, the card asks for nothing and says so."},
    {.name = "done_when",
     .kind = KeyKind::kText,
     .doc = "Condition that turns it green, such as \"max(slip_speed@sap) < 0.1\"."},
    {.name = "seen",
     .kind = KeyKind::kText,
     .doc = "Shown once it is green; its numbers are measured as long as done_when holds."},
    {.name = "hint", .kind = KeyKind::kText, .doc = "Shown on demand; with numbers likewise."},
    {.name = "answers",
     .kind = KeyKind::kTexts,
     .doc = "Of a prediction: two to five to choose from."},
    {.name = "answer", .kind = KeyKind::kText, .doc = "The right one of them."},
    {.name = "hides",
     .kind = KeyKind::kTexts,
     .doc = "Of a prediction: signals that are not drawn until it is made."},
    {.name = "advice",
     .form = "tables [[lesson.card.advice]]",
     .doc = "What to say while the condition cannot come true; the first that holds."},
};

inline constexpr SceneKey kAdviceKeys[] = {
    {.name = "when",
     .kind = KeyKind::kText,
     .needed = true,
     .doc = "Condition such as \"time_step < 1 ms\"."},
    {.name = "say",
     .kind = KeyKind::kText,
     .needed = true,
     .doc = "At most 30 words; {value} is the card's parameter now, other numbers as in a text."},
};

inline constexpr SceneSection kLessonSection{.name = "[lesson]", .keys = kLessonKeys};
inline constexpr SceneSection kCardSection{.name = "[[lesson.card]]", .keys = kCardKeys};
inline constexpr SceneSection kAdviceSection{.name = "[[lesson.card.advice]]", .keys = kAdviceKeys};

consteval const SceneKey& LessonKey(std::string_view name) { return RowOf(kLessonKeys, name); }
consteval const SceneKey& CardKey(std::string_view name) { return RowOf(kCardKeys, name); }
consteval const SceneKey& AdviceKey(std::string_view name) { return RowOf(kAdviceKeys, name); }

}  // namespace slip
