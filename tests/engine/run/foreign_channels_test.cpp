// A run of ours that is given back as a recording is that run again, in every signal that poses
// give; and what two recordings are apart.
#include "engine/run/study/foreign_channels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/run/study/npz_recorder.h"
#include "engine/run/study/recorder.h"
#include "engine/sim/part_signals.h"
#include "tests/support/temp_folder.h"

namespace slip {
namespace {

using RowList = std::vector<std::vector<double>>;

std::vector<double> ValuesOf(const Simulation& simulation) {
  std::vector<double> values(simulation.signals().begin(), simulation.signals().end());
  const auto& parts = simulation.now().part_signals;
  values.insert(values.end(), parts.begin(), parts.end());
  return values;
}

/// A scene's run, and what its files give when they are read back.
struct RoundTrip {
  RowList own, folder, arrays;
  std::vector<std::string> names;
  std::shared_ptr<const ForeignReport> folder_report, arrays_report;
};

RoundTrip RunTwice(const std::string& scene_name, const std::string& model, int64_t steps,
                   const std::vector<std::string>& meta = {}) {
  RoundTrip trip;
  const TempFolder folder;
  const auto scene = FindScene(scene_name);
  auto made = MakeRunPlan(*scene, model, {}, {});
  EXPECT_TRUE(made);
  RunPlan plan = std::move(made).value();
  plan.steps = steps;
  for (const Signal signal : ListSignals(*plan.scene->model))
    trip.names.push_back(NameOf(*plan.scene->model, signal));
  const auto tables = Recorder::Open(folder.path("out"), plan, 1, false);
  const auto npz = NpzRecorder::Open(folder.path("x.npz"), plan, 1, false);
  std::vector<Track> tracks;
  RunCallbacks callbacks;
  std::vector<MotionTrail> trail(1);
  callbacks.step = [&](int channel, const Simulation& simulation) {
    (*tables)->Step(channel, simulation);
    (*npz)->Step(channel, simulation);
    trip.own.push_back(ValuesOf(simulation));
  };
  const RunResult result = slip::Run(plan, &tracks, callbacks);
  (*tables)->Complete({}, std::vector<ChannelMetrics>(1), result, tracks);
  (*npz)->Complete({"", "1", ""});
  EXPECT_TRUE(CommitTogether((*tables)->files()));
  EXPECT_TRUE(CommitTogether((*npz)->files()));

  const ForeignRequest request{
      .files = {"tables=" + folder.path("out"), "arrays=" + folder.path("x.npz")}, .meta = meta};
  bool usage = false;
  auto foreign = ForeignChannels::Read(request, plan, &usage);
  EXPECT_TRUE(foreign) << foreign.error().Text();
  if (!foreign) return trip;
  std::vector<Track> again;
  callbacks.step = [&](int channel, const Simulation& simulation) {
    foreign.value().Watch(channel, simulation);
  };
  slip::Run(plan, &again, callbacks);
  EXPECT_TRUE(foreign.value().Measure(plan, [&](int channel, const Simulation& simulation) {
    (channel == 1 ? trip.folder : trip.arrays).push_back(ValuesOf(simulation));
  }));
  trip.folder_report = foreign->ReportOf(1);
  trip.arrays_report = foreign->ReportOf(2);
  return trip;
}

/// From the second sample on: what led to the first is not in the file.
void ExpectSame(const RoundTrip& trip, const RowList& rows,
                const std::vector<std::string>& signals) {
  ASSERT_EQ(rows.size(), trip.own.size());
  for (const std::string& name : signals) {
    const auto at = static_cast<std::size_t>(std::find(trip.names.begin(), trip.names.end(), name) -
                                             trip.names.begin());
    ASSERT_LT(at, trip.names.size()) << name;
    double largest = 0, apart = 0;
    std::size_t where = 0;
    int known = 0;
    for (std::size_t k = 1; k < rows.size(); ++k) {
      const double a = trip.own[k][at], b = rows[k][at];
      if (std::isnan(a) && std::isnan(b)) continue;
      ++known;
      EXPECT_EQ(std::isnan(a), std::isnan(b)) << name << " at " << k << ": " << a << ", " << b;
      largest = std::max(largest, std::abs(a));
      if (!(std::abs(a - b) <= apart)) apart = std::abs(a - b), where = k;
    }
    EXPECT_LE(apart, 1e-9 * largest)
        << name << " at " << where << ": " << trip.own[where][at] << ", " << rows[where][at];
    EXPECT_GT(known, 0) << name;
  }
}

const std::vector<std::string> kOfPoses = {"contacts",         "max_penetration", "kinetic_energy",
                                           "potential_energy", "position_x",      "position_z",
                                           "velocity_x",       "velocity_z",      "pitch",
                                           "pitch_rate",       "tilt_angle",      "rise",
                                           "step_size",        "linear_momentum", "support_force"};

std::vector<std::string> With(std::vector<std::string> more) {
  more.insert(more.end(), kOfPoses.begin(), kOfPoses.end());
  return more;
}

TEST(ForeignChannels, ABoxOnABeltIsItselfAgain) {
  const RoundTrip trip = RunTwice("conveyor", "sap", 200);
  const auto signals =
      With({"signed_distance", "normal_velocity", "slip_speed", "normal_force", "friction_force",
            "friction_used", "belt_velocity", "mean_penetration"});
  ExpectSame(trip, trip.folder, signals);
  ExpectSame(trip, trip.arrays, signals);
  ASSERT_TRUE(trip.arrays_report && trip.folder_report);
  EXPECT_LT(trip.arrays_report->forces.defect_max, 1e-9) << "what is given is what is needed";
  EXPECT_TRUE(std::isnan(trip.folder_report->forces.defect_max)) << "tables have no directions";
  const ForeignDifference& beside = trip.arrays_report->differences.at(0).second;
  EXPECT_EQ(beside.samples, 200);
  EXPECT_LT(beside.position_rms, 1e-15);
  EXPECT_TRUE(std::isnan(beside.apart));
}

TEST(ForeignChannels, APileIsItselfAgain) {
  const RoundTrip trip = RunTwice("clutter", "sap", 60);
  // Bodies that turn fast within a step have contacts of their method's own making, and what a
  // step needs is what it gives but for the solver's tolerance.
  std::vector<std::string> signals =
      With({"normal_force", "friction_force", "fallen", "turn_per_step"});
  std::erase(signals, "max_penetration");
  ExpectSame(trip, trip.arrays, signals);
  std::erase(signals, "support_force");
  ExpectSame(trip, trip.folder, signals);
  EXPECT_LT(trip.arrays_report->forces.defect_max, 1e-6 * trip.arrays_report->forces.net_max);
}

TEST(ForeignChannels, JointsAreReadOffThePosesOfTheirLinks) {
  const RoundTrip trip = RunTwice("quadruped-trot", "sap", 40);
  // Momentum and distances are those of the method's own making where links turn within a step.
  std::vector<std::string> signals = {"contacts",         "kinetic_energy", "position_x",
                                      "position_z",       "tilt_angle",     "normal_force",
                                      "potential_energy", "velocity_x",     "velocity_z"};
  int joints = 0;
  for (const std::string& name : trip.names) {
    if (!name.starts_with("position:") && !name.starts_with("rate:")) continue;
    signals.push_back(name);
    ++joints;
  }
  EXPECT_GE(joints, 16);
  ExpectSame(trip, trip.arrays, signals);
  std::erase(signals, "normal_force");
  ExpectSame(trip, trip.folder, signals);
  ASSERT_TRUE(trip.folder_report);
  const std::vector<std::string>& notes = trip.folder_report->notes;
  const auto said = [&](const std::string& words) {
    return std::any_of(notes.begin(), notes.end(), [&](const std::string& note) {
      return note.find(words) != std::string::npos;
    });
  };
  EXPECT_TRUE(said("joints.csv is not read"));
  EXPECT_TRUE(said("joints are read off the poses of their links"));
}

TEST(ForeignChannels, ForcesOfALoneContactComeFromThePoses) {
  // the folder without its contacts
  const TempFolder folder;
  const auto scene = FindScene("bouncing-ball");
  auto made = MakeRunPlan(*scene, "sap", {}, {});
  ASSERT_TRUE(made);
  RunPlan plan = std::move(made).value();
  const auto tables = Recorder::Open(folder.path("out"), plan, 1, false);
  std::vector<Track> tracks;
  std::vector<double> normal;
  RunCallbacks callbacks;
  callbacks.step = [&](int channel, const Simulation& simulation) {
    (*tables)->Step(channel, simulation);
    normal.push_back(At(simulation.signals(), Signal::kNormalForce));
  };
  const RunResult result = slip::Run(plan, &tracks, callbacks);
  (*tables)->Complete({}, std::vector<ChannelMetrics>(1), result, tracks);
  ASSERT_TRUE(CommitTogether((*tables)->files()));
  bool usage = false;
  const ForeignRequest request{.files = {"ball=" + folder.path("out/bodies.csv")}};
  auto foreign = ForeignChannels::Read(request, plan, &usage);
  ASSERT_TRUE(foreign) << foreign.error().Text();
  std::vector<Track> again;
  callbacks.step = [&](int channel, const Simulation& simulation) {
    foreign.value().Watch(channel, simulation);
  };
  slip::Run(plan, &again, callbacks);
  double largest = 0, apart = 0;
  std::size_t k = 0;
  ASSERT_TRUE(foreign.value().Measure(plan, [&](int, const Simulation& simulation) {
    const double found = At(simulation.signals(), Signal::kNormalForce);
    if (k > 0 && std::isfinite(found)) {
      largest = std::max(largest, normal[k]);
      apart = std::max(apart, std::abs(found - normal[k]));
    }
    ++k;
  }));
  EXPECT_GT(largest, 1);
  EXPECT_LT(apart, 1e-9 * largest);
}

TEST(ForeignChannels, AlignsByWhatBothDid) {
  const TempFolder folder;
  const auto scene = FindScene("bouncing-ball");
  auto made = MakeRunPlan(*scene, "sap", {}, {});
  ASSERT_TRUE(made);
  RunPlan plan = std::move(made).value();
  const auto tables = Recorder::Open(folder.path("out"), plan, 1, false);
  std::vector<Track> tracks;
  RunCallbacks callbacks;
  callbacks.step = [&](int channel, const Simulation& simulation) {
    (*tables)->Step(channel, simulation);
  };
  const RunResult result = slip::Run(plan, &tracks, callbacks);
  (*tables)->Complete({}, std::vector<ChannelMetrics>(1), result, tracks);
  ASSERT_TRUE(CommitTogether((*tables)->files()));
  for (const char* how : {"first-contact", "best", "start"}) {
    bool usage = false;
    const ForeignRequest request{
        .files = {"late=" + folder.path("out")}, .meta = {"time_shift=37 ms"}, .align = how};
    auto foreign = ForeignChannels::Read(request, plan, &usage);
    ASSERT_TRUE(foreign) << foreign.error().Text();
    std::vector<Track> again;
    callbacks.step = [&](int channel, const Simulation& simulation) {
      foreign.value().Watch(channel, simulation);
    };
    slip::Run(plan, &again, callbacks);
    ASSERT_TRUE(foreign.value().Measure(plan, [](int, const Simulation&) {}));
    EXPECT_NEAR(foreign->ReportOf(1)->shift, 0, 1e-6) << how;
    EXPECT_LT(foreign->ReportOf(1)->differences[0].second.position_rms, 1e-5) << how;
  }
}

TEST(ForeignChannels, NamesThatCannotBe) {
  const auto text = [](const std::string& word) { return SplitForeign(word).error().Text(); };
  EXPECT_NE(text("sap=x.csv").find("'sap' is a method of ours"), std::string::npos);
  EXPECT_NE(text("2nd=x.csv").find("cannot be a name"), std::string::npos);
  EXPECT_EQ(SplitForeign("runs/my drake.npz")->first, "my_drake");
  EXPECT_EQ(SplitForeign("runs/sap.npz")->first, "sap-file");
  EXPECT_EQ(SplitForeign("a=b/c.npz")->second, "b/c.npz");
}

}  // namespace
}  // namespace slip
