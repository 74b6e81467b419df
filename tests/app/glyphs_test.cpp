// No text of the program or its scenes may hold a letter that the fonts lack: it would show as "?".
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <set>
#include <string>

#include "app/frame/input.h"
#include "engine/scene/scene.h"
#include "engine/sim/method_list.h"
#include "engine/sim/signals.h"
#include "tests/support/ui_harness.h"

namespace slip::test {
namespace {

class Glyphs : public testing::Test {
 protected:
  Glyphs() : ui_({800, 600, 1.0f, app::Theme::kDark, false}) {}

  /// Every role, because each has an atlas font of its own; icons only where they are merged.
  void Check(std::string_view text, const std::string& where) {
    const char* at = text.data();
    const char* end = at + text.size();
    while (at < end) {
      unsigned letter = 0;
      const int length = ImTextCharFromUtf8(&letter, at, end);
      ASSERT_GT(length, 0) << where;
      at += length;
      if (letter == '\n') continue;
      for (int role = 0; role < static_cast<int>(app::Role::kIcon); ++role) {
        const ImFont* font = app::Font(static_cast<app::Role>(role));
        if (font->FindGlyphNoFallback(static_cast<ImWchar>(letter)) != nullptr) continue;
        ADD_FAILURE() << where << ": no glyph for U+" << std::hex << letter << " in role "
                      << std::dec << role << ", in \"" << text << '"';
        return;
      }
    }
  }
  template <class T>
  void CheckTable(std::span<const Param<T>> rows) {
    for (const Param<T>& row : rows) Check(row.info);
  }
  void Check(const ParamInfo& info) {
    const std::string where = "parameter " + std::string(info.name);
    for (const std::string_view text :
         {info.label, info.symbol, info.unit, info.group, info.doc, info.formula, info.source}) {
      Check(text, where);
    }
    for (const std::string_view choice : info.choices) Check(choice, where);
  }

  UiHarness ui_;
};

TEST_F(Glyphs, LettersThatNoFontHasAreFound) {
  const ImFont* body = app::Font(app::Role::kBody);
  EXPECT_EQ(body->FindGlyphNoFallback(0x4E00), nullptr);  // the check itself can fail
  EXPECT_NE(body->FindGlyphNoFallback(0x1E8B), nullptr);
}

TEST_F(Glyphs, ParametersSignalsModelsAndLaws) {
  CheckTable(StepParamTable());
  CheckTable(MaterialTable());
  CheckTable(SurfaceTable());
  for (const SignalInfo& row : SignalTable()) {
    for (const std::string_view text : {row.label, row.symbol, row.unit, row.doc}) {
      Check(text, "signal " + std::string(row.name));
    }
  }
  for (const SignalPart part :
       {SignalPart::kTurningJoint, SignalPart::kSlidingJoint, SignalPart::kFoot}) {
    for (const SignalInfo& row : PartSignals(part)) {
      for (const std::string_view text : {row.label, row.symbol, row.unit, row.doc})
        Check(text, "signal " + std::string(row.name));
    }
  }
  for (int i = 0; i < kMethodCount; ++i) {
    const MethodInfo& info = Info(static_cast<MethodId>(i));
    for (const std::string_view text : {info.label, info.doc, info.gap_formula, info.source})
      Check(text, "model " + std::string(info.id));
  }
  for (int i = 0; i < kNormalLawCount; ++i) {
    const NormalLawTraits& info = Info(static_cast<NormalLawId>(i));
    for (const std::string_view text : {info.label, info.doc, info.formula, info.source})
      Check(text, "law " + std::string(info.id));
  }
}

TEST_F(Glyphs, Scenes) {
  const std::vector<std::string> names = ListScenes();
  EXPECT_GE(names.size(), 8u);
  for (const std::string& name : names) {
    const auto found = FindScene(name);
    ASSERT_TRUE(found.ok()) << name;
    const Scene& scene = **found;
    for (const std::string& text :
         {scene.title, scene.story, scene.source, scene.lesson.title, scene.lesson.teacher_notes}) {
      Check(text, name);
    }
    for (const std::string& tag : scene.tags) Check(tag, name);
    for (const LessonCard& card : scene.lesson.cards) {
      for (const std::string& text :
           {card.kind, card.title, card.text, card.formula, card.seen, card.hint}) {
        Check(text, name + ", card " + card.title);
      }
    }
  }
}

TEST_F(Glyphs, Actions) {
  for (const app::ActionInfo& info : app::ActionTable()) {
    Check(info.name, "action");
    Check(info.doc, info.name);
  }
}

}  // namespace
}  // namespace slip::test
