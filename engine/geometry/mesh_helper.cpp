#include "engine/geometry/mesh_helper.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <unordered_map>
#include <vector>

#include "engine/core/folder_file.h"
#include "engine/core/helper_process.h"
#include "engine/core/sha256.h"
#include "engine/geometry/collada_check.h"
#include "engine/geometry/mesh_light.h"
#include "engine/geometry/mesh_prepare.h"
#include "engine/geometry/mesh_text.h"
#include "engine/geometry/shape_formats.h"
#include "engine/geometry/stl_file.h"

#ifdef SLIP_ASSIMP
#include <assimp/BaseImporter.h>
#include <assimp/config.h>
#include <assimp/importerdesc.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <assimp/version.h>

#include <assimp/DefaultLogger.hpp>
#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <assimp/LogStream.hpp>
#endif

namespace slip {

#ifdef SLIP_ASSIMP
namespace {

/// The folder that the library sees: the file itself, and what lies beside it.
constexpr std::string_view kSeenFolder = "/mesh/";

class MemoryStream final : public Assimp::IOStream {
 public:
  explicit MemoryStream(std::shared_ptr<const std::string> bytes) : bytes_(std::move(bytes)) {}
  std::size_t Read(void* to, std::size_t size, std::size_t count) override {
    if (size == 0) return 0;
    const std::size_t whole = std::min(count, (bytes_->size() - at_) / size);
    std::memcpy(to, bytes_->data() + at_, whole * size);
    at_ += whole * size;
    return whole;
  }
  std::size_t Write(const void*, std::size_t, std::size_t) override { return 0; }
  aiReturn Seek(std::size_t offset, aiOrigin origin) override {
    const std::size_t base = origin == aiOrigin_SET   ? 0
                             : origin == aiOrigin_CUR ? at_
                                                      : bytes_->size();
    // from the end, too, this library counts forward
    const std::size_t to = origin == aiOrigin_END ? base - std::min(base, offset) : base + offset;
    if (to > bytes_->size() || to < std::min(base, offset)) return aiReturn_FAILURE;
    at_ = to;
    return aiReturn_SUCCESS;
  }
  std::size_t Tell() const override { return at_; }
  std::size_t FileSize() const override { return bytes_->size(); }
  void Flush() override {}

 private:
  std::shared_ptr<const std::string> bytes_;
  std::size_t at_ = 0;
};

/// "a%20b" as "a b".
std::string DecodePercent(const std::string& name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto digit = [&](std::size_t at) -> int {
      const char c = at < name.size() ? name[at] : ' ';
      if (c >= '0' && c <= '9') return c - '0';
      if (c >= 'a' && c <= 'f') return c - 'a' + 10;
      return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    };
    const bool code = name[i] == '%' && digit(i + 1) >= 0 && digit(i + 2) >= 0;
    out += code ? static_cast<char>(16 * digit(i + 1) + digit(i + 2)) : name[i];
    if (code) i += 2;
  }
  return out;
}

class SeenFiles final : public Assimp::IOSystem {
 public:
  SeenFiles(std::string name, std::string bytes)
      : name_(std::move(name)), bytes_(std::make_shared<std::string>(std::move(bytes))) {}

  bool Exists(const char* path) const override { return Find(path) != nullptr; }
  char getOsSeparator() const override { return '/'; }
  Assimp::IOStream* Open(const char* path, const char* mode) override {
    const auto bytes = std::strchr(mode, 'w') == nullptr ? Find(path) : nullptr;
    return bytes != nullptr ? new MemoryStream(bytes) : nullptr;
  }
  void Close(Assimp::IOStream* stream) override { delete stream; }
  bool ComparePaths(const char* a, const char* b) const override { return !std::strcmp(a, b); }

  std::vector<MeshSideFile> Used() const {
    std::vector<MeshSideFile> used;
    for (const auto& [name, bytes] : beside_)
      if (bytes != nullptr) used.push_back({name, CalcSha256(*bytes)});
    return used;
  }
  /// The first file that was asked for and is not there; empty = none.
  const std::string& missing() const { return missing_; }

