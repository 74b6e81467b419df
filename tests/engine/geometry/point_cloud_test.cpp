// Point clouds: every way a file may be written, everything that may be wrong with it, points on
// surfaces, and the mass of a hull.
#include "engine/geometry/point_cloud.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <limits>

#include "engine/geometry/mesh_text.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/folders.h"
#include "tests/support/geometry.h"

namespace slip::test {
namespace {

using Cloud = Result<Imported<PointCloud>>;

Cloud ReadAs(const std::string& name, std::string text, double radius = 0, double scale = 1) {
  return ReadPointCloudText(std::move(text), name, radius, scale);
}

std::string AllErrors(const Cloud& cloud) {
  std::string text;
  for (const Error& error : cloud.errors()) text += error.Text() + "\n";
  return text;
}

void ExpectRefusal(const std::string& name, const std::string& text, const std::string& part,
                   int line = 0) {
  const Cloud cloud = ReadAs(name, text);
  ASSERT_FALSE(cloud.ok()) << "expected: " << part;
  EXPECT_NE(AllErrors(cloud).find(part), std::string::npos) << AllErrors(cloud);
  EXPECT_EQ(cloud.error().line, line) << AllErrors(cloud);
  EXPECT_EQ(cloud.error().file, name);
}

template <class Number>
void Append(Number value, bool big, std::string* bytes) {
  std::array<char, sizeof value> raw;
  std::memcpy(raw.data(), &value, raw.size());
  if (big != (std::endian::native == std::endian::big)) std::reverse(raw.begin(), raw.end());
  bytes->append(raw.data(), raw.size());
}

constexpr const char* kByteOrder[] = {"binary_little_endian", "binary_big_endian"};

// Faces before the points, a list and other numbers in a vertex: all that a reader must step over.
std::string CrowdedPly(bool big) {
  std::string text = fmt::format(
      "ply\r\nformat {} 1.0\ncomment made by hand\nobj_info also\nelement face 2\nproperty list "
      "uchar "
      "int vertex_indices\nproperty uchar flags\nelement nothing 7\nelement vertex 3\nproperty "
      "uint8 red\nproperty double y\nproperty list int16 float32 weights\nproperty short "
      "x\nproperty float z\nelement edge 1\nproperty int a\nproperty uint b\nend_header\n",
      kByteOrder[big]);
  for (const int corners : {3, 4}) {
    Append<uint8_t>(static_cast<uint8_t>(corners), big, &text);
    for (int i = 0; i < corners; ++i) Append<int32_t>(i, big, &text);
    Append<uint8_t>(9, big, &text);
  }
  for (int i = 0; i < 3; ++i) {
    Append<uint8_t>(200, big, &text);
    Append<double>(0.1 * i, big, &text);
    Append<int16_t>(static_cast<int16_t>(i), big, &text);
    for (int k = 0; k < i; ++k) Append<float>(0.5f, big, &text);
    Append<int16_t>(static_cast<int16_t>(-i), big, &text);
    Append<float>(0.25f, big, &text);
  }
  Append<int32_t>(0, big, &text);
  Append<uint32_t>(1, big, &text);
  return text;
}

std::string FloatPly(const std::string& format, bool big, const std::vector<Vec3>& points) {
  std::string text = fmt::format(
      "ply\nformat {} 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float "
      "z\nend_header\n",
      format, points.size());
  for (const Vec3& p : points)
    for (const double x : p) Append(static_cast<float>(x), big, &text);
  return text;
}

std::string TextPly(const std::string& header, const std::string& body) {
  return "ply\nformat ascii 1.0\n" + header + "end_header\n" + body;
}
const std::string kXyz = "property float x\nproperty float y\nproperty float z\n";

TEST(PointCloud, ReadsBinaryPlyOfBothByteOrders) {
  for (const bool big : {false, true}) {
    const Cloud cloud = ReadAs("c.ply", CrowdedPly(big), 0, 2);
    ASSERT_TRUE(cloud.ok()) << AllErrors(cloud);
    ASSERT_EQ(cloud->mesh.points.size(), 3u);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(cloud->mesh.points[i], 2 * Vec3(-i, 0.1 * i, 0.25));
    EXPECT_TRUE(HasNote(cloud->notes, "2 faces ignored"));
    const Cloud floats = ReadAs("c.PLY", FloatPly(kByteOrder[big], big, {{1, 2, 3}, {4, 5, 0.5}}));
    ASSERT_TRUE(floats.ok()) << AllErrors(floats);
    EXPECT_EQ(floats->mesh.points[1], Vec3(4, 5, 0.5));
    // a line at the end
    EXPECT_TRUE(ReadAs("c.ply", CrowdedPly(big) + "\r\n").ok());
  }
}

TEST(PointCloud, ReadsTextPly) {
  const Cloud cloud = ReadAs(
      "c.ply", TextPly("element vertex 2\nproperty float nx\n" + kXyz +
                           "property list uchar int more\nelement face 1\nproperty list uchar int "
                           "vertex_indices\n",
                       "7 1 2 3 0\r\n\n-7 +4 5e-1 .25 2 8 9\n3 0 1 0\n\n"));
  ASSERT_TRUE(cloud.ok()) << AllErrors(cloud);
  ASSERT_EQ(cloud->mesh.points.size(), 2u);
  EXPECT_EQ(cloud->mesh.points[0], Vec3(1, 2, 3));
  EXPECT_EQ(cloud->mesh.points[1], Vec3(4, 0.5, 0.25));
}

TEST(PointCloud, WhatIsWrittenIsReadBackToTheBit) {
  Random random(1);
  std::vector<Vec3> points = {Vec3(0.1, -0.0, 1e-300), Vec3(1e6, -1e6, 5e-324)};
  for (int i = 0; i < 500; ++i)
    points.push_back(std::pow(10, random.Uniform(-12, 5)) * random.InBox(1));
  const std::string folder = testing::TempDir();
  for (const std::string name : {"c.xyz", "c.ply", "c.XYZ"}) {
    ASSERT_TRUE(WritePointCloud(points, folder + name, true, "two\nlines").ok());
    EXPECT_FALSE(WritePointCloud(points, folder + name, false).ok());
    const Cloud cloud = ReadPointCloud(folder + name, 0);
    ASSERT_TRUE(cloud.ok()) << AllErrors(cloud);
    EXPECT_TRUE(cloud->notes.empty());
    ASSERT_EQ(cloud->mesh.points.size(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
      for (int k = 0; k < 3; ++k)
        ASSERT_EQ(std::bit_cast<uint64_t>(cloud->mesh.points[i][k]),
                  std::bit_cast<uint64_t>(points[i][k]));
    std::filesystem::remove(folder + name);
  }
  EXPECT_FALSE(WritePointCloud(points, folder + "c.obj", true).ok());
}

TEST(PointCloud, RefusesBadPlyHeaders) {
  const std::string vertex = "element vertex 1\n" + kXyz;
  ExpectRefusal("c.ply", "", "empty");
  ExpectRefusal("c.ply", " \n\n", "empty");
  ExpectRefusal("c.ply", "1 2 3\n", "expected 'ply'", 1);
  ExpectRefusal("c.ply", "ply\nelement vertex 1\n" + kXyz + "end_header\n1 2 3\n", "no format", 6);
  ExpectRefusal("c.ply", "ply\nformat binary 1.0\n" + vertex + "end_header\n",
                "'binary' is unknown", 2);
  ExpectRefusal("c.ply", "ply\nformat ascii 2.0\n" + vertex + "end_header\n", "'2.0'; expected 1.0",
                2);
  ExpectRefusal("c.ply", TextPly("element vertex -1\n" + kXyz, ""), "'-1' is no number", 3);
  ExpectRefusal("c.ply", TextPly("element vertex 99999999999999999999\n" + kXyz, ""),
                "is no number", 3);
  ExpectRefusal("c.ply", TextPly("element vertex 2000001\n" + kXyz, "1 2 3\n"),
                "2000001 points; at most 2000000", 3);
  ExpectRefusal("c.ply", TextPly("element points 1\n" + kXyz, "1 2 3\n"), "no element 'vertex'", 7);
  ExpectRefusal("c.ply", TextPly(vertex + vertex, "1 2 3\n"), "second element 'vertex'", 7);
  ExpectRefusal("c.ply", TextPly("element vertex 1\nproperty float x\nproperty float z\n", "1 2\n"),
                "no property 'y'", 3);
  ExpectRefusal("c.ply", TextPly(vertex + "property float x\n", "1 2 3 4\n"), "second property 'x'",
                7);
  ExpectRefusal(
      "c.ply",
      TextPly("element vertex 1\nproperty list uchar float x\nproperty float y\nproperty float z\n",
              ""),
      "is a list", 3);
  ExpectRefusal("c.ply", TextPly("property float x\n", ""), "before the first element", 3);
  ExpectRefusal("c.ply", TextPly("element vertex 1\nproperty real x\n", ""), "'real' is no type",
                4);
  ExpectRefusal("c.ply", TextPly("element vertex 1\nproperty list float int x\n", ""),
                "whole number", 4);
  ExpectRefusal("c.ply", TextPly("element vertex 1\nproperty float\n", ""), "without a name", 4);
  ExpectRefusal("c.ply", TextPly("vertex 1\n", ""), "starts no line of a PLY header", 3);
  ExpectRefusal("c.ply", "ply\nformat ascii 1.0\n" + vertex, "no end", 6);
  std::string long_header = "ply\n";
  for (int i = 0; i < 1100; ++i) long_header += "comment\n";
  ExpectRefusal("c.ply", long_header, "more than 1000 lines", 1001);
  // all that is wrong, not only the first
  EXPECT_EQ(ReadAs("c.ply", TextPly("element vertex x\nproperty real x\n", "")).errors().size(),
            2u);
}

TEST(PointCloud, RefusesBadTextPly) {
  const std::string two = "element vertex 2\n" + kXyz;
  ExpectRefusal("c.ply", TextPly(two, "1 2 3\n"), "after 1 of 2 rows", 8);
  ExpectRefusal("c.ply", TextPly(two, "1 2 3\n4 5\n"), "before its property 'z'", 9);
  ExpectRefusal("c.ply", TextPly(two, "1 2 3\n4 5 6 7\n"), "'7' follows the last property", 9);
  ExpectRefusal("c.ply", TextPly(two, "1 2 3\n4 5 6\n7 8 9\n"), "'7 8 9' follows the last row", 10);
  ExpectRefusal("c.ply", TextPly(two, "1 2 3\n4 five 6\n"), "'five' is not a number", 9);
  ExpectRefusal("c.ply", TextPly(two, "1 nan 3\n4 5 inf\n"), "no point of the file has three");
  ExpectRefusal("c.ply", TextPly(two, "1 2 3\n4 5 6e9\n"), "scale", 9);
  ExpectRefusal("c.ply", TextPly("element vertex 0\n" + kXyz, ""), "no points");
  ExpectRefusal("c.ply", TextPly(two + "property list uchar int l\n", "1 2 3 2 1\n"),
                "before its property 'l'", 9);
  ExpectRefusal("c.ply", TextPly(two + "property list uchar int l\n", "1 2 3 x\n"),
                "no length of the list", 9);
}

TEST(PointCloud, RefusesBadBinaryPly) {
  for (const bool big : {false, true}) {
    const std::string good = CrowdedPly(big);
    const std::size_t body = good.find("end_header\n") + 11;
    for (std::size_t size = body; size < good.size(); ++size)
      EXPECT_FALSE(ReadAs("c.ply", good.substr(0, size)).ok()) << size;
    ExpectRefusal("c.ply", good + "x", "1 byte follows the last element");
    std::string list = good;
    // the length of the first list: more than there is
    list[body] = static_cast<char>(255);
    ExpectRefusal("c.ply", list, "ends in row 0 of 2 of the element 'face'", 5);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    ExpectRefusal("c.ply", FloatPly(kByteOrder[big], big, {{4, nan, 6}}),
                  "no point of the file has three finite");
    ExpectRefusal("c.ply", FloatPly(kByteOrder[big], big, {{1, 2, 3}, {4, 5, 3e7}, {1.5, 1, nan}}),
                  "vertex 1: a point lies");
    ExpectRefusal("c.ply", FloatPly(kByteOrder[big], big, {{1, 2, 3}}).replace(0, 3, "plY"),
                  "expected 'ply'", 1);
  }
}

// Depth cameras write a point for every pixel: nan where nothing came back.
TEST(PointCloud, PointsWithoutAReturnAreLeftOut) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<Vec3> points = {{1, 2, 3},    {nan, nan, nan}, {4, 5, 6},
                                    {7, -nan, 8}, {9, 8, 7},       {nan, inf, 0}};
  const std::vector<Vec3> good = {{1, 2, 3}, {4, 5, 6}, {9, 8, 7}};
  std::string rows;
  for (const Vec3& p : points) rows += fmt::format("{} {} {}\n", p.x(), p.y(), p.z());
  std::vector<std::pair<std::string, std::string>> files = {
      {"c.ply", TextPly("element vertex 6\n" + kXyz, rows)},
      {"c.xyz", rows},
      {"c.xyz", "6\n" + rows}};
  for (const bool big : {false, true})
    files.emplace_back("c.ply", FloatPly(kByteOrder[big], big, points));
  for (const auto& [name, text] : files) {
    const auto cloud = ReadAs(name, text);
    ASSERT_TRUE(cloud.ok()) << name << cloud.error().Text();
    EXPECT_EQ(cloud->mesh.points, good) << name;
    EXPECT_TRUE(HasNote(cloud->notes, "3 points are nan: left out")) << name;
  }
  const auto one = ReadAs("c.csv", "1,2,3\n4,-inf,6\n7,8,9\n");
  ASSERT_TRUE(one.ok()) << one.error().Text();
  EXPECT_EQ(one->mesh.points.size(), 2u);
  EXPECT_TRUE(HasNote(one->notes, "1 point is nan or infinite: left out"));
  // the corner of a mesh is no pixel
  EXPECT_FALSE(ReadAs("c.obj", "v 1 2 3\nv nan 0 0\n").ok());
}

TEST(PointCloud, SeesTheWrongByteOrder) {
  Random random(2);
  std::vector<Vec3> points;
  for (int i = 0; i < 50; ++i) points.push_back(random.InBox(0.1));
  for (const bool big : {false, true})
    ExpectRefusal("c.ply", FloatPly(kByteOrder[!big], big, points),
                  fmt::format("write 'format {} 1.0'", kByteOrder[big]), 3);
  // whole metres are tiny numbers the other way round
  ExpectRefusal("c.ply", FloatPly(kByteOrder[0], true, {{1, 2, 4}, {8, 0.5, 0}}),
                "2 of 2 vertices are absurd, e.g. vertex 0: 4.6e-41", 3);
  // small numbers by themselves are none
  EXPECT_TRUE(
      ReadAs("c.ply", FloatPly(kByteOrder[0], false, {{1, 2, 1e-33}, {0.1, 0.7, 0.3}})).ok());
}

// Ten bytes that promise two million points or 10^19 rows of something make no room for them.
TEST(PointCloud, PromisesCostNothing) {
  const std::string counts[] = {"element vertex 2000000\n" + kXyz,
                                "element vertex 2000000\n" + kXyz + "property list uchar int l\n",
                                "element face 18446744073709551615\nproperty list uint double l\n"
                                "element vertex 1\n" +
                                    kXyz,
                                "element face 18446744073709551615\nproperty double d\n"
                                "element vertex 1\n" +
                                    kXyz,
                                "element face 18446744073709551615\nelement vertex 2\n" + kXyz};
  for (const std::string& header : counts)
    for (const char* format : {"ascii", "binary_little_endian", "binary_big_endian"}) {
      const std::string text =
          "ply\nformat " + std::string(format) + " 1.0\n" + header + "end_header\n0123456789";
      const AllocGuard guard;
      EXPECT_FALSE(ReadAs("c.ply", text).ok());
      EXPECT_LT(guard.bytes(), std::size_t{20000}) << text;
    }
}

TEST(PointCloud, ReadsAMillionPointsLong) {
  Random random(3);
  std::vector<Vec3> points;
  for (int i = 0; i < 1000000; ++i) points.push_back(random.InBox(1));
  const Cloud cloud = ReadAs("c.ply", FloatPly(kByteOrder[0], false, points));
  ASSERT_TRUE(cloud.ok()) << AllErrors(cloud);
  EXPECT_EQ(cloud->mesh.points.size(), 1000000u);
  EXPECT_EQ(cloud->mesh.points[999999], points[999999].cast<float>().cast<double>());
}

TEST(PointCloud, ErrorsSpeakOfClouds) {
  const std::string folder = testing::TempDir() + "cloud_errors.xyz";
  std::filesystem::create_directories(folder);
  EXPECT_NE(AllErrors(ReadPointCloud(folder, 0)).find("is a folder, not a point cloud"),
            std::string::npos);
  std::filesystem::remove(folder);
  for (const char* text : {"", "1 2 nan\n", "1 2 3e9\n", "1 2\n"})
    EXPECT_EQ(AllErrors(ReadAs("c.xyz", text)).find("mesh"), std::string::npos) << text;
}

TEST(PointCloud, SamplesAMeshFile) {
  const std::string bunny = SourceFolder() + "/assets/meshes/bunny.obj";
  const Cloud cloud = SamplePointCloud(bunny, 992, 0, 2);
  ASSERT_TRUE(cloud.ok()) << AllErrors(cloud);
  const auto mesh = ReadTriangleMesh(bunny, MeshUse::kSurface, 2);
  ASSERT_TRUE(mesh.ok());
  EXPECT_EQ(cloud->mesh.points, *SampleSurface(mesh->mesh, 992));
  EXPECT_EQ(cloud->mesh.radius, 0);
  EXPECT_GT(cloud->mesh.spacing, 0);
  EXPECT_EQ(SamplePointCloud(bunny, 1, 0.01)->mesh.points.size(), 1u);
  const Cloud none = SamplePointCloud(bunny, 0, 0);
  EXPECT_NE(AllErrors(none).find("cannot sample 0 points; expected 1 to 2000000"),
            std::string::npos);
  EXPECT_EQ(none.error().file, bunny);
  EXPECT_NE(AllErrors(SamplePointCloud("/no/such.obj", 9, 0)).find("no such file"),
            std::string::npos);
}

TEST(PointCloud, FewPointsAndThoseInOnePlace) {
  const Cloud one = ReadAs("c.xyz", "1 2 3\n"), two = ReadAs("c.xyz", "1 2 3\n4 5 6\n");
  ASSERT_TRUE(one.ok() && two.ok()) << AllErrors(one) << AllErrors(two);
  EXPECT_TRUE(ReadAs("c.xyz", "1 2 3\n", 0.1).ok());
  const Cloud twice = ReadAs("c.xyz", "1 2 3\n4 5 6\n1 2 3\n1 2 3\n");
  ASSERT_TRUE(twice.ok());
  EXPECT_EQ(twice->mesh.points.size(), 4u);
  EXPECT_TRUE(HasNote(twice->notes, "2 points lie where earlier ones do; they are kept"));
  EXPECT_EQ(CountDuplicates(std::vector<Vec3>{{0, 0, 0}, {-0.0, 0, 0}, {1, 0, 0}}), 1);
  EXPECT_EQ(CountDuplicates({}), 0);
}

TEST(PointCloud, SamplesASurfaceEvenly) {
  const TriangleMesh box = Clean(BoxSoup({1, 2, 3}));
  const auto points = SampleSurface(box, 11000);
  ASSERT_TRUE(points.ok());
  ASSERT_EQ(points->size(), 11000u);
  // two faces of area 6, 3 and 2 of 22 in all, and of each half every quarter a quarter
  std::array<int, 3> on_face = {};
  std::array<int, 4> quarter = {};
  for (const Vec3& p : *points) {
    const Vec3 share = p.cwiseAbs().cwiseQuotient(Vec3(0.5, 1, 1.5));
    Eigen::Index axis = 0;
    EXPECT_NEAR(share.maxCoeff(&axis), 1, 1e-12);
    ++on_face[axis];
    if (axis == 0) ++quarter[(p.y() > 0) + 2 * (p.z() > 0)];
  }
  EXPECT_NEAR(on_face[0], 6000, 2);
  EXPECT_NEAR(on_face[1], 3000, 2);
  EXPECT_NEAR(on_face[2], 2000, 2);
  for (const int count : quarter) EXPECT_NEAR(count, 1500, 30);
  // no two closer than a fifth of their mean distance: random ones would be
  const auto few = SampleSurface(box, 500);
  double least = 1;
  for (std::size_t i = 0; i < few->size(); ++i)
    for (std::size_t k = 0; k < i; ++k) least = std::min(least, ((*few)[i] - (*few)[k]).norm());
  EXPECT_GT(least, 0.2 * std::sqrt(22.0 / 500));
  EXPECT_EQ(*SampleSurface(box, 500), *few);
  EXPECT_FALSE(SampleSurface(box, 0).ok());
  EXPECT_FALSE(SampleSurface(box, 2000001).ok());
  EXPECT_FALSE(SampleSurface(TriangleMesh(), 10).ok());
}

TEST(PointCloud, MassIsThatOfTheHull) {
  std::vector<Vec3> points = BoxSoup({1, 2, 3}).vertices;
  for (Vec3& p : points) p += Vec3(1, 0, 0);
  points.emplace_back(1.1, 0.2, 0.3);  // inside
  const auto mass = CalcHullMassProperties(points, 2);
  ASSERT_TRUE(mass.ok());
  EXPECT_NEAR(mass->mass, 12, 1e-12);
  EXPECT_LT((mass->p_com - Vec3(1, 0, 0)).norm(), 1e-14);
  EXPECT_LT((mass->inertia - Mat3(Vec3(13, 10, 5).asDiagonal())).norm(), 1e-12);
  EXPECT_TRUE(CheckMassProperties(*mass).ok());
  PointCloud cloud{.points = points};
  EXPECT_LT((MoveToPrincipalFrame(*mass, &cloud).p - Vec3(-1, 0, 0)).norm(), 1e-14);
  EXPECT_LT((cloud.points[8] - Vec3(0.1, 0.2, 0.3)).norm(), 1e-14);
  for (const std::vector<Vec3>& none :
       {std::vector<Vec3>(), std::vector<Vec3>(2, Vec3::Zero()), FloorSoup(1, 2).vertices}) {
    const auto refused = CalcHullMassProperties(none, 1);
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().hint.find("hull with volume"), std::string::npos);
  }
  EXPECT_FALSE(CalcHullMassProperties(points, 0).ok());
  EXPECT_FALSE(CalcHullMassProperties(points, std::nan("")).ok());
}

TEST(PointCloud, GivenMassMustBeThatOfABody) {
  const auto refusal = [](double mass, const Mat3& inertia) {
    const Status status = CheckMassProperties({.mass = mass, .inertia = inertia});
    return status.ok() ? "" : status.error().Text();
  };
  const auto diagonal = [](double a, double b, double c) -> Mat3 {
    return Vec3(a, b, c).asDiagonal();
  };
  // the grasped cloud
  EXPECT_EQ(refusal(0.4, diagonal(4.84e-4, 3.4e-4, 3.4e-4)), "");
  EXPECT_NE(refusal(0, diagonal(1, 1, 1)).find("positive"), std::string::npos);
  EXPECT_NE(refusal(1, diagonal(1, 1, 3)).find("never below the third"), std::string::npos);
  EXPECT_NE(refusal(1, diagonal(1, 1, 0)).find("above zero"), std::string::npos);
  EXPECT_NE(refusal(1, diagonal(1, 1, -1)).find("above zero"), std::string::npos);
  EXPECT_NE(refusal(1, diagonal(1, 1, std::nan(""))).find("not finite"), std::string::npos);
  Mat3 skew = diagonal(1, 1, 1);
  skew(0, 1) = 0.1;
  EXPECT_NE(refusal(1, skew).find("not symmetric"), std::string::npos);
}

}  // namespace
}  // namespace slip::test
