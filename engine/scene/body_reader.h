// Reads [body.NAME] and [surface.NAME] tables of a scene file.
#pragma once

#include "engine/dynamics/model.h"
#include "engine/method/config.h"
#include "engine/scene/table_reader.h"

namespace slip {

/// [surface.NAME]: a half-space, perhaps with a belt. Keys: body_keys.h.
Surface ReadSurface(const TomlNode& node, Config* config, Reporter* reporter);

/// A body, and the shapes that it touches with where one is not enough: see Body::shape_of_link.
struct BodyWithParts {
  Body body;
  std::vector<Body> parts = {};
};
/// The last of the bodies, then.
void AppendBody(BodyWithParts body, std::vector<Body>* bodies);

/// [body.NAME]: one rigid body.
BodyWithParts ReadBody(const TomlNode& node, const Config& config, bool planar, Reporter* reporter);

/// The same for a pattern of a pile: a table in a list, whose `name` key defaults to the shape's.
BodyWithParts ReadPattern(const TomlNode& node, const std::string& where, const Config& config,
                          bool planar, Reporter* reporter);

/// Index of the material that the key names; `otherwise` where there is no such key.
int ReadMaterial(TableReader* table, const SceneKey& key, const Config& config, int otherwise);
/// [w, x, y, z], normalised.
void ReadQuaternion(TableReader* table, const SceneKey& key, Quat* q);
/// Contact points that a shape has unless a file says otherwise: corners, ends, centre or none.
void SetDefaultPoints(Body* body);

/// shape = "mesh" or "cloud": reads `file`, `scale` and `collision`; for clouds also `radius`,
/// `center_of_mass`, `mesh` and `samples`.
void ReadMeshShape(TableReader* table, bool cloud, BodyWithParts* body);

/// Whether a body's table says inertia = "hull".
bool IsHullInertia(const TomlNode& table);

/// Principal moments of a solid of uniform density [kg m^2].
Vec3 SolidInertia(const Shape& shape, double mass);
/// Volume [m^3].
double Volume(const Shape& shape);

}  // namespace slip
