// Lines "x y z": what a heading is, what commas mean, and what is refused because it could be meant
// in two ways.
#include "engine/geometry/mesh_text.h"
#include "engine/geometry/point_cloud.h"
#include "tests/support/geometry.h"

namespace slip::test {
namespace {

Result<Imported<PointCloud>> ReadLines(const std::string& name, std::string text) {
  return ReadPointCloudText(std::move(text), name, 0, 1);
}

std::string ErrorsOf(const Result<Imported<PointCloud>>& cloud) {
  std::string text;
  for (const Error& error : cloud.errors()) text += error.Text() + "\n";
  return text;
}

void ExpectTextRefusal(const std::string& name, const std::string& text, const std::string& part,
                       int line = 0) {
  const auto cloud = ReadLines(name, text);
  ASSERT_FALSE(cloud.ok()) << text << "expected: " << part;
  EXPECT_NE(ErrorsOf(cloud).find(part), std::string::npos) << ErrorsOf(cloud);
  EXPECT_EQ(cloud.error().line, line) << ErrorsOf(cloud);
  EXPECT_EQ(cloud.error().file, name);
}

TEST(PointText, HeadingsOfXyzFilesMustBeRight) {
  EXPECT_TRUE(HasNote(ReadLines("c.xyz", "2\n1 2 3\n4 5 6\n")->notes, "heading: '2'"));
  EXPECT_TRUE(ReadLines("c.xyz", "# made by hand\nx y z\n1 2 3 # one\n").ok());
  ExpectTextRefusal("c.xyz", "\n3\n1 2 3\n4 5 6\n", "the heading says 3 points, but the file has 2",
                    2);
  ExpectTextRefusal("c.xyz", "0\n1 2 3\n", "the heading says 0", 1);
  ExpectTextRefusal("c.xyz", "1.5\n1 2 3\n", "1 of 3 coordinates", 1);
  ExpectTextRefusal("c.xyz", "x y z\na b c\n", "'a' is not a number", 2);
  ExpectTextRefusal("c.xyz", "# nothing\n", "no points");
  ExpectTextRefusal("c.xyz", std::string("1 2 3\n\0", 7), "not a text file");
  ExpectTextRefusal("c.pcd", "1 2 3\n", "expected .ply, .obj, .xyz, .txt or .csv");
}

TEST(PointText, AHeadingIsWordsAloneOrACount) {
  for (const char* heading : {"x y z", "x,y,z", "\"x\";\"y\";\"z\"", "x [m]\ty [m]\tz [m]",
                              "//X Y Z", "scan of a bunny", "3 # points"}) {
    const auto cloud = ReadLines("c.xyz", std::string(heading) + "\n1 2 3\n4 5 6\n7 8 9\n");
    ASSERT_TRUE(cloud.ok()) << heading << ErrorsOf(cloud);
    EXPECT_EQ(cloud->mesh.points.size(), 3u) << heading;
    EXPECT_TRUE(HasNote(cloud->notes, "line 1 is taken for a heading")) << heading;
  }
  // a slip of the pen in the first point does not make it a heading
  const std::string rest = "1 0 0\n0 1 0\n0 0 1\n";
  for (const char* slip : {"0.0.1 0 0", "0 0.0.1 0", "0 0 O", "x 0 0", "1e 2e 3e", "- - -",
                           "scan 2024", "0x10 0 0", "1_000 2 3"}) {
    ExpectTextRefusal("c.xyz", slip + ("\n" + rest), "is not a number; expected coordinate", 1);
    ExpectTextRefusal("c.xyz", slip + ("\n" + rest), "a heading has words alone", 1);
  }
  EXPECT_TRUE(HasNote(ReadLines("c.xyz", "# scan 2024\nnan 0 0\n" + rest)->notes, "left out"));
  ExpectTextRefusal("c.xyz", rest + "x y z\n", "'x' is not a number", 4);
}

TEST(PointText, AHeadingSaysWhereTheCoordinatesStand) {
  const std::vector<Vec3> points = {Vec3(0.1, 0.2, 0.3), Vec3(-0.5, 4, 5)};
  for (const char* text : {
           "id,x,y,z\n7,0.1,0.2,0.3\n8,-0.5,4,5\n",
           "z,y,x\n0.3,0.2,0.1\n5,4,-0.5\n",
           "nx,ny,nz,x,y,z\n0,0,1,0.1,0.2,0.3\n1,0,0,-0.5,4,5\n",
           "x,y,z,nx,ny,nz\n0.1,0.2,0.3,0,0,1\n-0.5,4,5,1,0,0\n",
           "\"name\";\"X\";\"Y\";\"Z\"\nfirst one;0.1;0.2;0.3\nnext;-0.5;4;5\n",
           "label\tx [m]\ty [m]\tz [m]\n\t0.1\t0.2\t0.3\nb\t-0.5\t4\t5\n",
           "time_s,px_m,py_m,pz_m\n0,0.1,0.2,0.3\n1,-0.5,4,5\n",
           "id x y z\n7 0.1 0.2 0.3\n8 -0.5 4 5\n",
           "//Z Y X\n0.3 0.2 0.1\n5 4 -0.5\n",
           "id, x, z, y\n, 0.1, 0.3, 0.2\n8, -0.5, 5, 4,\n",
       }) {
    const auto cloud = ReadLines("c.csv", text);
    ASSERT_TRUE(cloud.ok()) << text << ErrorsOf(cloud);
    EXPECT_EQ(cloud->mesh.points, points) << text;
  }
}

TEST(PointText, AHeadingWithoutCoordinatesIsRefused) {
  for (const char* heading : {"id,name", "a,b,c", "u;v;w", "nx,ny,nz", "lon,lat,height"}) {
    ExpectTextRefusal("c.csv", "\n" + std::string(heading) + "\n1,2,3\n", "names no column x, y, z",
                      2);
    ExpectTextRefusal("c.txt", std::string(heading) + "\n1,2,3\n",
                      "expected columns named x, y and z", 1);
  }
  ExpectTextRefusal("c.csv", "scan of a bunny\n1,2,3\n", "names no column x, y, z", 1);
  ExpectTextRefusal("c.csv", "x,y,height\n1,2,3\n", "names no column z", 1);
  ExpectTextRefusal("c.csv", "x,y,z,x\n1,2,3,4\n", "names coordinate x twice", 1);
  EXPECT_EQ(ReadLines("c.csv", "a,b,c\n1,2,3\nx\n").errors().size(), 1u);
}

TEST(PointText, RowsHaveTheCellsOfTheirHeading) {
  ExpectTextRefusal("c.csv", "id,x,y,z\n1,2,3,4\n1,2,3\n", "coordinate z is missing", 3);
  ExpectTextRefusal("c.csv", "id,x,y,z\n1,,3,4\n", "coordinate x is missing", 2);
  ExpectTextRefusal("c.csv", "id,x,y,z\n1,a,3,4\n", "'a' is not a number", 2);
  // decimal commas
  ExpectTextRefusal("c.csv", "id,x,y,z\n1,0,5,0,3,0,7\n", "the heading names 4 columns", 2);
  ExpectTextRefusal("c.csv", "id;x;y;z\n1;0,5;0,3;0,7\n", "'0,5' is not a number", 2);
}

TEST(PointText, MoleculesAndObjTextsAreNamed) {
  ExpectTextRefusal("c.xyz", "O 0 0 0\nH 1 0 0\nH 0 1 0\n", "a molecule?", 1);
  ExpectTextRefusal("c.xyz", "Cl 0 0 0\nNa 1 0 0\n", "in metres", 1);
  EXPECT_NE(
      ErrorsOf(ReadLines("c.xyz", "3\nwater\nO 0 0 0\nH 1 0 0\nH 0 1 0\n")).find("a molecule?"),
      std::string::npos);
  // one error tells it all
  EXPECT_EQ(ReadLines("c.xyz", "O 0 0 0\nH 1 0 0\nH 0 1 0\n").errors().size(), 1u);
  ExpectTextRefusal("c.txt", "v 0 0 0\nv 1 0 0\nf 1 2 3\n", "is this an OBJ file?", 1);
}

TEST(PointText, CommasMustMeanOneThing) {
  // separators
  const std::vector<Vec3> points = {Vec3(0.1, 0.2, 0.3), Vec3(-0.5, 4, 5)};
  for (const char* text :
       {"0.1, 0.2, 0.3\n-0.5, 4, 5\n", "0.1,0.2,0.3\n-0.5,4,5\n", " 0.1 ,0.2 ,0.3\n-.5 ,4 ,5\n",
        "0.1;0.2;0.3\n-0.5;4;5\n", "0.1,0.2,0.3,255\n-0.5,4,5,255\n", "0.1 0.2 0.3\n-0.5,4,5\n",
        "0.1, 0.2, 0.3, 1, 0, 0\n-0.5, 4, 5, 1, 0, 0\n", "0.1,0.2,0.3,\n-0.5,4,5, # one, two\n"}) {
    const auto cloud = ReadLines("c.csv", text);
    ASSERT_TRUE(cloud.ok()) << text << ErrorsOf(cloud);
    EXPECT_EQ(cloud->mesh.points, points) << text;
  }
  // whole numbers, where a heading or blanks tell how many
  EXPECT_TRUE(ReadLines("c.csv", "1,2,3\n4,5,6\n").ok());
  EXPECT_TRUE(ReadLines("c.csv", "x,y,z,r,g,b\n1,2,3,255,0,0\n4,5,6,255,0,0\n").ok());
  EXPECT_TRUE(ReadLines("c.csv", "1, 2, 3, 255, 0, 0\n").ok());
  EXPECT_TRUE(ReadLines("c.csv", "1.5,2,3,255,0,0\n4,5,6,255,0,0\n").ok());
  // decimals
  for (const char* line : {"0,1 0,2 0,3", "0,1\t0,2\t0,3", "0,1;0,2;0,3", "0,1; 0,2; 0,3",
                           "0 0,5 1", "0 0 0,5", "-0,1 -0,2 -0,3", "1,000.5 2,000 3"}) {
    ExpectTextRefusal("c.csv", line + std::string("\n1 2 3\n"), "which numbers are meant?", 1);
    ExpectTextRefusal("c.csv", line + std::string("\n1 2 3\n"), "write decimal points", 1);
    ExpectTextRefusal("c.csv", std::string("x y z\n0 0 0\n") + line + "\n", "numbers are meant?",
                      3);
  }
  ExpectTextRefusal("c.csv", "0,1,0,2,0,3\n0,4,0,5,0,6\n", "separators, or decimal commas?", 1);
  ExpectTextRefusal("c.csv", "x,y,z\n0,1,0,2,0,3\n0,4,1,0,6\n", "separators, or decimal commas?",
                    2);
}

TEST(PointText, AMissingCoordinateIsNotSkipped) {
  ExpectTextRefusal("c.csv", "1,2,3\n1,,3,4\n", "coordinate y is missing", 2);
  ExpectTextRefusal("c.csv", "1,2,3\n,2,3,4\n", "coordinate x is missing", 2);
  ExpectTextRefusal("c.csv", "1,2,3\n1;2; ;4\n", "coordinate z is missing", 2);
  EXPECT_TRUE(ReadLines("c.csv", "1,2,3,,5\n").ok());
}

}  // namespace
}  // namespace slip::test
