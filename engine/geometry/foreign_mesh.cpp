#include "engine/geometry/foreign_mesh.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "engine/core/folder_file.h"
#include "engine/core/helper_process.h"
#include "engine/core/sha256.h"
#include "engine/core/thread_stop.h"
#include "engine/geometry/mesh_cache.h"
#include "engine/geometry/mesh_helper.h"
#include "engine/geometry/mesh_light.h"
#include "engine/geometry/mesh_text.h"
#include "engine/geometry/stl_file.h"

namespace slip {
namespace {

/// Changes when what is made of a file does.
constexpr std::string_view kReaderVersion = "6";
constexpr const char* kConvertHint = "is the file whole? Blender or MeshLab can write it again";

/// A binary STL file up to this size is read by our own reader in this process: starting another
/// takes longer. Larger ones can be cut short there.
constexpr std::size_t kReadHere = 32 * kMebibyte;

/// A small file that takes long, or much memory, is a broken one.
HelperLimits LimitsFor(std::size_t bytes) {
  const int mebibytes = static_cast<int>(bytes / kMebibyte);
  HelperLimits limits;
  limits.memory = std::min(512 * kMebibyte + 16 * bytes, 4096 * kMebibyte);
  limits.cpu_seconds = 2 + 2 * mebibytes;
  // others may keep the processors busy
  limits.wall_seconds = 20 + 4 * limits.cpu_seconds;
  return limits;
}

class OpenedFolder {
 public:
  explicit OpenedFolder(const std::string& folder) : file_(OpenFolder(folder)) {}
  ~OpenedFolder() {
    if (file_ >= 0) close(file_);
  }
  OpenedFolder(const OpenedFolder&) = delete;
  OpenedFolder& operator=(const OpenedFolder&) = delete;
  int get() const { return file_; }

 private:
  int file_;
};

/// Whether the files beside it are still what they were when this was read.
bool AreSame(const std::vector<MeshSideFile>& files, int folder) {
  for (const MeshSideFile& file : files) {
    const auto bytes = ReadFolderFile(folder, file.name, kMostMeshBytes);
    if (!bytes || CalcSha256(*bytes) != file.hash) return false;
  }
  return true;
}

Error Stopped(const std::string& path) {
  return {.message = "it was stopped", .file = path, .hint = "read it again"};
}

/// What became of the process, where it has not said anything that makes sense.
Error WhatHappened(const HelperRun& run, const HelperLimits& limits, const std::string& path,
                   const ShapeFormat& format) {
  const auto error = [&](std::string message, std::string hint) {
    return Error{.message = std::move(message), .file = path, .hint = std::move(hint)};
  };
  using End = HelperRun::End;
  switch (run.end) {
    case End::kStopped:
      return Stopped(path);
    case End::kNotStarted:
      return error(
          fmt::format("no process can be started to read {} files: {}", format.name, run.reason),
          "try again, or convert it to OBJ");
    case End::kTookTooLong:
      return error(
          fmt::format("reading it as {} takes longer than {} s", format.name, limits.cpu_seconds),
          "decimate the mesh");
    case End::kSaidTooMuch:
      return error("it is too large a mesh", "decimate it");
    case End::kKilled:
      return error(fmt::format("the process that read it as {} was ended by signal {}", format.name,
                               run.code),
                   kConvertHint);
    case End::kFailed:
      return error(
          fmt::format("the process that read it as {} failed with exit {}", format.name, run.code),
          kConvertHint);
    case End::kAnswered:
      break;
  }
  return error(
      fmt::format("the process that read it as {} said nothing that makes sense", format.name),
      kConvertHint);
}

/// Our own reader of points goes first: it knows the line of what is wrong.
Status CheckPly(std::string_view bytes, const std::string& path) {
  // how the lengths are scaled is not known yet
  constexpr double kSmallScale = 1e-3;
  const Result<MeshText> scan = ScanPly(bytes, path, kSmallScale);
  if (!scan) return scan.errors();
  if (scan->faces > 0) return Ok{};
  return Error{.message = fmt::format("the file has {} vertices but no faces",
                                      scan->points.size() + scan->left_out),
               .file = path,
               .hint = "for single points use a point cloud"};
}

/// What the process answered, or what became of it.
Result<MeshMessage> AskHelper(std::string_view bytes, const std::string& path,
                              const ShapeFormat& format, bool light, int folder) {
  const HelperLimits limits = LimitsFor(bytes.size());
  std::vector<std::string> words = {std::string(format.suffix)};
  if (light) words.emplace_back(kLightWord);
  const HelperRun run = RunHelper(words, bytes, folder, limits);
  std::optional<MeshMessage> message;
  if (run.end == HelperRun::End::kAnswered) message = DecodeMesh(run.answer);
  if (!message) return WhatHappened(run, limits, path, format);
  return std::move(*message);
}

MeshMessage ReadHere(std::string_view bytes, bool light) {
  MeshMessage message = ReadBinaryStl(bytes);
  if (light && message.problem.empty()) LightenMesh(&message);
  return message;
}

}  // namespace

Result<MeshMessage> ReadForeignMesh(std::string_view bytes, const std::string& path,
                                    const ShapeFormat& format, bool light) {
  if (bytes.empty())
    return Error{.message = "the file is empty", .file = path, .hint = "export it again"};
  if (ThreadStop::Asked()) return Stopped(path);
  const bool here = format.suffix == ".stl" && bytes.size() <= kReadHere && IsBinaryStl(bytes);
  const std::string library = MeshLibrary();
  if (library.empty() && !here)
    return Error{.message = fmt::format("{} cannot be read: this program was built without Assimp",
                                        format.name),
                 .file = path,
                 .hint = "install libassimp-dev and build again, or convert it to OBJ"};
  if (format.suffix == ".ply")
    if (const Status faces = CheckPly(bytes, path); !faces.ok()) return faces.errors();
  // these are read faster than they are found again
  constexpr std::size_t kHeavyBytes = kStlHead + kStlCount + kHeavyMesh * kStlTriangle;
  const bool kept = !here || (light && bytes.size() > kHeavyBytes);
  const OpenedFolder folder(std::filesystem::path(path).parent_path().string());
  const MeshCache cache;
  std::string key;
  if (kept) {
    key = CalcSha256(fmt::format("{} {} {}{} {}", kReaderVersion, library, format.suffix,
                                 light ? " light" : "", CalcSha256(bytes)));
    if (std::optional<MeshMessage> known = cache.Find(key);
        known && known->problem.empty() && AreSame(known->side_files, folder.get()))
      return std::move(*known);
  }
  Result<MeshMessage> message =
      here ? ReadHere(bytes, light) : AskHelper(bytes, path, format, light, folder.get());
  if (!message) return message.errors();
  if (ThreadStop::Asked()) return Stopped(path);
  if (!message->problem.empty())
    return Error{
        .message = fmt::format("it cannot be read as {}: {}", format.name, message->problem),
        .file = path,
        .hint = kConvertHint};
  if (message->triangles.empty())
    return Error{.message = message->left_out > 0 ? "the file has points or lines but no triangles"
                                                  : "the file has no triangles",
                 .file = path,
                 .hint = format.points ? "for single points use a point cloud"
                                       : "export it again, with its faces"};
  if (kept) cache.Keep(key, *message);
  return message;
}

}  // namespace slip