 private:
  std::shared_ptr<const std::string> Find(std::string path) const {
    // some importers put the folder before a name twice, or a second slash
    const bool seen = path.starts_with(kSeenFolder);
    while (path.starts_with(kSeenFolder)) {
      path.erase(0, kSeenFolder.size() - 1);
      while (path.starts_with("//")) path.erase(0, 1);
    }
    if (seen) path.erase(0, 1);
    if (path == name_) return bytes_;
    const auto [known, fresh] = beside_.try_emplace(path);
    if (!fresh) return known->second;
    for (const std::string& name : {path, DecodePercent(path)}) {
      auto text = ReadFolderFile(kHelperFolder, name, kMostMeshBytes);
      if (!text) continue;
      // the name that it has in the folder
      beside_.erase(known);
      auto& entry = beside_[name];
      entry = std::make_shared<std::string>(std::move(*text));
      return entry;
    }
    if (missing_.empty()) missing_ = DecodePercent(path);
    return nullptr;
  }

  std::string name_;
  std::shared_ptr<const std::string> bytes_;
  mutable std::map<std::string, std::shared_ptr<const std::string>> beside_;
  mutable std::string missing_;
};

/// The importer of glTF leaves triangles with wrong indices out, and says so in its log alone.
class DroppedFaces {
 public:
  DroppedFaces() {
    Assimp::DefaultLogger::create("", Assimp::Logger::NORMAL, 0);
    // the logger owns it
    Assimp::DefaultLogger::get()->attachStream(new Listener(&found_), Assimp::Logger::Warn);
  }
  ~DroppedFaces() { Assimp::DefaultLogger::kill(); }
  DroppedFaces(const DroppedFaces&) = delete;
  DroppedFaces& operator=(const DroppedFaces&) = delete;
  bool found() const { return found_; }

 private:
  class Listener final : public Assimp::LogStream {
   public:
    explicit Listener(bool* found) : found_(found) {}
    void write(const char* line) override {
      if (std::strstr(line, "out-of-range indices") != nullptr) *found_ = true;
    }

   private:
    bool* found_;
  };
  bool found_ = false;
};

/// The library's own words, which begin with the format's name.
std::string WhatItSaid(std::string text) {
  if (text.find("bad_alloc") != std::string::npos) throw std::bad_alloc();
  for (const std::string_view name : {"GLTF: ", "STL: ", "Collada: ", "PLY: "})
    if (text.starts_with(name)) text.erase(0, name.size());
  const std::string seen = std::string(kSeenFolder) + "file";
  if (const std::size_t at = text.find(seen); at != std::string::npos)
    text.replace(at, text.find_first_of(" ,.:;", at + seen.size() + 1) - at, "it");
  // no importer says that the file is its own
  if (text.empty() || text.starts_with("No suitable reader"))
    return "what it holds is not what its name says";
  return text.substr(0, 300);
}

/// Only the importer of this format stays.
void KeepImporter(std::string_view suffix, Assimp::Importer* importer) {
  const std::string ending(suffix.substr(1));
  std::vector<Assimp::BaseImporter*> others;
  for (std::size_t i = 0; i < importer->GetImporterCount(); ++i) {
    const aiImporterDesc* about = importer->GetImporterInfo(i);
    const std::string endings = fmt::format(" {} ", about->mFileExtensions);
    // glTF 1 is another format of the same name
    const bool kept = endings.find(" " + ending + " ") != std::string::npos &&
                      std::string_view(about->mName) != "glTF Importer";
    if (!kept) others.push_back(importer->GetImporter(i));
  }
  for (Assimp::BaseImporter* other : others) {
    importer->UnregisterLoader(other);
    delete other;
  }
}

Eigen::Matrix4d ToMatrix(const aiMatrix4x4& m) {
  Eigen::Matrix4d out;
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned j = 0; j < 4; ++j)
      out(static_cast<int>(i), static_cast<int>(j)) = static_cast<double>(m[i][j]);
  return out;
}

