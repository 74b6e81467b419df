// Hands the queue of input to ImGui and to the keys of the window, a frame at a time.
#pragma once

#include <imgui.h>

#include <array>
#include <functional>
#include <optional>

#include "app/frame/ui.h"
#include "app/host/input_queue.h"

namespace slip::app {

class InputFeed {
 public:
  void Push(const InputEvent& event) { queue_.Push(event); }
  /// Some of it waits for the next frame.
  bool waiting() const { return !queue_.empty(); }
  /// Behind the backend's own part of the frame, before ImGui::NewFrame. `backend` gives an event
  /// to ImGui; without one it is given here.
  void Feed(Ui* ui, const std::function<void(const InputEvent&)>& backend = {});

 private:
  void Give(const InputEvent& event);

  InputQueue queue_;
  // as of the events so far: what the system says is ahead of them
  std::optional<ImVec2> mouse_;
  std::array<bool, 5> buttons_{};
  bool used_ = false;
};

/// ImGui's names for keys, where a backend of ours gives them by GLFW's numbers.
void MapKeys();

}  // namespace slip::app
