// What was read once is kept, checked, and makes room.
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "engine/core/sha256.h"
#include "engine/geometry/mesh_cache.h"
#include "engine/geometry/mesh_source.h"
#include "tests/support/cache_home.h"
#include "tests/support/geometry.h"
#include "tests/support/helper_habits.h"
#include "tests/support/mesh_files.h"
#include "tests/support/temp_folder.h"

namespace slip::test {
namespace {

namespace fs = std::filesystem;

MeshMessage Example(int triangles = 1) {
  MeshMessage message;
  message.unit = 0.01;
  message.up = UpAxis::kY;
  message.left_out = 3;
  message.side_files = {{"a.bin", CalcSha256("a")}};
  message.vertices = {Vec3::Zero(), Vec3::UnitX(), Vec3(0.1, 1.0 / 3, 1e-300)};
  message.triangles.assign(static_cast<std::size_t>(triangles), {0, 1, 2});
  message.parts = {{"first", std::array<double, 4>{1, 0.5, 0, 1}, 0, triangles}};
  return message;
}

class BrokenHelpers {
 public:
  BrokenHelpers() { setenv(kHelperHabit, kAborts, 1); }
  ~BrokenHelpers() { unsetenv(kHelperHabit); }
  BrokenHelpers(const BrokenHelpers&) = delete;
  BrokenHelpers& operator=(const BrokenHelpers&) = delete;
};

TEST(Sha256, KnowsThePublishedExamples) {
  EXPECT_EQ(CalcSha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(CalcSha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(CalcSha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  // in pieces, too
  Sha256 million;
  for (int i = 0; i < 1000; ++i) million.Add(std::string(1000, 'a'));
  EXPECT_EQ(million.Finish(), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, InstructionsOfTheProcessorGiveTheSameDigits) {
  Random random(3);
  std::string bytes;
  for (int size = 0; size < 400; ++size) {
    Sha256 fast, plain(Sha256::By::kPortable);
    for (Sha256* hash : {&fast, &plain}) {
      hash->Add(bytes);
      hash->Add(std::string_view(bytes).substr(bytes.size() / 3));
    }
    ASSERT_EQ(fast.Finish(), plain.Finish()) << size;
    bytes += static_cast<char>(random.Uniform(0, 256));
  }
  Sha256 abc(Sha256::By::kPortable);
  abc.Add("abc");
  EXPECT_EQ(abc.Finish(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(MeshMessage, ComesBackAsItWas) {
  const MeshMessage message = Example();
  const std::string bytes = EncodeMesh(message);
  const auto read = DecodeMesh(bytes);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->unit, message.unit);
  EXPECT_EQ(read->up, message.up);
  EXPECT_EQ(read->left_out, message.left_out);
  EXPECT_EQ(read->side_files[0].name, "a.bin");
  EXPECT_EQ(read->side_files[0].hash, message.side_files[0].hash);
  EXPECT_EQ(read->vertices, message.vertices);
  EXPECT_EQ(read->triangles, message.triangles);
  EXPECT_EQ(read->parts[0].name, "first");
  EXPECT_EQ(read->parts[0].color, message.parts[0].color);
  MeshMessage wrong;
  wrong.problem = "a line\nand \xFF bytes";
  EXPECT_EQ(DecodeMesh(EncodeMesh(wrong))->problem, "a line and ? bytes");
}

TEST(MeshMessage, NothingOfItIsBelieved) {
  const std::string bytes = EncodeMesh(Example(2));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(DecodeMesh(bytes.substr(0, size))) << size;
  EXPECT_FALSE(DecodeMesh(bytes + "x"));
  const auto refuses = [](const auto& change) {
    MeshMessage message = Example(2);
    change(&message);
    return !DecodeMesh(EncodeMesh(message)).has_value();
  };
  EXPECT_FALSE(refuses([](MeshMessage*) {}));
  EXPECT_TRUE(refuses([](MeshMessage* m) { m->vertices[0].x() = NAN; }));
  EXPECT_TRUE(refuses([](MeshMessage* m) { m->vertices[2].z() = INFINITY; }));
  EXPECT_TRUE(refuses([](MeshMessage* m) { m->triangles[0][1] = 3; }));
  EXPECT_TRUE(refuses([](MeshMessage* m) { m->triangles[1][2] = -1; }));
  EXPECT_TRUE(refuses([](MeshMessage* m) { m->parts[0].count = 1; }));
  EXPECT_TRUE(refuses([](MeshMessage* m) { m->parts[0].first = 1; }));
  EXPECT_TRUE(refuses([](MeshMessage* m) { m->parts.clear(); }));
  EXPECT_TRUE(refuses([](MeshMessage* m) { (*m->parts[0].color)[0] = 2; }));
  EXPECT_TRUE(refuses([](MeshMessage* m) { m->unit = -1; }));
  EXPECT_TRUE(refuses([](MeshMessage* m) { m->unit = NAN; }));
  EXPECT_TRUE(refuses([](MeshMessage* m) { m->up = static_cast<UpAxis>(9); }));
  // any single byte changed: refused, or a sound message all the same
  for (std::size_t i = 0; i < bytes.size(); ++i)
    for (const char to : {'\0', '\x7F', '\xFF'}) {
      std::string changed = bytes;
      changed[i] = to;
      const auto read = DecodeMesh(changed);
      if (!read || !read->problem.empty()) continue;
      for (const auto& t : read->triangles)
        for (const int v : t) EXPECT_LT(static_cast<std::size_t>(v), read->vertices.size());
      for (const Vec3& p : read->vertices) EXPECT_TRUE(p.allFinite());
    }
}

TEST(MeshCache, KeepsChecksAndForgets) {
  const TempFolder folder;
  const MeshCache cache(folder.path("deep/meshes"));
  EXPECT_FALSE(cache.Find("a"));
  cache.Keep("a", Example());
  ASSERT_TRUE(cache.Find("a"));
  EXPECT_EQ(cache.Find("a")->vertices, Example().vertices);
  struct stat info {};
  ASSERT_EQ(stat(folder.path("deep/meshes").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
  // damaged: not given, and gone
  const std::string path = folder.path("deep/meshes/a.mesh"), whole = ReadText(path);
  for (const std::size_t at :
       {std::size_t{0}, std::size_t{20}, whole.size() / 2, whole.size() - 1}) {
    std::string text = whole;
    text[at] = static_cast<char>(text[at] ^ 1);
    WriteText(path, text);
    EXPECT_FALSE(cache.Find("a")) << at;
    EXPECT_FALSE(fs::exists(path)) << at;
  }
  WriteText(path, whole.substr(0, whole.size() / 2));
  EXPECT_FALSE(cache.Find("a"));
  cache.Keep("a", Example());
  EXPECT_TRUE(cache.Find("a"));
}

TEST(MeshCache, WhatWasNotUsedForLongestGoesFirst) {
  const TempFolder folder;
  const std::uint64_t each = EncodeMesh(Example(100)).size();
  const MeshCache cache(folder.path(), 4 * each + each / 2);
  const auto age = [&](const std::string& key, int hours) {
    fs::last_write_time(folder.path(key + ".mesh"),
                        fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  for (const char* key : {"a", "b", "c"}) cache.Keep(key, Example(100));
  age("a", 3), age("b", 2), age("c", 1);
  EXPECT_TRUE(cache.Find("a")) << "used now";
  cache.Keep("d", Example(100));
  cache.Keep("e", Example(100));
  EXPECT_FALSE(cache.Find("b"));
  for (const char* key : {"a", "c", "d", "e"}) EXPECT_TRUE(cache.Find(key)) << key;
  // what a killed program left counts
  WriteText(folder.path("left.mesh.whole"), std::string(static_cast<std::size_t>(each), 'x'));
  fs::last_write_time(folder.path("left.mesh.whole"),
                      fs::file_time_type::clock::now() - std::chrono::hours(9));
  fs::remove(folder.path("a.mesh"));
  cache.Keep("g", Example(100));
  EXPECT_FALSE(fs::exists(folder.path("left.mesh.whole")));
  // nothing that takes half of it alone
  cache.Keep("f", Example(1000));
  EXPECT_FALSE(cache.Find("f"));
  EXPECT_TRUE(cache.Find("e"));
}

TEST(MeshCache, TheSecondReadingStartsNoProcess) {
  const TempFolder folder, home;
  const CacheHome cache(home.path());
  const Soup box = BoxSoup({0.3, 0.2, 0.1});
  WriteText(folder.path("box.stl"), StlText(box));
  WriteText(folder.path("box.gltf"), GltfText(box, "box.bin"));
  WriteText(folder.path("box.bin"), GltfBuffer(box));
  const auto read = [&](const char* name) {
    return ReadTriangleMesh(folder.path(name), MeshUse::kSolid);
  };
  for (const char* name : {"box.stl", "box.gltf"}) ASSERT_TRUE(read(name).ok()) << name;
  const BrokenHelpers broken;
  for (const char* name : {"box.stl", "box.gltf"}) {
    const auto again = read(name);
    ASSERT_TRUE(again.ok()) << again.error().Text();
    EXPECT_NEAR(CalcVolume(again->mesh), 0.006, 1e-8);
  }
  // by what it holds, not by its name
  fs::rename(folder.path("box.stl"), folder.path("other.stl"));
  EXPECT_TRUE(read("other.stl").ok());
  // what it names counts, too
  WriteText(folder.path("box.bin"), GltfBuffer(BoxSoup({0.3, 0.2, 0.2})));
  EXPECT_FALSE(read("box.gltf").ok());
  WriteText(folder.path("other.stl"), StlText(BoxSoup({0.3, 0.2, 0.2})));
  EXPECT_FALSE(read("other.stl").ok());
}

TEST(MeshCache, AHomeThatCannotBeWrittenIsNoError) {
  const TempFolder folder;
  WriteText(folder.path("file"), "x");
  for (const std::string& home :
       {std::string(), std::string("/proc/nowhere"), folder.path("file")}) {
    const CacheHome cache(home);
    WriteText(folder.path("box.stl"), StlText(BoxSoup({0.1, 0.2, 0.3})));
    for (int i = 0; i < 2; ++i) {
      const auto read = ReadTriangleMesh(folder.path("box.stl"), MeshUse::kSolid);
      EXPECT_TRUE(read.ok()) << home;
    }
  }
}

}  // namespace
}  // namespace slip::test