/// glTF counts colours by light, screens and robot files by what is seen.
double ToSeen(double linear) {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

std::optional<std::array<double, 4>> FindColor(const aiScene& scene, const aiMesh& mesh,
                                               std::string_view suffix) {
  // the library makes materials up for the others
  const bool linear = suffix == ".gltf" || suffix == ".glb";
  if (!linear && suffix != ".dae") return std::nullopt;
  if (mesh.mMaterialIndex >= scene.mNumMaterials) return std::nullopt;
  const aiMaterial& material = *scene.mMaterials[mesh.mMaterialIndex];
  aiString name;
  aiColor4D color;
  if (material.Get(AI_MATKEY_NAME, name) == aiReturn_SUCCESS &&
      std::string_view(name.C_Str()) == AI_DEFAULT_MATERIAL_NAME)
    return std::nullopt;
  if (material.Get(AI_MATKEY_COLOR_DIFFUSE, color) != aiReturn_SUCCESS) return std::nullopt;
  std::array<double, 4> out = {color.r, color.g, color.b, color.a};
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = std::isfinite(out[i]) ? std::clamp(out[i], 0.0, 1.0) : 1;
    if (linear && i < 3) out[i] = ToSeen(out[i]);
  }
  // what is meant by opacity differs between the programs that write COLLADA
  if (!linear && out[3] == 0) out[3] = 1;
  return out;
}

struct SameBits {
  bool operator()(const Vec3& a, const Vec3& b) const { return a == b; }
};
struct HashBits {
  std::size_t operator()(const Vec3& p) const {
    std::size_t hash = 0;
    for (int i = 0; i < 3; ++i)
      hash = hash * 0x9E3779B97F4A7C15u + std::hash<double>{}(p[i]) + (hash >> 29);
    return hash;
  }
};

/// From the library's tree of nodes to one list of triangles.
class Flattener {
 public:
  Flattener(const aiScene& scene, std::string_view suffix, MeshMessage* out)
      : scene_(scene), suffix_(suffix), out_(out) {}

  void Add(const aiNode& node, const Eigen::Matrix4d& above) {
    const Eigen::Matrix4d pose = above * ToMatrix(node.mTransformation);
    for (unsigned i = 0; i < node.mNumMeshes && out_->problem.empty(); ++i) {
      if (node.mMeshes[i] >= scene_.mNumMeshes) continue;
      AddMesh(node, *scene_.mMeshes[node.mMeshes[i]], pose);
    }
    for (unsigned i = 0; i < node.mNumChildren && out_->problem.empty(); ++i)
      Add(*node.mChildren[i], pose);
  }

  std::uint64_t found() const { return found_; }

 private:
  void AddMesh(const aiNode& node, const aiMesh& mesh, const Eigen::Matrix4d& pose) {
    const auto first = static_cast<int>(out_->triangles.size());
    std::vector<int> index(mesh.mNumVertices, -1);
    // a mirrored node turns its triangles over
    const bool mirrored = pose.topLeftCorner<3, 3>().determinant() < 0;
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      const aiFace& face = mesh.mFaces[f];
      if (face.mNumIndices != 3) {
        ++out_->left_out;
        continue;
      }
      // counted to the end, for the sentence
      if (++found_ > kMostMeshTriangles) continue;
      std::array<int, 3> t{};
      for (unsigned i = 0; i < 3; ++i) {
        const unsigned v = face.mIndices[i];
        if (v >= mesh.mNumVertices) {
          out_->problem = fmt::format("a triangle names vertex {} of {}", v, mesh.mNumVertices);
          return;
        }
        if (index[v] < 0) index[v] = Weld(mesh.mVertices[v], pose);
        if (index[v] < 0) return;
        t[i] = index[v];
      }
      if (mirrored) std::swap(t[1], t[2]);
      out_->triangles.push_back(t);
    }
    const auto count = static_cast<int>(out_->triangles.size()) - first;
    if (count == 0) return;
    // the library makes names up for both, the node's in angle brackets
    const std::string_view own = node.mName.C_Str();
    const bool named = !own.empty() && own.front() != '<';
    out_->parts.push_back({named ? std::string(own) : std::string(mesh.mName.C_Str()),
                           FindColor(scene_, mesh, suffix_), first, count});
  }

  /// Programs write a corner once per face that has it.
  int Weld(const aiVector3D& v, const Eigen::Matrix4d& pose) {
    // + 0: minus zero is zero
    const Vec3 p = (pose * Eigen::Vector4d(v.x, v.y, v.z, 1)).head<3>() + Vec3::Zero();
    if (!p.allFinite()) {
      out_->problem = "a coordinate is not finite";
      return -1;
    }
    const auto [known, fresh] = known_.try_emplace(p, static_cast<int>(out_->vertices.size()));
    if (fresh) out_->vertices.push_back(p);
    return known->second;
  }

  const aiScene& scene_;
  std::string_view suffix_;
  MeshMessage* out_;
  std::unordered_map<Vec3, int, HashBits, SameBits> known_;
  std::uint64_t found_ = 0;
};

