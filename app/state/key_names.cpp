// How keys are called: on the caps of this keyboard, and in keys.json.
#include <GLFW/glfw3.h>

#include <array>
#include <cstring>
#include <vector>

#include "app/state/actions.h"
#include "engine/core/param_text.h"
#include "engine/tell/format.h"

namespace slip::app {
namespace {

struct KeyName {
  int key;
  const char* label;    ///< in the window
  const char* spelled;  ///< in keys.json
};
constexpr KeyName kNames[] = {
    {GLFW_KEY_SPACE, "Space", "Space"},
    {GLFW_KEY_RIGHT, "→", "Right"},
    {GLFW_KEY_LEFT, "←", "Left"},
    {GLFW_KEY_UP, "↑", "Up"},
    {GLFW_KEY_DOWN, "↓", "Down"},
    {GLFW_KEY_HOME, "Home", "Home"},
    {GLFW_KEY_END, "End", "End"},
    {GLFW_KEY_PAGE_UP, "PageUp", "PageUp"},
    {GLFW_KEY_PAGE_DOWN, "PageDown", "PageDown"},
    {GLFW_KEY_BACKSPACE, "Backspace", "Backspace"},
    {GLFW_KEY_DELETE, "Delete", "Delete"},
    {GLFW_KEY_INSERT, "Insert", "Insert"},
    {GLFW_KEY_TAB, "Tab", "Tab"},
    {GLFW_KEY_ENTER, "Enter", "Enter"},
    {GLFW_KEY_KP_ENTER, "Keypad Enter", "KeypadEnter"},
    {GLFW_KEY_ESCAPE, "Esc", "Esc"},
    {GLFW_KEY_KP_ADD, "Keypad +", "Keypad+"},
    {GLFW_KEY_KP_SUBTRACT, "Keypad −", "Keypad-"},
    {GLFW_KEY_KP_0, "Keypad 0", "Keypad0"},
    {GLFW_KEY_MINUS, "−", "-"},
    {GLFW_KEY_EQUAL, "=", "="},
    {GLFW_KEY_PERIOD, ".", "."},
    {GLFW_KEY_COMMA, ",", ","},
};

struct ModName {
  const char* prefix;
  int mod;
};
constexpr ModName kMods[] = {
    {"ctrl+", GLFW_MOD_CONTROL}, {"alt+", GLFW_MOD_ALT}, {"shift+", GLFW_MOD_SHIFT}};

bool IsPrintable(int key) { return key > GLFW_KEY_SPACE && key < GLFW_KEY_ESCAPE; }

/// French and Czech caps show their digits above a letter or sign; everybody calls them by the
/// digit.
bool IsDigit(int key) { return key >= GLFW_KEY_0 && key <= GLFW_KEY_9; }

/// The key has a cap of its own to be named by.
bool IsNamed(int key) {
  constexpr const char* kSigns = "',-./;=ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]`";
  return key == GLFW_KEY_WORLD_1 || key == GLFW_KEY_WORLD_2 ||
         (key > 0 && key < 128 && std::strchr(kSigns, key) != nullptr);
}

/// What stands on the cap, as this file compares it; empty where it is not known.
std::string Cap(int key, KeyNamer namer) {
  if (namer == nullptr || !IsNamed(key)) return {};
  const char* cap = namer(key);
  return cap != nullptr ? Lower(cap) : std::string();
}

/// The key that shows one of these signs, the first of them if it can be.
int FindCap(std::string_view signs, KeyNamer namer) {
  for (const char sign : signs) {
    for (int key = GLFW_KEY_SPACE + 1; key < GLFW_KEY_ESCAPE; ++key) {
      if (Cap(key, namer) == Lower(std::string(1, sign))) return key;
    }
  }
  return 0;
}

/// What the key of a US keyboard may be called on another one. "=" is Shift+0 on a German one; what
/// it is for, faster and larger, "+" says as well.
std::string Signs(int us_key) {
  return us_key == GLFW_KEY_EQUAL ? "=+" : std::string(1, static_cast<char>(us_key));
}

/// The key whose cap shows this text on this keyboard, else on a US one; 0 = none.
int FindPrintable(const std::string& lower, KeyNamer namer) {
  for (int key = GLFW_KEY_SPACE + 1; !lower.empty() && key < GLFW_KEY_ESCAPE; ++key) {
    if (Cap(key, namer) == lower) return key;
  }
  if (lower.size() != 1) return 0;
  const int key = std::toupper(static_cast<unsigned char>(lower[0]));
  return std::strchr("',-./0123456789;=ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]`", key) != nullptr ? key : 0;
}

int FindFunctionKey(const std::string& lower) {
  if (lower.size() < 2 || lower.size() > 3 || lower[0] != 'f') return 0;
  int number = 0;
  for (const char c : lower.substr(1)) {
    if (c < '0' || c > '9') return 0;
    number = 10 * number + (c - '0');
  }
  return number >= 1 && number <= 25 ? GLFW_KEY_F1 + number - 1 : 0;
}

}  // namespace

int KeyShowing(int us_key, KeyNamer namer) {
  if (namer == nullptr || !IsPrintable(us_key) || IsDigit(us_key)) return us_key;
  if (const int key = FindCap(Signs(us_key), namer); key != 0) return key;
  // its place, unless that shows what another one is called
  const std::string there = Cap(us_key, namer);
  const bool taken =
      there.size() == 1 && std::strchr("abcdefghijklmnopqrstuvwxyz.,-=", there[0]) != nullptr;
  return taken ? 0 : us_key;
}

int UsKey(int key, KeyNamer namer) {
  const std::string cap = Cap(key, namer);
  if (cap.size() != 1) return key;
  const int sign = std::toupper(static_cast<unsigned char>(cap[0]));
  return IsPrintable(sign) ? sign : key;
}

std::string AllCaps(KeyNamer namer) {
  std::string caps;
  for (int key = GLFW_KEY_SPACE + 1; key < GLFW_KEY_ESCAPE; ++key) caps += Cap(key, namer) + ' ';
  return caps;
}

std::string KeyLabel(const KeyChord& chord, KeyNamer namer) {
  if (chord.key == 0) return {};
  std::string text;
  if ((chord.mods & GLFW_MOD_CONTROL) != 0) text += "Ctrl+";
  if ((chord.mods & GLFW_MOD_ALT) != 0) text += "Alt+";
  if ((chord.mods & GLFW_MOD_SHIFT) != 0) text += "Shift+";
  if (IsPrintable(chord.key) && !IsDigit(chord.key) && namer != nullptr) {
    if (const char* name = namer(chord.key); name != nullptr && name[0] != '\0') {
      std::string cap = name;
      if (cap.size() == 1)
        cap[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(cap[0])));
      return text + (cap == "-" ? "−" : cap);
    }
  }
  for (const KeyName& name : kNames) {
    if (name.key == chord.key) return text + name.label;
  }
  if (chord.key >= GLFW_KEY_F1 && chord.key <= GLFW_KEY_F25) {
    return text + "F" + std::to_string(chord.key - GLFW_KEY_F1 + 1);
  }
  return text + static_cast<char>(chord.key);
}

Result<KeyChord> ParseKeyChord(std::string_view text, KeyNamer namer) {
  std::string rest;
  for (const char c : Lower(text)) {
    if (c != ' ') rest += c;
  }
  KeyChord chord;
  for (bool found = true; found;) {
    found = false;
    for (const ModName& mod : kMods) {
      if (!rest.starts_with(mod.prefix)) continue;
      rest.erase(0, std::strlen(mod.prefix));
      chord.mods |= mod.mod;
      found = true;
    }
  }
  chord.key = FindPrintable(rest, namer);
  if (chord.key == 0) chord.key = FindFunctionKey(rest);
  std::vector<std::string_view> known;
  for (const KeyName& name : kNames) {
    if (chord.key == 0 && Lower(name.spelled) == rest) chord.key = name.key;
    if (std::strlen(name.spelled) > 1) known.emplace_back(name.spelled);
  }
  if (chord.key != 0) return chord;
  known.insert(known.end(), {"Ctrl+", "Alt+", "Shift+", "F1"});
  return Error{"no key is called '" + std::string(text) + "'", "", 0, 0,
               DidYouMean(rest.empty() ? text : std::string_view(rest), known)};
}

}  // namespace slip::app
