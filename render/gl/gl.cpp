// Owners of OpenGL objects, shader loading, and saving of GL state.
#include <sstream>

#include "engine/core/data_folder.h"
#include "engine/core/text_file.h"
#include "render/gl/gl.h"

namespace slip::render {
namespace {

bool context_alive = false;

Result<std::string> ReadText(const std::string& path) {
  return ReadTextFile(path,
                      {.name = "shader file",
                       .missing_hint = "set SLIPSCOPE_DATA to the folder that holds assets/"});
}

/// The source with line numbers: a driver's message is useless without them.
std::string Numbered(const std::string& source) {
  std::istringstream in(source);
  std::string line, text;
  for (int i = 1; std::getline(in, line); ++i) text += std::to_string(i) + ": " + line + "\n";
  return text;
}

/// Text of a shader file, with lines #include "name" replaced by that file's text.
Result<std::string> ReadShader(const std::string& path) {
  const Result<std::string> body = ReadText(path);
  if (!body) return body;
  std::istringstream in(*body);
  std::string text, line;
  constexpr std::string_view kInclude = "#include \"";
  while (std::getline(in, line)) {
    if (line.starts_with(kInclude)) {
      const std::string name = line.substr(kInclude.size(), line.rfind('"') - kInclude.size());
      const Result<std::string> part = ReadText(ShaderFolder() + "/" + name);
      if (!part) return part;
      text += *part;
    } else {
      text += line + "\n";
    }
  }
  return text;
}

Result<GLuint> Compile(GLenum kind, const std::string& path, std::span<const std::string> defines) {
  const Result<std::string> body = ReadShader(path);
  if (!body) return body.errors();
  std::string source = "#version 330 core\n";
  for (const std::string& define : defines) source += "#define " + define + "\n";
  source += *body;
  const GLuint shader = glCreateShader(kind);
  const char* text = source.c_str();
  glShaderSource(shader, 1, &text, nullptr);
  glCompileShader(shader);
  GLint ok = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
  if (ok) return shader;
  char log[2048] = {};
  glGetShaderInfoLog(shader, sizeof log, nullptr, log);
  glDeleteShader(shader);
  return Error{std::string("this shader does not compile: ") + log + "\n" + Numbered(source), path,
               0, 0, ""};
}

}  // namespace

bool ContextAlive() { return context_alive; }
void ForgetContext() { context_alive = false; }

Status LoadGl(GLADloadfunc loader) {
  const int version = gladLoadGL(loader);
  if (version == 0) return Error{"the OpenGL functions could not be loaded", "", 0, 0, ""};
  if (version < GLAD_MAKE_VERSION(3, 3)) {
    return Error{"OpenGL 3.3 is needed, but this driver offers " +
                     std::to_string(GLAD_VERSION_MAJOR(version)) + "." +
                     std::to_string(GLAD_VERSION_MINOR(version)),
                 "", 0, 0, "install a newer graphics driver or Mesa"};
  }
  context_alive = true;
  return Ok{};
}

std::string GlDescription() {
  if (!context_alive) return "no OpenGL";
  const auto text = [](GLenum name) {
    const GLubyte* s = glGetString(name);
    return std::string(s ? reinterpret_cast<const char*>(s) : "?");
  };
  return text(GL_RENDERER) + ", OpenGL " + text(GL_VERSION);
}

void DeleteBuffer(GLuint id) { glDeleteBuffers(1, &id); }
void DeleteVertexArray(GLuint id) { glDeleteVertexArrays(1, &id); }
void DeleteTexture(GLuint id) { glDeleteTextures(1, &id); }
void DeleteFramebuffer(GLuint id) { glDeleteFramebuffers(1, &id); }
void DeleteRenderbuffer(GLuint id) { glDeleteRenderbuffers(1, &id); }
void DeleteProgram(GLuint id) { glDeleteProgram(id); }

Buffer MakeBuffer() {
  GLuint id = 0;
  glGenBuffers(1, &id);
  return Buffer(id);
}
VertexArray MakeVertexArray() {
  GLuint id = 0;
  glGenVertexArrays(1, &id);
  return VertexArray(id);
}
Texture MakeTexture() {
  GLuint id = 0;
  glGenTextures(1, &id);
  return Texture(id);
}
Framebuffer MakeFramebuffer() {
  GLuint id = 0;
  glGenFramebuffers(1, &id);
  return Framebuffer(id);
}
ColourTarget MakeColourTarget(int width, int height) {
  ColourTarget target{MakeTexture(), MakeFramebuffer()};
  glBindTexture(GL_TEXTURE_2D, target.texture.id());
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer.id());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target.texture.id(),
                         0);
  return target;
}
Renderbuffer MakeRenderbuffer() {
  GLuint id = 0;
  glGenRenderbuffers(1, &id);
  return Renderbuffer(id);
}

GLint Program::Location(const char* name) const {
  const auto [it, fresh] = locations_.try_emplace(name, -1);
  if (fresh) it->second = glGetUniformLocation(program_.id(), name);
  return it->second;
}
void Program::Set(const char* name, int value) const { glUniform1i(Location(name), value); }
void Program::Set(const char* name, float value) const { glUniform1f(Location(name), value); }
void Program::Set(const char* name, const Eigen::Vector2f& value) const {
  glUniform2fv(Location(name), 1, value.data());
}
void Program::Set(const char* name, const Eigen::Vector3f& value) const {
  glUniform3fv(Location(name), 1, value.data());
}
void Program::Set(const char* name, const Eigen::Vector4f& value) const {
  glUniform4fv(Location(name), 1, value.data());
}
void Program::Set(const char* name, const Eigen::Matrix4f& value) const {
  glUniformMatrix4fv(Location(name), 1, GL_FALSE, value.data());
}

