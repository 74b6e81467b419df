// Orientations that people read are those of the frame that a body's file names, wherever they are
// written; inside, axes are principal.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/run/record/recording_file.h"
#include "engine/run/record/replay.h"
#include "engine/run/study/recorder.h"
#include "engine/run/track/grab_text.h"
#include "engine/scene/scene.h"
#include "engine/sim/part_signals.h"
#include "tests/support/temp_folder.h"
#include "tests/support/urdf.h"

namespace slip {
namespace {

using Json = nlohmann::json;

// Turned by 30 degrees about z, on a table without gravity.
const Quat kTurn(0.9659258262890683, 0, 0, 0.25881904510252074);

// A crate whose inertia has an off-diagonal part, and a wedge whose axes are no edges.
class OwnFrame : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder_.path("crate.urdf"))
        << "<robot name=\"crate\"><link name=\"base\"><inertial><origin xyz=\"0.02 0 0.01\" "
           "rpy=\"0 0 0.2\"/><mass value=\"2\"/><inertia ixx=\"0.012\" ixy=\"0.004\" ixz=\"0\" "
           "iyy=\"0.012\" iyz=\"0\" izz=\"0.02\"/></inertial></link><link name=\"lid\">"
        << test::kBody << "</link>"
        << test::JointText("hinge", "continuous", "base", "lid", "<axis xyz=\"1 0 0\"/>")
        << "</robot>";
    std::ofstream(folder_.path("wedge.obj"))
        << "v 0 0 0\nv 1 0 0\nv 0 0.3 0\nv 0 0 0.5\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    std::ofstream(folder_.path("scene.toml"))
        << "title = 't'\ngravity = 0\n[material.m]\n[body.wedge]\nshape = 'mesh'\n"
           "file = 'wedge.obj'\nmass = 1\nquaternion = [0.9659258262890683, 0, 0, "
           "0.25881904510252074]\n[robot.c]\nfile = 'crate.urdf'\nbase = 'free'\n"
           "position = [3, 0, 0]\nquaternion = [0.9659258262890683, 0, 0, 0.25881904510252074]\n"
           "[[channel]]\nmodel = 'sap'\n";
    const auto scene = FindScene(folder_.path("scene.toml"));
    ASSERT_TRUE(scene.ok()) << scene.error().Text();
    scene_ = *scene;
  }

  static void ExpectTurn(double w, double x, double y, double z, const std::string& what) {
    const Quat q(w, x, y, z);
    EXPECT_LT((q.coeffs() - kTurn.coeffs()).norm(), 1e-12)
        << what << ": " << w << " " << x << " " << y << " " << z;
  }
  static void ExpectTurn(const Json& q, const std::string& what) {
    ExpectTurn(q[0], q[1], q[2], q[3], what);
  }

  TempFolder folder_;
  std::shared_ptr<const Scene> scene_;
};

TEST_F(OwnFrame, TheAxesInsideAreOthers) {
  for (const char* name : {"wedge", "c/base"}) {
    const auto& bodies = scene_->model->bodies;
    const auto body =
        std::find_if(bodies.begin(), bodies.end(), [&](const Body& b) { return b.name == name; });
    ASSERT_NE(body, bodies.end());
    EXPECT_GT((body->X_WB.q.coeffs() - kTurn.coeffs()).norm(), 0.1) << name;
  }
}

