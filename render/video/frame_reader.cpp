#include "render/video/frame_reader.h"

#include <cstring>

#include "engine/core/numbers.h"

namespace slip::render {

std::optional<FrameReader::Frame> FrameReader::Read(unsigned framebuffer, int framebuffer_height,
                                                    const Part& part, double time) {
  if (!ContextAlive() || part.width < 1 || part.height < 1) return Take();
  Slot& last = At(slots_, last_);
  last_ = 1 - last_;
  Slot& slot = At(slots_, last_);
  if (!slot.buffer) slot.buffer = MakeBuffer();
  slot.width = part.width;
  slot.height = part.height;
  slot.time = time;
  GLint before = 0, alignment = 4;
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &before);
  glGetIntegerv(GL_PACK_ALIGNMENT, &alignment);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, slot.buffer.id());
  const auto size = 4 * static_cast<GLsizeiptr>(part.width) * part.height;
  glBufferData(GL_PIXEL_PACK_BUFFER, size, nullptr, GL_STREAM_READ);
  glReadPixels(part.x, framebuffer_height - part.y - part.height, part.width, part.height, GL_RGBA,
               GL_UNSIGNED_BYTE, nullptr);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  glPixelStorei(GL_PACK_ALIGNMENT, alignment);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(before));
  return Fetch(&last);
}

std::optional<FrameReader::Frame> FrameReader::Take() { return Fetch(&At(slots_, last_)); }

std::optional<FrameReader::Frame> FrameReader::Fetch(Slot* slot) {
  if (slot->width == 0 || !ContextAlive()) return std::nullopt;
  Frame frame{{slot->width, slot->height, {}}, slot->time};
  const std::size_t row = 4 * static_cast<std::size_t>(slot->width);
  const auto rows = static_cast<std::size_t>(slot->height);
  slot->width = slot->height = 0;
  glBindBuffer(GL_PIXEL_PACK_BUFFER, slot->buffer.id());
  const auto* pixels = static_cast<const uint8_t*>(glMapBufferRange(
      GL_PIXEL_PACK_BUFFER, 0, static_cast<GLsizeiptr>(row * rows), GL_MAP_READ_BIT));
  if (pixels != nullptr) {
    // GL counts rows from the bottom, pictures from the top
    frame.image.pixels.reserve(row * rows);
    for (std::size_t y = rows; y-- > 0;)
      frame.image.pixels.insert(frame.image.pixels.end(), pixels + y * row, pixels + (y + 1) * row);
    glUnmapBuffer(GL_PIXEL_PACK_BUFFER);
  }
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  if (pixels == nullptr) return std::nullopt;
  return frame;
}

}  // namespace slip::render
