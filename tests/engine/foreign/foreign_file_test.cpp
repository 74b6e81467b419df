// Recorded runs of others as files: what is read, and one clear sentence for each thing that is
// wrong with one.
#include "engine/foreign/foreign_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <iterator>
#include <random>

#include "engine/core/data_folder.h"
#include "engine/foreign/foreign_run.h"
#include "engine/npz/npz_writer.h"
#include "engine/scene/scene.h"
#include "tests/support/temp_folder.h"

namespace slip {
namespace {

constexpr const char* kHeader = "time_s,body,px_m,py_m,pz_m,qw,qx,qy,qz\n";

/// A crate whose principal axes are its own, thrown and turning.
constexpr const char* kScene = R"(schema = "slipscope.scene/1"
title = "A crate"
[material.wood]
stiffness = 1e5
[surface.floor]
normal = [0, 0, 1]
[body.crate]
shape = "box"
size = [0.3, 0.2, 0.1]
mass = 2
material = "wood"
position = [0.1, 0.2, 0.6]
quaternion = [0.8, 0, 0.6, 0]
[[channel]]
model = "sap"
)";

std::shared_ptr<const Model> CrateModel(const TempFolder& folder) {
  WriteText(folder.path("crate.toml"), kScene);
  const auto scene = ReadScene(folder.path("crate.toml"));
  EXPECT_TRUE(scene) << scene.error().Text();
  return (*scene)->model;
}

/// "file: sentence" without the folder, or "read".
std::string Sentence(const std::string& path, const std::vector<std::string>& meta = {}) {
  const auto file = ReadForeignFile(path, meta);
  if (file) return "read";
  std::string text = file.error().Text();
  const std::string name = path.substr(path.rfind('/') + 1);
  return text.substr(text.find(name) < text.size() ? text.find(name) : 0);
}

std::string CsvSentence(const std::string& rows, const std::string& header = kHeader) {
  const TempFolder folder;
  WriteText(folder.path("x.csv"), header + rows);
  return Sentence(folder.path("x.csv"));
}

TEST(ForeignFile, ATableOfPosesIsEnough) {
  const TempFolder folder;
  WriteText(folder.path("x.csv"),
            std::string(kHeader) + "0,crate,1,2,3,1,0,0,0\r\n\n0.5,\"crate\",1.25,2,3,0,1,0,0\n");
  const auto file = ReadForeignFile(folder.path("x.csv"), {"engine=mine", "time_shift=0.1"});
  ASSERT_TRUE(file) << file.error().Text();
  EXPECT_EQ(file->time, (std::vector<double>{0, 0.5}));
  EXPECT_EQ(file->bodies, std::vector<std::string>{"crate"});
  EXPECT_EQ(file->position.Number(3), 1.25);
  EXPECT_EQ(file->turn.Number(5), 1);
  EXPECT_FALSE(file->has_velocity());
  EXPECT_DOUBLE_EQ(file->digit, 0.01);
  EXPECT_EQ(file->meta.engine, "mine");
  EXPECT_EQ(file->meta.time_shift, 0.1);
}

TEST(ForeignFile, WhatIsWrongWithATableHasItsLine) {
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(CsvSentence("0,a,0,0,0,1,0,0,0\n1,a,0,0,0,1,0,0,0\n0.5,a,0,0,0,1,0,0,0\n"),
      "x.csv:4: its time, 0.5 s, is not after 1 s (sort the rows by time)");
  has(CsvSentence("0,a,0,0,0,2,0,0,0\n"), "its quaternion is 2 long, not 1");
  has(CsvSentence("0,a,0,zero,0,1,0,0,0\n"), "x.csv:2: 'zero' is no number, in column py_m");
  has(CsvSentence("0,a,0,nan,0,1,0,0,0\n"), "its position is no number");
  has(CsvSentence(""), "has no rows");
  has(CsvSentence("0,a,0,0,0,1,0,0,0\n0,b,0,0,0,1,0,0,0\n1,a,0,0,0,1,0,0,0\n"),
      "body 'b' has no row at 1 s");
  has(CsvSentence("0,a,0,0,0,1,0,0,0\n", "time_s,body,px_m,py_m,pz_m,qx,qy,qz\n"),
      "x.csv:1: has no column 'qw'");
  const TempFolder folder;
  has(Sentence(folder.path("none.csv")), "no such file");
  WriteText(folder.path("y.csv"), std::string(kHeader) + "0,a,0,0,0,1,0,0,0\n");
  has(Sentence(folder.path("y.csv"), {"quaternion_order"}), "expected KEY=VALUE");
}

TEST(ForeignFile, OneModelOfARunIsMeant) {
  const TempFolder folder;
  WriteText(folder.path("bodies.csv"),
            "step,time_s,model,body,px_m,py_m,pz_m,qw,qx,qy,qz\n"
            "10,0.1,sap,a,1,0,0,1,0,0,0\n10,0.1,lagged,a,2,0,0,1,0,0,0\n"
            "20,0.2,sap,a,1,0,0,1,0,0,0\n20,0.2,lagged,a,2,0,0,1,0,0,0\n");
  const auto vague = ReadForeignFile(folder.path(), {});
  ASSERT_FALSE(vague);
  EXPECT_NE(vague.error().Text().find("--foreign-meta model=lagged"), std::string::npos)
      << vague.error().Text();
  const auto file = ReadForeignFile(folder.path(), {"model=lagged"});
  ASSERT_TRUE(file) << file.error().Text();
  EXPECT_EQ(file->position.Number(0), 2);
  EXPECT_NEAR(file->meta.time_step, 0.01, 1e-15) << "every tenth step was written";
}

/// A run of the crate as arrays; `change` may spoil one thing.
struct Arrays {
  std::vector<double> time = {0, 0.01, 0.02, 0.03, 0.04};
  std::vector<std::string> bodies = {"world/crate"};
  std::vector<std::pair<std::string, std::string>> texts = {{"quaternion_order", "wxyz"}};
  std::function<Pose(double)> pose = [](double t) {
    return Pose{Vec3(0.1 + t, 0.2, 0.6), Quat(0.8, 0, 0.6, 0)};
  };
  std::function<Vec6(double)> velocity = {};
  bool xyzw = false;
  NpyType type = NpyType::kF8;

