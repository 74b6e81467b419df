// Meshes of a URDF file: where they are, and what they are as shapes.
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "engine/geometry/shape.h"
#include "engine/urdf/urdf_xml.h"

namespace slip {

/// A mesh as a shape, and where that stands in the frame G of the <geometry> that names it.
struct UrdfMesh {
  Shape shape;
  Pose X_GS;
};

/// All meshes of one file. Each is read once, however many links use it.
class UrdfMeshes {
 public:
  explicit UrdfMeshes(std::string folder) : folder_(std::move(folder)) {}

  /// Reads what a <mesh> names: its convex hull for a collision shape, its surface for the eyes.
  /// The index into `list`, or -1 after an error.
  int Read(const UrdfPlace& place, const tinyxml2::XMLElement& element, bool collision);

  /// A mesh for the eyes in a format that is not read: it is named once, and left out.
  bool Skips(const UrdfPlace& place, const tinyxml2::XMLElement& element);

  std::vector<UrdfMesh> list;

 private:
  using Key = std::tuple<std::string, double, double, double, bool>;

  std::string folder_;
  std::map<Key, int> known_;
  std::set<std::string> skipped_;
};

/// The file that a URDF file in `folder` means by this name, which may have backslashes; where none
/// exists, the first place that was looked at.
std::string FindUrdfMesh(const std::string& given, const std::string& folder);

}  // namespace slip
