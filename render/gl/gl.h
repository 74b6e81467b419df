// Owners of OpenGL objects, and shader loading with #define variants. Nothing here touches GL once
// the context is gone: call ForgetContext() before destroying it.
#pragma once

#include <glad/gl.h>

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/types.h"

namespace slip::render {

/// True between loading GL (offscreen.h) and ForgetContext().
bool ContextAlive();
void ForgetContext();
/// Loads GL's functions for the current context; `loader` is glfwGetProcAddress or the like.
Status LoadGl(GLADloadfunc loader);
/// "Mesa 22.3.6, llvmpipe ...", for the status bar.
std::string GlDescription();

/// Owner of one GL name; `Delete` frees it. Move only.
template <void (*Delete)(GLuint)>
class GlObject {
 public:
  GlObject() = default;
  explicit GlObject(GLuint id) : id_(id) {}
  GlObject(GlObject&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
  GlObject& operator=(GlObject&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  GlObject(const GlObject&) = delete;
  GlObject& operator=(const GlObject&) = delete;
  ~GlObject() {
    if (id_ != 0 && ContextAlive()) Delete(id_);
  }
  GLuint id() const { return id_; }
  explicit operator bool() const { return id_ != 0; }

 private:
  GLuint id_ = 0;
};

void DeleteBuffer(GLuint id);
void DeleteVertexArray(GLuint id);
void DeleteTexture(GLuint id);
void DeleteFramebuffer(GLuint id);
void DeleteRenderbuffer(GLuint id);
void DeleteProgram(GLuint id);

using Buffer = GlObject<DeleteBuffer>;
using VertexArray = GlObject<DeleteVertexArray>;
using Texture = GlObject<DeleteTexture>;
using Framebuffer = GlObject<DeleteFramebuffer>;
using Renderbuffer = GlObject<DeleteRenderbuffer>;

Buffer MakeBuffer();
VertexArray MakeVertexArray();
Texture MakeTexture();
Framebuffer MakeFramebuffer();
Renderbuffer MakeRenderbuffer();

/// A picture to draw into, then to read or to show.
struct ColourTarget {
  Texture texture;
  Framebuffer framebuffer;
};
/// RGBA of 8 bits without depth, filtered linearly up to its edges; stays bound.
ColourTarget MakeColourTarget(int width, int height);

/// A linked program. Uniforms that the compiler removed are ignored.
class Program {
 public:
  void Use() const { glUseProgram(program_.id()); }
  void Set(const char* name, int value) const;
  void Set(const char* name, float value) const;
  void Set(const char* name, const Eigen::Vector2f& value) const;
  void Set(const char* name, const Eigen::Vector3f& value) const;
  void Set(const char* name, const Eigen::Vector4f& value) const;
  void Set(const char* name, const Eigen::Matrix4f& value) const;

 private:
  friend Result<Program> LoadProgram(std::string_view, std::string_view,
                                     std::span<const std::string>);
  GLint Location(const char* name) const;

  GlObject<DeleteProgram> program_;
  mutable std::unordered_map<std::string, GLint> locations_;
};

/// Compiles assets/shaders/<vertex>.vert.glsl and <fragment>.frag.glsl. Each define is a line such
/// as "SHADOW_TAPS 9": variants are compiled out because a branch costs on software renderers.
Result<Program> LoadProgram(std::string_view vertex, std::string_view fragment,
                            std::span<const std::string> defines);
/// The same into *program, which an error leaves as it was.
Status LoadProgram(std::string_view vertex, std::string_view fragment,
                   const std::vector<std::string>& defines, Program* program);

/// Folder of the shaders: $SLIPSCOPE_DATA, the source tree, or the installed share folder.
std::string ShaderFolder();

/// Saves what this module changes and ImGui does not expect changed; restores it when destroyed.
class StateGuard {
 public:
  StateGuard();
  ~StateGuard();
  StateGuard(const StateGuard&) = delete;
  StateGuard& operator=(const StateGuard&) = delete;

 private:
  GLint draw_framebuffer_ = 0, read_framebuffer_ = 0, program_ = 0, vertex_array_ = 0, buffer_ = 0;
  GLint texture_ = 0, active_ = 0, renderbuffer_ = 0;
  GLint viewport_[4] = {}, scissor_box_[4] = {};
  GLint blend_[6] = {}, depth_func_ = 0, cull_face_ = 0, polygon_mode_[2] = {};
  GLfloat clear_[4] = {};
  GLdouble depth_range_[2] = {};
  GLboolean depth_mask_ = 0, colour_mask_[4] = {};
  std::vector<std::pair<GLenum, GLboolean>> enables_;
};

}  // namespace slip::render