/// Of a binary STL file the library is not needed.
MeshMessage ReadThroughLibrary(const std::string& suffix, std::string bytes) {
  MeshMessage message;
  const auto wrong = [&](std::string problem) {
    MeshMessage only;
    only.problem = std::move(problem);
    return only;
  };
  if (suffix == ".stl") message.problem = PrepareStl(&bytes, &message.notes);
  if (suffix == ".dae") {
    ColladaAsset asset;
    message.problem = PrepareCollada(&bytes, &asset, &message.notes);
    if (message.problem.empty()) message.problem = FindColladaProblem(bytes, &message.notes);
    message.unit = asset.unit;
    message.up = asset.up;
  }
  if (suffix == ".gltf" || suffix == ".glb") {
    message.problem = CheckGltf(bytes);
    // the format leaves no choice
    message.unit = 1;
    message.up = UpAxis::kY;
  }
  if (!message.problem.empty()) return wrong(message.problem);
  if (suffix == ".stl" && IsBinaryStl(bytes)) {
    MeshMessage read = ReadBinaryStl(bytes);
    read.notes = std::move(message.notes);
    return read;
  }
  Assimp::Importer importer;
  KeepImporter(suffix, &importer);
  const std::string name = "file" + suffix;
  auto* files = new SeenFiles(name, std::move(bytes));
  importer.SetIOHandler(files);  // which owns it from here on
  importer.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, true);
  const DroppedFaces dropped;
  const aiScene* scene = importer.ReadFile(std::string(kSeenFolder) + name, aiProcess_Triangulate);
  if (scene == nullptr || scene->mRootNode == nullptr) {
    if (const std::string missing = files->missing(); !missing.empty())
      return wrong(fmt::format("it names the file '{}', which is no plain file in its folder",
                               missing.substr(0, 200)));
    return wrong(WhatItSaid(importer.GetErrorString()));
  }
  if (dropped.found()) return wrong("a triangle names a vertex that there is not");
  Flattener flattener(*scene, suffix, &message);
  flattener.Add(*scene->mRootNode, Eigen::Matrix4d::Identity());
  if (!message.problem.empty()) return wrong(message.problem);
  if (flattener.found() > kMostMeshTriangles)
    return wrong(fmt::format("it has {} triangles; at most {} are allowed", flattener.found(),
                             kMostMeshTriangles));
  message.side_files = files->Used();
  return message;
}

}  // namespace

std::string MeshLibrary() {
  return fmt::format("Assimp {}.{}", aiGetVersionMajor(), aiGetVersionMinor());
}
#else
namespace {

MeshMessage ReadThroughLibrary(const std::string&, const std::string&) { return {}; }

}  // namespace

std::string MeshLibrary() { return {}; }
#endif

void ServeMeshHelper(std::span<const std::string> words) {
  MeshMessage message;
  try {
    const bool light = words.size() == 2 && words.back() == kLightWord;
    if (words.size() == (light ? 2u : 1u) && FindMeshFormat("mesh" + words.front()) != nullptr)
      message = ReadThroughLibrary(words.front(), ReadHelperInput());
    else
      message.problem = "there is no such format";
    if (light && message.problem.empty()) LightenMesh(&message);
    EndHelper(EncodeMesh(message));
  } catch (const std::bad_alloc&) {
    message = {};
    message.problem = "it takes more memory than a mesh file should";
  } catch (const std::exception& error) {
    message = {};
    message.problem = error.what();
  }
  EndHelper(EncodeMesh(message));
}

}  // namespace slip
