// What hands did since the last frame, handed on so that no frame hides any of it. A frame sees
// only where the mouse is and what is down when it begins: at ten frames a second a whole click, or
// a click and the value that is typed behind it, fall into one.
#pragma once

#include <deque>
#include <vector>

namespace slip::app {

struct InputEvent {
  enum class Kind : int { kMove, kButton, kWheel, kKey, kText };
  Kind kind = Kind::kMove;
  float x = 0, y = 0;   ///< of a move: where to [px]; of the wheel: notches
  int code = 0;         ///< button, key of GLFW, or character
  bool down = false;    ///< of a button or key
  bool repeat = false;  ///< of a key that is held
  int mods = 0;         ///< of a key, GLFW's bits
};

class InputQueue {
 public:
  void Push(const InputEvent& event);
  bool empty() const { return events_.empty(); }
  /// Those of the next frame, in their order. The rest waits: a button for the frame after the
  /// mouse came there, a move or a key for the frame after a click, a character for the frame after
  /// a key that acts on what is typed. `opens_box`: a text box was asked for and has not got the
  /// keyboard yet; what is typed waits for it.
  std::vector<InputEvent> Take(bool opens_box);

 private:
  std::deque<InputEvent> events_;
  int settling_ = 0;  ///< frames until it is known who has the keyboard
  int waited_ = 0;    ///< frames that a box has been on its way
};

}  // namespace slip::app
