// URDF files on disk, their meshes, and what must not touch how they are read.
#include <clocale>
#include <filesystem>
#include <fstream>
#include <locale>
#include <thread>

#include "engine/geometry/mesh.h"
#include "tests/support/geometry.h"
#include "tests/support/urdf.h"

namespace slip::test {
namespace {

TEST(UrdfFiles, ReadsMeshesAndTheirScales) {
  const std::string folder = testing::TempDir() + "/slip_urdf/robot/urdf";
  std::filesystem::create_directories(folder);
  std::filesystem::create_directories(folder + "/../meshes");
  const std::string file = folder + "/../meshes/piece.obj";
  // a corner of a box, not convex where 5 stands in
  std::ofstream(file) << "v 0 0 0\nv 1000 0 0\nv 0 2000 0\nv 0 0 3000\nf 1 3 2\nf 1 2 4\nf 2 3 4\n"
                         "f 3 1 4\n";
  const auto read = [&](const std::string& name, const std::string& scale) {
    const std::string mesh = "<geometry><mesh filename=\"" + name + "\" " + scale + "/></geometry>";
    return ReadUrdfText(RobotText(LinkText("a", "<visual>" + mesh + "</visual><collision>" + mesh +
                                                    "</collision>") +
                                  JointText("j", "fixed", "base", "a")),
                        "r.urdf", folder);
  };
  const std::string absolute = std::filesystem::canonical(file).string();
  for (const std::string& name :
       {std::string("../meshes/piece.obj"), std::string("package://robot/meshes/piece.obj"),
        std::string("package://other_name/meshes/piece.obj"), "file://" + absolute, absolute}) {
    const auto robot = read(name, "scale=\"0.001 0.001 0.001\"");
    ASSERT_TRUE(robot.ok()) << name << ErrorsOf(robot);
    const RobotLink& link = robot->links[1];
    ASSERT_EQ(link.visuals[0].shape.kind, ShapeKind::kTriangleMesh);
    ASSERT_EQ(link.collisions[0].shape.kind, ShapeKind::kConvex);
    EXPECT_NEAR(CalcVolume(*link.visuals[0].shape.triangles), 1, 1e-12);
    // the hull stands about its own centre, and its pose makes up for it
    Vec3 high = Vec3::Constant(-1e9);
    const Pose& X_LS = link.collisions[0].X_LS;
    for (const Vec3& p : link.collisions[0].shape.convex->vertices) high = high.cwiseMax(X_LS * p);
    EXPECT_TRUE(high.isApprox(Vec3(1, 2, 3), 1e-9)) << high.transpose();
  }
  // a mirror keeps the outside outside
  const auto mirrored = read("../meshes/piece.obj", "scale=\"0.001 -0.001 0.002\"");
  ASSERT_TRUE(mirrored.ok()) << ErrorsOf(mirrored);
  EXPECT_NEAR(CalcVolume(*mirrored->links[1].visuals[0].shape.triangles), 2, 1e-12);
  EXPECT_NE(ErrorsOf(read("../meshes/piece.obj", "")).find("set scale"), std::string::npos);
  EXPECT_NE(ErrorsOf(read("../meshes/piece.obj", "scale=\"0 1 1\"")).find("scale of <mesh>"),
            std::string::npos);
  EXPECT_NE(ErrorsOf(read("../meshes/piece.obj", "scale=\"1 1 1e9\"")).find("at most 1e+06"),
            std::string::npos);
  std::ofstream(file) << "v 1 2 x\n";
  const auto broken = read("../meshes/piece.obj", "");
  ASSERT_FALSE(broken.ok());
  EXPECT_NE(ErrorsOf(broken).find("piece.obj:1: 'x' is not a number"), std::string::npos)
      << ErrorsOf(broken);
  std::filesystem::remove_all(testing::TempDir() + "/slip_urdf");
}

TEST(UrdfFiles, NamesOfMeshesMayBeOfAnotherSystem) {
  const std::string folder = testing::TempDir() + "/slip_urdf_names";
  std::filesystem::create_directories(folder + "/Meshes/sub");
  const char* tetrahedron =
      "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
  for (const char* name : {"/Meshes/Block.obj", "/Meshes/sub/LOUD.OBJ"})
    std::ofstream(folder + name) << tetrahedron;
  const auto read = [&](const std::string& name) {
    const std::string mesh = "<geometry><mesh filename=\"" + name + "\"/></geometry>";
    const auto robot =
        ReadUrdfText(RobotText(LinkText("a", "<visual>" + mesh + "</visual><collision>" + mesh +
                                                 "</collision>") +
                               JointText("j", "fixed", "base", "a")),
                     "r.urdf", folder);
    return robot.ok() ? "read" : ErrorsOf(robot);
  };
  for (const char* name :
       {"Meshes\\Block.obj", ".\\Meshes\\sub\\LOUD.OBJ", "package://any\\Meshes\\Block.obj",
        "package:\\\\any\\Meshes\\Block.obj", "Meshes/sub/LOUD.OBJ"})
    EXPECT_EQ(read(name), "read") << name;
  // in another case, too
  for (const char* name : {"meshes/block.obj", "Meshes\\BLOCK.OBJ",
                           "package://any/meshes/Block.obj", "meshes/sub/loud.obj"})
    EXPECT_EQ(read(name), "read") << name;
  for (const char* name : {"C:\\parts\\block.obj", "file:///D:/parts/block.obj"})
    EXPECT_NE(read(name).find("its path from the URDF file's folder"), std::string::npos)
        << read(name);
  EXPECT_NE(read("nothing.obj").find("paths count from"), std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST(UrdfFiles, AMeshOfMetresThatLooksLikeMillimetresIsNoted) {
  const TempFile mesh(
      "large.obj", "v 0 0 0\nv 50 0 0\nv 0 50 0\nv 0 0 50\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
  const auto read = [&](const std::string& scale) {
    return ReadText(RobotText(LinkText("a", "<collision><geometry><mesh filename=\"" + mesh.path() +
                                                "\" " + scale + "/></geometry></collision>") +
                              JointText("j", "fixed", "base", "a")));
  };
  const auto metres = read("");
  ASSERT_TRUE(metres.ok()) << ErrorsOf(metres);
  EXPECT_TRUE(HasNote(metres->notes, "50 m large: if the file has millimetres, set scale="));
  const auto scaled = read("scale=\"0.001 0.001 0.001\"");
  ASSERT_TRUE(scaled.ok()) << ErrorsOf(scaled);
  EXPECT_FALSE(HasNote(scaled->notes, "millimetres"));
}

TEST(UrdfFiles, ReadsFilesAndRefusesOthers) {
  const TempFile file("robot.urdf", kCrane);
  EXPECT_TRUE(ReadUrdf(file.path()).ok());
  const auto missing = ReadUrdf("/nowhere/x.urdf");
  EXPECT_NE(ErrorsOf(missing).find("/nowhere/x.urdf: no such file"), std::string::npos);
  EXPECT_NE(ErrorsOf(ReadUrdf(testing::TempDir())).find("folder"), std::string::npos);
  const TempFile large("large.urdf", std::string(18 << 20, ' '));
  EXPECT_NE(ErrorsOf(ReadUrdf(large.path())).find("18.0 MiB"), std::string::npos);
}

TEST(UrdfFiles, ReadsTheSameUnderAnyLocale) {
  const RobotDescription plain = ReadText(kCrane).value();
  const char* names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"};
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : names)
    if (std::setlocale(LC_ALL, name) != nullptr) break;
  // a comma for a point in C++ streams, which needs no installed locale
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::locale old = std::locale::global(std::locale(std::locale::classic(), new Comma));
  const auto read = ReadText(kCrane);
  std::locale::global(old);
  std::setlocale(LC_ALL, before.c_str());
  ASSERT_TRUE(read.ok()) << ErrorsOf(read);
  EXPECT_EQ(read->links[0].visuals[0].shape.size, plain.links[0].visuals[0].shape.size);
  EXPECT_EQ(*read->links[0].visuals[0].color, *plain.links[0].visuals[0].color);
  EXPECT_EQ(read->joints[1].mimic->offset, 0.25);
}

TEST(UrdfFiles, SaysNothingOnStderrAndReadsInThreads) {
  testing::internal::CaptureStderr();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([] {
      for (int n = 0; n < 20; ++n) EXPECT_EQ(ReadText(kCrane).ok(), true);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(ReadText("<robot name=\"r\"><link/></robot>").ok());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace slip::test
