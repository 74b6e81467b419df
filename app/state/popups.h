// What lies over the window: scene picker, palette, help, texts.
#pragma once

#include <string>
#include <vector>

namespace slip::app {

struct SceneEntry {
  std::string id, file, title, story;
  std::vector<std::string> tags;
  std::string error;  ///< the file cannot be read
  bool lesson = false;
  int number = 0;  ///< of the lesson, 0 = none
};

struct ScenePicker {
  bool open = false;
  std::string search;
  std::vector<SceneEntry> scenes;  ///< filled when it opens
};

struct Palette {
  bool open = false;
  std::string search;
  int row = 0;
};

struct Popups {
  ScenePicker picker;
  Palette palette;
  bool help = false, about = false;
  bool explain = false,
       teacher_notes = false;  ///< the story of the scene, and what is for teachers
};

}  // namespace slip::app
