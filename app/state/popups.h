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
  bool explain = false;        ///< the story of the scene
  bool teacher_notes = false;  ///< in its place what is for teachers

  bool AnyOpen() const {
    return picker.open || palette.open || help || about || explain || teacher_notes;
  }
  void Close() { picker.open = palette.open = help = about = explain = teacher_notes = false; }
};

}  // namespace slip::app
