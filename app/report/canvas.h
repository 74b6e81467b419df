// A picture painted by the processor: outlines with soft edges, lines, words. It needs no screen,
// no OpenGL and no ImGui, and makes the same bytes everywhere.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "app/kit/fonts.h"
#include "engine/core/result.h"
#include "render/video/frame_writer.h"

namespace slip::app {

struct CanvasPoint {
  double x = 0, y = 0;  ///< from the left and the top [points]
};
/// Closed polygons; a point is inside of them where they wind about it.
using CanvasOutline = std::vector<std::vector<CanvasPoint>>;

/// sRGB.
struct CanvasColour {
  uint8_t r = 0, g = 0, b = 0;
  double alpha = 1;

  /// "#16191d"
  static CanvasColour Hex(std::string_view text);
};

struct CanvasStroke {
  CanvasColour colour;
  double width = 1;
  std::vector<double> dash = {};  ///< on, off, ... [points]; empty = solid
};

/// The fonts of words; they are read once.
class WordFonts {
 public:
  /// Error: a file is not there, or is no font.
  static Result<std::shared_ptr<const WordFonts>> Read();
  ~WordFonts();
  WordFonts(const WordFonts&) = delete;
  WordFonts& operator=(const WordFonts&) = delete;

  /// Outlines of a text in UTF-8 from the base line's start on, which moves to its end. [points]
  void Append(std::string_view text, WordWeight weight, double size, CanvasPoint* at,
              CanvasOutline* to) const;

 private:
  WordFonts() = default;
  struct Face;
  std::vector<std::unique_ptr<Face>> faces_;  ///< of each weight the font and its fallback
};

class Canvas {
 public:
  /// Size in points, and pixels of a point; white.
  Canvas(double width, double height, double scale);

  /// What is painted from now on stays within this box, until ClearClip. [points]
  void Clip(double x, double y, double width, double height);
  void ClearClip();
  void Fill(const CanvasOutline& outline, const CanvasColour& colour);
  void Stroke(const std::vector<std::vector<CanvasPoint>>& lines, const CanvasStroke& stroke);
  /// In the pixels of the canvas, as it is.
  void Paste(const render::Image& image, CanvasPoint at);
  render::Image Take() { return std::move(image_); }

 private:
  struct Box {
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;  ///< pixels
  };
  void Blend(const Box& box, const std::vector<float>& cover, const CanvasColour& colour);

  double scale_;
  Box clip_;
  render::Image image_;
};

}  // namespace slip::app
