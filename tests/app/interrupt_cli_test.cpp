// A signal ends the program within a step, however long that is; what was finished is kept.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/support/program.h"
#include "tests/support/slow_search.h"

namespace slip {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

// On a busy machine; the steps below take minutes.
constexpr double kSoon = 4;

/// Three short steps; from then on no inner step converges, and each has a million of them.
Arguments Endless(const Arguments& first, const Arguments& more) {
  Arguments all = first;
  for (const char* change :
       {"accuracy=1e-9", "min_step=1e-12", "max_inner=1000000", "max_iterations=1",
        "solver_tolerance=1e-12", "lost_steps=accept", "error_control=on"}) {
    all.insert(all.end(), {"--at", std::string("0.03:") + change});
  }
  all.insert(all.end(), {"-p", "time_step=10ms"});
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// Signals a program that is in the midst of it, and says how long it took to end.
ProgramResult Interrupt(const Arguments& arguments, int signal, double* seconds) {
  Program program(arguments);
  std::this_thread::sleep_for(std::chrono::seconds(2));
  const auto begin = std::chrono::steady_clock::now();
  program.Signal(signal);
  ProgramResult result = program.Wait(120);
  *seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

TEST(InterruptCli, ARunEndsWithinItsStep) {
  const TempFolder folder;
  int runs = 0;
  for (const auto& [command, model] : {std::pair{"run", "lagged"}, {"compare", "lagged,sap"}}) {
    for (const int signal : {SIGTERM, SIGINT}) {
      const std::string output = folder.path(std::to_string(++runs)), save = output + ".json";
      double seconds = 0;
      const ProgramResult result =
          Interrupt(Endless({command, "card-house"}, {"-m", model, "-o", output, "--save", save}),
                    signal, &seconds);
      EXPECT_EQ(result.exit, 128 + signal) << result.err;
      EXPECT_LT(seconds, kSoon) << command << " " << model;
      EXPECT_NE(result.err.find("interrupted; finished rows were kept"), std::string::npos)
          << result.err;
      const auto rows = ReadCsv(output + "/steps.csv");
      ASSERT_FALSE(rows.empty());
      EXPECT_EQ(rows.back().at("step"), "3");
      const nlohmann::json meta = nlohmann::json::parse(ReadText(output + "/meta.json"));
      EXPECT_FALSE(meta["complete"]);
      EXPECT_EQ(meta["channels"][0]["status"], "interrupted");
      // and what was saved is a run that ends there
      const ProgramResult again = RunProgram({"replay", "--verify", save});
      EXPECT_EQ(again.exit, 0) << again.err;
    }
  }
}

TEST(InterruptCli, ItEndsWhileFirstContactsAreLookedFor) {
  const TempFolder folder;
  const std::string slow = WriteSlowSearch(folder, 40000);
  Program program({"run", slow, "-o", folder.path("run")});
  // its files are opened when all is read
  ASSERT_TRUE(WaitFor([&] { return fs::exists(folder.path("run/steps.csv.part")); }));
  std::this_thread::sleep_for(std::chrono::seconds(1));
  const auto begin = std::chrono::steady_clock::now();
  program.Signal(SIGINT);
  ProgramResult result = program.Wait(120);
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_EQ(result.exit, 128 + SIGINT) << result.err;
  EXPECT_LT(seconds, kSoon);
  EXPECT_TRUE(ReadCsv(folder.path("run/steps.csv")).empty());
  EXPECT_FALSE(nlohmann::json::parse(ReadText(folder.path("run/meta.json")))["complete"]);
  result = Interrupt({"sweep", slow, "--vary", "gravity=9,10", "-o", folder.path("sweep")}, SIGTERM,
                     &seconds);
  EXPECT_EQ(result.exit, 143) << result.err;
  EXPECT_LT(seconds, kSoon);
  result = Interrupt({"render", slow, "--time", "1", "--size", "64x64", "--region", "view", "-o",
                      folder.path("a.png")},
                     SIGTERM, &seconds);
  if (result.exit == 6) GTEST_SKIP() << result.err;
  EXPECT_EQ(result.exit, 143) << result.err;
  EXPECT_LT(seconds, kSoon);
}

TEST(InterruptCli, ASweepEndsWithinItsSteps) {
  const TempFolder folder;
  double seconds = 0;
  const ProgramResult result = Interrupt(
      Endless({"sweep", "card-house"},
              {"-m", "lagged", "--vary", "gravity=9,10,11", "-j", "2", "-o", folder.path("a")}),
      SIGTERM, &seconds);
  EXPECT_EQ(result.exit, 143) << result.err;
  EXPECT_LT(seconds, kSoon);
  EXPECT_TRUE(ReadCsv(folder.path("a/sweep.csv")).empty());
}

TEST(InterruptCli, ARenderingEndsWithinItsStep) {
  const TempFolder folder;
  for (const char* name : {"a.mp4", "a.png", "frames/"}) {
    const bool picture = name == std::string("a.png");
    Arguments render =
        Endless({"render", "card-house"},
                {"-m", "lagged", "--size", "64x64", "--region", "view", "-o", folder.path(name)});
    if (picture) render.insert(render.end(), {"--time", "1"});
    double seconds = 0;
    const ProgramResult result = Interrupt(render, SIGTERM, &seconds);
    if (result.exit == 6) GTEST_SKIP() << result.err;
    EXPECT_EQ(result.exit, 143) << name << result.err;
    EXPECT_LT(seconds, kSoon) << name;
  }
  EXPECT_FALSE(fs::exists(folder.path("a.mp4")));
  EXPECT_FALSE(fs::exists(folder.path("a.png")));
}

}  // namespace
}  // namespace slip