  std::string Write(const TempFolder& folder) const {
    const std::string path = folder.path("run.npz");
    const auto writer = NpzWriter::Open(path);
    NpzWriter& w = **writer;
    w.AddTexts("bodies", bodies, false);
    const int at = w.Add("time", NpyType::kF8), p = w.Add("position", type, {1, 3}),
              q = w.Add("quaternion", type, {1, 4});
    const int v = velocity ? w.Add("linear_velocity", type, {1, 3}) : 0,
              s = velocity ? w.Add("angular_velocity", type, {1, 3}) : 0;
    for (const double t : time) {
      w.Put(at, t);
      const Pose X = pose(t);
      for (int i = 0; i < 3; ++i) w.Put(p, X.p[i]);
      if (!xyzw) w.Put(q, X.q.w());
      for (int i = 0; i < 3; ++i) w.Put(q, X.q.vec()[i]);
      if (xyzw) w.Put(q, X.q.w());
      for (int i = 0; velocity && i < 3; ++i) {
        w.Put(s, velocity(t)[i]);
        w.Put(v, velocity(t)[3 + i]);
      }
    }
    for (const auto& [name, text] : texts) w.AddTexts(name, std::vector{text}, true);
    auto file = OutputFile::Open(path, true);
    w.Finish(file->get());
    EXPECT_TRUE((*file)->Commit());
    return path;
  }
};

/// The run on the crate's scene, or its sentence.
Result<ForeignRun> Open(const TempFolder& folder, const Arrays& arrays,
                        const std::vector<std::string>& said = {}) {
  auto file = ReadForeignFile(arrays.Write(folder), said);
  if (!file) return file.errors();
  return ForeignRun::Make(std::move(file).value(), CrateModel(folder), "theirs", said);
}

TEST(ForeignFile, ArraysMustSayTheOrderOfQuaternions) {
  const TempFolder folder;
  Arrays arrays;
  arrays.texts.clear();
  const auto silent = Open(folder, arrays);
  ASSERT_FALSE(silent);
  EXPECT_NE(silent.error().Text().find("does not say how its quaternions are written "
                                       "(--foreign-meta quaternion_order=wxyz or xyzw)"),
            std::string::npos)
      << silent.error().Text();
  EXPECT_TRUE(Open(folder, arrays, {"quaternion_order=wxyz"}));
  arrays.xyzw = true;
  EXPECT_TRUE(Open(folder, arrays, {"quaternion_order=xyzw"}));
}

TEST(ForeignRun, AWrongOrderOfQuaternionsIsSeenAtTheStart) {
  const TempFolder folder;
  Arrays arrays;
  arrays.xyzw = true;  // and says wxyz
  const auto run = Open(folder, arrays);
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().Text().find("its quaternions are probably xyzw"), std::string::npos)
      << run.error().Text();
  EXPECT_TRUE(Open(folder, arrays, {"quaternion_order=xyzw"}));
  EXPECT_TRUE(Open(folder, arrays, {"quaternion_order=wxyz"})) << "who insists is believed";
}

