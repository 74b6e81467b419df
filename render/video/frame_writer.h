// Pixels out of GL, and pictures into PNG files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/output_file.h"
#include "engine/core/result.h"

namespace slip::render {

/// RGBA8, rows from the top.
struct Image {
  int width = 0, height = 0;
  std::vector<uint8_t> pixels;

  bool empty() const { return width < 1 || height < 1; }
  const uint8_t* At(int x, int y) const {
    return &pixels[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                        static_cast<std::size_t>(x))];
  }
};

/// Reads a framebuffer (0 = the window's back buffer) of this size, with alpha set to opaque.
Image ReadPixels(unsigned framebuffer, int width, int height);
/// The part inside the picture; empty when nothing is.
Image Crop(const Image& image, int x, int y, int width, int height);
/// Average of source pixels when smaller, bilinear when larger.
Image Resize(const Image& image, int width, int height);
/// The whole picture scaled into that size, with black bars where it has another shape.
Image Letterbox(const Image& image, int width, int height);
/// What stands before black in one picture and before white in the other, with its alpha; the same
/// size.
Image CutOut(const Image& on_black, const Image& on_white);
/// Reads a PNG file.
Result<Image> ReadPng(const std::string& path);
/// The bytes of a PNG file; empty where there is no picture.
std::string EncodePng(const Image& image);
/// Writes a PNG file, whole or not at all; the errors are OutputFile's.
Status WritePng(const Image& image, const std::string& path, bool force);
/// The same into a file that is open, and gives it its name.
Status WritePng(const Image& image, OutputFile* file);

}  // namespace slip::render
