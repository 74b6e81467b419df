// What cannot be meant is refused before anything runs: one sentence, exit 2; and what check and
// solve say of files that are wrong: the useful sentence, with its place.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/folders.h"
#include "tests/support/program.h"
#include "tests/support/rolling_coin.h"

namespace slip {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

/// One sentence with `message` in it, this exit code, and nothing on stdout.
void ExpectRefused(const Arguments& arguments, const std::string& message, int exit = 2) {
  const ProgramResult result = RunProgram(arguments);
  std::string line = "slipscope";
  for (const std::string& word : arguments) line += " '" + word + "'";
  EXPECT_EQ(result.exit, exit) << line << "\n" << result.err;
  EXPECT_NE(result.err.find(message), std::string::npos) << line << "\n" << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << line << "\n"
                                                                       << result.err;
  EXPECT_TRUE(result.out.empty()) << line << "\n" << result.out;
}

TEST(CliUsage, AnEmptyValueIsNotTakenForNone) {
  for (const char* option : {"--model", "--duration", "--output", "--param", "--at", "--every",
                             "--expect", "--save", "--jobs", "--dump-problems"}) {
    ExpectRefused({"run", "conveyor", option, ""}, std::string(option) + ": must not be empty");
    ExpectRefused({"run", "conveyor", std::string(option) + "="},
                  std::string(option) + " needs a value");
  }
  ExpectRefused({"compare", "conveyor", "-m", ""}, "--model: must not be empty");
  ExpectRefused({"sweep", "conveyor", "-o", ""}, "--output: must not be empty");
  ExpectRefused({"sweep", "conveyor", "-o", "x", "--shard", ""}, "--shard: must not be empty");
  ExpectRefused({"render", "conveyor", "-o", ""}, "--output: must not be empty");
  ExpectRefused({"render", "conveyor", "-o", "a.png", "--plots", ""}, "--plots: must not be empty");
  for (const char* command : {"run", "compare", "show"})
    ExpectRefused({command, ""}, "the scene must not be empty");
  ExpectRefused({"solve", ""}, "the problem must not be empty");
  ExpectRefused({"check", ""}, "the file must not be empty");
  ExpectRefused({"list", ""}, "the kind must not be empty");
  ExpectRefused({"", "--frames", "1"}, "the scene must not be empty");
}

TEST(CliUsage, AListWithHolesIsOneSentence) {
  ExpectRefused({"run", "conveyor", "-m", ","}, "expected models separated by commas, found ','");
  ExpectRefused({"run", "conveyor", "-m", "sap,"}, "found 'sap,'");
  ExpectRefused({"compare", "conveyor", "-m", "sap,,lagged"}, "found 'sap,,lagged'");
  ExpectRefused({"run", "conveyor", "-m", "sapp,sapp"}, "no model 'sapp'");
  ExpectRefused({"render", "conveyor", "-o", "a.png", "--plots", ","},
                "--plots: expected signals separated by commas, found ','");
}

TEST(CliUsage, AChangeAfterTheEndIsRefused) {
  const TempFolder folder;
  for (const char* command : {"run", "compare"}) {
    ExpectRefused({command, "conveyor", "-t", "1", "--at", "5:friction=0.1"},
                  "--at 5:friction: the run ends at 1 s");
    ExpectRefused({command, "conveyor", "--steps", "20", "--at", "0.2:friction=0.1"},
                  "the run ends at 0.2 s");
  }
  ExpectRefused({"sweep", "conveyor", "-t", "1", "--at", "1:friction=0.1", "-o", folder.path("a")},
                "the run ends at 1 s");
  ExpectRefused(
      {"render", "conveyor", "--time", "1", "--at", "2:friction=0.1", "-o", folder.path("a.png")},
      "the run ends at 1 s");
  ExpectRefused(
      {"render", "conveyor", "--to", "1", "--at", "2:friction=0.1", "-o", folder.path("a/")},
      "the run ends at 1 s");
  ExpectRefused({"render", "conveyor", "--from", "2", "--to", "1", "-o", folder.path("a/")},
                "--from 2 s to --to 1 s");
  EXPECT_TRUE(fs::is_empty(folder.path()));
  // a change of the time step moves the end of a run that is counted in steps
  EXPECT_EQ(RunProgram({"run", "conveyor", "--steps", "20", "--at", "0.1:time_step=0.05", "--at",
                        "0.5:friction=0.1"})
                .exit,
            0);
}

TEST(CliUsage, RowsThatNeverComeAreRefused) {
  const TempFolder folder;
  ExpectRefused({"run", "conveyor", "-t", "1", "--every", "101", "-o", folder.path("a")},
                "--every 101: no step would be written, as the run of sap has 100");
  ExpectRefused({"compare", "conveyor", "--steps", "5", "--every", "6"}, "has 5");
  // 10 steps of 10 ms and 900 of 1 ms
  ExpectRefused({"run", "conveyor", "-t", "1", "--at", "0.1:time_step=1ms", "--every", "911"},
                "has 910");
  EXPECT_EQ(RunProgram({"run", "conveyor", "-t", "1", "--every", "100"}).exit, 0);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(CliUsage, AConditionOnWhatIsNotThereIsRefused) {
  const TempFolder folder;
  ExpectRefused({"run", "conveyor", "-m", "sap,lagged", "--expect", "max(iterations@todorov) < 5"},
                "no channel 'todorov' in this run (there is sap, lagged)");
  ExpectRefused({"compare", "conveyor", "-m", "sap", "--expect", "last(slip_speed@2) < 5"},
                "no channel '2' in this run");
  ExpectRefused({"run", "conveyor", "-m", "sap", "--expect", "friction@lagged > 0"},
                "no channel 'lagged'");
  ExpectRefused({"run", "conveyor", "--expect", "material.nix.friction > 0"},
                "no parameter 'material.nix.friction'");
  ExpectRefused({"sweep", "conveyor", "-m", "sap", "-o", folder.path("a"), "--expect",
                 "max(iterations@todorov) < 5"},
                "no channel 'todorov'");
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(CliUsage, TheExperimentHasANameOfItsOwn) {
  const TempFolder folder;
  const std::string out = folder.path("out");
  const auto refused = [&](const std::string& save, const std::string& message) {
    ExpectRefused(
        {"run", "conveyor", "--steps", "2", "-o", out, "--dump-problems", out, "--save", save},
        message);
    EXPECT_TRUE(fs::is_empty(folder.path()));
  };
  refused(out + "/meta.json", "this run writes another file of that name");
  refused(out + "/../out/./metrics.json", "this run writes another file of that name");
  refused(out + "/sap-000001.json", "this run writes another file of that name");
  refused(out, "is the folder of the other files");
  refused(out + "/", "is the folder of the other files");
  refused(folder.path("a.toml"), "an experiment is JSON, not .toml");
  for (const char* name : {"a.json", "a"}) {
    const std::string save = out + "/" + name;
    EXPECT_EQ(
        RunProgram({"run", "conveyor", "--steps", "2", "-o", out, "--save", save, "--force"}).exit,
        0);
    EXPECT_TRUE(nlohmann::json::accept(ReadText(save)));
  }
}

TEST(CliUsage, WhatACommandNeedsIsNamed) {
  ExpectRefused({"check"}, "'check' needs a file (");
  ExpectRefused({"solve"}, "'solve' needs a problem (");
  ExpectRefused({"run"}, "'run' needs a scene (");
  ExpectRefused({"list"}, "'list' needs a kind (scenes, models");
  ExpectRefused({"list", "nix"}, "nothing to list is called 'nix' (known: scenes");
  ExpectRefused({"run", "conveyor", "-t", "1", "-t", "2"}, "--duration is given more than once");
}

class ProblemCli : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(RunProgram({"run", "conveyor", "--steps", "1", "-m", "sap", "--dump-problems",
                          folder_.path("p")})
                  .exit,
              0);
    problem_ = nlohmann::ordered_json::parse(ReadText(folder_.path("p/sap-000001.json")));
  }
  void ExpectError(const std::string& text, const std::string& message) {
    const std::string path = folder_.path("a.json");
    WriteText(path, text);
    for (const char* command : {"check", "solve"})
      ExpectRefused({command, path}, "a.json:" + message, 5);
  }

  TempFolder folder_;
  nlohmann::ordered_json problem_;
};

TEST_F(ProblemCli, AnotherKindOfFileIsOneSentence) {
  ASSERT_EQ(RunProgram({"run", "conveyor", "--steps", "1", "-o", folder_.path("out")}).exit, 0);
  for (const char* command : {"check", "solve"}) {
    ExpectRefused({command, folder_.path("out/meta.json")},
                  "is no contact problem: schema must be \"slipscope.problem/1\" (found "
                  "\"slipscope.run/1\")",
                  5);
  }
  ExpectError("{}",
              " is no contact problem: schema must be \"slipscope.problem/1\" (there is none)");
  ExpectError("{\"schema\": 3, \"x\": 1}", " is no contact problem");
}

TEST_F(ProblemCli, OneCauseIsOneSentence) {
  nlohmann::ordered_json without = problem_;
  without.erase("model");
  ExpectError(without.dump(), " problem.model is missing.");
  without = problem_;
  without["trees"][0].erase("nv");
  ExpectError(without.dump(), " trees[0].nv is missing.");
  without["trees"] = nlohmann::ordered_json::array();
  ExpectError(without.dump(), " trees must not be empty.");
}

TEST_F(ProblemCli, WhatIsNotFiniteHasAPlace) {
  problem_["contacts"][0]["dissipation"] = "HERE";
  problem_["contacts"].push_back(problem_["contacts"][0]);
  problem_["contacts"][0]["dissipation"] = 1;
  const std::string text = problem_.dump(1);
  const std::size_t at = text.find("\"HERE\"");
  ASSERT_NE(at, std::string::npos);
  const std::size_t feed = text.rfind('\n', at);
  const std::string before = text.substr(0, at);
  const std::string place = std::to_string(1 + std::count(before.begin(), before.end(), '\n')) +
                            ":" + std::to_string(at - feed);
  for (const char* word : {"inf", "-inf", "nan", "NaN", "Infinity"}) {
    std::string wrong = text;
    wrong.replace(at, 6, word);
    ExpectError(wrong,
                place + ": contacts[1].dissipation must be a finite number (found " + word + ")");
  }
  std::string large = text;
  large.replace(at, 6, "1e999");
  ExpectError(large, " contacts[1].dissipation must be a finite number");
  ExpectError("nan", "1:2: not valid JSON here");
  ExpectError("{\"schema\": \"nan", "1:16: not valid JSON here");
  ExpectError("{nan", "1:3: not valid JSON here");
  problem_["trees"][0]["v0"][1] = "HERE";
  large = problem_.dump();
  large.replace(large.find("\"HERE\""), 6, "nan");
  ExpectError(large, "1:" + std::to_string(large.find("nan") + 1) +
                         ": trees[0].v0[1] must be a finite number (found nan)");
}

TEST_F(ProblemCli, AnUnknownModelIsCalledAModel) {
  ExpectRefused({"solve", folder_.path("p/sap-000001.json"), "-m", "sapp"},
                "no model 'sapp' (did you mean 'sap'?)");
  const ProgramResult unknown =
      RunProgram({"solve", folder_.path("p/sap-000001.json"), "-p", "qwertyuiop=1"});
  EXPECT_EQ(unknown.err.find("material.."), std::string::npos) << unknown.err;
}

TEST(CliUsage, ChecksPointClouds) {
  const TempFolder folder;
  const auto write = [&](const std::string& name, const std::string& text) {
    WriteText(folder.path(name), text);
    return folder.path(name);
  };
  const std::string points = "0 0 0\n1 0 0\n0 2 0\n0 0 -3\n";
  const std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
      "property float z\nend_header\n";
  for (const std::string& path :
       {write("a.xyz", points), write("a.txt", "# scan\n" + points), write("b.XYZ", points),
        write("a.csv", "x,y,z\n0,0,0\n1,0,0\n0,2,0\n0,0,-3\n"), write("a.ply", ply + points)}) {
    const ProgramResult result = RunProgram({"check", path});
    EXPECT_EQ(result.exit, 0) << result.err;
    EXPECT_NE(result.out.find(path + ": point cloud, 4 points, extent 1 x 2 x 3 m\n"),
              std::string::npos)
        << result.out;
  }
  const ProgramResult twice = RunProgram({"check", write("t.xyz", points + "0 2 0\n")});
  EXPECT_NE(twice.out.find("5 points"), std::string::npos) << twice.out;
  EXPECT_NE(twice.out.find("1 point lies where an earlier one does"), std::string::npos)
      << twice.out;
  ExpectRefused({"check", write("c.ply", ply + "0 0 0\n")},
                "c.ply:8: the file ends after 1 of 4 rows of the element 'vertex'", 5);
  ExpectRefused({"check", write("c.xyz", "0 0 0\n1 x 0\n")}, "c.xyz:2: 'x' is not a number", 5);
  ExpectRefused({"check", write("d.txt", "")}, "d.txt: the file is empty", 5);
  ExpectRefused({"check", folder.path("e.csv")}, "e.csv: no such file.", 5);
  ExpectRefused({"check", folder.path("e.obj")}, "e.obj: no such file.", 5);
  const std::string scene = write("s.toml",
                                  "title = \"T\"\nstory = \"S\"\nsource = \"none\"\nduration = 1\n"
                                  "[material.steel]\n[body.a]\nshape = \"mesh\"\nfile = \"e.obj\"\n"
                                  "density = 1000\nmaterial = \"steel\"\n");
  const ProgramResult missing = RunProgram({"check", scene});
  EXPECT_EQ(missing.exit, 5);
  EXPECT_NE(missing.err.find("e.obj: no such file (paths count from the scene file's folder)"),
            std::string::npos)
      << missing.err;
}

TEST(CliUsage, CheckTriesTheFirstStepOfEveryChannel) {
  const TempFolder folder;
  const auto scene = [&](const std::string& name, const std::string& from, const std::string& to) {
    std::string text = ReadText(SourceFolder() + "/scenes/" + name + ".toml");
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << name;
    // a whole line
    text.replace(at, text.find('\n', at) - at, to);
    WriteText(folder.path(name + ".toml"), text);
    return folder.path(name + ".toml");
  };
  const std::string quasi = "model = \"quasi-dynamic\"";
  struct Case {
    std::string file, where, why;
  };
  for (const Case& c :
       {Case{scene("bunny-grasp", "impedance = {", ""), "body 'hand/",
             "the quasi-dynamic method moves joints by their impedance, which is 0 here"},
        Case{scene("quadruped-stand", "[camera]", "[[channel]]\n" + quasi + "\n[camera]"),
             "body 'solo/", "the quasi-dynamic method moves"},
        Case{scene("clutter", "[camera]", "[[channel]]\n" + quasi + "\n[camera]"), "",
             "takes at most 120 coordinates"}}) {
    const ProgramResult result = RunProgram({"check", c.file});
    EXPECT_EQ(result.exit, 5) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find(c.file + ": channel quasi-dynamic cannot make its first step: "),
              std::string::npos)
        << result.err;
    EXPECT_NE(result.err.find(c.where), std::string::npos) << result.err;
    EXPECT_NE(result.err.find(c.why), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("(choose another method)"), std::string::npos) << result.err;
    // as run finds out
    const ProgramResult run = RunProgram({"run", c.file, "-m", "quasi-dynamic", "--steps", "1"});
    EXPECT_EQ(run.exit, 1) << run.err;
    EXPECT_NE(run.err.find(c.why), std::string::npos) << run.err;
  }
  EXPECT_EQ(RunProgram({"check", "bunny-grasp", "clutter", "quadruped-stand"}).exit, 0);
}

