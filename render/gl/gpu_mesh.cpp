// GL side of the draw list.
#include "render/gl/gpu_mesh.h"

#include <algorithm>

namespace slip::render {
namespace {

void SetAttributes(std::span<const int> layout, GLuint first, GLuint divisor) {
  int floats = 0;
  for (int components : layout) floats += components;
  const auto stride = static_cast<GLsizei>(static_cast<std::size_t>(floats) * sizeof(float));
  std::size_t offset = 0;
  for (int components : layout) {
    glEnableVertexAttribArray(first);
    glVertexAttribPointer(first, components, GL_FLOAT, GL_FALSE, stride,
                          reinterpret_cast<const void*>(offset));
    glVertexAttribDivisor(first, divisor);
    offset += static_cast<std::size_t>(components) * sizeof(float);
    ++first;
  }
}

GLsizeiptr Bytes(std::size_t count) { return static_cast<GLsizeiptr>(count); }

}  // namespace

void GpuMesh::Create(const MeshData& mesh, std::span<const int> vertex_layout,
                     std::span<const int> instance_layout) {
  vertex_array_ = MakeVertexArray();
  vertices_ = MakeBuffer();
  indices_ = MakeBuffer();
  instances_ = MakeBuffer();
  index_count_ = static_cast<GLsizei>(mesh.indices.size());
  for (int components : instance_layout) {
    instance_bytes_ += static_cast<std::size_t>(components) * sizeof(float);
  }
  glBindVertexArray(vertex_array_.id());
  glBindBuffer(GL_ARRAY_BUFFER, vertices_.id());
  glBufferData(GL_ARRAY_BUFFER, Bytes(mesh.vertices.size() * sizeof(float)), mesh.vertices.data(),
               GL_STATIC_DRAW);
  SetAttributes(vertex_layout, 0, 0);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_.id());
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, Bytes(mesh.indices.size() * sizeof(uint32_t)),
               mesh.indices.data(), GL_STATIC_DRAW);
  glBindBuffer(GL_ARRAY_BUFFER, instances_.id());
  SetAttributes(instance_layout, static_cast<GLuint>(vertex_layout.size()), 1);
  glBindVertexArray(0);
}

void GpuMesh::Draw(const void* instances, std::size_t count) const {
  if (count == 0) return;
  glBindVertexArray(vertex_array_.id());
  glBindBuffer(GL_ARRAY_BUFFER, instances_.id());
  glBufferData(GL_ARRAY_BUFFER, Bytes(count * instance_bytes_), instances, GL_STREAM_DRAW);
  glDrawElementsInstanced(GL_TRIANGLES, index_count_, GL_UNSIGNED_INT, nullptr,
                          static_cast<GLsizei>(count));
}

void GpuLines::Create() {
  vertex_array_ = MakeVertexArray();
  vertices_ = MakeBuffer();
  glBindVertexArray(vertex_array_.id());
  glBindBuffer(GL_ARRAY_BUFFER, vertices_.id());
  constexpr int kLayout[] = {3, 1, 4};
  SetAttributes(kLayout, 0, 0);
  glBindVertexArray(0);
}

void GpuLines::Draw(const LineBatch& batch) const {
  const double reach = 0.5 * batch.width + 1;
  constexpr std::size_t kFloats = 8;
  std::vector<float> data;
  data.reserve((batch.segments.size() * 6 + batch.triangles.size()) * kFloats);
  const auto vertex = [&](const Vec3& q, double across) {
    for (double value : {q.x(), q.y(), q.z(), across}) data.push_back(static_cast<float>(value));
    for (float value : {batch.colour.r, batch.colour.g, batch.colour.b, batch.colour.a}) {
      data.push_back(value);
    }
  };
  for (const Vec3& corner : batch.triangles) vertex(corner, 0);
  for (const LineSegment& segment : batch.segments) {
    const Vec3 way = segment.to - segment.from;
    const double length = way.head<2>().norm();
    if (!(length > 0)) continue;
    const Vec3 along = way / length;
    const Vec3 side(-along.y(), along.x(), 0);
    // half a pixel of overlap closes the joints of curves
    const Vec3 a = segment.from - 0.4 * along, b = segment.to + 0.4 * along;
    vertex(a - reach * side, -reach);
    vertex(b - reach * side, -reach);
    vertex(b + reach * side, reach);
    vertex(a - reach * side, -reach);
    vertex(b + reach * side, reach);
    vertex(a + reach * side, reach);
  }
  if (data.empty()) return;
  glBindVertexArray(vertex_array_.id());
  glBindBuffer(GL_ARRAY_BUFFER, vertices_.id());
  glBufferData(GL_ARRAY_BUFFER, Bytes(data.size() * sizeof(float)), data.data(), GL_STREAM_DRAW);
  glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(data.size() / kFloats));
}

void WholeScreen::Create() {
  constexpr int kCorner[] = {2}, kBounds[] = {4};
  rectangle_.Create({2, {0, 0, 1, 0, 1, 1, 0, 1}, {0, 1, 2, 0, 2, 3}}, kCorner, kBounds);
}

void WholeScreen::Draw() {
  constexpr float kWhole[] = {-1, -1, 1, 1};
  rectangle_.Draw(kWhole, 1);
}

bool ViewTarget::Resize(int width, int height, int samples) {
  if (width < 1 || height < 1) return false;
  GLint most = 0;
  glGetIntegerv(GL_MAX_SAMPLES, &most);
  samples = samples > 1 ? std::min(samples, static_cast<int>(most)) : 0;
  if (width == width_ && height == height_ && samples == samples_) return true;
  width_ = width;
  height_ = height;
  samples_ = samples;

  resolved_ = MakeColourTarget(width, height);
  depth_ = MakeRenderbuffer();
  glBindRenderbuffer(GL_RENDERBUFFER, depth_.id());
  glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH_COMPONENT24, width, height);
  if (samples > 0) {
    colour_ = MakeRenderbuffer();
    glBindRenderbuffer(GL_RENDERBUFFER, colour_.id());
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, width, height);
    multisampled_ = MakeFramebuffer();
    glBindFramebuffer(GL_FRAMEBUFFER, multisampled_.id());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour_.id());
  } else {
    multisampled_ = Framebuffer();
    colour_ = Renderbuffer();
  }
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_.id());
  const bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  if (!complete) samples_ = -1;
  return complete;
}

void ViewTarget::Bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, samples_ > 0 ? multisampled_.id() : resolved_.framebuffer.id());
  glViewport(0, 0, width_, height_);
}

void ViewTarget::Resolve() const {
  if (samples_ <= 0) return;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, multisampled_.id());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved_.framebuffer.id());
  glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void ShadowMap::Resize(int size) {
  if (size == size_) return;
  size_ = size;
  texture_ = MakeTexture();
  glBindTexture(GL_TEXTURE_2D, texture_.id());
  glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, size, size, 0, GL_DEPTH_COMPONENT,
               GL_UNSIGNED_INT, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  framebuffer_ = MakeFramebuffer();
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, texture_.id(), 0);
  glDrawBuffer(GL_NONE);
  glReadBuffer(GL_NONE);
}

void ShadowMap::Bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
  glViewport(0, 0, size_, size_);
}

}  // namespace slip::render
