// Studies: their files, what is wrong with them, and cells that come to the same numbers whoever
// makes them.
#include "engine/study/study.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "engine/study/cell_file.h"
#include "engine/study/study_data.h"
#include "engine/study/study_files.h"
#include "engine/study/study_plan.h"
#include "tests/support/temp_folder.h"

namespace slip::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSmall = R"toml(
schema = "slipscope.study/1"
title = "Small"
story = "A box stops."
[[run]]
id = "stop"
scene = "sliding-box-consistent"
methods = ["lagged", "sap"]
axes = ["friction=0.25,0.5", "time_step=2ms,1ms"]
quick_axes = ["friction=0.5", "time_step=2ms,1ms"]
duration = 0.45
series = ["slip_speed"]
every = 10
reference = {method = "lagged", set = ["time_step=0.2ms"], of = ["position_x"]}
[run.metrics]
way = "last(position_x)"
peak = {of = "max(normal_force)", from = 0.05, to = 0.2}
middle = "median(slip_speed)"
wall = "mean(step_wall_us)"
[[figure]]
id = "way"
title = "Way"
run = "stop"
x = "stop.time_step"
x_label = "Step"
by = "friction"
panel = [{label = "Way", unit = "m", y = "stop.way"}]
[[condition]]
id = "way"
mark = "derived"
text = "v²/(2 μ g)"
value = "stop.way[lagged, time_step=1 ms] * stop.friction[lagged, time_step=1 ms]"
low = 0.0495
high = 0.0505
[[condition]]
id = "more"
mark = "paper"
text = "It does not"
value = "max(stop.slip_speed[sap, time>=0.25])"
low = 1
known = "it stands"
[[condition]]
id = "chosen"
mark = "chosen"
text = "So"
value = "order(stop.time_step[lagged, friction=0.5], stop.error[lagged, friction=0.5])"
low = 5
quick = false
)toml";

Study Small(bool quick = false) {
  const Result<Study> study = ReadStudy(kSmall, "small.toml", quick);
  EXPECT_TRUE(study.ok()) << study.error().Text();
  return *study;
}

