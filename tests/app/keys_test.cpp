// The user's own keys: what a file may say, and what happens when it says something wrong.
#include "app/frame/input.h"
#include "app/host/keys_file.h"

#include <gtest/gtest.h>

#include <GLFW/glfw3.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "app/frame/ui.h"
#include "app/session/session.h"
#include "app/state/ui_state.h"
#include "render/quantities/quantity.h"

namespace slip::app {
namespace {

const KeyChords& Of(const KeyTable& keys, Action action) {
  return keys[static_cast<std::size_t>(action)];
}

TEST(Keys, ActionsHaveDistinctIds) {
  std::set<std::string> ids;
  for (const ActionInfo& info : ActionTable()) {
    EXPECT_TRUE(ids.insert(ActionId(info.id)).second) << ActionId(info.id);
  }
  EXPECT_EQ(ActionId(Action::kRunPause), "run_pause");
  EXPECT_EQ(ActionId(Action::kOpenScene), "open_scene");
}

TEST(Keys, ChordsAreReadAndPrinted) {
  const auto chord = [](const char* text) {
    const Result<KeyChord> parsed = ParseKeyChord(text);
    EXPECT_TRUE(parsed.ok()) << text;
    return parsed.ok() ? *parsed : KeyChord{};
  };
  EXPECT_EQ(chord("ctrl + shift + z"), (KeyChord{GLFW_KEY_Z, GLFW_MOD_CONTROL | GLFW_MOD_SHIFT}));
  EXPECT_EQ(chord("F11"), (KeyChord{GLFW_KEY_F11, 0}));
  EXPECT_EQ(chord("Keypad+"), (KeyChord{GLFW_KEY_KP_ADD, 0}));
  EXPECT_EQ(chord("Alt+Left"), (KeyChord{GLFW_KEY_LEFT, GLFW_MOD_ALT}));
  EXPECT_EQ(chord("."), (KeyChord{GLFW_KEY_PERIOD, 0}));
  for (const ActionInfo& info : ActionTable()) {
    for (const KeyChord& key : info.keys) {
      if (key.key == 0) continue;
      EXPECT_FALSE(KeyLabel(key).empty());
    }
  }
  for (const char* bad : {"", "Ctrl+", "F26", "Bogus", "Ctrl+Spcae", "ä"}) {
    EXPECT_FALSE(ParseKeyChord(bad).ok()) << bad;
  }
  EXPECT_NE(ParseKeyChord("Ctrl+Spcae").error().hint.find("Space"), std::string::npos);
}

TEST(Keys, ALetterIsTheKeyThatShowsIt) {
  // a German keyboard: Y and Z change places
  KeyMap german;
  german.namer = [](int key) -> const char* {
    return key == GLFW_KEY_Z ? "y" : key == GLFW_KEY_Y ? "z" : nullptr;
  };
  EXPECT_EQ(ParseKeyChord("Ctrl+Z", german.namer)->key, GLFW_KEY_Y);
  EXPECT_EQ(german.Label(KeyChord{GLFW_KEY_Y, GLFW_MOD_CONTROL}), "Ctrl+Z");
  const KeysRead read = ReadKeys(R"({"forces": "Ctrl+Alt+Z"})", german.namer);
  EXPECT_EQ(Of(read.keys, Action::kForces)[0].key, GLFW_KEY_Y);
  EXPECT_EQ(ParseKeyChord("Ctrl+Z")->key, GLFW_KEY_Z);
}

/// Caps of a German keyboard (QWERTZ), where they are not those of a US one.
const char* German(int key) {
  switch (key) {
    case GLFW_KEY_Z:
      return "y";
    case GLFW_KEY_Y:
      return "z";
    case GLFW_KEY_MINUS:
      return "ß";
    case GLFW_KEY_EQUAL:
      return "´";
    case GLFW_KEY_RIGHT_BRACKET:
      return "+";
    case GLFW_KEY_LEFT_BRACKET:
      return "ü";
    case GLFW_KEY_SLASH:
      return "-";
    case GLFW_KEY_SEMICOLON:
      return "ö";
    case GLFW_KEY_APOSTROPHE:
      return "ä";
    case GLFW_KEY_BACKSLASH:
      return "#";
    case GLFW_KEY_GRAVE_ACCENT:
      return "^";
    case GLFW_KEY_WORLD_2:
      return "<";
    default:
      break;
  }
  static char cap[2];
  cap[0] = static_cast<char>(key < 128 ? std::tolower(key) : 0);
  return key > GLFW_KEY_SPACE && key < 128 ? cap : nullptr;
}

/// Of a French one (AZERTY), with signs above the digits.
const char* French(int key) {
  switch (key) {
    case GLFW_KEY_A:
      return "q";
    case GLFW_KEY_Q:
      return "a";
    case GLFW_KEY_Z:
      return "w";
    case GLFW_KEY_W:
      return "z";
    case GLFW_KEY_SEMICOLON:
      return "m";
    case GLFW_KEY_M:
      return ",";
    case GLFW_KEY_COMMA:
      return ";";
    case GLFW_KEY_PERIOD:
      return ":";
    case GLFW_KEY_MINUS:
      return ")";
    case GLFW_KEY_1:
      return "&";
    case GLFW_KEY_6:
      return "-";
    default:
      return German(key) != nullptr && key >= GLFW_KEY_A && key <= GLFW_KEY_Z && key != GLFW_KEY_Y
                 ? German(key)
             : key == GLFW_KEY_EQUAL ? "="
                                     : nullptr;
  }
}

TEST(Keys, OfAGermanKeyboardAreThoseThatItShows) {
  Session session(std::make_unique<SteppedLink>());
  Ui ui(&session);
  ui.keys.namer = German;
  ui.keys.table = DefaultKeys(German);
  struct Case {
    Action action;
    int key, mods;  ///< that is pressed, in GLFW's US terms
    const char* label;
  };
  for (const Case& c :
       {Case{Action::kUndo, GLFW_KEY_Y, GLFW_MOD_CONTROL, "Ctrl+Z"},
        Case{Action::kFocus, GLFW_KEY_Y, 0, "Z"}, Case{Action::kSlower, GLFW_KEY_SLASH, 0, "−"},
        Case{Action::kFaster, GLFW_KEY_RIGHT_BRACKET, 0, "+"},
        Case{Action::kBiggerUi, GLFW_KEY_RIGHT_BRACKET, GLFW_MOD_CONTROL, "Ctrl++"},
        Case{Action::kSmallerUi, GLFW_KEY_SLASH, GLFW_MOD_CONTROL, "Ctrl+−"},
        Case{Action::kStepBack, GLFW_KEY_COMMA, 0, "←"},
        Case{Action::kShow1, GLFW_KEY_1, 0, "1"}}) {
    EXPECT_EQ(ui.keys.Label(c.action), c.label);
    ui.requests.TakeActions();
    EXPECT_TRUE(DispatchKey(&ui, c.key, c.mods, false, false)) << c.label;
    ASSERT_EQ(ui.requests.actions().size(), 1u) << c.label;
    EXPECT_EQ(ui.requests.actions().front(), c.action) << c.label;
  }
  // the redo that German hands know
  ui.requests.TakeActions();
  EXPECT_TRUE(DispatchKey(&ui, GLFW_KEY_Z, GLFW_MOD_CONTROL, false, false));
  EXPECT_EQ(ui.requests.actions().front(), Action::kRedo);
  // a text box undoes by the same keys
  EXPECT_FALSE(DispatchKey(&ui, GLFW_KEY_Y, GLFW_MOD_CONTROL, false, true));
}

TEST(Keys, NoTwoActionsShareOneOnOtherKeyboards) {
  for (const KeyNamer namer : {KeyNamer(German), KeyNamer(French), KeyNamer(nullptr)}) {
    const KeyTable keys = DefaultKeys(namer);
    for (const bool in_plots : {true, false}) {
      std::set<std::pair<int, int>> taken;
      for (const ActionInfo& info : ActionTable()) {
        if (info.in_plots != in_plots) continue;
        for (const KeyChord& chord : Of(keys, info.id)) {
          if (chord.key == 0) continue;
          EXPECT_TRUE(taken.insert({chord.key, chord.mods}).second)
              << info.name << " " << KeyLabel(chord, namer);
        }
      }
    }
  }
  EXPECT_EQ(KeyLabel(Of(DefaultKeys(French), Action::kShow1)[0], French), "1");
  EXPECT_EQ(Of(DefaultKeys(French), Action::kQuit)[0].key, GLFW_KEY_A);
  EXPECT_EQ(Of(DefaultKeys(French), Action::kMassCentres)[0].key, GLFW_KEY_SEMICOLON);
}

TEST(Keys, OwnKeysAreWhatTheFileSaysOnAGermanKeyboard) {
  const KeysRead read = ReadKeys(R"({"wireframe": "Y", "run_pause": "-", "slower": "ß"})", German);
  EXPECT_TRUE(read.problems.empty()) << read.problems.front();
  EXPECT_EQ(Of(read.keys, Action::kWireframe)[0].key, GLFW_KEY_Z);
  EXPECT_EQ(Of(read.keys, Action::kRunPause)[0].key, GLFW_KEY_SLASH);
  EXPECT_EQ(Of(read.keys, Action::kSlower)[0].key, GLFW_KEY_MINUS);
}

TEST(Keys, EntriesReplaceTheKeysOfTheirAction) {
  const KeysRead read =
      ReadKeys(R"({"run_pause": "Ctrl+Space", "step": ["Up", "F12"], "quit": []})");
  EXPECT_TRUE(read.problems.empty()) << read.problems.front();
  EXPECT_EQ(Of(read.keys, Action::kRunPause)[0], (KeyChord{GLFW_KEY_SPACE, GLFW_MOD_CONTROL}));
  EXPECT_EQ(Of(read.keys, Action::kRunPause)[1].key, 0);
  EXPECT_EQ(Of(read.keys, Action::kStep)[1].key, GLFW_KEY_F12);
  EXPECT_EQ(Of(read.keys, Action::kQuit)[0].key, 0);
  EXPECT_EQ(Of(read.keys, Action::kForces), Of(DefaultKeys(), Action::kForces));
}

TEST(Keys, ABadEntryKeepsItsDefaultAndSaysWhy) {
  const KeysRead read = ReadKeys(R"({
    "run_paus": "F5", "forces": "Ctrl+Spcae", "note_at_this_moment": 3,
    "wireframe": "T", "transparent_bodies": "F10", "reset": ["1", "2", "3", "4"]})");
  ASSERT_EQ(read.problems.size(), 4u);
  const std::string all = read.problems[0] + read.problems[1] + read.problems[2] + read.problems[3];
  EXPECT_NE(all.find("did you mean 'run_pause'"), std::string::npos) << all;
  EXPECT_NE(all.find("'forces'"), std::string::npos);
  EXPECT_NE(all.find("Space"), std::string::npos);
  EXPECT_NE(all.find("'note_at_this_moment'"), std::string::npos);
  EXPECT_NE(all.find("'reset' has 4 keys"), std::string::npos);
  EXPECT_EQ(Of(read.keys, Action::kForces), Of(DefaultKeys(), Action::kForces));
  // T is free once "transparent bodies" has moved away
  EXPECT_EQ(Of(read.keys, Action::kWireframe)[0].key, GLFW_KEY_T);
}

TEST(Keys, AKeyBelongsToOneAction) {
  KeysRead read = ReadKeys(R"({"wireframe": "T"})");
  ASSERT_EQ(read.problems.size(), 1u);
  EXPECT_NE(read.problems[0].find("'transparent_bodies'"), std::string::npos);
  EXPECT_EQ(read.keys, DefaultKeys());
  // giving up one of two entries brings its default back, which the other one may stand on
  read = ReadKeys(R"({"wireframe": "T", "transparent_bodies": "C"})");
  EXPECT_EQ(read.problems.size(), 2u);
  EXPECT_EQ(read.keys, DefaultKeys());
  read = ReadKeys("{\n\"wireframe\": \"T\",\n}");
  ASSERT_EQ(read.problems.size(), 1u);
  EXPECT_NE(read.problems[0].find("Line 3"), std::string::npos) << read.problems[0];
  EXPECT_EQ(read.keys, DefaultKeys());
}

TEST(Keys, TheFileRulesDispatchAndLabelsAndStaysAsItIs) {
  const std::string file = (std::filesystem::path(testing::TempDir()) / "keys.json").string();
  const std::string text = R"({"forces": "F8", "wireframe": "Nonsense"})";
  std::ofstream(file) << text;
  Session session(std::make_unique<SteppedLink>());
  Ui ui(&session);
  EXPECT_EQ(LoadKeys(file, &ui.keys).size(), 1u);
  EXPECT_EQ(ui.keys.Label(Action::kForces), "F8");
  EXPECT_EQ(ui.keys.Label(Action::kWireframe), "W");
  EXPECT_EQ(KeyMap().Label(Action::kForces), "F");  // one window's keys are its own
  EXPECT_FALSE(DispatchKey(&ui, GLFW_KEY_F, 0, false, false));
  EXPECT_TRUE(DispatchKey(&ui, GLFW_KEY_F8, 0, false, false));
  ASSERT_EQ(ui.requests.actions().size(), 1u);
  EXPECT_EQ(ui.requests.actions().front(), Action::kForces);
  std::ifstream in(file);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), text);
  EXPECT_TRUE(LoadKeys(file + ".none", &ui.keys).empty());
  EXPECT_EQ(ui.keys.Label(Action::kForces), "F");
}

TEST(Actions, EachIsDoneInOneWay) {
  UiState none;
  for (const ActionInfo& info : ActionTable()) {
    const Action action = info.id;
    const render::Quantity* quantity = QuantityOf(action);
    const bool switches =
        ToggleOf(&none, action) != nullptr || (quantity != nullptr && quantity->show != nullptr);
    const bool of_hand = action >= Action::kHandXBack && action <= Action::kHandFarOpen;
    const int ways = (FindActionRow(action) != nullptr ? 1 : 0) + (switches ? 1 : 0) +
                     (TabOf(action).has_value() ? 1 : 0) + (of_hand ? 1 : 0) +
                     (std::string_view(info.group) == "Plots" ? 1 : 0);
    EXPECT_EQ(ways, 1) << info.name;
  }
}

}  // namespace
}  // namespace slip::app
