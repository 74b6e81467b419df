// Meshes in the formats that people have: they hold what was written, in metres and with z up.
#include <fmt/format.h>

#include <filesystem>

#include "engine/geometry/mesh_source.h"
#include "engine/geometry/shape_formats.h"
#include "tests/support/mesh_files.h"
#include "tests/support/temp_folder.h"

namespace slip::test {
namespace {

namespace fs = std::filesystem;

template <class T>
std::string AllErrors(const Result<T>& result) {
  std::string text;
  for (const Error& error : result.errors()) text += error.Text() + "\n";
  return result.ok() ? "no error" : text;
}

struct Written {
  std::string name, bytes;
};

/// One figure in every format, as different programs write it.
std::vector<Written> AllWritten(const Soup& soup) {
  return {{"text.stl", StlText(soup)},
          {"binary.stl", StlBytes(soup)},
          {"solid.stl", StlBytes(soup, "solid made by a program that says so")},
          {"padded.STL", StlBytes(soup) + std::string(7, '\0')},
          {"triangles.dae", ColladaText(soup)},
          {"polygons.dae", ColladaText(soup, {.polygons = true})},
          {"one.gltf", GltfText(soup)},
          {"two.gltf", GltfText(soup, "its%20buffer.bin")},
          {"its buffer.bin", GltfBuffer(soup)},
          {"whole.glb", GlbBytes(soup)},
          {"text.ply", PlyFaces(soup)},
          {"little.ply", PlyFaces(soup, PlyWritten::kLittleEndian)},
          {"big.ply", PlyFaces(soup, PlyWritten::kBigEndian)},
          {"figure.obj", ObjText(soup)}};
}

double ReadVolume(const std::string& path, double scale = 1) {
  const auto mesh = ReadTriangleMesh(path, MeshUse::kSolid, scale);
  EXPECT_TRUE(mesh.ok()) << path << ": " << AllErrors(mesh);
  return mesh.ok() ? CalcVolume(mesh->mesh) : 0;
}

TEST(ForeignMesh, EveryFormatHoldsTheSameVolume) {
  const TempFolder folder;
  for (const NamedSoup& figure : TenFigures()) {
    for (const Written& file : AllWritten(figure.soup))
      WriteText(folder.path(file.name), file.bytes);
    const auto exact = ReadTriangleMesh(folder.path("figure.obj"), MeshUse::kSolid);
    ASSERT_TRUE(exact.ok()) << figure.name << AllErrors(exact);
    EXPECT_NEAR(CalcVolume(exact->mesh), figure.volume, 1e-14) << figure.name;
    for (const Written& file : AllWritten(figure.soup)) {
      if (FindMeshFormat(file.name) == nullptr) continue;
      const auto mesh = ReadTriangleMesh(folder.path(file.name), MeshUse::kSolid);
      ASSERT_TRUE(mesh.ok()) << figure.name << " " << AllErrors(mesh);
      EXPECT_NEAR(CalcVolume(mesh->mesh) / figure.volume, 1, 1e-6) << figure.name << file.name;
      // corners are welded, and the figure stands as it was written
      EXPECT_EQ(mesh->mesh.vertices.size(), exact->mesh.vertices.size()) << file.name;
      EXPECT_EQ(mesh->mesh.triangles.size(), exact->mesh.triangles.size()) << file.name;
      Eigen::AlignedBox3d box, wanted;
      for (const Vec3& p : mesh->mesh.vertices) box.extend(p);
      for (const Vec3& p : exact->mesh.vertices) wanted.extend(p);
      EXPECT_TRUE(box.min().isApprox(wanted.min(), 1e-6) || wanted.min().norm() < 1e-9)
          << figure.name << file.name << box.min().transpose();
      EXPECT_TRUE(box.max().isApprox(wanted.max(), 1e-6)) << figure.name << file.name;
      const auto hull = ReadConvexMesh(folder.path(file.name));
      ASSERT_TRUE(hull.ok()) << AllErrors(hull);
      const auto hull_of_obj = ReadConvexMesh(folder.path("figure.obj"));
      EXPECT_EQ(hull->mesh.vertices.size(), hull_of_obj->mesh.vertices.size()) << file.name;
    }
  }
}

TEST(ForeignMesh, ScalesAsAllMeshes) {
  const TempFolder folder;
  const Soup box = BoxSoup({100, 200, 300});
  WriteText(folder.path("mm.stl"), StlBytes(box));
  EXPECT_NEAR(ReadVolume(folder.path("mm.stl"), 0.001), 0.006, 1e-9);
  const auto far = ReadTriangleMesh(folder.path("mm.stl"), MeshUse::kSolid, 1e5);
  EXPECT_NE(AllErrors(far).find("from the origin"), std::string::npos) << AllErrors(far);
}

TEST(ForeignMesh, TellsStlTextsAndBytesApart) {
  const TempFolder folder;
  const Soup box = BoxSoup({0.1, 0.2, 0.3});
  const std::string text = StlText(box, "K\xC3\xB6rper mit Loch"), bytes = StlBytes(box);
  std::string loud = text;
  for (char& c : loud) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  std::string windows;
  for (const char c : text) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  for (const std::string& good :
       {text, loud, windows, "\xEF\xBB\xBF\n " + text, bytes, StlBytes(box, "solid"),
        StlBytes(box, "solid facet normal 0 0 0 outer loop"), bytes + "\r\n and a line"}) {
    WriteText(folder.path("box.stl"), good);
    EXPECT_NEAR(ReadVolume(folder.path("box.stl")), 0.006, 1e-8);
  }
  for (const auto& [bad, part] :
       {std::pair<std::string, const char*>{bytes.substr(0, 300), "promises 12 triangles"},
        {std::string("hello"), "too short"},
        {std::string(500, 'x'), "does not begin with 'solid'"},
        {std::string("solid nothing\nendsolid\n"), "no"},
        {std::string(), "the file is empty"}}) {
    WriteText(folder.path("box.stl"), bad);
    const auto read = ReadTriangleMesh(folder.path("box.stl"), MeshUse::kSolid);
    ASSERT_FALSE(read.ok()) << bad;
    EXPECT_EQ(read.errors().size(), 1u);
    EXPECT_NE(AllErrors(read).find("box.stl: "), std::string::npos);
    EXPECT_NE(AllErrors(read).find(part), std::string::npos) << AllErrors(read);
  }
}

TEST(ForeignMesh, ColladaHasAUnitAnUpAxisAndPoses) {
  const TempFolder folder;
  const Soup box = BoxSoup({0.1, 0.2, 0.3});
  struct Case {
    const char *asset, *pose;
    Vec3 size, middle;
    const char* note;
  };
  const Vec3 o = Vec3::Zero();
  for (const Case& c :
       {Case{"<up_axis>Z_UP</up_axis>", "", {0.1, 0.2, 0.3}, o, ""},
        Case{"", "", {0.1, 0.3, 0.2}, o, "y up: turned so that z is up"},
        Case{"<!-- <up_axis>X_UP</up_axis> <unit meter=\"7\"/> --><up_axis>Y_UP</up_axis>",
             "",
             {0.1, 0.3, 0.2},
             o,
             "y up"},
        Case{"<up_axis>X_UP</up_axis>", "", {0.2, 0.3, 0.1}, o, "x up"},
        Case{"<unit name=\"inch\" meter=\"0.0254\"/><up_axis>Z_UP</up_axis>",
             "",
             {0.00254, 0.00508, 0.00762},
             o,
             "a unit of 0.0254 m: turned to metres"},
        Case{"<unit meter='10'></unit>\n<up_axis> Y_UP </up_axis>",
             "<translate>0 1 0</translate>",
             {1, 3, 2},
             {0, 0, 10},
             "a unit of 10 m, and y up: turned to metres and z up"},
        Case{"<up_axis>Z_UP</up_axis>",
             "<translate>1 2 3</translate><rotate>0 0 1 90</rotate><scale>2 3 1</scale>",
             {0.6, 0.2, 0.3},
             {1, 2, 3},
             ""},
        Case{"<up_axis>Z_UP</up_axis>",
             "<matrix>-1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1</matrix>",
             {0.1, 0.2, 0.3},
             {5, 0, 0},
             ""}}) {
    WriteText(folder.path("box.dae"), ColladaText(box, {.asset = c.asset, .pose = c.pose}));
    const auto mesh = ReadTriangleMesh(folder.path("box.dae"), MeshUse::kSolid);
    ASSERT_TRUE(mesh.ok()) << AllErrors(mesh);
    Eigen::AlignedBox3d bounds;
    for (const Vec3& p : mesh->mesh.vertices) bounds.extend(p);
    EXPECT_LT((bounds.sizes() - c.size).norm(), 1e-6 * c.size.norm())
        << c.asset << c.pose << bounds.sizes().transpose();
    EXPECT_LT((bounds.center() - c.middle).norm(), 1e-6) << bounds.center().transpose();
    EXPECT_GT(CalcVolume(mesh->mesh), 0);
    // a mirrored node is no reason for a repair
    EXPECT_EQ(mesh->notes.size(), *c.note == 0 ? 0u : 1u);
    if (!mesh->notes.empty())
      EXPECT_NE(mesh->notes[0].find(c.note), std::string::npos) << mesh->notes[0];
  }
  WriteText(folder.path("box.dae"), ColladaText(box, {.asset = "<unit meter=\"-1\"/>"}));
  const auto wrong = ReadTriangleMesh(folder.path("box.dae"), MeshUse::kSolid);
  EXPECT_NE(AllErrors(wrong).find("its unit is '-1' m"), std::string::npos) << AllErrors(wrong);
}

// x is right, y up and z towards the viewer in a file with y up: in ours, z is up and -y towards
// him.
TEST(ForeignMesh, TurnsUpAxesTheRightWayRound) {
  const TempFolder folder;
  const Soup corner{{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}},
                    {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
  const auto read = [&](const std::string& axis) {
    WriteText(folder.path("c.dae"),
              ColladaText(corner, {.asset = "<up_axis>" + axis + "</up_axis>"}));
    const auto mesh = ReadTriangleMesh(folder.path("c.dae"), MeshUse::kSolid);
    EXPECT_TRUE(mesh.ok()) << AllErrors(mesh);
    return mesh.ok() ? mesh->mesh.vertices : std::vector<Vec3>(4, Vec3::Zero());
  };
  const auto has = [](const std::vector<Vec3>& points, const Vec3& p) {
    return std::any_of(points.begin(), points.end(),
                       [&](const Vec3& q) { return (p - q).norm() < 1e-9; });
  };
  const auto y = read("Y_UP"), x = read("X_UP");
  for (const Vec3& p : {Vec3(1, 0, 0), Vec3(0, 0, 2), Vec3(0, -3, 0)}) EXPECT_TRUE(has(y, p));
  // with x up, -y is right
  for (const Vec3& p : {Vec3(0, 0, 1), Vec3(-2, 0, 0), Vec3(0, -3, 0)}) EXPECT_TRUE(has(x, p));
}

TEST(ForeignMesh, JoinsMeshesAndKeepsTheirColours) {
  const TempFolder folder;
  const Soup box = BoxSoup({0.1, 0.2, 0.3});
  const std::array<double, 4> red{1, 0, 0, 1}, half{0, 0, 0.5, 0.25};
  WriteText(folder.path("two.dae"), ColladaText(box, {.colors = {red, half, red}}));
  const auto source = ReadMeshSource(folder.path("two.dae"), 1);
  ASSERT_TRUE(source.ok()) << AllErrors(source);
  EXPECT_EQ(source->triangles.size(), 12u);
  EXPECT_EQ(source->vertices.size(), 8u) << "of all parts together";
  const auto colors = SplitByColor(*source, 8);
  ASSERT_EQ(colors.size(), 2u);
  EXPECT_EQ(colors[0].triangles.size(), 8u);
  ASSERT_TRUE(colors[0].color && colors[1].color);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR((*colors[0].color)[i], red[i], 1e-6);
    EXPECT_NEAR((*colors[1].color)[i], half[i], 1e-6);
  }
  EXPECT_EQ(SplitByColor(*source, 1).size(), 1u);
  EXPECT_EQ(SplitByColor(*source, 1)[0].triangles.size(), 12u);
  // no material, no colour
  for (const auto& [name, bytes] : {std::pair<const char*, std::string>{"a.stl", StlBytes(box)},
                                    {"a.ply", PlyFaces(box)},
                                    {"a.dae", ColladaText(box)}}) {
    WriteText(folder.path(name), bytes);
    const auto plain = ReadMeshSource(folder.path(name), 1);
    ASSERT_TRUE(plain.ok()) << AllErrors(plain);
    EXPECT_FALSE(SplitByColor(*plain, 8).front().color) << name;
  }
  // glTF's colours are linear: 0.2 of the light looks like 0.485
  WriteText(folder.path("a.glb"), GlbBytes(box));
  const auto linear = ReadMeshSource(folder.path("a.glb"), 1);
  ASSERT_TRUE(linear.ok()) << AllErrors(linear);
  const auto seen = SplitByColor(*linear, 8).front().color;
  ASSERT_TRUE(seen.has_value());
  EXPECT_NEAR((*seen)[0], 1.055 * std::pow(0.2, 1 / 2.4) - 0.055, 1e-6);
  EXPECT_NEAR((*seen)[2], 1, 1e-6);
}

TEST(ForeignMesh, OtherFilesAreReadInTheFolderAlone) {
  const TempFolder folder;
  const Soup box = BoxSoup({0.1, 0.2, 0.3});
  fs::create_directories(folder.path("in/sub"));
  for (const char* place : {"out.bin", "in/in.bin", "in/sub/sub.bin"})
    WriteText(folder.path(place), GltfBuffer(box));
  fs::create_symlink("../out.bin", folder.path("in/link.bin"));
  fs::create_directory_symlink("..", folder.path("in/up"));
  const auto read = [&](const std::string& buffer) {
    WriteText(folder.path("in/box.gltf"), GltfText(box, buffer));
    return ReadTriangleMesh(folder.path("in/box.gltf"), MeshUse::kSolid);
  };
  for (const char* good : {"in.bin", "./in.bin", "sub/sub.bin"})
    EXPECT_TRUE(read(good).ok()) << good << AllErrors(read(good));
  for (const std::string& bad :
       {std::string("../out.bin"), std::string("link.bin"), std::string("up/out.bin"),
        std::string("sub/../../out.bin"), folder.path("out.bin"),
        "file://" + folder.path("out.bin"), std::string("none.bin"), std::string("sub"),
        std::string("%2e%2e/out.bin")}) {
    const auto mesh = read(bad);
    ASSERT_FALSE(mesh.ok()) << bad;
    EXPECT_NE(AllErrors(mesh).find("no plain file in its folder"), std::string::npos)
        << bad << AllErrors(mesh);
  }
}

TEST(ForeignMesh, PointsAloneAreNoMesh) {
  const TempFolder folder;
  Soup points = BoxSoup({1, 1, 1});
  points.triangles.clear();
  for (const PlyWritten written : {PlyWritten::kText, PlyWritten::kBigEndian}) {
    WriteText(folder.path("points.ply"), PlyFaces(points, written));
    const auto read = ReadTriangleMesh(folder.path("points.ply"), MeshUse::kSurface);
    EXPECT_NE(AllErrors(read).find("8 vertices but no faces (for single points use a point cloud)"),
              std::string::npos)
        << AllErrors(read);
  }
}

// A small file of nodes that show nodes that show nodes.
TEST(ForeignMesh, MoreTrianglesThanAllowedAreRefusedWithTheirNumber) {
  const TempFolder folder;
  std::string text = ColladaText(TenFigures()[6].soup);
  std::string nodes = "<library_nodes><node id=\"l0\"><instance_geometry url=\"#g\"/></node>";
  constexpr int kDoublings = 14;
  for (int i = 1; i <= kDoublings; ++i)
    nodes += fmt::format(
        "<node id=\"l{0}\"><instance_node url=\"#l{1}\"/><instance_node url=\"#l{1}\"/></node>", i,
        i - 1);
  const std::size_t scenes = text.find("<library_visual_scenes>");
  text.insert(scenes, nodes + "</library_nodes>");
  text.insert(text.find("<instance_geometry", text.find("<visual_scene")),
              fmt::format("<instance_node url=\"#l{}\"/>", kDoublings));
  WriteText(folder.path("many.dae"), text);
  const auto read = ReadTriangleMesh(folder.path("many.dae"), MeshUse::kSurface);
  const std::size_t count = TenFigures()[6].soup.triangles.size() * ((1u << kDoublings) + 1);
  EXPECT_NE(AllErrors(read).find(fmt::format("{} triangles; at most 2000000", count)),
            std::string::npos)
      << AllErrors(read);
}

TEST(ShapeFormats, OneTableNamesThemAll) {
  EXPECT_EQ(MeshFormatNames(), "STL, COLLADA, glTF, PLY or OBJ");
  EXPECT_EQ(MeshSuffixes(), ".stl, .dae, .gltf, .glb, .ply or .obj");
  EXPECT_EQ(CloudSuffixes(), ".ply, .obj, .xyz, .txt or .csv");
  EXPECT_EQ(FindMeshFormat("a/B.DAE")->name, "COLLADA");
  EXPECT_EQ(FindMeshFormat("a.xyz"), nullptr);
  EXPECT_EQ(FindMeshFormat("stl"), nullptr);
  const TempFolder folder;
  EXPECT_EQ(FindOtherFormat(folder.path("a.stl")), "");
  WriteText(folder.path("a.glb"), "x");
  EXPECT_EQ(FindOtherFormat(folder.path("a.stl")), folder.path("a.glb"));
  WriteText(folder.path("a.obj"), "x");
  EXPECT_EQ(FindOtherFormat(folder.path("a.stl")), folder.path("a.obj"));
  const auto read = ReadTriangleMesh(folder.path("a.step"), MeshUse::kSurface);
  EXPECT_NE(AllErrors(read).find("no such file"), std::string::npos);
  WriteText(folder.path("a.step"), "x");
  const auto wrong = ReadTriangleMesh(folder.path("a.step"), MeshUse::kSurface);
  EXPECT_NE(AllErrors(wrong).find("'.step' cannot be read; expected " + MeshFormatNames()),
            std::string::npos)
      << AllErrors(wrong);
}

}  // namespace
}  // namespace slip::test
