// Point clouds: files of points, points spread over a surface, and the mass of a body whose surface
// the points are.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/geometry/mass_properties.h"
#include "engine/geometry/mesh.h"

namespace slip {

/// Lines "x y z" of a .xyz, .txt or .csv file, the vertices of a .ply file (text or binary) or the
/// `v` lines of an .obj file. Lengths in the file are multiplied by `scale`. Points keep their
/// order; those that coincide are all kept, and counted in a note; those that are nan or infinite
/// are left out, but for an .obj file, and counted in another. At most two million. A `radius`
/// of 0 is that of points without a size, whose mass comes from elsewhere: any number from one on
/// is allowed, while the balls of a cloud together must not be thinner than double precision holds
/// a volume of.
Result<Imported<PointCloud>> ReadPointCloud(const std::string& path, double radius,
                                            double scale = 1);

/// `count` points on the surface of a mesh file, as SampleSurface has them, each the centre of a
/// ball of `radius` [m], 0 as above. The mesh may be open. Errors: those of ReadTriangleMesh and of
/// SampleSurface.
Result<Imported<PointCloud>> SamplePointCloud(const std::string& path, int count, double radius,
                                              double scale = 1);

/// Whether a file is one of points alone: .xyz, .txt, .csv, or .ply without faces.
bool IsPointFile(const std::string& path);

/// The points as the text of a .xyz or of a PLY file (format ascii, double); what is read back is
/// the same to the bit. `comment` is one line.
std::string FormatXyz(std::span<const Vec3> points, std::string_view comment = {});
std::string FormatPly(std::span<const Vec3> points, std::string_view comment = {});

/// Writes .xyz or .ply, by the ending of the name. Error: another ending; the file exists and
/// `force` is false; it cannot be written.
Status WritePointCloud(std::span<const Vec3> points, const std::string& path, bool force,
                       std::string_view comment = {});

/// How many points lie exactly where an earlier one does.
int CountDuplicates(std::span<const Vec3> points);

/// Median distance of a point to the nearest one elsewhere, of at most 64 points taken evenly from
/// the list [m]. 0 where there are no two places.
double CalcSpacing(std::span<const Vec3> points);

/// `count` points on the surface, as many per area everywhere, the same ones every time. Point i
/// lies in the triangle that holds (i + 1/2)/count of the area when the triangles are laid out in a
/// row, and in it at the i-th point of the additive recurrence with the powers of 1/1.3247… (M.
/// Roberts, "The Unreasonable Effectiveness of Quasirandom Sequences", 2018). Error: no area, or a
/// count that is not from 1 to two million.
Result<std::vector<Vec3>> SampleSurface(const TriangleMesh& mesh, int count);

/// Of the convex hull of the points, filled with a uniform `density` [kg/m³]. Error: the
/// hull has no volume (fewer than four points, all in a plane, thinner than double precision
/// holds), or the density is not positive and finite.
Result<MassProperties> CalcHullMassProperties(std::span<const Vec3> points, double density);

/// Whether a rigid body can have this mass, centre of mass and inertia: positive and finite, the
/// inertia symmetric with principal moments none of which is above the sum of the others.
Status CheckMassProperties(const MassProperties& given);

}  // namespace slip