/// The small study with one text in place of another.
std::string Changed(const std::string& from, const std::string& to) {
  std::string text = kSmall;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string ErrorOf(const std::string& from, const std::string& to) {
  const Result<Study> study = ReadStudy(Changed(from, to), "small.toml", false);
  EXPECT_FALSE(study.ok()) << to;
  return study.ok() ? "" : study.error().Text();
}

TEST(Study, ReadsFiles) {
  const Study study = Small();
  EXPECT_EQ(study.id, "small");
  EXPECT_EQ(study.cells(), 8u);
  EXPECT_EQ(Small(true).cells(), 4u);
  EXPECT_TRUE(Small(true).conditions[2].is_left);
  EXPECT_TRUE(study.runs[0].metrics[3].is_wall);
  EXPECT_EQ(study.runs[0].plan.base.duration, 0.45);
}

TEST(Study, SaysWhatIsWrong) {
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(ErrorOf("slipscope.study/1", "slipscope.study/2"), "is no study");
  has(ErrorOf("methods", "method"), "small.toml:8");
  has(ErrorOf("\"sap\"]", "\"sop\"]"), "small.toml:8:22: no model 'sop' (did you mean 'sap'?)");
  has(ErrorOf("stop.way\"", "stop.wai\""), "has no column 'wai' (did you mean 'way'?)");
  has(ErrorOf("stop.error", "stopp.error"), "no run 'stopp'");
  has(ErrorOf("max(stop", "most(stop"), "no function 'most'");
  has(ErrorOf("[sap, time>", "[similar, time>"), "has no model 'similar'");
  has(ErrorOf("\"chosen\"\ntext", "\"mine\"\ntext"), "mark must be paper, derived or chosen");
  has(ErrorOf("low = 5\n", ""), "needs low or high");
  has(ErrorOf("\"friction=0.25,0.5\"", "\"friction=a\""),
      "small.toml:9:9: axis friction: expected a number");
  has(ErrorOf("\"last(position_x)\"", "\"lost(position_x)\""), "small.toml:16");
  has(ErrorOf("of = [\"position_x\"]", "of = [\"position_q\"]"), "position_q");
  has(ErrorOf("duration = 0.45", "duration = -1"), "duration must be > 0");
  has(ErrorOf("by = \"friction\"", "by = \"mass\""), "no axis 'mass'");
  has(ErrorOf("by = \"friction\"", "by = \"fricton\""), "did you mean 'friction'?");
  has(ErrorOf("run = \"stop\"\nx", "run = \"stp\"\nx"), "no run 'stp' (did you mean 'stop'?)");
  has(ErrorOf("time_step=1 ms] *", "time_stp=1 ms] *"), "did you mean 'time_step'?");
  has(ErrorOf("\"slip_speed\"]", "\"slip_sped\"]"), "small.toml:12:11: no signal 'slip_sped'");
  // in words of the file, where it stands
  const std::string derive = "derive = [\n  \"stiffness=2*fricton\"]\nduration = 0.45";
  has(ErrorOf("duration = 0.45", derive), "small.toml:12:3: derive stiffness: column 3");
  has(ErrorOf("duration = 0.45", derive), "did you mean 'friction'?");
  has(ErrorOf("duration = 0.45", "derive = [\"mas=2\"]\nduration = 0.45"),
      "small.toml:11:11: derive: no parameter 'mas' (did you mean 'mass'?)");
  has(ErrorOf("duration = 0.45", "derive = [\"mass=2*mass\"]\nduration = 0.45"),
      "small.toml:11:11: derive mass: it follows from itself");
  has(ErrorOf("duration = 0.45", "duration = 1e-5"), "small.toml:11:12: duration 1e-5 s is below");
  // what is wrong with all cells is said with --quick, too
  const auto quick = [&](const std::string& from, const std::string& to) {
    const Result<Study> study = ReadStudy(Changed(from, to), "small.toml", true);
    return study ? std::string("fine") : study.error().Text();
  };
  has(quick("\"friction=0.25,0.5\"", "\"frction=0.25\""), "small.toml:9:9: no parameter 'frction'");
  has(quick("\"friction=0.5\"", "\"frction=0.5\""), "small.toml:10:15: no parameter 'frction'");
}

TEST(Study, ASuiteTakesNoKeysOfAScene) {
  const auto read = [](const std::string& more) {
    const Result<Study> study = ReadStudy(
        "schema = \"slipscope.study/1\"\ntitle = \"S\"\nstory = \"s\"\n[[run]]\nid = \"q\"\n"
        "suite = \"friction\"\n" +
            more,
        "s.toml", false);
    return study ? std::string("fine") : study.error().Text();
  };
  EXPECT_EQ(read("methods = [\"sap\"]\n"), "fine");
  EXPECT_EQ(read("methods = []\n"), "fine");
  EXPECT_EQ(read("duration = 1\n").substr(0, 45), "s.toml:7:12: duration and suite do not go tog");
  EXPECT_NE(read("suit = 1\n").find("did you mean 'suite'?"), std::string::npos);
}

/// Every cell with all that it gave, by number; wall times put aside.
std::vector<StudyCell> Cells(const StudyPlan& plan, int jobs) {
  std::vector<StudyCell> cells;
  StudyCallbacks callbacks;
  callbacks.cell = [&](const StudyCell& cell) { cells.push_back(cell); };
  EXPECT_TRUE(MakeStudyCells(plan, jobs, std::vector<bool>(plan.cells(), false), callbacks));
  std::sort(cells.begin(), cells.end(),
            [](const StudyCell& a, const StudyCell& b) { return a.cell < b.cell; });
  return cells;
}

TEST(Study, JudgesStatements) {
  const StudyPlan plan{{Small()}, {}};
  StudyData data(plan.studies[0]);
  for (const StudyCell& cell : Cells(plan, 2)) data.Add(0, cell.cell, cell);
  const std::vector<StudyVerdict> verdicts = JudgeStudy(plan.studies[0], data);
  ASSERT_EQ(verdicts.size(), 3u);
  EXPECT_EQ(verdicts[0].answer, StudyAnswer::kHolds) << verdicts[0].note;
  EXPECT_NEAR(verdicts[0].least, 0.05, 3e-4);
  EXPECT_EQ(verdicts[1].answer, StudyAnswer::kNotReproduced);
  EXPECT_FALSE(verdicts[1].Fails());
  // a chosen one is told and does not fail
  EXPECT_EQ(verdicts[2].answer, StudyAnswer::kFalse);
  EXPECT_NEAR(verdicts[2].most, 1, 0.3);
  EXPECT_FALSE(verdicts[2].Fails());
}

// What was expected is told even where nothing is there to be held against it.
TEST(Study, ASelectionOfNothingShowsWhatWasExpected) {
  const Result<Study> study =
      ReadStudy(Changed("stop.way[lagged, time_step=1 ms] * stop.friction[lagged, time_step=1 ms]",
                        "stop.way[lagged, time_step=3 ms]"),
                "small.toml", true);
  ASSERT_TRUE(study.ok()) << study.error().Text();
  const StudyVerdict verdict = JudgeStudy(*study, StudyData(*study))[0];
  EXPECT_EQ(verdict.answer, StudyAnswer::kFalse);
  EXPECT_EQ(verdict.low, 0.0495);
  EXPECT_EQ(verdict.high, 0.0505);
  EXPECT_NE(verdict.note.find("stop.way matches nothing with its selection"), std::string::npos)
      << verdict.note;
}

TEST(Study, KnownDifferencesHaveToStayTrue) {
  const Result<Study> study =
      ReadStudy(Changed("low = 1\nknown", "high = 1\nknown"), "small.toml", true);
  ASSERT_TRUE(study.ok()) << study.error().Text();
  const StudyPlan plan{{*study}, {}};
  StudyData data(plan.studies[0]);
  for (const StudyCell& cell : Cells(plan, 1)) data.Add(0, cell.cell, cell);
  const std::vector<StudyVerdict> verdicts = JudgeStudy(plan.studies[0], data);
  EXPECT_EQ(verdicts[1].answer, StudyAnswer::kHoldsNow);
  EXPECT_TRUE(verdicts[1].Fails());
  EXPECT_EQ(verdicts[2].answer, StudyAnswer::kLeftOut);
}

std::string ReadAll(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The tables of a plan from an index of cells, without the columns of wall times.
std::string Tables(const StudyPlan& plan, const CellIndex& cells, const fs::path& folder) {
  const std::vector<std::string> names = StudyFileNames(plan.studies[0]);
  const std::vector<std::string_view> views(names.begin(), names.end());
  const auto files = OpenOutputFiles(folder.string(), views, false);
  EXPECT_TRUE(files.ok());
  StudyData data(plan.studies[0]);
  EXPECT_TRUE(WriteStudyTables(plan, 0, cells, *files, &data).ok());
  std::string text;
  for (const auto& file : *files) {
    EXPECT_TRUE(file->Commit().ok());
    std::ifstream in(file->path());
    std::vector<bool> is_wall;
    for (std::string line; std::getline(in, line);) {
      std::size_t column = 0;
      for (std::size_t from = 0; from <= line.size(); ++column) {
        const std::size_t end = std::min(line.find(',', from), line.size());
        const std::string cell = line.substr(from, end - from);
        if (text.empty() || is_wall.size() <= column)
          is_wall.push_back(cell.find("wall") != std::string::npos);
        if (!is_wall[column]) text += cell + ",";
        from = end + 1;
      }
      text += "\n";
    }
  }
  return text + VerdictLines(plan.studies[0], JudgeStudy(plan.studies[0], data));
}

const RunContext kContext{"test", "1", "build"};

TEST(Study, AnyWorkersMakeTheSameBytes) {
  const TempFolder folder;
  std::vector<std::string> texts;
  for (const int jobs : {1, 2}) {
    const StudyPlan plan{{Small()}, {}};
    const fs::path out = fs::path(folder.path()) / std::to_string(jobs);
    auto file = CellFile::Open(out.string(), plan, kContext, false, nullptr);
    ASSERT_TRUE(file.ok());
    StudyCallbacks callbacks;
    callbacks.cell = [&](const StudyCell& cell) { (*file)->Write(cell); };
    EXPECT_TRUE(MakeStudyCells(plan, jobs, (*file)->done(), callbacks));
    texts.push_back(Tables(plan, (*file)->Index().value(), out));
  }
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_GT(texts[0].size(), 1000u);

  std::vector<std::string> parts;
  for (const int index : {3, 1, 7, 2, 6, 5, 4}) {
    const StudyPlan plan{{Small()}, {index, 7}};
    parts.push_back((fs::path(folder.path()) / ("part" + std::to_string(index))).string());
    auto file = CellFile::Open(parts.back(), plan, kContext, false, nullptr);
    ASSERT_TRUE(file.ok());
    StudyCallbacks callbacks;
    callbacks.cell = [&](const StudyCell& cell) { (*file)->Write(cell); };
    EXPECT_TRUE(MakeStudyCells(plan, 1, (*file)->done(), callbacks));
    EXPECT_TRUE((*file)->Commit().ok());
  }
  const StudyPlan plan{{Small()}, {}};
  const Result<CellIndex> merged = ReadStudyParts(parts, plan, kContext);
  ASSERT_TRUE(merged.ok()) << merged.error().Text();
  EXPECT_EQ(Tables(plan, *merged, fs::path(folder.path()) / "merged"), texts[0]);
  // a part too few, one twice, and those of another program
  EXPECT_FALSE(ReadStudyParts({parts.begin(), parts.end() - 1}, plan, kContext).ok());
  parts.push_back(parts.front());
  EXPECT_FALSE(ReadStudyParts(parts, plan, kContext).ok());
  parts.pop_back();
  EXPECT_FALSE(ReadStudyParts(parts, plan, {"test", "2", "build"}).ok());
  // a damaged line costs its cell
  const fs::path damaged = fs::path(parts[0]) / kCellFile;
  std::string text = ReadAll(damaged);
  text[text.size() / 2] ^= 1;
  std::ofstream(damaged, std::ios::binary) << text;
  EXPECT_FALSE(ReadStudyParts(parts, plan, kContext).ok());
}

TEST(Study, GoesOnWhereItWasCutOff) {
  const TempFolder folder;
  const StudyPlan plan{{Small()}, {}};
  const fs::path out = fs::path(folder.path()) / "out";
  int made = 0;
  {
    auto file = CellFile::Open(out.string(), plan, kContext, false, nullptr);
    ASSERT_TRUE(file.ok());
    StudyCallbacks callbacks;
    callbacks.cell = [&](const StudyCell& cell) {
      (*file)->Write(cell);
      ++made;
    };
    callbacks.poll = [&](double) { return made < 3; };
    EXPECT_FALSE(MakeStudyCells(plan, 1, (*file)->done(), callbacks));
    (*file)->Leave();
  }
  ASSERT_LT(made, 8);
  // half a line, as a kill leaves it
  const fs::path part = out / (std::string(kCellFile) + ".part");
  std::ofstream(part, std::ios::binary | std::ios::app) << "0123456789abcdef 7 done\x1f"
                                                        << "8,0.5";
  auto file = CellFile::Open(out.string(), plan, kContext, false, nullptr);
  ASSERT_TRUE(file.ok()) << file.error().Text();
  EXPECT_EQ((*file)->kept(), static_cast<std::size_t>(made));
  StudyCallbacks callbacks;
  callbacks.cell = [&](const StudyCell& cell) {
    (*file)->Write(cell);
    ++made;
  };
  EXPECT_TRUE(MakeStudyCells(plan, 2, (*file)->done(), callbacks));
  EXPECT_EQ(made, 8);
  const std::string resumed = Tables(plan, (*file)->Index().value(), out);
  StudyData data(plan.studies[0]);
  for (const StudyCell& cell : Cells(plan, 1)) data.Add(0, cell.cell, cell);
  const std::string verdicts = VerdictLines(plan.studies[0], JudgeStudy(plan.studies[0], data));
  EXPECT_TRUE(resumed.ends_with(verdicts));
}

/// A row of a table by column.
std::map<std::string, std::string> RowOf(const StudyRun& run, const std::string& row) {
  std::map<std::string, std::string> cells;
  std::stringstream names(StudyRowHeader(run)), values(row);
  for (std::string name, value; std::getline(names, name, ',');) {
    std::getline(values, value, ',');
    cells[name] = value;
  }
  return cells;
}

TEST(Study, ParametersFollowFromOthers) {
  std::string text = Changed("axes = [\"friction=0.25,0.5\", \"time_step=2ms,1ms\"]",
                             "axes = [\"half=0.1,0.2\", \"time_step=2ms,1ms\"]\nderive = "
                             "[\"friction=2*half+10*time_step\"]");
  for (const char* use :
       {"by = \"friction\"\n", ", friction=0.5", " * stop.friction[lagged, time_step=1 ms]"}) {
    for (std::size_t at; (at = text.find(use)) != std::string::npos;) text.erase(at, strlen(use));
  }
  const Result<Study> study = ReadStudy(text, "small.toml", false);
  ASSERT_TRUE(study.ok()) << study.error().Text();
  const StudyPlan plan{{*study}, {}};
  for (const StudyCell& cell : Cells(plan, 2)) {
    auto row = RowOf(study->runs[0], cell.row);
    const double half = std::stod(row["half"]), step = std::stod(row["time_step_s"]);
    EXPECT_DOUBLE_EQ(std::stod(row["friction"]), 2 * half + 10 * step);
    // the reference has what follows at its own step
    EXPECT_LT(std::stod(row["error"]), 0.01);
  }
}

TEST(Study, ForetoldForcesAreComparedWithTheRuns) {
  const Result<Study> study = ReadStudy(R"toml(
schema = "slipscope.study/1"
title = "Foretold"
story = "A squat."
[[run]]
id = "squat"
scene = "quadruped-squat"
methods = ["exponential", "sap"]
set = ["time_step=0.1ms", "robot.solo.squat_rate=8"]
duration = 0.1
foretell = "20 ms"
foretell_every = "40 ms"
series = ["normal_force"]
[[condition]]
id = "c"
mark = "chosen"
text = "Off"
value = "squat.foretold_error[exponential] / squat.foretold_most[exponential]"
high = 1
)toml",
                                        "foretold.toml", false);
  ASSERT_TRUE(study.ok()) << study.error().Text();
  const StudyPlan plan{{*study}, {}};
  const std::vector<StudyCell> cells = Cells(plan, 2);
  auto row = RowOf(study->runs[0], cells[0].row);
  const double error = std::stod(row["foretold_error_N"]), most = std::stod(row["foretold_most_N"]);
  EXPECT_GT(error, 0);
  EXPECT_LT(error, 0.05 * most);
  EXPECT_GT(most, 5);
  EXPECT_LT(most, 15);
  // nothing is foretold between the spans
  ASSERT_EQ(cells[0].samples.size(), 1000u);
  EXPECT_FALSE(cells[0].samples[199].ends_with("nan"));
  EXPECT_TRUE(cells[0].samples[200].ends_with("nan"));
  EXPECT_FALSE(cells[0].samples[400].ends_with("nan"));
  // nor by who foretells nothing
  auto other = RowOf(study->runs[0], cells[1].row);
  EXPECT_EQ(other["foretold_error_N"], "nan");
  EXPECT_NE(other["note"].find("nothing was foretold"), std::string::npos) << other["note"];
}

TEST(Study, FailedCellsAreRows) {
  const std::string text = Changed("set = [\"time_step=0.2ms\"]", "set = [\"time_step=0.3ms\"]");
  const Result<Study> study = ReadStudy(text, "small.toml", true);
  ASSERT_TRUE(study.ok()) << study.error().Text();
  const StudyPlan plan{{*study}, {}};
  const std::vector<StudyCell> cells = Cells(plan, 1);
  ASSERT_EQ(cells.size(), 4u);
  // the steps of the reference miss the grid of errors
  EXPECT_NE(cells[0].row.find("nan"), std::string::npos) << cells[0].row;
  EXPECT_NE(cells[0].row.find("the reference says nothing"), std::string::npos) << cells[0].row;
}

// Those of the papers that take next to no time; the others are read.
TEST(Study, NamedOnesHold) {
  for (const std::string& name : ListStudies()) {
    Result<Study> study = FindStudy(name, true);
    ASSERT_TRUE(study.ok()) << study.error().Text();
    const bool small = name.starts_with("seed-002-figure-0") && name != "seed-002-figure-07";
    if (!small && name != "seed-001-figure-02" && name != "seed-001-figure-05") continue;
    const StudyPlan plan{{*study}, {}};
    StudyData data(plan.studies[0]);
    for (const StudyCell& cell : Cells(plan, 1)) {
      const StudyPlan::Place place = plan.PlaceOf(cell.cell);
      data.Add(place.run, place.index, cell);
    }
    for (const StudyVerdict& verdict : JudgeStudy(plan.studies[0], data))
      EXPECT_FALSE(verdict.Fails()) << name << " " << verdict.of->id << " " << verdict.least << " "
                                    << verdict.most << " " << verdict.note;
  }
}

}  // namespace
}  // namespace slip::test
