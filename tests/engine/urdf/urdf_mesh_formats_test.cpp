// Robots whose meshes are STL, COLLADA, glTF or PLY files.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>

#include "engine/core/thread_stop.h"
#include "engine/geometry/mesh.h"
#include "engine/geometry/shape.h"
#include "engine/scene/robot_scene.h"
#include "engine/scene/scene.h"
#include "tests/support/mesh_files.h"
#include "tests/support/temp_folder.h"
#include "tests/support/urdf.h"

namespace slip::test {
namespace {

std::string MeshPart(const std::string& kind, const std::string& file,
                     const std::string& more = {}) {
  return fmt::format("<{0}><geometry><mesh filename=\"{1}\" {2}/></geometry></{0}>", kind, file,
                     more);
}

Result<RobotDescription> ReadIn(const TempFolder& folder, const std::string& parts) {
  return ReadUrdfText(
      RobotText(LinkText("a", kBody + parts) + JointText("j", "continuous", "base", "a")), "r.urdf",
      folder.path());
}

void WriteAll(const TempFolder& folder, const Soup& soup) {
  WriteText(folder.path("m.stl"), StlBytes(soup));
  WriteText(folder.path("m.dae"), ColladaText(soup, {.colors = {{1, 0, 0, 1}, {0, 1, 0, 1}}}));
  WriteText(folder.path("m.gltf"), GltfText(soup));
  WriteText(folder.path("m.glb"), GlbBytes(soup));
  WriteText(folder.path("m.ply"), PlyFaces(soup, PlyWritten::kBigEndian));
  WriteText(folder.path("m.obj"), ObjText(soup));
}

TEST(UrdfMeshFormats, CollisionShapesAreTheSameInAllFormats) {
  const TempFolder folder;
  WriteAll(folder, BoxSoup({100, 200, 300}));
  for (const char* name : {"m.stl", "m.dae", "m.gltf", "m.glb", "m.ply", "m.obj"}) {
    for (const char* scale : {"0.001 0.001 0.001", "0.001 -0.001 0.001"}) {
      const auto robot =
          ReadIn(folder, MeshPart("collision", name, fmt::format("scale=\"{}\"", scale)));
      ASSERT_TRUE(robot.ok()) << name << ErrorsOf(robot);
      const RobotShape& shape = robot->links[1].collisions.at(0);
      ASSERT_EQ(shape.shape.kind, ShapeKind::kConvex);
      EXPECT_EQ(shape.shape.convex->vertices.size(), 8u) << name;
      EXPECT_EQ(shape.shape.convex->faces.size(), 6u) << name;
      Eigen::AlignedBox3d box;
      for (const Vec3& p : shape.shape.convex->vertices) box.extend(Vec3(shape.X_LS * p));
      EXPECT_TRUE(box.sizes().isApprox(Vec3(0.1, 0.2, 0.3), 1e-6)) << box.sizes().transpose();
    }
  }
}

TEST(UrdfMeshFormats, WhatIsSeenAndTouchesIsTheSameAsEitherAlone) {
  const TempFolder folder;
  for (const NamedSoup& figure : TenFigures()) {
    Soup soup = figure.soup;
    std::swap(soup.triangles[1][1], soup.triangles[1][2]);  // there is something to repair
    WriteAll(folder, soup);
    WriteText(folder.path("other.stl"), StlBytes(BoxSoup({0.1, 0.2, 0.3})));
    for (const char* name : {"m.stl", "m.dae", "m.obj"}) {
      const std::string other = MeshPart("visual", "other.stl"), seen = MeshPart("visual", name),
                        touching = MeshPart("collision", name);
      const auto both = ReadIn(folder, seen + other + touching);
      const auto first = ReadIn(folder, seen + other), second = ReadIn(folder, other + touching);
      ASSERT_TRUE(both.ok() && first.ok() && second.ok()) << figure.name << name << ErrorsOf(both);
      const auto& visuals = both->links[1].visuals;
      ASSERT_EQ(visuals.size(), first->links[1].visuals.size());
      for (std::size_t i = 0; i < visuals.size(); ++i) {
        const TriangleMesh &a = *visuals[i].shape.triangles,
                           &b = *first->links[1].visuals[i].shape.triangles;
        EXPECT_EQ(a.vertices, b.vertices) << figure.name << name;
        EXPECT_EQ(a.triangles, b.triangles) << figure.name << name;
        EXPECT_EQ(a.tree_order, b.tree_order) << figure.name << name;
      }
      const auto& collisions = both->links[1].collisions;
      ASSERT_EQ(collisions.size(), second->links[1].collisions.size());
      for (std::size_t i = 0; i < collisions.size(); ++i) {
        const RobotShape& alone = second->links[1].collisions[i];
        EXPECT_EQ(collisions[i].shape.convex->vertices, alone.shape.convex->vertices);
        EXPECT_EQ(collisions[i].X_LS.p, alone.X_LS.p) << figure.name << name;
      }
    }
  }
}

TEST(UrdfMeshFormats, VisualsHaveTheColoursOfTheirFile) {
  const TempFolder folder;
  WriteAll(folder, BoxSoup({0.1, 0.2, 0.3}));
  const auto robot = ReadIn(folder, MeshPart("visual", "m.dae"));
  ASSERT_TRUE(robot.ok()) << ErrorsOf(robot);
  const auto& visuals = robot->links[1].visuals;
  ASSERT_EQ(visuals.size(), 2u);
  std::size_t triangles = 0;
  for (const RobotShape& visual : visuals) {
    ASSERT_EQ(visual.shape.kind, ShapeKind::kTriangleMesh);
    triangles += visual.shape.triangles->triangles.size();
    ASSERT_TRUE(visual.color.has_value());
    EXPECT_EQ((*visual.color)[0] + (*visual.color)[1], 1);
  }
  EXPECT_EQ(triangles, 12u);
  EXPECT_NE((*visuals[0].color)[0], (*visuals[1].color)[0]);
  // what the robot's file says holds
  const auto blue =
      ReadIn(folder,
             "<visual><geometry><mesh filename=\"m.dae\"/></geometry><material name=\"m\"><color "
             "rgba=\"0 0 1 1\"/></material></visual>");
  ASSERT_TRUE(blue.ok()) << ErrorsOf(blue);
  for (const RobotShape& visual : blue->links[1].visuals) EXPECT_EQ((*visual.color)[2], 1);
  // and no file, no colour
  const auto plain = ReadIn(folder, MeshPart("visual", "m.stl"));
  ASSERT_TRUE(plain.ok()) << ErrorsOf(plain);
  ASSERT_EQ(plain->links[1].visuals.size(), 1u);
  EXPECT_FALSE(plain->links[1].visuals[0].color);
}

TEST(UrdfMeshFormats, UnitsAndUpAxesAreSaidOnce) {
  const TempFolder folder;
  const std::string asset = "<unit meter=\"0.01\"/><up_axis>Y_UP</up_axis>";
  for (const char* name : {"a.dae", "b.dae", "c.dae"})
    WriteText(folder.path(name), ColladaText(BoxSoup({1, 2, 3}), {.asset = asset}));
  const auto robot =
      ReadIn(folder, MeshPart("visual", "a.dae") + MeshPart("visual", "b.dae") +
                         MeshPart("collision", "b.dae") + MeshPart("collision", "c.dae"));
  ASSERT_TRUE(robot.ok()) << ErrorsOf(robot);
  int said = 0;
  for (const std::string& note : robot->notes) said += note.find("0.01 m, and y up") != note.npos;
  EXPECT_EQ(said, 1);
  Eigen::AlignedBox3d box;
  for (const Vec3& p : robot->links[1].visuals[0].shape.triangles->vertices) box.extend(p);
  // the unit counts; the axes stand as they are written
  EXPECT_TRUE(box.sizes().isApprox(Vec3(0.01, 0.02, 0.03), 1e-6)) << box.sizes().transpose();
}

TEST(UrdfMeshFormats, NoUpAxisTurnsAMesh) {
  const TempFolder folder;
  for (const char* asset : {"<up_axis>Z_UP</up_axis>", "<up_axis>Y_UP</up_axis>", ""}) {
    WriteText(folder.path("m.dae"), ColladaText(BoxSoup({1, 2, 3}), {.asset = asset}));
    for (const char* kind : {"visual", "collision"}) {
      const auto robot = ReadIn(folder, MeshPart(kind, "m.dae"));
      ASSERT_TRUE(robot.ok()) << ErrorsOf(robot);
      const RobotLink& link = robot->links[1];
      const bool hull = std::string(kind) == "collision";
      const RobotShape& shape = hull ? link.collisions[0] : link.visuals[0];
      Eigen::AlignedBox3d box;
      for (const Vec3& p : hull ? shape.shape.convex->vertices : shape.shape.triangles->vertices)
        box.extend(shape.X_LS.q * p + shape.X_LS.p);
      EXPECT_TRUE(box.sizes().isApprox(Vec3(1, 2, 3), 1e-6)) << asset << box.sizes().transpose();
      int said = 0;
      for (const std::string& note : robot->notes)
        said += note.find("y up: taken as it is, as other readers of URDF do") != note.npos;
      EXPECT_EQ(said, std::string(asset).find('Z') == std::string::npos ? 1 : 0) << asset;
    }
  }
}

// Some programs turn COLLADA's axes and some do not: the masses tell which one wrote a robot.
TEST(UrdfMeshFormats, AxesAreThoseThatMassesLieIn) {
  const TempFolder folder;
  WriteText(folder.path("m.dae"),
            ColladaText(BoxSoup({0.1, 1, 0.1}), {.asset = "<up_axis>Y_UP</up_axis>"}));
  const auto read = [&](const char* com, int others) {
    std::string text = "<robot name=\"r\"><link name=\"base\"/>";
    for (int i = 0; i < 4; ++i) {
      const std::string name = "l" + std::to_string(i);
      text += "<link name=\"" + name + "\"><inertial><origin xyz=\"" +
              (i < others ? "0 0 0" : com) +
              "\"/><mass value=\"1\"/><inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"0.1\" ixy=\"0\" "
              "ixz=\"0\" iyz=\"0\"/></inertial>" +
              MeshPart("collision", "m.dae") + "</link>" +
              JointText("j" + name, "continuous", "base", name);
    }
    return ReadUrdfText(text + "</robot>", "r.urdf", folder.path());
  };
  const auto size_of = [](const RobotDescription& robot) {
    const RobotShape& shape = robot.links[1].collisions[0];
    Vec3 min, max;
    CalcBounds(shape.shape, shape.X_LS, &min, &max);
    return Vec3(max - min);
  };
  const auto says = [](const RobotDescription& robot) {
    return std::any_of(robot.notes.begin(), robot.notes.end(), [](const std::string& note) {
      return note.find("turned so that z is up: 0 of the links' centres of mass") != note.npos;
    });
  };
  const auto up = read("0 0 0.4", 0), along = read("0 0.4 0", 0), few = read("0 0 0.4", 2);
  for (const auto* robot : {&up, &along, &few}) ASSERT_TRUE(robot->ok()) << ErrorsOf(*robot);
  EXPECT_TRUE(size_of(*up).isApprox(Vec3(0.1, 0.1, 1), 1e-6)) << size_of(*up).transpose();
  EXPECT_TRUE(says(*up));
  // where they lie in their shapes as written, and where few say anything
  for (const auto* robot : {&along, &few}) {
    EXPECT_TRUE(size_of(**robot).isApprox(Vec3(0.1, 1, 0.1), 1e-6));
    EXPECT_FALSE(says(**robot));
  }
}

TEST(UrdfMeshFormats, AnotherFileStandsInForAMissingOne) {
  const TempFolder folder;
  std::filesystem::create_directories(folder.path("Meshes"));
  std::filesystem::create_directories(folder.path("urdf/hand"));
  WriteText(folder.path("Meshes/part.obj"), ObjText(BoxSoup({1, 1, 1})));
  const auto read = [&](const std::string& kind, const std::string& file) {
    return ReadUrdfText(RobotText(LinkText("a", kBody + MeshPart(kind, file)) +
                                  JointText("j", "continuous", "base", "a")),
                        "r.urdf", folder.path("urdf/hand"));
  };
  // another case, another format, the folder of the package in place of the file's own
  for (const char* file : {"Meshes/part.obj", "meshes/Part.obj", "package://robot/meshes/part.OBJ",
                           "Meshes/part.dae", "package://robot/Meshes/part.STL"}) {
    for (const char* kind : {"visual", "collision"}) {
      const auto robot = read(kind, file);
      ASSERT_TRUE(robot.ok()) << file << ErrorsOf(robot);
      const RobotLink& link = robot->links[1];
      EXPECT_EQ(link.visuals.size() + link.collisions.size(), 1u) << file;
      EXPECT_TRUE(HasNote(robot->notes, std::string("mesh '") + file + "' by '")) << file;
    }
  }
  // as it is named there is nothing to say
  const auto plain = read("visual", "../../Meshes/part.obj");
  ASSERT_TRUE(plain.ok()) << ErrorsOf(plain);
  EXPECT_FALSE(HasNote(plain->notes, "part.obj"));
}

TEST(UrdfMeshFormats, AMissingMeshForTheEyesIsLeftOut) {
  const TempFolder folder;
  for (const char* file : {"part.obj", "part.dae", "package://robot/part.stl"}) {
    const auto seen = ReadIn(folder, MeshPart("visual", file));
    ASSERT_TRUE(seen.ok()) << ErrorsOf(seen);
    EXPECT_TRUE(seen->links[1].visuals.empty());
    EXPECT_TRUE(HasNote(seen->notes, "of link 'a': not drawn, no such file")) << file;
    // what touches must be known
    EXPECT_FALSE(ReadIn(folder, MeshPart("collision", file)).ok());
  }
  // and one that is there and broken is told
  WriteText(folder.path("part.dae"), "<COLLADA");
  const auto broken = ReadIn(folder, MeshPart("visual", "part.dae"));
  ASSERT_FALSE(broken.ok());
  EXPECT_NE(ErrorsOf(broken).find("part.dae: it cannot be read as COLLADA"), std::string::npos)
      << ErrorsOf(broken);
}

TEST(UrdfMeshFormats, MissingMeshesForTheEyesAreSaidInOneNote) {
  const TempFolder folder;
  std::string parts;
  for (int i = 0; i < 9; ++i) parts += MeshPart("visual", fmt::format("part{}.stl", i));
  const auto robot = ReadIn(folder, parts);
  ASSERT_TRUE(robot.ok()) << ErrorsOf(robot);
  int notes = 0;
  for (const std::string& note : robot->notes) notes += note.find("not drawn") != note.npos;
  EXPECT_EQ(notes, 1);
  EXPECT_TRUE(HasNote(robot->notes, "mesh 'part0.stl' of link 'a', mesh 'part1.stl'"));
  EXPECT_TRUE(HasNote(robot->notes, "and 6 more: not drawn"));
}

TEST(UrdfMeshFormats, WhatIsSeenStandsInForMissingCollisionMeshes) {
  const TempFolder folder;
  WriteAll(folder, BoxSoup({0.1, 0.2, 0.3}));
  const std::string seen =
      "<visual><origin xyz=\"0 0 1\"/><geometry><mesh filename=\"m.stl\"/></geometry></visual>"
      "<visual><geometry><sphere radius=\"0.5\"/></geometry></visual>";
  const auto robot =
      ReadIn(folder, seen + MeshPart("collision", "no.stl") + MeshPart("collision", "none.stl"));
  ASSERT_TRUE(robot.ok()) << ErrorsOf(robot);
  const RobotLink& link = robot->links[1];
  ASSERT_EQ(link.collisions.size(), 2u);
  EXPECT_EQ(link.visuals.size(), 2u);
  EXPECT_EQ(link.collisions[0].shape.kind, ShapeKind::kConvex);
  EXPECT_LT((link.collisions[0].X_LS.p - Vec3(0, 0, 1)).norm(), 1e-6);
  EXPECT_EQ(link.collisions[1].shape.radius, 0.5);
  EXPECT_TRUE(HasNote(robot->notes,
                      "collision mesh 'no.stl' of link 'a', collision mesh 'none.stl' of link 'a': "
                      "there is no such file, and the link touches with what it looks like"));
  // of which something is missing, too, or in a format that is not read: then nobody knows
  for (const char* other : {"lost.stl", "m.step"})
    EXPECT_FALSE(
        ReadIn(folder, seen + MeshPart("visual", other) + MeshPart("collision", "no.stl")).ok());
  EXPECT_FALSE(ReadIn(folder, MeshPart("collision", "no.stl")).ok());
}

TEST(UrdfMeshFormats, AFourthNumberOfAScaleIsNotUsed) {
  const TempFolder folder;
  WriteAll(folder, BoxSoup({1, 2, 3}));
  const auto read = [&](const std::string& scale) {
    return ReadIn(folder, MeshPart("collision", "m.stl", "scale=\"" + scale + "\""));
  };
  const auto four = read("0.1 0.2 0.3 9"), three = read("0.1 0.2 0.3");
  ASSERT_TRUE(four.ok()) << ErrorsOf(four);
  ASSERT_TRUE(three.ok()) << ErrorsOf(three);
  EXPECT_EQ(four->links[1].collisions[0].shape.convex->vertices,
            three->links[1].collisions[0].shape.convex->vertices);
  EXPECT_TRUE(HasNote(four->notes, "scale of a <mesh> has a fourth number"));
  EXPECT_FALSE(HasNote(three->notes, "fourth"));
  EXPECT_FALSE(read("0.1 0.2").ok());
  EXPECT_FALSE(read("0.1 0.2 0.3 0.4 0.5").ok());
  EXPECT_FALSE(read("0.1 0.2 0.3 x").ok());
}

// The whole robot, as a scene of its own.
TEST(UrdfMeshFormats, ARobotOfManyMeshesIsReadAndCanBeStopped) {
  const TempFolder folder;
  std::string links, joints;
  for (int i = 0; i < 30; ++i) {
    const std::string name = fmt::format("m{}.stl", i);
    WriteText(folder.path(name), StlBytes(BoxSoup({0.1, 0.1, 0.1 + 0.001 * i})));
    links += LinkText(fmt::format("l{}", i),
                      kBody + MeshPart("visual", name) + MeshPart("collision", name));
    joints +=
        JointText(fmt::format("j{}", i), "continuous", i == 0 ? "base" : fmt::format("l{}", i - 1),
                  fmt::format("l{}", i), "<origin xyz=\"0.2 0 0\"/>");
  }
  WriteText(folder.path("r.urdf"), RobotText(links + joints));
  std::atomic<int> asked{0};
  {
    const ThreadStop stop([&] { return ++asked > 5; });
    EXPECT_FALSE(ReadUrdf(folder.path("r.urdf")).ok());
  }
  const auto scene = FindScene(folder.path("r.urdf"));
  ASSERT_TRUE(scene.ok()) << scene.error().Text();
  EXPECT_EQ((*scene)->model->visuals.size(), 30u);
}

TEST(UrdfMeshFormats, ScenesTakeThemToo) {
  const TempFolder folder;
  WriteAll(folder, BoxSoup({0.1, 0.2, 0.3}));
  const auto text = [](const std::string& file, const std::string& more) {
    return "schema = \"slipscope.scene/1\"\ntitle = \"t\"\n[material.m]\nfriction = 0.5\n"
           "[body.b]\nshape = \"mesh\"\nfile = \"" +
           file + "\"\n" + more + "material = \"m\"\n";
  };
  for (const char* name : {"m.stl", "m.dae", "m.gltf", "m.glb", "m.ply"}) {
    WriteText(folder.path("s.toml"), text(name, "density = 1000\n"));
    const auto scene = ReadScene(folder.path("s.toml"));
    ASSERT_TRUE(scene.ok()) << scene.error().Text();
    EXPECT_NEAR((*scene)->model->bodies[0].mass, 6, 1e-5) << name;
    WriteText(folder.path("s.toml"), text(name, "motion = \"fixed\"\n"));
    const auto fixed = ReadScene(folder.path("s.toml"));
    ASSERT_TRUE(fixed.ok()) << fixed.error().Text();
    EXPECT_EQ((*fixed)->model->bodies[0].shape.triangles->triangles.size(), 12u) << name;
    EXPECT_EQ((*fixed)->model->bodies[0].colour.has_value(),
              std::string(name).find("m.d") == 0 || std::string(name).find("m.g") == 0);
  }
  WriteText(folder.path("s.toml"), text("m2.stl", "mass = 1\n"));
  WriteText(folder.path("m2.obj"), "x");
  const auto missing = ReadScene(folder.path("s.toml"));
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.error().Text().find("m2.obj': name that one here"), std::string::npos)
      << missing.error().Text();
  // a mesh alone is no scene
  const auto alone = FindScene(folder.path("m.stl"));
  ASSERT_FALSE(alone.ok());
  EXPECT_NE(alone.error().Text().find("m.stl: a mesh (STL), no scene"), std::string::npos)
      << alone.error().Text();
}

}  // namespace
}  // namespace slip::test
