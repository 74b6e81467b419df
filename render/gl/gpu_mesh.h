// GL side of the draw list: instanced meshes, pixel lines, and render targets.
#pragma once

#include <span>

#include "render/gl/gl.h"
#include "render/scene/draw_list.h"
#include "render/scene/meshes.h"

namespace slip::render {

/// A mesh with a stream of instances. `vertex_layout` and `instance_layout` list the component
/// counts of consecutive attributes.
class GpuMesh {
 public:
  void Create(const MeshData& mesh, std::span<const int> vertex_layout,
              std::span<const int> instance_layout);
  /// Draws `count` instances from tightly packed floats; nothing when count is 0.
  void Draw(const void* instances, std::size_t count) const;
  template <class T>
  void Draw(std::span<const T> instances) const {
    Draw(instances.data(), instances.size());
  }

 private:
  VertexArray vertex_array_;
  Buffer vertices_, indices_, instances_;
  GLsizei index_count_ = 0;
  std::size_t instance_bytes_ = 0;
};

/// Filled triangles, and lines of one width as feathered quads.
class GpuLines {
 public:
  void Create();
  void Draw(const LineBatch& batch) const;

 private:
  VertexArray vertex_array_;
  Buffer vertices_;
};

/// A rectangle over the whole target, for passes over a picture ("screen" shaders).
class WholeScreen {
 public:
  void Create();
  void Draw();

 private:
  GpuMesh rectangle_;
};

/// Colour (and depth) to draw into, resolved into a texture. Size 0 never reaches GL.
class ViewTarget {
 public:
  /// Reallocates when size or samples changed. False when the driver refuses.
  bool Resize(int width, int height, int samples);
  void Bind() const;
  /// Multisampled colour to texture.
  void Resolve() const;

  int width() const { return width_; }
  int height() const { return height_; }
  GLuint texture() const { return resolved_.texture.id(); }
  GLuint framebuffer() const { return resolved_.framebuffer.id(); }

 private:
  int width_ = 0, height_ = 0, samples_ = -1;
  ColourTarget resolved_;
  Framebuffer multisampled_;
  Renderbuffer colour_, depth_;
};

/// Depth texture with comparison, for the key light.
class ShadowMap {
 public:
  void Resize(int size);
  void Bind() const;
  GLuint texture() const { return texture_.id(); }
  int size() const { return size_; }

 private:
  int size_ = 0;
  Texture texture_;
  Framebuffer framebuffer_;
};

}  // namespace slip::render
