// Small pictures of scenes for the picker: our own renderer's view of each scene a moment into its
// run. The run is made beside the window (engine/core/side_work.h), GL is the window's; finished
// pictures are kept on disk.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "render/scene/style.h"

namespace slip::app {

class ViewPanes;

class Thumbnails {
 public:
  /// Pixels of a picture: twice its size in the picker, for scaled interfaces.
  static constexpr int kWidth = 320, kHeight = 180;

  Thumbnails();
  ~Thumbnails();
  Thumbnails(const Thumbnails&) = delete;
  Thumbnails& operator=(const Thumbnails&) = delete;

  /// Where pictures outlive the program; empty (the start) = nowhere.
  void set_folder(std::string folder);
  /// The user's cache folder for them; empty without a home.
  static std::string UserFolder();

  /// Texture of a scene file's picture, rows from the top, or 0 while there is none. The first
  /// call for a file asks for it; a file that was changed gets a new picture.
  unsigned Texture(const std::string& scene_file, render::Theme theme);
  /// Takes over what the worker has finished, one picture at most. Needs GL; once per frame.
  void Update(ViewPanes* panes);
  bool busy() const;  ///< pictures are still to come

  /// Ends the worker and frees the textures: before the GL context goes.
  void Stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace slip::app
