// The command study: own files, verdicts, parts, and studies that were killed.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "tests/support/creep_study.h"
#include "tests/support/program.h"

namespace slip {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

const std::string kOwn =
    test::CreepStudy{
        .story = "A box that holds creeps, `time_step` or not. <script>no</script> `<b>`",
        .tilted = false,
        .steps = "0.2ms,0.1ms,0.05ms",
        .quick_steps = "2ms,1ms",
        .duration = "4",
        .quick_duration = "0.2",
        .every = 50,
        .rest = test::kCreepTable + test::CreepLaw("It creeps by its law")}
        .Text();

std::string Own(const TempFolder& folder, const std::string& more = {}) {
  const std::string path = folder.path("own.toml");
  WriteText(path, kOwn + more);
  return path;
}

/// The tables without wall times, which alone differ.
std::string StudyRows(const std::string& folder) {
  std::string out;
  for (const auto& row : ReadCsv(folder + "/own-slope.csv")) {
    for (const auto& [name, cell] : row)
      out += name.starts_with("wall_") ? std::string() : name + "=" + cell + ",";
    out += "\n";
  }
  return out + ReadText(folder + "/own-slope-samples.csv") + ReadText(folder + "/verdicts.csv") +
         ReadText(folder + "/figures/own-creep.svg");
}

TEST(StudyCli, WritesTablesFiguresAndReport) {
  const TempFolder folder;
  const std::string own = Own(folder), out = folder.path("out");
  const ProgramResult check = RunProgram({"check", own});
  EXPECT_EQ(check.exit, 0) << check.err;
  EXPECT_NE(check.out.find("12 cells, 8 with --quick"), std::string::npos) << check.out;
  const ProgramResult result = RunProgram({"study", own, "--quick", "-j", "2", "-o", out});
  EXPECT_EQ(result.exit, 0) << result.err << result.out;
  EXPECT_NE(result.out.find("\n1 hold\n"), std::string::npos) << result.out;
  const std::string html = ReadText(out + "/report.html"), text = ReadText(out + "/report.md");
  EXPECT_NE(html.find("<svg"), std::string::npos);
  EXPECT_NE(html.find("<code>time_step</code>"), std::string::npos);
  EXPECT_EQ(html.find("href=\"http"), std::string::npos);
  EXPECT_EQ(html.find("src="), std::string::npos);
  EXPECT_NE(text.find("figures/own-creep.svg"), std::string::npos);
  for (const std::string& report : {html, text}) {
    EXPECT_EQ(report.find("<script>no"), std::string::npos);
    EXPECT_NE(report.find("&lt;script"), std::string::npos);
  }
  EXPECT_TRUE(fs::exists(out + "/figures/own-creep.svg"));
  EXPECT_FALSE(fs::exists(out + "/cells.txt"));
  // what is there is not overwritten, and told before any work
  const ProgramResult again = RunProgram({"study", own, "--quick", "-o", out});
  EXPECT_EQ(again.exit, 2);
  EXPECT_NE(again.err.find("--force"), std::string::npos) << again.err;
  const std::string before = StudyRows(out);
  EXPECT_EQ(RunProgram({"study", own, "--quick", "-o", out, "--force"}).exit, 0);
  EXPECT_EQ(StudyRows(out), before);
}

TEST(StudyCli, ForceLeavesNothingOfAFormerReportAndAllThatIsNotOurs) {
  const TempFolder folder;
  const std::string own = Own(folder), out = folder.path("out");
  ASSERT_EQ(RunProgram({"study", own, "--quick", "-o", out}).exit, 0);
  WriteText(out + "/own-notes.csv", "mine,too\n");
  WriteText(out + "/figures/own-mine.svg", "<svg/>");
  const std::string other = folder.path("other.toml");
  WriteText(other, kOwn);
  ASSERT_EQ(RunProgram({"study", other, "--quick", "-o", out, "--force"}).exit, 0);
  EXPECT_TRUE(fs::exists(out + "/other-slope.csv"));
  EXPECT_TRUE(fs::exists(out + "/figures/other-creep.svg"));
  for (const char* gone : {"/own-slope.csv", "/own-slope-samples.csv", "/figures/own-creep.svg"})
    EXPECT_FALSE(fs::exists(out + gone)) << gone;
  EXPECT_TRUE(fs::exists(out + "/own-notes.csv"));
  EXPECT_TRUE(fs::exists(out + "/figures/own-mine.svg"));
}

TEST(StudyCli, AFigureOfListsThatDoNotFitSaysSo) {
  const TempFolder folder;
  std::string text = kOwn;
  const std::string x = "x = \"slope.time_step\"";
  text.replace(text.find(x), x.size(), "x = \"slope.time\"");
  WriteText(folder.path("own.toml"), text);
  const std::string out = folder.path("out");
  ASSERT_EQ(RunProgram({"study", folder.path("own.toml"), "--quick", "-o", out}).exit, 0);
  const std::string figure = ReadText(out + "/figures/own-creep.svg");
  EXPECT_NE(figure.find(": x has "), std::string::npos) << figure;
}

TEST(StudyCli, FailsWhereAStatementOfThePaperIsFalse) {
  const TempFolder folder;
  const auto exit = [&](const std::string& mark, const std::string& more) {
    const std::string own =
        Own(folder, "[[condition]]\nid = \"none\"\nmark = \"" + mark +
                        "\"\ntext = \"It does not\"\nvalue = \"slope.creep\"\n" + more);
    return RunProgram({"study", own, "--quick"}).exit;
  };
  EXPECT_EQ(exit("paper", "high = 0\n"), 4);
  EXPECT_EQ(exit("derived", "high = 0\n"), 4);
  EXPECT_EQ(exit("chosen", "high = 0\n"), 0);
  EXPECT_EQ(exit("paper", "high = 0\nknown = \"it does\"\n"), 0);
  EXPECT_EQ(exit("paper", "low = 0\nknown = \"it does\"\n"), 4);
  EXPECT_EQ(exit("hearsay", "low = 0\n"), 5);
  EXPECT_EQ(RunProgram({"study", Own(folder), "--quick", "--shard", "1/2"}).exit, 2);
  EXPECT_EQ(RunProgram({"study", Own(folder), "--quick", "--shard", "3/2", "-o", "x"}).exit, 2);
}

// A file that takes no more says why, whichever cell is the last that it took.
TEST(StudyCli, AFullDiskSaysThatItIsFull) {
  const TempFolder folder;
  const std::string own = Own(folder);
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  for (const rlim_t size : {100, 2000}) {
    const rlimit small{size, before.rlim_max};
    const std::string out = folder.path(std::to_string(size));
    setrlimit(RLIMIT_FSIZE, &small);
    const ProgramResult result = RunProgram({"study", own, "--quick", "-o", out});
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_EQ(result.exit, 1);
    EXPECT_NE(result.err.find("cells.txt: cannot be written: File too large"), std::string::npos)
        << result.err;
    EXPECT_TRUE(result.out.empty()) << result.out;
  }
  const ProgramResult rest = RunProgram({"study", own, "--quick", "-o", folder.path("2000")});
  EXPECT_EQ(rest.exit, 0) << rest.err;
  EXPECT_NE(rest.err.find("goes on with a study that was cut off"), std::string::npos) << rest.err;
}

TEST(StudyCli, PartsAndKilledStudiesComeToTheSameBytes) {
  const TempFolder folder;
  const std::string own = Own(folder), whole = folder.path("whole"), cut = folder.path("cut");
  ASSERT_EQ(RunProgram({"study", own, "-o", whole}).exit, 0);
  Arguments merge = {"study", own, "-o", folder.path("merged")};
  for (const char* part : {"3/3", "1/3", "2/3"}) {
    merge.push_back("--merge");
    merge.push_back(folder.path(std::string("part") + part[0]));
    EXPECT_EQ(RunProgram({"study", own, "--shard", part, "-o", merge.back()}).exit, 0);
  }
  const ProgramResult merged = RunProgram(merge);
  EXPECT_EQ(merged.exit, 0) << merged.err;
  EXPECT_EQ(StudyRows(folder.path("merged")), StudyRows(whole));
  merge.resize(merge.size() - 2);
  merge[3] = folder.path("less");
  const ProgramResult less = RunProgram(merge);
  EXPECT_EQ(less.exit, 5);
  EXPECT_NE(less.err.find("part 2/3 is missing"), std::string::npos) << less.err;
  // a part that was cut off, and one that lost a line
  fs::rename(folder.path("part1/cells.txt"), folder.path("part1/cells.txt.part"));
  std::string text = ReadText(folder.path("part3/cells.txt"));
  text.pop_back();
  WriteText(folder.path("part3/cells.txt"), text.substr(0, text.rfind('\n') + 1));
  const ProgramResult open = RunProgram(merge);
  EXPECT_EQ(open.exit, 5);
  EXPECT_NE(open.err.find("part1/cells.txt.part: is not finished: 4 cells, part 1/3 of 12 cells"),
            std::string::npos)
      << open.err;
  fs::rename(folder.path("part1/cells.txt.part"), folder.path("part1/cells.txt"));
  merge.push_back("--merge");
  merge.push_back(folder.path("part2"));
  const ProgramResult lost = RunProgram(merge);
  EXPECT_EQ(lost.exit, 5);
  EXPECT_NE(lost.err.find("part3/cells.txt: part 3/3 lacks 1 of its cells"), std::string::npos)
      << lost.err;

  const std::string part = cut + "/cells.txt.part";
  const auto lines = [&] {
    const std::string text = ReadText(part);
    return std::count(text.begin(), text.end(), '\n');
  };
  {
    Program program({"study", own, "-j", "2", "-o", cut});
    ASSERT_TRUE(WaitFor([&] { return fs::exists(part) && lines() > 2; }));
    program.Signal(SIGKILL);
    EXPECT_EQ(program.Wait().exit, 137);
  }
  const ProgramResult other = RunProgram({"study", own, "--quick", "-o", cut});
  EXPECT_EQ(other.exit, 2);
  EXPECT_NE(other.err.find("was left by another study that was cut off: part 1/1 of 12 cells, and "
                           "this is part 1/1 of 8 cells (the same command as then"),
            std::string::npos)
      << other.err;
  const auto kept = lines();
  const ProgramResult resumed = RunProgram({"study", own, "-o", cut});
  EXPECT_EQ(resumed.exit, 0) << resumed.err;
  EXPECT_NE(resumed.err.find("goes on with a study that was cut off: "), std::string::npos)
      << resumed.err;
  EXPECT_GT(kept, 2);
  EXPECT_EQ(StudyRows(cut), StudyRows(whole));
}

}  // namespace
}  // namespace slip
