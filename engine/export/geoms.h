// What a link looks like and touches with, in shapes that all formats have.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engine/export/frames.h"
#include "engine/export/losses.h"

namespace slip {

/// Whom a shape touches.
enum class GeomRole : int {
  kSolid,        ///< surfaces and shapes of others
  kOffSurfaces,  ///< shapes of others: points of the body touch the surfaces
  kProbed,       ///< shapes of bodies without probes, and probes of others
  kPoint,        ///< surfaces
  kProbe,        ///< surfaces and probed shapes
  kCloud,        ///< a point of one: surfaces and all shapes
  kVisual        ///< nobody
};

/// A shape in whose place points of the body touch, somebody or everybody.
constexpr bool TouchesByPoints(GeomRole role) {
  return role == GeomRole::kOffSurfaces || role == GeomRole::kProbed;
}

struct ExportGeom {
  GeomRole role = GeomRole::kSolid;
  Shape shape;  ///< never a cloud; the axis of capsules and cylinders is x
  Pose X_LS;
  bool seen = true;
  std::optional<std::array<double, 4>> colour = {};
  int body = -1;  ///< whose shape or point it is, a link or a part; -1 = for the eyes only
};

/// Of one link. Points become spheres, those without size small ones.
std::vector<ExportGeom> GeomsOf(const Model& model, const LinkFrames& frames, int link,
                                Losses* losses);

/// Shapes that lie along x turned to formats where they stand along z.
Pose StandUp(const Pose& X_LS);

/// Meshes as OBJ files, each once however many links use it.
class ExportMeshes {
 public:
  explicit ExportMeshes(std::string stem) : stem_(std::move(stem)) {}
  /// Name of the file.
  const std::string& FileOf(const Shape& shape);
  std::vector<ExportFile> Take() { return std::move(files_); }
  const std::vector<ExportFile>& files() const { return files_; }

 private:
  std::string stem_;
  std::vector<const void*> known_;
  std::vector<ExportFile> files_;
};

}  // namespace slip
