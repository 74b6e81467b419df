// Meshes of a URDF file: where they are, and what they are as shapes.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/geometry/mesh_source.h"
#include "engine/geometry/shape.h"
#include "engine/urdf/urdf_xml.h"

namespace slip {

/// A mesh as shapes, and where they stand in the frame G of the <geometry> that names it: one; or
/// for the eyes one for each colour of the file, and for contact its convex parts.
struct UrdfMesh {
  struct Piece {
    Shape shape;
    Pose X_GS;
    std::optional<std::array<double, 4>> color;  ///< red, green, blue, opacity, 0 to 1
  };
  std::vector<Piece> pieces;
};

/// All meshes of one file. Each is read once, however many links use it.
class UrdfMeshes {
 public:
  explicit UrdfMeshes(std::string folder, MeshCollision collision = MeshCollision::kParts,
                      MeshAxes axes = MeshAxes::kAsWritten)
      : folder_(std::move(folder)), collision_(collision), axes_(axes) {}

  /// Reads all that the file names side by side, and finds what touches, so that Read waits for
  /// none of them.
  void Prefetch(const tinyxml2::XMLElement& robot);

  /// Reads what a <mesh> names: what touches for a collision shape, its surface for the eyes.
  /// The index into `list`, or -1 after an error.
  int Read(const UrdfPlace& place, const tinyxml2::XMLElement& element, bool collision);

  /// A mesh for the eyes that is missing, or in a format that is not read: it is named once, and
  /// left out.
  bool Skips(const UrdfPlace& place, const tinyxml2::XMLElement& element);

  /// Whether it is in a format that is read, and there is no such file.
  bool IsMissing(const tinyxml2::XMLElement& element) const;

  /// Whether a file that was read names another up axis than z, and was taken as written.
  bool other_axes() const { return other_axes_; }

  std::vector<UrdfMesh> list;

 private:
  using Key = std::tuple<std::string, double, double, double, bool>;
  static constexpr std::size_t kIsCollision = 4;

  /// The path of a mesh; that another one stands in for it is noted.
  std::string Find(const UrdfPlace& place, const std::string& name) const;

  /// What touches of a mesh, and what its file says of its unit and axes.
  struct Solid {
    Result<Imported<MovingMesh>> mesh;
    MeshConvention convention = {};
  };
  struct ColoredSurface {
    std::optional<std::array<double, 4>> color;
    Imported<TriangleMesh> surface;
  };
  /// What is seen of it, by colour.
  struct Surface {
    Result<std::vector<ColoredSurface>> pieces;
    MeshConvention convention = {};
  };
  // These may be called by several threads for files that the store knows.
  Result<MeshSource> ReadScaled(const std::string& path, const Vec3& scale);
  Solid MakeSolid(const std::string& path, const Vec3& scale);
  Surface MakeSurface(const std::string& path, const Vec3& scale);
  static Surface SurfaceOf(Result<MeshSource> source, const std::string& path);
  /// Both at once, with less work.
  std::pair<Solid, Surface> MakeBoth(const std::string& path, const Vec3& scale);
  /// All of them, side by side.
  void MakeAhead(std::vector<Key> keys);

  /// Said once: all files of a robot come from the same program.
  void NoteConvention(const UrdfPlace& place, const tinyxml2::XMLElement& element,
                      const MeshConvention& convention);
  /// Errors are told, and the repairs that were made are noted.
  std::optional<UrdfMesh> ReadSolid(const UrdfPlace& place, const tinyxml2::XMLElement& element,
                                    const std::string& path, const Vec3& scale);
  std::optional<UrdfMesh> ReadSurface(const UrdfPlace& place, const tinyxml2::XMLElement& element,
                                      const std::string& path, const Vec3& scale);

  std::string folder_;
  MeshCollision collision_;
  MeshAxes axes_;
  bool other_axes_ = false;
  MeshStore store_;
  std::map<Key, int> known_;
  // made ahead, until they are asked for
  std::map<Key, Solid> solids_;
  std::map<Key, Surface> surfaces_;
  std::set<std::string> skipped_;
  std::set<std::string> conventions_;  ///< units and up axes that were told
};

/// Where a URDF file in `folder` may mean by this name, which may have backslashes: beside it, and
/// for packages and paths within them in the folders above.
std::vector<std::string> ListUrdfMeshPlaces(const std::string& given, const std::string& folder);
/// The first of them that exists, then one that differs in the case of its letters or in its format
/// alone; where there is none, the first place that was looked at.
std::string FindUrdfMesh(const std::string& given, const std::string& folder);

}  // namespace slip