TEST_F(OwnFrame, TablesOfARunHaveTheFilesOne) {
  Result<RunPlan> plan = MakeRunPlan(scene_, "", {}, {});
  ASSERT_TRUE(plan.ok()) << plan.error().Text();
  plan.value().steps = 3;
  const auto recorder = Recorder::Open(folder_.path("out"), *plan, 1, true);
  ASSERT_TRUE(recorder.ok()) << recorder.error().Text();
  std::vector<Track> tracks;
  RunCallbacks callbacks;
  callbacks.step = [&](int channel, const Simulation& simulation) {
    (*recorder)->Step(channel, simulation);
  };
  const RunResult result = slip::Run(*plan, &tracks, callbacks);
  std::vector<ChannelMetrics> metrics(1);
  (*recorder)->Complete({}, metrics, result, tracks);
  ASSERT_TRUE(CommitTogether((*recorder)->files()).ok());
  const auto rows = ReadCsv(folder_.path("out/bodies.csv"));
  ASSERT_EQ(rows.size(), 9u);
  for (const auto& row : rows)
    ExpectTurn(std::stod(row.at("qw")), std::stod(row.at("qx")), std::stod(row.at("qy")),
               std::stod(row.at("qz")), row.at("body"));
  const Json meta = Json::parse(ReadText(folder_.path("out/meta.json")));
  const std::string doc = meta["columns"]["bodies.csv"]["qw"];
  EXPECT_NE(doc.find("own frame"), std::string::npos) << doc;
  EXPECT_NE(doc.find("not the principal"), std::string::npos) << doc;
  for (const Json& body : meta["scene"]["bodies"])
    ExpectTurn(body["quaternion"], body["name"].get<std::string>());
  // what the principal axes are is told where they are others
  EXPECT_TRUE(meta["scene"]["bodies"][0].contains("principal_axes"));
  EXPECT_FALSE(meta["scene"]["bodies"][2].contains("principal_axes")) << "the lid";
}

TEST_F(OwnFrame, PitchIsThatOfTheFilesAxes) {
  const Simulation sim(scene_->model, scene_->channels.front().config);
  const Signal pitch = *SignalNamed(*scene_->model, "pitch");
  EXPECT_NEAR(sim.signals()[static_cast<std::size_t>(Place(pitch))], 0, 1e-12);
}

TEST_F(OwnFrame, APullIsToldAlongTheFilesAxes) {
  const Body& wedge = scene_->model->bodies[0];
  ASSERT_EQ(wedge.name, "wedge");
  // 0.2 m along the file's x axis
  Grab grab;
  grab.body = 0;
  grab.p_BP = wedge.X_BL.q * Vec3(0.2, 0, 0);
  EXPECT_NEAR(wedge.ShownPoint(grab.p_BP).x(), 0.2, 1e-15);
  EXPECT_LT(wedge.ShownPoint(grab.p_BP).tail<2>().norm(), 1e-15);
  EXPECT_NE(DescribeGrab(grab, wedge).find("point (0.2 "), std::string::npos)
      << DescribeGrab(grab, wedge);
}

// An experiment keeps the bits that the steps have, says so, and names the turn between the two.
TEST_F(OwnFrame, AnExperimentKeepsItsBitsAndSaysTheirFrame) {
  Result<RunPlan> plan = MakeRunPlan(scene_, "", {}, {});
  ASSERT_TRUE(plan.ok());
  plan.value().steps = 20;
  std::vector<Track> tracks;
  slip::Run(*plan, &tracks, {});
  const std::string text = FormatRecording(RecordTracks(plan->scene, tracks), {});
  const Json json = Json::parse(text);
  EXPECT_NE(json.at("x-frames").get<std::string>().find("principal"), std::string::npos);
  const Json& line = json["branches"][0]["channels"][0];
  const Json& resolved = json["scenes"][0]["resolved"]["bodies"];
  const Json& first = line["bodies"].back();
  const auto quat = [](const Json& q) { return Quat(q[0], q[1], q[2], q[3]); };
  // [step, px, py, pz, qw, qx, qy, qz, ...]
  const Quat inside(first[4], first[5], first[6], first[7]);
  const Quat own = inside * quat(resolved[0]["principal_axes"]).conjugate();
  ExpectTurn(own.w(), own.x(), own.y(), own.z(), "wedge");
  WriteText(folder_.path("e.json"), text);
  const Result<RecordingFile> file = ReadRecording(folder_.path("e.json"));
  ASSERT_TRUE(file.ok()) << file.error().Text();
  Replay replay(file->recording);
  WorkerPool workers(1);
  EXPECT_TRUE(replay.Run(&workers));
  EXPECT_TRUE(replay.Differences().empty());
}

}  // namespace
}  // namespace slip
