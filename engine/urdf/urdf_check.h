// What is wrong with a URDF file, all of it at once, before a parser that stops at the first error
// sees it. The document is cleaned on the way: numbers in one form, what is not read taken out, and
// instead of a mesh's name its index in UrdfFacts::meshes.
#pragma once

#include <string>
#include <vector>

#include "engine/urdf/urdf_mesh.h"
#include "engine/urdf/urdf_xml.h"

namespace slip {

inline constexpr std::size_t kMostRobotLinks = 1000;

/// What the parser behind does not tell.
struct LinkFacts {
  std::string name;
  int line = 0;
  double mass = 0;
  bool wrong_mass = false;  ///< told already
  Pose X_LC;                ///< of the inertial frame
  Mat3 I_C = Mat3::Zero();  ///< about the centre of mass, axes of C [kg m²]
  int inertia_line = 0;
};

struct JointFacts {
  std::string name;
  int line = 0;
  std::string type, parent, child, mimic;
  Pose X_PJ;
  bool unlimited = false;          ///< neither a lower nor an upper limit is given
  std::vector<std::string> zeros;  ///< limits that are 0, which files write for "not set"
};

struct UrdfFacts {
  explicit UrdfFacts(const std::string& folder) : meshes(folder) {}

  std::vector<LinkFacts> links;  ///< in the order of the file
  std::vector<JointFacts> joints;
  UrdfMeshes meshes;
};

/// Every link and joint by itself, then how they hang together.
void CheckUrdf(tinyxml2::XMLDocument* document, UrdfFacts* facts, UrdfReport* report);

// The parts of it.
void CheckUrdfLink(tinyxml2::XMLElement* element, UrdfFacts* facts, UrdfReport* report);
void CheckUrdfJoint(tinyxml2::XMLElement* element, UrdfFacts* facts, UrdfReport* report);
void CheckUrdfTree(const UrdfFacts& facts, UrdfReport* report);
/// What moves must weigh something, and what moves as one must be a body, whatever its parts are.
void CheckMasses(const UrdfFacts& facts, UrdfReport* report);
/// One note for all joints whose effort is 0, one for all whose velocity is.
void NoteZeroLimits(const std::vector<JointFacts>& joints, UrdfReport* report);
/// The pose that an <origin> gives.
Pose CheckOrigin(const UrdfPlace& place, tinyxml2::XMLElement* parent);
/// Whether a link without a joint above it stands for the world.
bool IsWorld(const LinkFacts& root);
/// The name of a link or joint; false when there is none.
bool CheckName(tinyxml2::XMLElement* element, UrdfReport* report, std::string* name);
/// Takes out what none of these names is, and remembers the names of what was taken.
void TakeOutOthers(tinyxml2::XMLElement* parent, std::initializer_list<std::string_view> known,
                   std::vector<std::string>* ignored);

}  // namespace slip
