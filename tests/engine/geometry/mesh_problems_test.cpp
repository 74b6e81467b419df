// Mesh files that are broken: what is wrong is said, and nothing is left out in silence.
#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <limits>

#include "engine/geometry/mesh_source.h"
#include "engine/geometry/mesh_text.h"
#include "tests/support/mesh_files.h"
#include "tests/support/temp_folder.h"

namespace slip::test {
namespace {

const Soup kBox = BoxSoup({0.1, 0.2, 0.3});

std::string Replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

class MeshProblems : public testing::Test {
 protected:
  Result<MeshSource> Read(const std::string& name, const std::string& bytes) const {
    WriteText(folder_.path(name), bytes);
    return ReadMeshSource(folder_.path(name), 1);
  }
  /// What is said of it, in one line.
  std::string Said(const std::string& name, const std::string& bytes) const {
    const auto read = Read(name, bytes);
    std::string text;
    if (!read.ok())
      for (const Error& error : read.errors()) text += error.Text() + "; ";
    else
      for (const std::string& note : read->notes) text += "note: " + note + "; ";
    return text;
  }
  TempFolder folder_;
};

#define EXPECT_SAYS(name, bytes, part)                                     \
  do {                                                                     \
    const std::string said = Said(name, bytes);                            \
    EXPECT_NE(said.find(part), std::string::npos) << name << ": " << said; \
    EXPECT_LT(said.size(), 500u) << said;                                  \
  } while (false)

TEST_F(MeshProblems, IndicesOfGltfOutOfRangeAreRefused) {
  for (const std::uint32_t wrong : {8u, 0xFFFFFFFFu}) {
    std::string buffer = GltfBuffer(kBox);
    // an index in the middle of the list
    std::memcpy(buffer.data() + 12 * kBox.vertices.size() + 4 * 16, &wrong, sizeof(wrong));
    WriteText(folder_.path("b.bin"), buffer);
    EXPECT_SAYS("b.gltf", GltfText(kBox, "b.bin"), "a triangle names a vertex that there is not");
  }
}

TEST_F(MeshProblems, ExtensionsOfGltfThatAreRequiredMustBeKnown) {
  const auto with = [](const std::string& names) {
    return Replaced(GltfText(kBox), "\"scene\":0",
                    "\"extensionsRequired\":[" + names + "],\"scene\":0");
  };
  EXPECT_SAYS("b.gltf", with("\"KHR_materials_unlit\", \"KHR_draco_mesh_compression\""),
              "requires the extension 'KHR_draco_mesh_compression'");
  EXPECT_SAYS("b.gltf", with("\"ACME_bent\""), "requires the extension 'ACME_bent'");
  EXPECT_TRUE(Read("b.gltf", with("\"KHR_materials_unlit\",\"KHR_texture_transform\"")).ok());
  EXPECT_TRUE(Read("b.gltf", with("")).ok());
}

TEST_F(MeshProblems, StlCountsThatAreWrongAreSaid) {
  const std::string bytes = StlBytes(kBox);
  std::string six = bytes;
  six[80] = 6;
  EXPECT_SAYS("b.stl", six, "promises 6 triangles, and there is room for 12");
  const auto read = Read("b.stl", six);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->triangles.size(), 6u);
  EXPECT_SAYS("b.stl", bytes + std::string(1500, 'x'), "12 triangles, and there is room for 42");
  EXPECT_EQ(Said("b.stl", bytes + "\r\n"), "") << "an end of line is no triangle";
  // a heading of blanks does not make a text of it
  const std::string blank = StlBytes(kBox, std::string(80, ' '));
  EXPECT_SAYS("b.stl", blank.substr(0, 300), "promises 12 triangles");
  std::string huge = blank;
  for (int i = 80; i < 84; ++i) huge[static_cast<std::size_t>(i)] = '\xFF';
  EXPECT_SAYS("b.stl", huge, "promises 4294967295 triangles");
}

TEST_F(MeshProblems, BrokenBinaryStlIsSaid) {
  const std::string bytes = StlBytes(kBox);
  constexpr std::size_t kHead = 84, kTriangle = 50;
  for (const float wrong :
       {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    std::string broken = bytes;
    // the last number of the seventh triangle
    std::memcpy(broken.data() + kHead + 6 * kTriangle + 44, &wrong, sizeof(wrong));
    EXPECT_SAYS("b.stl", broken, "cannot be read as STL: a coordinate is not finite");
    // normals are not used
    broken = bytes;
    std::memcpy(broken.data() + kHead + 6 * kTriangle, &wrong, sizeof(wrong));
    EXPECT_EQ(Said("b.stl", broken), "");
  }
  for (const std::size_t size : {kHead + 1, kHead + 7 * kTriangle + 20, bytes.size() - 1})
    EXPECT_SAYS("b.stl", bytes.substr(0, size), "promises 12 triangles, which take 684 bytes");
  EXPECT_SAYS("b.stl", StlBytes(Soup{}), "cannot be read as STL: ");
}

TEST_F(MeshProblems, BinaryStlIsReadToTheBit) {
  Random random(3);
  Soup soup;
  for (int i = 0; i < 40; ++i)
    soup.vertices.push_back(random.InBox(1).cast<float>().cast<double>());
  // each vertex is first named in its turn
  for (int i = 0; i < 38; ++i) soup.triangles.push_back({i, i + 1, i + 2});
  soup.vertices[5].x() = 0;
  soup.vertices.push_back(soup.vertices[5]);
  soup.vertices.back().x() = -0.0;
  soup.triangles.push_back({0, 39, 40});
  const auto read = Read("b.stl", StlBytes(soup));
  ASSERT_TRUE(read.ok());
  soup.vertices.pop_back();
  soup.triangles.back() = {0, 39, 5};
  EXPECT_EQ(read->vertices, soup.vertices) << "minus zero is zero";
  EXPECT_EQ(read->triangles, soup.triangles);
  ASSERT_EQ(read->parts.size(), 1u);
  EXPECT_EQ(read->parts[0].count, 39);
}

TEST_F(MeshProblems, OfStlTextTheLineIsSaid) {
  const std::string text = StlText(kBox);
  const std::size_t vertex = text.find("vertex", text.find("vertex") + 1);
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(vertex), '\n');
  std::string wrong = text;
  wrong.replace(text.find_first_of("0123456789", vertex), 1, "4x");
  EXPECT_SAYS("b.stl", wrong, fmt::format("line {}: '", line));
  EXPECT_SAYS("b.stl", "\n\n" + wrong, fmt::format("line {}: '", line + 2));
}

// Wherever it was cut within a triangle.
TEST_F(MeshProblems, StlTextsThatEndTooEarlySayWhere) {
  const std::string text = StlText(kBox);
  int cuts = 0;
  for (std::size_t end = text.find("outer"); end < text.rfind("endfacet"); end += 29) {
    const std::string part = text.substr(0, end);
    const std::size_t begun = part.rfind(" facet ");
    if (part.rfind("endfacet") != part.npos && part.rfind("endfacet") > begun) continue;
    // blanks behind the last word are no line
    const auto behind = static_cast<std::ptrdiff_t>(part.find_last_not_of(" \n") + 1);
    const auto lines = 1 + std::count(part.begin(), part.begin() + behind, '\n');
    int triangles = 0;
    for (std::size_t at = 0; (at = part.find(" facet ", at)) != part.npos; ++at) ++triangles;
    EXPECT_SAYS("b.stl", part,
                fmt::format("it ends in line {}, within triangle {}", lines, triangles));
    ++cuts;
  }
  EXPECT_GT(cuts, 50);
  std::string two = text;
  const std::size_t end = two.find('\n', two.find("vertex")), number = two.rfind(' ', end);
  two.erase(number, end - number);
  EXPECT_SAYS("b.stl", two, "line 4: a vertex has 2 numbers, expected 3");
}

TEST_F(MeshProblems, NodesOfColladaThatContainThemselvesAreSaid) {
  const std::string text = ColladaText(kBox), node = "<instance_geometry url=\"#g\"";
  const std::size_t scene = text.find("<visual_scene");
  // in itself, and through another one
  std::string own = text;
  const std::size_t shown = own.find("<instance_geometry", scene);
  ASSERT_NE(shown, std::string::npos);
  own.insert(shown, "<node id=\"own\"><node><instance_node url=\"#own\"/></node></node>");
  EXPECT_SAYS("b.dae", own, "a node contains itself");
  std::string loop = text;
  loop.insert(shown, "<instance_node url=\"#a\"/>");
  loop.insert(loop.find("<library_visual_scenes"),
              "<library_nodes><node id=\"a\"><instance_node url=\"#b\"/></node>\n<node "
              "id=\"b\"><instance_node url=\"#a\"/></node></library_nodes>");
  EXPECT_SAYS("b.dae", loop, "a node contains itself");
  EXPECT_SAYS("b.dae", loop, ": line ");
  // twice beside each other is no loop
  std::string twice = text;
  twice.insert(shown, "<instance_node url=\"#a\"/><instance_node url=\"#a\"/>");
  twice.insert(twice.find("<library_visual_scenes"),
               "<library_nodes><node id=\"a\" name=\"a\">" + node + "/></node></library_nodes>");
  const auto read = Read("b.dae", twice);
  ASSERT_TRUE(read.ok()) << Said("b.dae", twice);
  EXPECT_EQ(read->triangles.size(), 36u);
}

TEST_F(MeshProblems, ColladaThatShowsNothingIsSaid) {
  const std::string text = ColladaText(kBox);
  const std::size_t scene = text.find("<visual_scene");
  const std::size_t url = text.find("\"#g\"", scene);
  ASSERT_NE(url, std::string::npos);
  std::string missing = text;
  missing.replace(url, 4, "\"#h\"");
  EXPECT_SAYS("b.dae", missing, "there is no geometry 'h'");
  EXPECT_EQ(Said("b.dae", missing).find("f 1 2 3"), std::string::npos) << "no word of OBJ";
  // one of two is left out
  std::string one = text;
  one.insert(one.find("<instance_geometry", scene), "<instance_geometry url=\"#h\"/>");
  EXPECT_SAYS("b.dae", one, "note: line ");
  std::string none = text;
  const std::size_t begin = none.find("<instance_geometry", scene);
  const std::size_t slash = none.find("/>", begin),
                    close = none.find("</instance_geometry>", begin);
  const std::size_t end = close != std::string::npos ? close + 20 : slash + 2;
  none.erase(begin, end - begin);
  EXPECT_SAYS("b.dae", none, "there is no <instance_geometry>");
  std::string negative = text;
  negative.insert(negative.find("<p>") + 3, "-");
  negative.replace(negative.find("<p>-") + 4, 1, "1");
  EXPECT_SAYS("b.dae", negative, "by a negative number");
}

TEST_F(MeshProblems, AnUnknownUpAxisIsSaid) {
  EXPECT_SAYS("b.dae", ColladaText(kBox, {.asset = "<up_axis>W_UP</up_axis>"}),
              "note: its up_axis is none of X_UP, Y_UP and Z_UP: taken for Y_UP");
}

// Other readers of URDF take the numbers as they stand.
TEST_F(MeshProblems, AxesAreTakenAsWrittenWhereThatIsAsked) {
  for (const char* asset : {"<up_axis>Y_UP</up_axis>", "<up_axis>X_UP</up_axis>", ""}) {
    WriteText(folder_.path("b.dae"), ColladaText(kBox, {.asset = asset}));
    // first turned, so that the other way would come out of the cache
    const auto turned = ReadMeshSource(folder_.path("b.dae"), 1);
    const auto written = ReadMeshSource(folder_.path("b.dae"), 1, nullptr, MeshAxes::kAsWritten);
    ASSERT_TRUE(turned.ok() && written.ok());
    Eigen::AlignedBox3d one, other;
    for (const Vec3& p : turned->vertices) one.extend(p);
    for (const Vec3& p : written->vertices) other.extend(p);
    EXPECT_TRUE(other.sizes().isApprox(Vec3(0.1, 0.2, 0.3), 1e-6)) << other.sizes().transpose();
    EXPECT_FALSE(one.sizes().isApprox(other.sizes(), 1e-2));
    EXPECT_NE(written->convention.words.find("up: taken as it is"), std::string::npos)
        << written->convention.words;
  }
  // of glTF the axes are the format's
  WriteText(folder_.path("b.gltf"), GltfText(kBox));
  const auto gltf = ReadMeshSource(folder_.path("b.gltf"), 1, nullptr, MeshAxes::kAsWritten);
  ASSERT_TRUE(gltf.ok());
  Eigen::AlignedBox3d box;
  for (const Vec3& p : gltf->vertices) box.extend(p);
  EXPECT_TRUE(box.sizes().isApprox(Vec3(0.1, 0.2, 0.3), 1e-6));
}

TEST_F(MeshProblems, LinesOfObjGoOnBehindABackslash) {
  std::string text = "# a comment \\\n" + ObjText(kBox);
  for (std::size_t at = text.find("f "); at != std::string::npos; at = text.find("\nf ", at + 1))
    text.insert(text.find(' ', at + 1), " \\\r\n ");
  const auto read = Read("b.obj", text);
  ASSERT_TRUE(read.ok()) << Said("b.obj", text);
  EXPECT_EQ(read->vertices.size(), 8u);
  EXPECT_EQ(read->triangles.size(), 12u);
  // and lines count as before
  const auto lines = std::count(text.begin(), text.end(), '\n');
  EXPECT_SAYS("b.obj", text + "f 1 2 x\n", fmt::format(":{}: 'x'", lines + 1));
}

TEST_F(MeshProblems, LinksInACircleAreSaid) {
  std::filesystem::create_symlink("b.stl", folder_.path("a.stl"));
  std::filesystem::create_symlink("a.stl", folder_.path("b.stl"));
  const auto read = ReadMeshSource(folder_.path("a.stl"), 1);
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().Text().find("links lead round in a circle"), std::string::npos)
      << read.error().Text();
}

}  // namespace
}  // namespace slip::test
