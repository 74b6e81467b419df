#include "app/host/input_queue.h"

#include <GLFW/glfw3.h>

#include <algorithm>

namespace slip::app {
namespace {

using Kind = InputEvent::Kind;

// A box that has not got the keyboard after so many frames will not get it.
constexpr int kLongestWait = 8;

bool IsModifier(int key) { return key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER; }

bool TypesCharacter(int key) {
  return (key >= GLFW_KEY_SPACE && key <= GLFW_KEY_WORLD_2) ||
         (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_EQUAL && key != GLFW_KEY_KP_ENTER);
}

/// A text box does something at it, at most once in a frame, and behind all characters of that.
bool Acts(const InputEvent& event) {
  if (event.repeat || IsModifier(event.code)) return false;
  constexpr int kChord = GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER;
  return (event.mods & kChord) != 0 || !TypesCharacter(event.code);
}

/// The keyboard may be somebody else's after it.
bool MovesKeyboard(int key) {
  return key == GLFW_KEY_ENTER || key == GLFW_KEY_KP_ENTER || key == GLFW_KEY_TAB ||
         key == GLFW_KEY_ESCAPE;
}

/// What a frame has got so far.
struct Taken {
  bool moved = false, clicked = false, turned = false, acted = false, typed = false;

  bool HasRoomFor(const InputEvent& event) const {
    switch (event.kind) {
      case Kind::kMove:
        return !clicked && !turned;
      case Kind::kButton:
        return !moved && !clicked && !turned && !acted && !typed;
      case Kind::kWheel:
        return !clicked;
      case Kind::kKey:
        if (clicked) return false;
        if (IsModifier(event.code)) return !acted && !typed;
        return !acted || (!Acts(event) && event.down);
      case Kind::kText:
        return !clicked && !acted;
    }
    return true;
  }
  void Add(const InputEvent& event) {
    moved = moved || event.kind == Kind::kMove;
    clicked = clicked || event.kind == Kind::kButton;
    turned = turned || event.kind == Kind::kWheel;
    typed = typed || event.kind == Kind::kText;
    acted = acted || (event.kind == Kind::kKey && event.down && Acts(event));
  }
};

}  // namespace

void InputQueue::Push(const InputEvent& event) {
  const bool goes_on =
      event.kind == Kind::kMove && !events_.empty() && events_.back().kind == Kind::kMove;
  if (goes_on) {
    events_.back() = event;
  } else {
    events_.push_back(event);
  }
}

std::vector<InputEvent> InputQueue::Take(bool opens_box) {
  waited_ = opens_box ? waited_ + 1 : 0;
  const bool keys_wait = settling_ > 0 || (opens_box && waited_ <= kLongestWait);
  settling_ = std::max(0, settling_ - 1);
  std::vector<InputEvent> frame;
  Taken taken;
  while (!events_.empty()) {
    const InputEvent& next = events_.front();
    const bool of_keyboard = next.kind == Kind::kKey || next.kind == Kind::kText;
    if ((of_keyboard && keys_wait) || !taken.HasRoomFor(next)) break;
    taken.Add(next);
    if (next.kind == Kind::kButton || (next.kind == Kind::kKey && MovesKeyboard(next.code)))
      settling_ = 1;
    frame.push_back(next);
    events_.pop_front();
  }
  return frame;
}

}  // namespace slip::app
