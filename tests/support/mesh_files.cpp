#include "tests/support/mesh_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>

namespace slip::test {
namespace {

template <class T>
void AddNumber(T value, std::string* out, bool swap = false) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  if (swap) std::reverse(bytes, bytes + sizeof(T));
  out->append(bytes, sizeof(T));
}

/// A polygon in the plane, counter-clockwise and star-shaped as seen from the origin, as a prism.
Soup Prism(const std::vector<Eigen::Vector2d>& outline, double height) {
  Soup soup;
  const int n = static_cast<int>(outline.size());
  for (const double z : {0.0, height})
    for (const Eigen::Vector2d& p : outline) soup.vertices.emplace_back(p.x(), p.y(), z);
  soup.vertices.emplace_back(0, 0, 0);
  soup.vertices.emplace_back(0, 0, height);
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    soup.triangles.push_back({2 * n, j, i});
    soup.triangles.push_back({2 * n + 1, n + i, n + j});
    soup.triangles.push_back({i, j, n + j});
    soup.triangles.push_back({i, n + j, n + i});
  }
  return soup;
}

double Area(const std::vector<Eigen::Vector2d>& outline) {
  double twice = 0;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Eigen::Vector2d &a = outline[i], &b = outline[(i + 1) % outline.size()];
    twice += a.x() * b.y() - b.x() * a.y();
  }
  return twice / 2;
}

std::vector<Eigen::Vector2d> Star(int points, double outer, double inner) {
  std::vector<Eigen::Vector2d> outline;
  for (int i = 0; i < 2 * points; ++i) {
    const double r = i % 2 == 0 ? outer : inner, angle = kPi * i / points;
    outline.emplace_back(r * std::cos(angle), r * std::sin(angle));
  }
  return outline;
}

Soup Moved(Soup soup, const Vec3& by) {
  for (Vec3& p : soup.vertices) p += by;
  return soup;
}

Soup Joined(Soup a, const Soup& b) {
  const int shift = static_cast<int>(a.vertices.size());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (auto t : b.triangles) {
    for (int& v : t) v += shift;
    a.triangles.push_back(t);
  }
  return a;
}

/// Two points and a ring of them between.
Soup Bipyramid(int sides, double radius, double height) {
  Soup soup;
  for (int i = 0; i < sides; ++i)
    soup.vertices.emplace_back(radius * std::cos(2 * kPi * i / sides),
                               radius * std::sin(2 * kPi * i / sides), 0);
  soup.vertices.emplace_back(0, 0, height);
  soup.vertices.emplace_back(0, 0, -height);
  for (int i = 0; i < sides; ++i) {
    soup.triangles.push_back({i, (i + 1) % sides, sides});
    soup.triangles.push_back({(i + 1) % sides, i, sides + 1});
  }
  return soup;
}

std::string Numbers(const std::vector<Vec3>& points) {
  std::string text;
  for (const Vec3& p : points)
    fmt::format_to(std::back_inserter(text), "{} {} {} ", p.x(), p.y(), p.z());
  return text;
}