Result<Program> LoadProgram(std::string_view vertex, std::string_view fragment,
                            std::span<const std::string> defines) {
  const std::string folder = ShaderFolder();
  const std::string vertex_path = folder + "/" + std::string(vertex) + ".vert.glsl";
  const std::string fragment_path = folder + "/" + std::string(fragment) + ".frag.glsl";
  const Result<GLuint> v = Compile(GL_VERTEX_SHADER, vertex_path, defines);
  if (!v) return v.errors();
  const Result<GLuint> f = Compile(GL_FRAGMENT_SHADER, fragment_path, defines);
  if (!f) {
    glDeleteShader(*v);
    return f.errors();
  }
  Program program;
  const GLuint id = glCreateProgram();
  program.program_ = GlObject<DeleteProgram>(id);
  glAttachShader(id, *v);
  glAttachShader(id, *f);
  glLinkProgram(id);
  glDeleteShader(*v);
  glDeleteShader(*f);
  GLint ok = 0;
  glGetProgramiv(id, GL_LINK_STATUS, &ok);
  if (ok) return program;
  char log[2048] = {};
  glGetProgramInfoLog(id, sizeof log, nullptr, log);
  return Error{std::string("these shaders do not link: ") + log, fragment_path, 0, 0, ""};
}

Status LoadProgram(std::string_view vertex, std::string_view fragment,
                   const std::vector<std::string>& defines, Program* program) {
  Result<Program> made = LoadProgram(vertex, fragment, defines);
  if (!made) return made.errors();
  *program = std::move(made).value();
  return Ok{};
}

std::string ShaderFolder() { return DataFolder() + "/assets/shaders"; }

StateGuard::StateGuard() {
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &draw_framebuffer_);
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read_framebuffer_);
  glGetIntegerv(GL_CURRENT_PROGRAM, &program_);
  glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &vertex_array_);
  glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &buffer_);
  glGetIntegerv(GL_ACTIVE_TEXTURE, &active_);
  glActiveTexture(GL_TEXTURE0);
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &texture_);
  glGetIntegerv(GL_RENDERBUFFER_BINDING, &renderbuffer_);
  glGetIntegerv(GL_VIEWPORT, viewport_);
  glGetIntegerv(GL_SCISSOR_BOX, scissor_box_);
  constexpr GLenum kBlend[6] = {GL_BLEND_SRC_RGB,   GL_BLEND_DST_RGB,      GL_BLEND_SRC_ALPHA,
                                GL_BLEND_DST_ALPHA, GL_BLEND_EQUATION_RGB, GL_BLEND_EQUATION_ALPHA};
  for (int i = 0; i < 6; ++i) glGetIntegerv(kBlend[i], &blend_[i]);
  glGetIntegerv(GL_DEPTH_FUNC, &depth_func_);
  glGetIntegerv(GL_CULL_FACE_MODE, &cull_face_);
  glGetIntegerv(GL_POLYGON_MODE, polygon_mode_);
  glGetFloatv(GL_COLOR_CLEAR_VALUE, clear_);
  glGetDoublev(GL_DEPTH_RANGE, depth_range_);
  glGetBooleanv(GL_DEPTH_WRITEMASK, &depth_mask_);
  glGetBooleanv(GL_COLOR_WRITEMASK, colour_mask_);
  for (const int cap : {GL_BLEND, GL_DEPTH_TEST, GL_CULL_FACE, GL_SCISSOR_TEST, GL_MULTISAMPLE,
                        GL_POLYGON_OFFSET_FILL, GL_FRAMEBUFFER_SRGB, GL_PROGRAM_POINT_SIZE}) {
    enables_.emplace_back(static_cast<GLenum>(cap), glIsEnabled(static_cast<GLenum>(cap)));
  }
}

StateGuard::~StateGuard() {
  if (!ContextAlive()) return;
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(draw_framebuffer_));
  glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(read_framebuffer_));
  glUseProgram(static_cast<GLuint>(program_));
  glBindVertexArray(static_cast<GLuint>(vertex_array_));
  glBindBuffer(GL_ARRAY_BUFFER, static_cast<GLuint>(buffer_));
  glBindRenderbuffer(GL_RENDERBUFFER, static_cast<GLuint>(renderbuffer_));
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(texture_));
  glActiveTexture(static_cast<GLenum>(active_));
  glViewport(viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
  glScissor(scissor_box_[0], scissor_box_[1], scissor_box_[2], scissor_box_[3]);
  const auto blend = [this](int i) { return static_cast<GLenum>(blend_[i]); };
  glBlendFuncSeparate(blend(0), blend(1), blend(2), blend(3));
  glBlendEquationSeparate(blend(4), blend(5));
  glDepthFunc(static_cast<GLenum>(depth_func_));
  glCullFace(static_cast<GLenum>(cull_face_));
  glPolygonMode(GL_FRONT_AND_BACK, static_cast<GLenum>(polygon_mode_[0]));
  glClearColor(clear_[0], clear_[1], clear_[2], clear_[3]);
  glDepthRange(depth_range_[0], depth_range_[1]);
  glDepthMask(depth_mask_);
  glColorMask(colour_mask_[0], colour_mask_[1], colour_mask_[2], colour_mask_[3]);
  for (const auto& [cap, on] : enables_) on ? glEnable(cap) : glDisable(cap);
}

}  // namespace slip::render