TEST(CliUsage, StepsTooLongForWhatTurnsAreNoted) {
  const TempFolder folder;
  const std::string file = folder.path("coin.toml");
  WriteText(file, kRollingCoin);
  const auto notes = [&](const char* turning, const char* step) {
    return RunProgram({"run", file, "-m", "sap", "-p", std::string("turning=") + turning, "-p",
                       std::string("time_step=") + step})
        .err;
  };
  const std::string climbs = notes("start", "1ms");
  EXPECT_TRUE(climbs.starts_with("slipscope: note: sap made energy from nowhere ")) << climbs;
  const std::string far = notes("middle", "40ms");
  EXPECT_NE(far.find("note: sap turns coin by "), std::string::npos) << far;
  // what its first step makes is told with its size, and no more
  const std::string right = notes("middle", "1ms");
  EXPECT_EQ(right.find("made energy from nowhere"), std::string::npos) << right;
  EXPECT_EQ(right.find("turns coin"), std::string::npos) << right;
}

TEST(CliUsage, WhatAMethodIgnoresIsNoted) {
  const TempFolder folder;
  const std::string torsion =
      "exponential ignores the torsional friction of material 'rubber': its contacts spin freely";
  const std::string rest =
      "quasi-dynamic drops the start velocities of 'puck', 'plain': each of its steps starts from "
      "rest";
  const ProgramResult run =
      RunProgram({"run", "spinning-sphere", "-m", "lagged,exponential", "--steps", "2"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(run.err, "slipscope: note: " + torsion + ".\n");
  const ProgramResult puck =
      RunProgram({"run", "spinning-puck", "-m", "lagged,quasi-dynamic", "--steps", "2"});
  EXPECT_EQ(puck.exit, 0) << puck.err;
  EXPECT_EQ(puck.err, "slipscope: note: " + rest + ".\n");
  // nothing to note without torsion
  const ProgramResult none = RunProgram({"run", "spinning-sphere", "-m", "exponential", "--steps",
                                         "2", "-p", "torsional_friction=0"});
  EXPECT_EQ(none.err, "");

  std::string text = ReadText(SourceFolder() + "/scenes/spinning-puck.toml");
  const std::size_t at = text.find("[camera]");
  ASSERT_NE(at, std::string::npos);
  WriteText(folder.path("s.toml"), text.insert(at, "[[channel]]\nmodel = \"quasi-dynamic\"\n"));
  const ProgramResult check = RunProgram({"check", folder.path("s.toml")});
  EXPECT_EQ(check.exit, 0) << check.err;
  EXPECT_NE(check.out.find("4 channels\n  " + rest + "\n"), std::string::npos) << check.out;
}

TEST(CliUsage, CheckTellsTheNotesOfAScene) {
  const TempFolder folder;
  WriteText(folder.path("c.xyz"), "x y z\n0 0 0\n1 0 0\n0 2 0\n0 0 -3\n");
  WriteText(folder.path("s.toml"),
            "title = \"T\"\n[material.steel]\n[body.a]\nshape = \"cloud\"\nfile = \"c.xyz\"\n"
            "mass = 1\n");
  const ProgramResult check = RunProgram({"check", folder.path("s.toml")});
  EXPECT_EQ(check.exit, 0) << check.err;
  EXPECT_NE(check.out.find("\n  line 1 is taken for a heading: 'x y z'\n"), std::string::npos)
      << check.out;
  WriteText(folder.path("c.xyz"), "0.0.1 0 0\n1 0 0\n0 2 0\n0 0 -3\n");
  const ProgramResult slip = RunProgram({"check", folder.path("s.toml")});
  EXPECT_EQ(slip.exit, 5);
  EXPECT_NE(slip.err.find("s.toml:5:"), std::string::npos) << slip.err;
  EXPECT_NE(slip.err.find("c.xyz:1: '0.0.1' is not a number; expected coordinate x (a heading has"),
            std::string::npos)
      << slip.err;
}

TEST(CliUsage, StepsThatMissTheAccuracyHaveNoResidual) {
  const ProgramResult run =
      RunProgram({"run", "conveyor", "-m", "lagged", "-t", "0.3", "-p", "error_control=on", "-p",
                  "min_step=1ms", "-p", "accuracy=1e-8"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_NE(run.err.find("30 steps did not converge to the accuracy: inner steps of the smallest "
                         "length were taken whatever their error (lower min_step, or ask for less "
                         "accuracy).\n"),
            std::string::npos)
      << run.err;
  EXPECT_EQ(run.err.find("residual"), std::string::npos) << run.err;
}

TEST(CliUsage, MethodsWithoutProblemsAreNamed) {
  const TempFolder folder;
  const ProgramResult run = RunProgram({"run", "sliding-mass", "-m", "lagged,exponential,rk4",
                                        "--steps", "2", "--dump-problems", folder.path("p")});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_NE(run.err.find("slipscope: note: --dump-problems writes none of exponential, rk4: only "
                         "steps of convex models are contact problems.\n"),
            std::string::npos)
      << run.err;
  EXPECT_TRUE(fs::exists(folder.path("p/lagged-000001.json")));
  const ProgramResult all = RunProgram(
      {"run", "sliding-mass", "-m", "lagged", "--steps", "2", "--dump-problems", folder.path("q")});
  EXPECT_EQ(all.err.find("note: "), std::string::npos) << all.err;
}

TEST(CliUsage, ParametersAreListedWithEveryUnit) {
  const ProgramResult list = RunProgram({"list", "parameters", "--json"});
  ASSERT_EQ(list.exit, 0) << list.err;
  const nlohmann::json rows = nlohmann::json::parse(list.out);
  const auto row = [&](const std::string& path) {
    const auto at =
        std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r["path"] == path; });
    return at == rows.end() ? nlohmann::json() : *at;
  };
  const std::string joint = "joint.ROBOT/NAME.";
  EXPECT_EQ(row(joint + "impedance")["unit"], "N m/rad or N/m");
  EXPECT_EQ(row(joint + "impedance")["models"], "quasi-dynamic");
  EXPECT_EQ(row(joint + "joint_target")["unit"], "rad or m");
  EXPECT_EQ(row(joint + "joint_target")["range"],
            "-12.566370614359172..12.566370614359172 or -10..10");
  EXPECT_EQ(row("push.NAME.push_scale")["range"], "-10..10");
  EXPECT_EQ(row("material.NAME.friction")["unit"], "");
}

TEST(CliUsage, ArgumentsThatAreNoTextStayReadable) {
  const TempFolder folder;
  // "ä" is text, the byte after it is not
  const std::string odd = folder.path("ä\xff'\\7 b");
  ASSERT_EQ(
      RunProgram({"run", "conveyor", "--steps", "1", "-o", odd, "--save", odd + "/a.json"}).exit,
      0);
  for (const char* name : {"meta.json", "metrics.json", "a.json"})
    EXPECT_TRUE(nlohmann::json::accept(ReadText(odd + "/" + name))) << name;
  const nlohmann::json meta = nlohmann::json::parse(ReadText(odd + "/meta.json"));
  const std::string line = meta["command_line"];
  // as bash reads it: the words, one after the other, each ended by a zero byte
  WriteText(folder.path("read.sh"), "slipscope() { printf '%s\\0' \"$@\"; }\n" + line + "\n");
  const std::string read = folder.path("read");
  ASSERT_EQ(std::system(("bash '" + folder.path("read.sh") + "' > '" + read + "'").c_str()), 0);
  std::string expected;
  for (const std::string& word :
       {std::string("run"), std::string("conveyor"), std::string("--steps"), std::string("1"),
        std::string("-o"), odd, std::string("--save"), odd + "/a.json"}) {
    expected += word + '\0';
  }
  EXPECT_EQ(ReadText(read), expected) << line;
}

}  // namespace
}  // namespace slip