std::string Base64(const std::string& bytes) {
  constexpr const char* kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k <= bytes.size() ? kDigits[word >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string GltfJson(const Soup& soup, const std::string& uri) {
  const std::size_t points = 12 * soup.vertices.size(), indices = 12 * soup.triangles.size();
  Vec3 low = soup.vertices.front(), high = low;
  for (const Vec3& p : soup.vertices) low = low.cwiseMin(p), high = high.cwiseMax(p);
  return fmt::format(
      R"({{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],)"
      R"("nodes":[{{"name":"figure","mesh":0}}],"meshes":[{{"primitives":[)"
      R"({{"attributes":{{"POSITION":0}},"indices":1,"material":0}}]}}],)"
      R"("materials":[{{"pbrMetallicRoughness":{{"baseColorFactor":[0.2,0.4,1,1]}}}}],)"
      R"("buffers":[{{{}"byteLength":{}}}],"bufferViews":[)"
      R"({{"buffer":0,"byteOffset":0,"byteLength":{}}},)"
      R"({{"buffer":0,"byteOffset":{},"byteLength":{}}}],"accessors":[)"
      R"({{"bufferView":0,"componentType":5126,"count":{},"type":"VEC3",)"
      R"("min":[{},{},{}],"max":[{},{},{}]}},)"
      R"({{"bufferView":1,"componentType":5125,"count":{},"type":"SCALAR"}}]}})",
      uri.empty() ? uri : "\"uri\":\"" + uri + "\",", points + indices, points, points, indices,
      soup.vertices.size(), low.x(), low.z(), -high.y(), high.x(), high.z(), -low.y(),
      3 * soup.triangles.size());
}

}  // namespace

std::vector<NamedSoup> TenFigures() {
  std::vector<NamedSoup> figures;
  figures.push_back({"box", BoxSoup({0.1, 0.2, 0.3}), 0.006});
  Soup tetrahedron{{{0, 0, 0}, {0.3, 0, 0}, {0, 0.2, 0}, {0, 0, 0.1}},
                   {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
  figures.push_back({"tetrahedron", tetrahedron, 0.001});
  const auto area = [](int sides, double r) {
    return sides * r * r * std::sin(2 * kPi / sides) / 2;
  };
  figures.push_back({"bipyramid", Bipyramid(4, 0.2, 0.3), 2 * area(4, 0.2) * 0.3 / 3});
  figures.push_back({"spindle", Bipyramid(9, 0.05, 0.4), 2 * area(9, 0.05) * 0.4 / 3});
  figures.push_back({"hexagon", Prism(Star(3, 0.1, 0.1), 0.05), area(6, 0.1) * 0.05});
  figures.push_back({"star", Prism(Star(5, 0.2, 0.08), 0.03), Area(Star(5, 0.2, 0.08)) * 0.03});
  figures.push_back({"gear", Prism(Star(24, 0.1, 0.09), 0.02), Area(Star(24, 0.1, 0.09)) * 0.02});
  figures.push_back({"far", Moved(BoxSoup({0.4, 0.4, 0.4}), Vec3(1, -0.5, 0.25)), 0.4 * 0.4 * 0.4});
  figures.push_back({"pair",
                     Joined(Moved(BoxSoup({0.1, 0.1, 0.1}), Vec3(0.2, 0, 0)),
                            Moved(Bipyramid(6, 0.1, 0.1), Vec3(-0.2, 0, 0))),
                     0.001 + 2 * area(6, 0.1) * 0.1 / 3});
  Soup sheared = BoxSoup({0.2, 0.2, 0.2});
  for (Vec3& p : sheared.vertices) p.x() += 0.5 * p.z();
  figures.push_back({"sheared", sheared, 0.008});
  return figures;
}

std::string StlText(const Soup& soup, const std::string& name) {
  std::string text = "solid " + name + "\n";
  for (const auto& t : soup.triangles) {
    text += " facet normal 0 0 0\n  outer loop\n";
    for (const int v : t) {
      const Vec3& p = soup.vertices[static_cast<std::size_t>(v)];
      text += fmt::format("   vertex {:.9e} {:.9e} {:.9e}\n", p.x(), p.y(), p.z());
    }
    text += "  endloop\n endfacet\n";
  }
  return text + "endsolid " + name + "\n";
}

std::string StlBytes(const Soup& soup, const std::string& head) {
  std::string bytes = head;
  bytes.resize(80, '\0');
  AddNumber(static_cast<std::uint32_t>(soup.triangles.size()), &bytes);
  for (const auto& t : soup.triangles) {
    for (int i = 0; i < 3; ++i) AddNumber(0.0f, &bytes);
    for (const int v : t)
      for (int i = 0; i < 3; ++i)
        AddNumber(static_cast<float>(soup.vertices[static_cast<std::size_t>(v)][i]), &bytes);
    AddNumber(std::uint16_t{0}, &bytes);
  }
  return bytes;
}

std::string ColladaText(const Soup& soup, const ColladaLook& look) {
  std::string effects, materials, faces, bindings;
  const std::size_t parts = std::max<std::size_t>(1, look.colors.size());
  for (std::size_t k = 0; k < parts; ++k) {
    const std::size_t begin = k * soup.triangles.size() / parts,
                      end = (k + 1) * soup.triangles.size() / parts;
    std::string counts, corners, material;
    for (std::size_t i = begin; i < end; ++i) {
      counts += "3 ";
      for (const int v : soup.triangles[i]) corners += fmt::format("{} ", v);
    }
    if (!look.colors.empty()) {
      const auto& c = look.colors[k];
      effects += fmt::format(
          "<effect id=\"e{0}\"><profile_COMMON><technique sid=\"t\"><lambert><diffuse><color>{1} "
          "{2} {3} {4}</color></diffuse></lambert></technique></profile_COMMON></effect>\n",
          k, c[0], c[1], c[2], c[3]);
      materials +=
          fmt::format("<material id=\"m{0}\"><instance_effect url=\"#e{0}\"/></material>\n", k);
      bindings += fmt::format("<instance_material symbol=\"s{0}\" target=\"#m{0}\"/>", k);
      material = fmt::format(" material=\"s{}\"", k);
    }
    const char* kind = look.polygons ? "polylist" : "triangles";
    faces += fmt::format(
        "<{0} count=\"{1}\"{2}><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>{3}<p>{4}</p>"
        "</{0}>\n",
        kind, end - begin, material, look.polygons ? "<vcount>" + counts + "</vcount>" : "",
        corners);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<COLLADA "
      "xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">\n"
      "<asset><contributor/>{}</asset>\n<library_effects>{}</library_effects>\n"
      "<library_materials>{}</library_materials>\n<library_geometries><geometry id=\"g\" "
      "name=\"figure\"><mesh><source id=\"p\"><float_array id=\"a\" count=\"{}\">{}</float_array>"
      "<technique_common><accessor source=\"#a\" count=\"{}\" stride=\"3\"><param name=\"X\" "
      "type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/>"
      "</accessor></technique_common></source><vertices id=\"v\"><input semantic=\"POSITION\" "
      "source=\"#p\"/></vertices>\n{}</mesh></geometry></library_geometries>\n"
      "<library_visual_scenes><visual_scene id=\"s\"><node id=\"n\" name=\"figure\">{}"
      "<instance_geometry url=\"#g\"><bind_material><technique_common>{}</technique_common>"
      "</bind_material></instance_geometry></node></visual_scene></library_visual_scenes>\n"
      "<scene><instance_visual_scene url=\"#s\"/></scene>\n</COLLADA>\n",
      look.asset, effects, materials, 3 * soup.vertices.size(), Numbers(soup.vertices),
      soup.vertices.size(), faces, look.pose, bindings);
}

std::string GltfBuffer(const Soup& soup) {
  std::string bytes;
  for (const Vec3& p : soup.vertices)
    for (const double x : {p.x(), p.z(), -p.y()}) AddNumber(static_cast<float>(x), &bytes);
  for (const auto& t : soup.triangles)
    for (const int v : t) AddNumber(static_cast<std::uint32_t>(v), &bytes);
  return bytes;
}

std::string GltfText(const Soup& soup, const std::string& buffer) {
  return GltfJson(soup, buffer.empty()
                            ? "data:application/octet-stream;base64," + Base64(GltfBuffer(soup))
                            : buffer);
}

std::string GlbBytes(const Soup& soup) {
  std::string json = GltfJson(soup, {}), buffer = GltfBuffer(soup), bytes = "glTF";
  while (json.size() % 4 != 0) json += ' ';
  const auto size = [](std::size_t n) { return static_cast<std::uint32_t>(n); };
  AddNumber(std::uint32_t{2}, &bytes);
  AddNumber(size(12 + 8 + json.size() + 8 + buffer.size()), &bytes);
  AddNumber(size(json.size()), &bytes);
  bytes += "JSON" + json;
  AddNumber(size(buffer.size()), &bytes);
  bytes.append("BIN\0", 4);
  return bytes + buffer;
}

std::string PlyFaces(const Soup& soup, PlyWritten written) {
  const char* kNames[] = {"ascii", "binary_little_endian", "binary_big_endian"};
  std::string text = fmt::format(
      "ply\nformat {} 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float "
      "z\nelement face {}\nproperty list uchar int vertex_indices\nend_header\n",
      kNames[static_cast<int>(written)], soup.vertices.size(), soup.triangles.size());
  if (written == PlyWritten::kText) {
    for (const Vec3& p : soup.vertices) text += fmt::format("{} {} {}\n", p.x(), p.y(), p.z());
    for (const auto& t : soup.triangles) text += fmt::format("3 {} {} {}\n", t[0], t[1], t[2]);
    return text;
  }
  const bool swap = written == PlyWritten::kBigEndian;
  for (const Vec3& p : soup.vertices)
    for (int i = 0; i < 3; ++i) AddNumber(static_cast<float>(p[i]), &text, swap);
  for (const auto& t : soup.triangles) {
    text += '\3';
    for (const int v : t) AddNumber(static_cast<std::int32_t>(v), &text, swap);
  }
  return text;
}

}  // namespace slip::test