TEST(ForeignRun, YUpIsSeenAtTheStart) {
  const TempFolder folder;
  Arrays arrays;
  const Quat back(std::sqrt(0.5), -std::sqrt(0.5), 0, 0);
  arrays.pose = [back](double t) {
    return Pose{back * Vec3(0.1 + t, 0.2, 0.6), back * Quat(0.8, 0, 0.6, 0)};
  };
  const auto run = Open(folder, arrays);
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().Text().find("its axis y is probably up"), std::string::npos)
      << run.error().Text();
  arrays.texts.emplace_back("up", "y");
  const auto turned = Open(folder, arrays);
  ASSERT_TRUE(turned) << turned.error().Text();
  std::vector<Pose> X;
  turned->GetPoses(0, &X);
  EXPECT_LT((X[0].p - Vec3(0.1, 0.2, 0.6)).norm(), 1e-12);
  EXPECT_LT(X[0].q.angularDistance(Quat(0.8, 0, 0.6, 0)), 1e-7);
}

TEST(ForeignRun, AngularVelocitiesInBodyAxesAreSeenByThePoses) {
  const TempFolder folder;
  Arrays arrays;
  const Vec3 axis = Vec3(1, 2, -1).normalized();
  const Quat start(0.8, 0, 0.6, 0);
  arrays.pose = [=](double t) {
    return Pose{Vec3(0.1, 0.2, 0.6), Quat(Eigen::AngleAxisd(5 * t, axis)) * start};
  };
  arrays.velocity = [=](double) {
    Vec6 V;
    V << start.conjugate() * (5 * axis), 0, 0, 0;
    return V;
  };
  const auto run = Open(folder, arrays);
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().Text().find("its angular velocities are probably in body axes"),
            std::string::npos)
      << run.error().Text();
  arrays.texts.emplace_back("angular_velocity_in", "body");
  const auto good = Open(folder, arrays);
  ASSERT_TRUE(good) << good.error().Text();
  std::vector<Vec6> V;
  good->GetVelocities(2, &V);
  EXPECT_LT((V[0].head<3>() - 5 * axis).norm(), 1e-9);
}

TEST(ForeignRun, VelocitiesAreTheDifferencesOfRecordedSteps) {
  const TempFolder folder;
  Arrays arrays;
  const auto quadratic = [](double t) {
    return Pose{Vec3(0.1 + t * t, 0.2, 0.6), Quat(0.8, 0, 0.6, 0)};
  };
  arrays.pose = quadratic;
  const auto about = Open(folder, arrays);
  arrays.texts.emplace_back("time_step", "0.01");
  const auto steps = Open(folder, arrays);
  ASSERT_TRUE(about && steps);
  std::vector<Vec6> V;
  about->GetVelocities(2, &V);
  EXPECT_NEAR(V[0][3], 0.04, 1e-12) << "about the sample";
  steps->GetVelocities(2, &V);
  EXPECT_NEAR(V[0][3], 0.03, 1e-12) << "as p+ = p + h v+ has it";
}

