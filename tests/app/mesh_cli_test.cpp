// Meshes in the formats that people have, on the command line and dropped on the window.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/mesh_files.h"
#include "tests/support/offscreen.h"
#include "tests/support/program.h"
#include "tests/support/urdf.h"

namespace slip {
namespace {

TEST(MeshCli, CheckTellsWhatAFileHolds) {
  const TempFolder folder;
  const test::Soup box = test::BoxSoup({0.1, 0.2, 0.3});
  WriteText(folder.path("b.stl"), test::StlBytes(box));
  WriteText(folder.path("b.DAE"), test::ColladaText(box, {.asset = ""}));
  WriteText(folder.path("b.gltf"), test::GltfText(box));
  WriteText(folder.path("b.glb"), test::GlbBytes(box));
  WriteText(folder.path("b.ply"), test::PlyFaces(box));
  for (const char* name : {"b.stl", "b.DAE", "b.gltf", "b.glb", "b.ply"}) {
    const ProgramResult check = RunProgram({"check", folder.path(name)});
    EXPECT_EQ(check.exit, 0) << name << check.err;
    EXPECT_NE(check.out.find("8 vertices, 12 triangles, closed, volume 0.006 m^3"),
              std::string::npos)
        << name << check.out;
    EXPECT_EQ(check.out.find("y up: turned so that z is up") != std::string::npos,
              std::string(name) == "b.DAE" || std::string(name).find(".gl") == 1)
        << check.out;
  }
  EXPECT_NE(RunProgram({"check", folder.path("b.ply")}).out.find("with shape = \"cloud\""),
            std::string::npos);
  // points alone are a cloud still
  test::Soup points = box;
  points.triangles.clear();
  WriteText(folder.path("p.ply"), test::PlyFaces(points));
  EXPECT_NE(RunProgram({"check", folder.path("p.ply")}).out.find("point cloud, 8 points"),
            std::string::npos);
}

TEST(MeshCli, BrokenFilesAreBadInput) {
  const TempFolder folder;
  const std::string bytes = test::StlBytes(test::BoxSoup({0.1, 0.2, 0.3}));
  WriteText(folder.path("cut.stl"), bytes.substr(0, 400));
  WriteText(folder.path("deep.gltf"), "{\"asset\":" + std::string(2000000, '['));
  WriteText(folder.path("no.dae"), "<COLLADA>");
  ASSERT_EQ(mkfifo(folder.path("pipe.glb").c_str(), 0600), 0);
  for (const auto& [name, part] :
       {std::pair<const char*, const char*>{"cut.stl", "it promises 12 triangles"},
        {"deep.gltf", "ended by signal"},
        {"no.dae", "it cannot be read as COLLADA"},
        {"pipe.glb", "is a pipe, not a mesh file"},
        {"none.stl", "no such file"}}) {
    Program program({"check", folder.path(name)});
    const ProgramResult check = program.Wait(60);
    EXPECT_EQ(check.exit, 5) << name << check.err;
    EXPECT_EQ(check.out, "");
    EXPECT_NE(check.err.find(folder.path(name) + ": "), std::string::npos) << check.err;
    EXPECT_NE(check.err.find(part), std::string::npos) << check.err;
    EXPECT_EQ(std::count(check.err.begin(), check.err.end(), '\n'), 1) << check.err;
  }
  const ProgramResult run = RunProgram({"run", folder.path("cut.stl")});
  EXPECT_EQ(run.exit, 5);
  EXPECT_NE(run.err.find("a mesh (STL), no scene"), std::string::npos) << run.err;
}

TEST(MeshCli, FilesOfOtherKindsAreToldByTheirEndings) {
  const TempFolder folder;
  const std::string bytes = test::StlBytes(test::BoxSoup({0.1, 0.2, 0.3}), "x");
  for (const char* name : {"b.fbx", "b.stl.gz", "b"}) {
    WriteText(folder.path(name), bytes);
    for (const char* command : {"check", "run"}) {
      const ProgramResult said = RunProgram({command, folder.path(name)});
      EXPECT_EQ(said.exit, 5) << name;
      EXPECT_NE(said.err.find("expected a scene (.toml), a robot"), std::string::npos) << said.err;
      EXPECT_EQ(std::count(said.err.begin(), said.err.end(), '\n'), 1) << said.err;
    }
  }
  WriteText(folder.path("t"), test::ObjText(test::BoxSoup({0.1, 0.2, 0.3})));
  EXPECT_NE(RunProgram({"check", folder.path("t")}).err.find("no ending that tells its kind"),
            std::string::npos);
  EXPECT_NE(RunProgram({"check", folder.path("b.fbx")}).err.find("files of type '.fbx'"),
            std::string::npos);
}

// Far too small, as in robots.
TEST(MeshCli, ScenesRefuseMeshesOfAbsurdSize) {
  const TempFolder folder;
  WriteText(folder.path("b.stl"), test::StlBytes(test::BoxSoup({1e-30, 2e-30, 3e-30})));
  WriteText(folder.path("s.toml"),
            "title = \"t\"\n[material.w]\nstiffness = 1e5\n[surface.g]\n[body.a]\nshape = "
            "\"mesh\"\nfile = \"b.stl\"\nmass = 1\nposition = [0, 0, 1]\n");
  const ProgramResult check = RunProgram({"check", folder.path("s.toml")});
  EXPECT_EQ(check.exit, 5) << check.out;
  EXPECT_NE(check.err.find("expected 1e-06 to 1000 m"), std::string::npos) << check.err;
}

TEST(MeshCli, KeyframesAreSaid) {
  const TempFolder folder;
  WriteText(folder.path("k.xml"),
            "<mujoco><worldbody><body><joint type=\"slide\" axis=\"1 0 0\"/><geom size=\".1\"/>"
            "</body></worldbody><keyframe><key name=\"k1\" qpos=\"1\"/><key name=\"home\" "
            "qpos=\"2\"/></keyframe></mujoco>");
  const ProgramResult check = RunProgram({"check", folder.path("k.xml")});
  EXPECT_EQ(check.exit, 0) << check.err;
  EXPECT_NE(check.out.find("it starts at keyframe 'k1'; others: 'home'"), std::string::npos)
      << check.out;
}

// A file that ends the process that reads it ends nothing else.
TEST(MeshCli, TheWindowGoesOn) {
  using namespace app;
  OPEN_OR_SKIP(ui, "falling-sphere");
  Settle(ui.get());
  const TempFolder folder;
  WriteText(folder.path("deep.gltf"), "{\"asset\":" + std::string(2000000, '['));
  WriteText(folder.path("b.stl"), test::StlBytes(test::BoxSoup({0.1, 0.1, 0.2})));
  const auto robot = [&](const std::string& mesh) {
    WriteText(folder.path("r.urdf"),
              test::RobotText(test::LinkText("a", std::string(test::kBody) +
                                                      "<collision><geometry><mesh filename=\"" +
                                                      mesh + "\"/></geometry></collision>") +
                              test::JointText("j", "continuous", "base", "a")));
    return ui->session().Load(folder.path("r.urdf"));
  };
  EXPECT_FALSE(robot("deep.gltf"));
  Settle(ui.get());
  EXPECT_EQ(ui->session().scene()->id, "falling-sphere");
  ASSERT_NE(ui->session().Card(), nullptr);
  EXPECT_NE(ui->session().Card()->Text().find("deep.gltf"), std::string::npos)
      << ui->session().Card()->Text();
  // dropped alone, a mesh is told apart
  EXPECT_FALSE(ui->session().Load(folder.path("b.stl")));
  Settle(ui.get());
  EXPECT_NE(ui->session().Card()->Text().find("a mesh (STL), no scene"), std::string::npos)
      << ui->session().Card()->Text();
  EXPECT_TRUE(robot("b.stl"));
  Pass(ui.get(), 0.1);
  EXPECT_EQ(ui->session().scene()->title, "r");
}

TEST(MeshCli, ARobotRuns) {
  const TempFolder folder;
  const test::Soup box = test::BoxSoup({0.1, 0.1, 0.2});
  WriteText(folder.path("b.stl"), test::StlBytes(box));
  WriteText(folder.path("b.dae"), test::ColladaText(box, {.colors = {{1, 0, 0, 1}}}));
  const std::string parts =
      "<visual><geometry><mesh filename=\"b.dae\"/></geometry></visual>"
      "<collision><geometry><mesh filename=\"b.stl\"/></geometry></collision>";
  WriteText(folder.path("r.urdf"), test::RobotText(test::LinkText("a", test::kBody + parts) +
                                                   test::JointText("j", "fixed", "base", "a")));
  const ProgramResult run =
      RunProgram({"run", folder.path("r.urdf"), "-t", "0.05", "--expect", "max(contacts) > 3"});
  EXPECT_EQ(run.exit, 0) << run.err;
}

}  // namespace
}  // namespace slip
