// Reading back and PNG.
#include "render/video/frame_writer.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/core/check.h"
#include "render/gl/gl.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb/stb_image_write.h>
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_NO_FAILURE_STRINGS
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

namespace slip::render {

Image ReadPixels(unsigned framebuffer, int width, int height) {
  Image image;
  if (width < 1 || height < 1 || !ContextAlive()) return image;
  image.width = width;
  image.height = height;
  const std::size_t row = 4 * static_cast<std::size_t>(width);
  std::vector<uint8_t> flipped(row * static_cast<std::size_t>(height));
  GLint before = 0, alignment = 4, pack_buffer = 0;
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &before);
  glGetIntegerv(GL_PACK_ALIGNMENT, &alignment);
  glGetIntegerv(GL_PIXEL_PACK_BUFFER_BINDING, &pack_buffer);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, flipped.data());
  glPixelStorei(GL_PACK_ALIGNMENT, alignment);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(before));
  glBindBuffer(GL_PIXEL_PACK_BUFFER, static_cast<GLuint>(pack_buffer));
  // GL counts rows from the bottom, pictures from the top
  image.pixels.resize(flipped.size());
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
    std::memcpy(&image.pixels[y * row], &flipped[(static_cast<std::size_t>(height) - 1 - y) * row],
                row);
  }
  for (std::size_t i = 3; i < image.pixels.size(); i += 4) image.pixels[i] = 255;
  return image;
}

Image Crop(const Image& image, int x, int y, int width, int height) {
  const int x0 = std::clamp(x, 0, image.width), y0 = std::clamp(y, 0, image.height);
  const int x1 = std::clamp(x + width, x0, image.width);
  const int y1 = std::clamp(y + height, y0, image.height);
  Image part;
  if (x1 == x0 || y1 == y0) return part;
  part.width = x1 - x0;
  part.height = y1 - y0;
  for (int row = y0; row < y1; ++row) {
    const uint8_t* from = image.At(x0, row);
    part.pixels.insert(part.pixels.end(), from, from + 4 * part.width);
  }
  return part;
}

Image Resize(const Image& image, int width, int height) {
  if (image.empty() || width < 1 || height < 1) return {};
  if (width == image.width && height == image.height) return image;
  Image out;
  out.width = width;
  out.height = height;
  out.pixels.reserve(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  const double sx = static_cast<double>(image.width) / width;
  const double sy = static_cast<double>(image.height) / height;
  // samples per direction, so that every source pixel counts when shrinking
  const int nx = std::max(1, static_cast<int>(std::ceil(sx)));
  const int ny = std::max(1, static_cast<int>(std::ceil(sy)));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      double sum[4] = {};
      for (int j = 0; j < ny; ++j) {
        const double v = std::clamp((y + (j + 0.5) / ny) * sy - 0.5, 0.0, image.height - 1.0);
        for (int i = 0; i < nx; ++i) {
          const double u = std::clamp((x + (i + 0.5) / nx) * sx - 0.5, 0.0, image.width - 1.0);
          const int u0 = static_cast<int>(u), v0 = static_cast<int>(v);
          const int u1 = std::min(u0 + 1, image.width - 1), v1 = std::min(v0 + 1, image.height - 1);
          const double fu = u - u0, fv = v - v0;
          for (int k = 0; k < 4; ++k) {
            sum[k] += (1 - fv) * ((1 - fu) * image.At(u0, v0)[k] + fu * image.At(u1, v0)[k]) +
                      fv * ((1 - fu) * image.At(u0, v1)[k] + fu * image.At(u1, v1)[k]);
          }
        }
      }
      for (double value : sum) {
        out.pixels.push_back(static_cast<uint8_t>(std::lround(value / (nx * ny))));
      }
    }
  }
  return out;
}

Image Letterbox(const Image& image, int width, int height) {
  if (image.empty() || width < 1 || height < 1) return {};
  if (image.width == width && image.height == height) return image;
  const double scale = std::min(static_cast<double>(width) / image.width,
                                static_cast<double>(height) / image.height);
  const auto fit = [scale](int size, int most) {
    return std::clamp(static_cast<int>(std::lround(scale * size)), 1, most);
  };
  const Image inner = Resize(image, fit(image.width, width), fit(image.height, height));
  Image out{width, height, {}};
  out.pixels.resize(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (std::size_t i = 3; i < out.pixels.size(); i += 4) out.pixels[i] = 255;
  const std::size_t row = 4 * static_cast<std::size_t>(inner.width);
  const int x = (width - inner.width) / 2, y = (height - inner.height) / 2;
  for (int i = 0; i < inner.height; ++i) {
    const auto at = static_cast<std::size_t>(y + i) * static_cast<std::size_t>(width) +
                    static_cast<std::size_t>(x);
    std::memcpy(&out.pixels[4 * at], inner.At(0, i), row);
  }
  return out;
}

Image CutOut(const Image& on_black, const Image& on_white) {
  SLIP_CHECK(on_black.pixels.size() == on_white.pixels.size());
  Image out = on_black;
  for (std::size_t at = 0; at < out.pixels.size(); at += 4) {
    int seen = 0;  // of the backdrop, in all three colours
    for (std::size_t c = 0; c < 3; ++c) seen += on_white.pixels[at + c] - on_black.pixels[at + c];
    const int alpha = std::clamp(255 - (seen + 1) / 3, 0, 255);
    for (std::size_t c = 0; c < 3; ++c) {
      const int colour = on_black.pixels[at + c];
      out.pixels[at + c] =
          static_cast<uint8_t>(alpha > 0 ? std::min(255, (255 * colour + alpha / 2) / alpha) : 0);
    }
    out.pixels[at + 3] = static_cast<uint8_t>(alpha);
  }
  return out;
}

Result<Image> ReadPng(const std::string& path) {
  Image image;
  int channels = 0;
  unsigned char* pixels = stbi_load(path.c_str(), &image.width, &image.height, &channels, 4);
  if (pixels == nullptr) return Error{"this is no picture that can be read", path, 0, 0, ""};
  image.pixels.assign(pixels, pixels + 4 * static_cast<std::size_t>(image.width) *
                                           static_cast<std::size_t>(image.height));
  stbi_image_free(pixels);
  return image;
}

std::string EncodePng(const Image& image) {
  std::string bytes;
  const auto write = [](void* to, void* data, int size) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(data),
                                          static_cast<std::size_t>(size));
  };
  if (image.empty() || stbi_write_png_to_func(write, &bytes, image.width, image.height, 4,
                                              image.pixels.data(), 4 * image.width) == 0)
    return {};
  return bytes;
}

Status WritePng(const Image& image, OutputFile* file) {
  if (image.empty()) return Error{.message = "there is no picture to write", .file = file->path()};
  const std::string bytes = EncodePng(image);
  if (bytes.empty())
    return Error{.message = "the picture could not be encoded", .file = file->path()};
  file->Write(bytes);
  return file->Commit();
}

Status WritePng(const Image& image, const std::string& path, bool force) {
  const Result<std::shared_ptr<OutputFile>> file = OutputFile::Open(path, force);
  if (!file) return file.errors();
  return WritePng(image, file->get());
}

}  // namespace slip::render
