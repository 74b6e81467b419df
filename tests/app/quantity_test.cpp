// A visual quantity is one file in render/ and one line in quantity_list.h: the rest follows.
#include "render/quantities/quantity.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "app/host/settings.h"
#include "app/state/actions.h"
#include "app/state/ui_state.h"
#include "tests/support/folders.h"

namespace slip::app {
namespace {

using render::Quantity;

/// The action of each quantity that has one.
std::map<const Quantity*, Action> AllActions() {
  std::map<const Quantity*, Action> actions;
  for (int i = 0; i < static_cast<int>(Action::kCount); ++i) {
    const auto action = static_cast<Action>(i);
    if (const Quantity* quantity = QuantityOf(action)) actions[quantity] = action;
  }
  return actions;
}

TEST(QuantityTest, ANameMakesAnActionWithItsRow) {
  const auto actions = AllActions();
  std::set<std::string> ids;
  for (const Quantity* quantity : render::Quantities()) {
    ASSERT_EQ(actions.contains(quantity), quantity->name != nullptr);
    if (quantity->name == nullptr) continue;
    const Action action = actions.at(quantity);
    int rows = 0;
    for (const ActionInfo& info : ActionTable()) rows += info.id == action ? 1 : 0;
    EXPECT_EQ(rows, 1) << quantity->name;
    const ActionInfo& info = Info(action);
    EXPECT_STREQ(info.name, quantity->name);
    EXPECT_STREQ(info.doc, quantity->doc);
    EXPECT_STREQ(info.group, quantity->menu);
    EXPECT_STREQ(info.section, quantity->section);
    EXPECT_EQ(info.keys[0], (KeyChord{quantity->key, 0}));
    EXPECT_TRUE(ids.insert(ActionId(action)).second) << quantity->name;
  }
  EXPECT_GT(ids.size(), 10u);
}

TEST(QuantityTest, EachHasItsOwnSwitch) {
  std::set<const bool*> owned;
  UiState state;
  for (const auto& [quantity, action] : AllActions()) {
    EXPECT_TRUE(IsToggle(action)) << quantity->name;
    ASSERT_EQ(quantity->on == nullptr, quantity->show != nullptr) << quantity->name;
    ASSERT_EQ(quantity->show == nullptr, quantity->shown == nullptr) << quantity->name;
    if (quantity->on == nullptr) {
      EXPECT_EQ(ToggleOf(&state, action), nullptr);
      for (const bool on : {true, false}) {
        quantity->show(&state.view, on);
        EXPECT_EQ(quantity->shown({}, render::ViewRequest{state.view}), on) << quantity->name;
      }
      continue;
    }
    EXPECT_EQ(ToggleOf(&state, action), &(state.view.*quantity->on)) << quantity->name;
    int switches = 0;
    for (const ActionSwitch& of : ActionSwitches()) {
      if (of.action != action) continue;
      ++switches;
      EXPECT_EQ(of.in_pictures, quantity->kept_with_pictures) << quantity->name;
    }
    EXPECT_EQ(switches, 1) << quantity->name;
  }
  for (const Quantity* quantity : render::Quantities()) {
    if (quantity->on == nullptr) continue;
    EXPECT_TRUE(owned.insert(&(state.view.*quantity->on)).second)
        << (quantity->name != nullptr ? quantity->name : "one without a key");
  }
}

TEST(QuantityTest, NoSwitchIsWithoutAnOwner) {
  // those of the list have one; beside it stand few
  const std::set<std::string> apart = {"ghost_forces",   // of forces and joint marks alike
                                       "smooth",         // made of the finished picture
                                       "belt_velocity",  // of quantities without a key
                                       "outlines"};
  std::ifstream in(SourceFolder() + "/render/scene/view_request.h");
  const std::regex member(R"(^  bool (\w+) = .*)");
  bool inside = false;
  std::set<std::string> found;
  std::smatch match;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("struct")) inside = line == "struct ViewStyle {";
    if (inside && std::regex_match(line, match, member)) found.insert(match[1]);
  }
  EXPECT_EQ(found, apart);
}

TEST(QuantityTest, EachIsDrawn) {
  // those that change how others are drawn, or are drawn with the bodies and by the graphics card
  const std::set<const Quantity*> elsewhere = {&render::kSplitForces,  &render::kMassCentres,
                                               &render::kVisualMeshes, &render::kTransparent,
                                               &render::kWireframe,    &render::kOcclusion};
  for (const Quantity* quantity : render::Quantities()) {
    const bool draws = quantity->draw != nullptr || quantity->of_scene != nullptr ||
                       quantity->of_contact != nullptr || quantity->of_channel != nullptr;
    EXPECT_EQ(draws, !elsewhere.contains(quantity))
        << (quantity->name != nullptr ? quantity->name : "one without a key");
  }
}

TEST(QuantityTest, OptionsAreWithinTheirRange) {
  const render::ViewStyle style;
  int options = 0;
  for (const Quantity* quantity : render::Quantities()) {
    for (const render::NumberOption& number : quantity->numbers) {
      EXPECT_LE(number.least, number.first) << number.label;
      EXPECT_LE(number.first, number.most) << number.label;
      EXPECT_DOUBLE_EQ(number.per_value * style.*number.value, number.first) << number.label;
      ++options;
    }
    for (const render::Choice& choice : quantity->choices) {
      render::ViewStyle chosen;
      choice.choose(&chosen);
      EXPECT_TRUE(choice.chosen == nullptr || choice.chosen(chosen)) << choice.label;
      ++options;
    }
  }
  EXPECT_GT(options, 5);
}

TEST(QuantityTest, TheSettingsKeepThoseThatAskForIt) {
  const std::string file = (std::filesystem::temp_directory_path() / "quantity_test.txt").string();
  UiState state;
  for (const Quantity* quantity : render::Quantities()) {
    if (quantity->on != nullptr) state.view.*quantity->on = !(state.view.*quantity->on);
  }
  ASSERT_TRUE(SaveSettings(file, state, {}).ok());
  UiState read;
  WindowSize size;
  LoadSettings(file, &read, &size);
  for (const Quantity* quantity : render::Quantities()) {
    if (quantity->on == nullptr) continue;
    const bool kept = read.view.*quantity->on == state.view.*quantity->on;
    EXPECT_EQ(kept, quantity->setting != nullptr)
        << (quantity->name != nullptr ? quantity->name : "one without a key");
  }
  std::filesystem::remove(file);
}

// Only what stands against an action may call a quantity's by name.
TEST(QuantityTest, TheWindowKnowsThemByTheListOnly) {
  const std::set<std::string> allowed = {"action_states.cpp kCandidates",
                                         "action_states.cpp kRunGhost"};
  std::set<std::string> named;
  const std::regex call(R"(Action::(k\w+))");
  std::set<std::string> constants;
#define SLIP_QUANTITY(constant, ...) constants.insert(#constant);
  SLIP_QUANTITIES(SLIP_QUANTITY, SLIP_QUANTITY)
#undef SLIP_QUANTITY
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           std::filesystem::path(SourceFolder()) / "app")) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      if (line.find("Action::") == std::string::npos) continue;  // a regex takes its time
      for (std::sregex_iterator it(line.begin(), line.end(), call), end; it != end; ++it) {
        if (constants.contains((*it)[1]))
          named.insert(entry.path().filename().string() + " " + (*it)[1].str());
      }
    }
  }
  EXPECT_EQ(named, allowed);
}

}  // namespace
}  // namespace slip::app