TEST(ForeignRun, WhatIsWorthTellingIsTold) {
  const TempFolder folder;
  Arrays arrays;
  arrays.bodies = {"robot::crate"};
  arrays.type = NpyType::kF4;
  arrays.time = {0, 0.01, 0.02, 0.03, 0.5, 0.51};
  const auto run = Open(folder, arrays);
  ASSERT_TRUE(run) << run.error().Text();
  ASSERT_EQ(run->notes().size(), 2u);
  EXPECT_NE(run->notes()[0].find("1 hole, the first from 0.03 s to 0.5 s"), std::string::npos);
  EXPECT_NE(run->notes()[1].find("single precision"), std::string::npos);
  std::vector<Pose> X;
  std::vector<Vec6> V;
  EXPECT_TRUE(run->Interpolate(0.025, &X, &V));
  EXPECT_NEAR(X[0].p.x(), 0.125, 1e-7);
  EXPECT_FALSE(run->Interpolate(0.2, &X, &V)) << "a hole";
  EXPECT_FALSE(run->Interpolate(-0.01, &X, &V));
  EXPECT_FALSE(run->Interpolate(0.52, &X, &V));
  arrays.bodies = {"barrel"};
  const auto none = Open(folder, arrays);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().Text().find("no body of the scene is in it; it has barrel"),
            std::string::npos)
      << none.error().Text();
  EXPECT_TRUE(Open(folder, arrays, {"names.barrel=crate"}));
}

// Every mutilated measurement is read, or refused in a sentence that names the file.
TEST(ForeignFile, MutilatedMotionsGetASentence) {
  const TempFolder folder;
  const std::shared_ptr<const Model> model = (*FindScene("cube-toss"))->model;
  const std::string toss = ReadText(DataFolder() + "/assets/motions/cube-toss/toss-01.csv");
  ASSERT_GT(toss.size(), 2000u);
  const std::string words[] = {
      ",",    "\n",     "\"", "-1",   "nan", "1e400", "0",  " ",
      "body", "time_s", ";",  "\r\n", "inf", "+",     "\t", std::string(1, '\0')};
  const std::string path = folder.path("toss.csv");
  std::mt19937 random(48);
  int refused = 0, whole = 0;
  for (int i = 0; i < 200; ++i) {
    std::string text = toss;
    // half of them near the header, where all of the file is decided
    const std::size_t reach = i % 2 == 0 ? 200 : text.size();
    for (int k = 0; k < 1 + i % 3; ++k) {
      const std::size_t at = random() % std::min(reach, text.size());
      switch (random() % 4) {
        case 0:
          text.erase(at, 1 + random() % 40);
          break;
        case 1:
          text.insert(at, words[random() % std::size(words)]);
          break;
        case 2:
          text.resize(at + 1);
          break;
        default:
          text[at] = static_cast<char>(random() % 96 + 32);
      }
    }
    WriteText(path, text);
    auto file = ReadForeignFile(path, {});
    if (!file) {
      ++refused;
      for (const Error& error : file.errors()) {
        EXPECT_FALSE(error.message.empty()) << text.substr(0, 300);
        EXPECT_NE(error.Text().find("toss.csv"), std::string::npos) << error.Text();
        EXPECT_EQ(error.Text().find('\n'), std::string::npos) << error.Text();
      }
      continue;
    }
    const auto run = ForeignRun::Make(std::move(file).value(), model, "toss", {});
    (run ? whole : refused) += 1;
    for (const Error& error : run.errors()) EXPECT_FALSE(error.message.empty());
    if (!run) continue;
    std::vector<Pose> poses;
    for (int64_t k = 0; k < run->samples(); ++k) {
      run->GetPoses(k, &poses);
      for (const Pose& pose : poses) EXPECT_TRUE(pose.p.allFinite() && pose.q.coeffs().allFinite());
    }
  }
  EXPECT_GT(refused, 50);
  EXPECT_GT(whole, 2);
}

}  // namespace
}  // namespace slip
