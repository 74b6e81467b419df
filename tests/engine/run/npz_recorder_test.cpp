// A run as arrays says what its CSV files say, number for number.
#include "engine/run/study/npz_recorder.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/npz/npz_file.h"
#include "engine/run/study/recorder.h"
#include "tests/support/temp_folder.h"

namespace slip {
namespace {

TEST(NpzRecorder, SaysWhatTheTablesSay) {
  const TempFolder folder;
  const auto scene = FindScene("clutter");
  ASSERT_TRUE(scene);
  auto plan = MakeRunPlan(*scene, "sap,lagged", {}, {});
  ASSERT_TRUE(plan);
  plan.value().steps = 40;
  const auto tables = Recorder::Open(folder.path("out"), *plan, 2, false);
  const auto arrays = NpzRecorder::Open(folder.path("x.npz"), *plan, 2, false);
  ASSERT_TRUE(tables && arrays);
  std::vector<Track> tracks;
  RunCallbacks callbacks;
  callbacks.step = [&](int channel, const Simulation& simulation) {
    (*tables)->Step(channel, simulation);
    (*arrays)->Step(channel, simulation);
  };
  const RunResult result = slip::Run(*plan, &tracks, callbacks);
  (*tables)->Complete({}, std::vector<ChannelMetrics>(2), result, tracks);
  (*arrays)->Complete({"a command", "1", "b"},
                      {{{}, ""}, {{"it creeps", "it is soft"}, "it fell"}});
  ASSERT_TRUE(CommitTogether((*tables)->files()));
  ASSERT_TRUE(CommitTogether((*arrays)->files()));

  const auto npz = NpzFile::Read(folder.path("x-lagged.npz"));
  ASSERT_TRUE(npz) << npz.error().Text();
  EXPECT_EQ(npz->Find("engine")->Text(0), "Slipscope 1 lagged");
  EXPECT_EQ(npz->Find("quaternion_order")->Text(0), "wxyz");
  EXPECT_EQ(npz->Find("notes")->count(), 2);
  EXPECT_EQ(npz->Find("notes")->Text(1), "it is soft");
  EXPECT_EQ(npz->Find("failure")->Text(0), "it fell");
  EXPECT_EQ(npz->Find("time_step")->Number(0), plan->configs[1].step.time_step);
  EXPECT_EQ(npz->Find("time")->count(), 20);
  EXPECT_EQ(npz->Find("step")->Number(3), 8);
  const auto number = [&](const char* array, int64_t at) { return npz->Find(array)->Number(at); };
  int64_t at = 0;
  for (const auto& row : ReadCsv(folder.path("out/bodies.csv"))) {
    if (row.at("model") != "lagged") continue;
    const auto same = [&](const char* array, int64_t place, const char* column) {
      EXPECT_EQ(number(array, place), std::stod(row.at(column))) << column << " " << at;
    };
    const int64_t bodies = npz->Find("bodies")->count();
    EXPECT_EQ(npz->Find("bodies")->Text(at % bodies), row.at("body"));
    same("time", at / bodies, "time_s");
    same("position", 3 * at + 1, "py_m");
    same("quaternion", 4 * at, "qw");
    same("quaternion", 4 * at + 3, "qz");
    same("linear_velocity", 3 * at + 2, "vz_m_s");
    same("angular_velocity", 3 * at, "wx_rad_s");
    ++at;
  }
  EXPECT_EQ(npz->Find("position")->count(), 3 * at);
  at = 0;
  for (const auto& row : ReadCsv(folder.path("out/contacts.csv"))) {
    if (row.at("model") != "lagged") continue;
    const auto name = [&](const char* array) {
      const auto body = static_cast<int64_t>(number(array, at));
      return body >= 0
                 ? npz->Find("bodies")->Text(body)
                 : npz->Find("surfaces")->Text(static_cast<int64_t>(number("contact_surface", at)));
    };
    EXPECT_EQ(name("contact_a"), row.at("body_a"));
    EXPECT_EQ(name("contact_b"), row.at("body_b"));
    EXPECT_EQ(number("contact_position", 3 * at), std::stod(row.at("px_m")));
    EXPECT_EQ(number("contact_signed_distance", at), std::stod(row.at("signed_distance_m")));
    double fn = 0, squares = 0;
    for (int i = 0; i < 3; ++i) {
      const double f = number("contact_force", 3 * at + i);
      fn += f * number("contact_normal", 3 * at + i);
      squares += f * f;
    }
    EXPECT_NEAR(fn, std::stod(row.at("fn_N")), 1e-12 * (1 + std::abs(fn)));
    EXPECT_NEAR(std::sqrt(squares), std::hypot(fn, std::stod(row.at("ft_N"))), 1e-9 * (1 + fn));
    ++at;
  }
  EXPECT_EQ(npz->Find("contact_time")->count(), at);
  EXPECT_GT(at, 100);
  at = 0;
  for (const auto& row : ReadCsv(folder.path("out/steps.csv"))) {
    if (row.at("model") != "lagged") continue;
    EXPECT_EQ(number("signal_kinetic_energy", at), std::stod(row.at("kinetic_energy_J")));
    EXPECT_EQ(number("signal_contacts", at), std::stod(row.at("contacts")));
    ++at;
  }
}

}  // namespace
}  // namespace slip
