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
  bool point_mass = false;  ///< a mass whose inertia is all zero
};

struct JointFacts {
  std::string name;
  int line = 0;
  std::string type, parent, child, mimic;
  bool unlimited = false;  ///< neither a lower nor an upper limit is given
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
void CheckOrigin(const UrdfPlace& place, tinyxml2::XMLElement* parent);
/// The name of a link or joint; false when there is none.
bool CheckName(tinyxml2::XMLElement* element, UrdfReport* report, std::string* name);
/// Takes out what none of these names is, and remembers the names of what was taken.
void TakeOutOthers(tinyxml2::XMLElement* parent, std::initializer_list<std::string_view> known,
                   std::vector<std::string>* ignored);

}  // namespace slip
