// The program from outside: exit codes, messages, files, determinism.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "tests/support/folders.h"
#include "tests/support/program.h"

namespace slip {
namespace {

using Arguments = std::vector<std::string>;

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

/// steps.csv without its last column, the wall time.
std::string WithoutWallTime(const std::string& csv) {
  std::string out;
  std::size_t begin = 0;
  while (begin < csv.size()) {
    const std::size_t end = std::min(csv.find('\n', begin), csv.size());
    const std::string line = csv.substr(begin, end - begin);
    out += line.substr(0, line.rfind(',')) + "\n";
    begin = end + 1;
  }
  return out;
}

TEST(Cli, HelpAndVersionGoToStdout) {
  for (const Arguments& arguments : {Arguments{"--help"},
                                     {"run", "--help"},
                                     {"sweep", "--help"},
                                     {"solve", "--help"},
                                     {"render", "--help"},
                                     {"--version"},
                                     {"run", "--version"}}) {
    const ProgramResult result = RunProgram(arguments);
    EXPECT_EQ(result.exit, 0) << arguments[0];
    EXPECT_FALSE(result.out.empty());
    EXPECT_TRUE(result.err.empty()) << result.err;
  }
}

struct Refusal {
  Arguments arguments;
  int exit;
  const char* message;
};

TEST(Cli, WrongUsageIsOneLineWithASuggestion) {
  const Refusal kCases[] = {
      {{"rnu", "conveyor"}, 2, "did you mean 'run'?"},
      {{"conveior"}, 2, "did you mean 'conveyor'?"},
      {{"study", "seed-001-figure-3"}, 5, "did you mean 'seed-001-figure-03'?"},
      {{"run"}, 2, "'run' needs a scene"},
      {{"run", "conveyor", "--modle", "sap"}, 2, "did you mean '--model'?"},
      {{"run", "conveyor", "extra"}, 2, "unexpected argument 'extra'"},
      {{"run", "conveyor", "-m", "sapp"}, 2, "did you mean 'sap'?"},
      {{"run", "conveyor", "-m", ""}, 2, "--model: must not be empty"},
      {{"run", "conveyor", "-m", "sap,"}, 2, "found 'sap,'"},
      {{"run", "conveyor", "-p", "frictoin=1"}, 2, "did you mean 'friction'?"},
      {{"run", "conveyor", "-p", "fric\n\x1B[31mtion=1"}, 2, "'fric??[31mtion'"},
      {{"run", "conveyor", "-p", "friction=-0.2"}, 2, "friction must be >= 0 (found -0.2)"},
      {{"run", "conveyor", "-p", "friction=nan"}, 2, "friction"},
      {{"run", "conveyor", "-p", "friction=1e400"}, 2, "friction"},
      {{"run", "conveyor", "-p", "time_step=2 kg"}, 2, "expected a number in s"},
      {{"run", "conveyor", "-p", "time_step"}, 2, "PATH=VALUE"},
      {{"run", "conveyor", "--at", "time_step=1ms"}, 2, "S:PATH=VALUE"},
      {{"run", "conveyor", "--at", "-1:time_step=1ms"}, 2, "before the start"},
      {{"run", "conveyor", "-t", "0"}, 2, "--duration"},
      {{"run", "conveyor", "-t", "nan"}, 2, "--duration"},
      {{"run", "conveyor", "--steps", "1.5"}, 2, "whole number"},
      {{"run", "conveyor", "--steps", "5", "-t", "1"}, 2, "excludes"},
      {{"run", "conveyor", "--every", "0"}, 2, "--every"},
      {{"run", "conveyor", "--expect", "max(glidin_offset) < 1"},
       2,
       "did you mean 'gliding_offset'?"},
      {{"run", "conveyor", "--progress", "jsn"}, 2, "did you mean 'json'?"},
      {{"list", "scnes"}, 2, "did you mean 'scenes'?"},
      {{"run", "nope"}, 5, "no scene 'nope'"},
      {{"run", "conveior"}, 5, "did you mean 'conveyor'?"},
      {{"run", "/no/such.toml"}, 5, "no such file"},
      {{"run", "/"}, 5, "folder"},
      {{"show", "nope"}, 5, "no scene"},
      {{"solve", "/no/such.json"}, 5, "no such file"},
      {{"check", "/no/such.toml"}, 5, "no such file"},
      {{"solve", "/dev/zero"}, 5, "is a device, not a contact problem"},
      {{"run", "/dev/zero"}, 5, "is a device, not a scene file"},
  };
  for (const Refusal& c : kCases) {
    const ProgramResult result = RunProgram(c.arguments);
    std::string words;
    for (const std::string& word : c.arguments) words += word + " ";
    EXPECT_EQ(result.exit, c.exit) << words << result.err;
    EXPECT_NE(result.err.find(c.message), std::string::npos) << words << result.err;
    if (c.exit == 0) continue;
    EXPECT_TRUE(result.out.empty()) << words;
    EXPECT_EQ(result.err.rfind("slipscope: ", 0), 0u) << words << result.err;
    EXPECT_EQ(FirstLine(result.err).size() + 1, result.err.size()) << words << result.err;
  }
}

TEST(Cli, BadSceneFilesNameThePosition) {
  const TempFolder folder;
  const std::string file = folder.path("bad.toml");
  const auto run = [&](const std::string& text) {
    WriteText(file, text);
    const ProgramResult result = RunProgram({"run", file});
    EXPECT_EQ(result.exit, 5) << text.substr(0, 80);
    return result.err;
  };
  EXPECT_NE(run("title = \"t\"\n[material.a]\nfriction = -0.2\n")
                .find("bad.toml:3:12: friction must be >= 0 (found -0.2)"),
            std::string::npos);
  EXPECT_NE(run("").find("empty"), std::string::npos);
  EXPECT_NE(run(std::string(10 << 20, '\x7F')).find("too large"), std::string::npos);
  EXPECT_NE(run(std::string("\x7F"
                            "ELF\0\0\0",
                            7))
                .find("not a text file"),
            std::string::npos);
}

TEST(Cli, EveryInstructionSetWritesTheSameBytes) {
  const TempFolder folder;
  std::string first;
  for (const char* name : {"sse2", "avx2", "avx512"}) {
    setenv("SLIPSCOPE_KERNELS", name, 1);
    const ProgramResult result = RunProgram(
        {"run", "flat-stack", "-m", "sap,lagged,similar", "-o", folder.path(name), "-t", "0.05"});
    unsetenv("SLIPSCOPE_KERNELS");
    ASSERT_EQ(result.exit, 0) << result.err;
    const std::string text = ReadText(folder.path(std::string(name) + "/contacts.csv")) +
                             ReadText(folder.path(std::string(name) + "/bodies.csv"));
    if (first.empty()) first = text;
    EXPECT_EQ(text, first) << name;
  }
  setenv("SLIPSCOPE_KERNELS", "mmx", 1);
  EXPECT_NE(RunProgram({"doctor"}).out.find("SLIPSCOPE_KERNELS=mmx is none of them"),
            std::string::npos);
  unsetenv("SLIPSCOPE_KERNELS");
}

TEST(Cli, FilesNameTheSeedOfAPile) {
  const TempFolder folder;
  const auto meta = [&](const std::string& scene) {
    const std::string path = folder.path(scene);
    EXPECT_EQ(RunProgram({"run", scene, "-o", path, "-t", "0.02"}).exit, 0);
    return ReadText(path + "/meta.json");
  };
  EXPECT_NE(meta("flat-stack").find("\"seed\": 3,"), std::string::npos);
  EXPECT_NE(meta("conveyor").find("\"seed\": null,"), std::string::npos);
}

TEST(Cli, FilesAreExactAndReproducible) {
  const TempFolder folder;
  for (const char* name : {"a", "b"}) {
    const ProgramResult result =
        RunProgram({"run", "conveyor", "-o", folder.path(name), "-t", "0.5"});
    ASSERT_EQ(result.exit, 0) << result.err;
    EXPECT_TRUE(result.out.empty()) << result.out;
  }
  EXPECT_EQ(FirstLine(ReadText(folder.path("a/steps.csv"))),
            "step,time_s,model,time_step_s,iterations,line_search_iterations,momentum_residual,"
            "condition_number,cost_J,contacts,sticking,slipping,max_penetration_m,kinetic_energy_J,"
            "potential_energy_J,elastic_energy_J,dissipated_energy_J,converged,coulomb_distance_N,"
            "coulomb_distance,wall_us");
  EXPECT_EQ(FirstLine(ReadText(folder.path("a/bodies.csv"))),
            "step,time_s,model,body,px_m,py_m,pz_m,qw,qx,qy,qz,vx_m_s,vy_m_s,vz_m_s,wx_rad_s,wy_"
            "rad_s,wz_rad_s");
  EXPECT_EQ(
      FirstLine(ReadText(folder.path("a/contacts.csv"))),
      "step,time_s,model,contact,body_a,body_b,px_m,py_m,pz_m,nx,ny,nz,signed_distance_m,vn_m_s,"
      "vt_m_s,fn_N,ft_N,mode,gliding_offset_m,gliding_predicted_m,stiction_tolerance_m_s,stiffness_"
      "N_m,coulomb_distance_N,coulomb_offset_m,cone_excess_N,dissipation_deficit_W,coulomb_lag_N");
  EXPECT_EQ(FirstLine(ReadText(folder.path("a/events.csv"))),
            "step,time_s,model,kind,path,from,to,note");
  for (const char* name : {"bodies.csv", "contacts.csv", "events.csv"}) {
    const std::string text = ReadText(folder.path(std::string("a/") + name));
    EXPECT_EQ(text, ReadText(folder.path(std::string("b/") + name))) << name;
    EXPECT_EQ(text.find('\r'), std::string::npos);
  }
  EXPECT_EQ(WithoutWallTime(ReadText(folder.path("a/steps.csv"))),
            WithoutWallTime(ReadText(folder.path("b/steps.csv"))));
  for (const auto& entry : std::filesystem::directory_iterator(folder.path("a"))) {
    EXPECT_NE(entry.path().extension(), ".part");
  }
  // Row order: step, then model.
  const auto rows = ReadCsv(folder.path("a/bodies.csv"));
  ASSERT_EQ(rows.size(), 150u);
  EXPECT_EQ(rows[3].at("step"), "2");
  EXPECT_EQ(rows[3].at("model"), "sap");
  EXPECT_EQ(rows[4].at("model"), "lagged");
  EXPECT_EQ(rows[5].at("model"), "similar");

  const nlohmann::json meta = nlohmann::json::parse(ReadText(folder.path("a/meta.json")));
  EXPECT_EQ(meta["scene"]["id"], "conveyor");
  EXPECT_EQ(meta["channels"][1]["parameters"]["material.steel.stiffness"]["value"], 1e7);
  EXPECT_EQ(meta["channels"][1]["parameters"]["material.steel.stiffness"]["unit"], "N/m");
  EXPECT_TRUE(meta["complete"]);
  EXPECT_EQ(meta["columns"]["bodies.csv"].size(), 17u);
  const nlohmann::json metrics = nlohmann::json::parse(ReadText(folder.path("a/metrics.json")));
  EXPECT_EQ(metrics["models"]["lagged"]["not_converged_steps"], 0);
  EXPECT_EQ(metrics["models"]["lagged"]["status"], "finished");
  EXPECT_EQ(meta["channels"][2]["status"], "finished");
  EXPECT_GT(metrics["models"]["sap"]["signals"]["gliding_offset"]["max"], 1e-3);
}

TEST(Cli, NothingIsOverwrittenWithoutForce) {
  const TempFolder folder;
  const Arguments run = {"run", "conveyor", "-o", folder.path("a"), "--steps", "2"};
  EXPECT_EQ(RunProgram(run).exit, 0);
  const ProgramResult again = RunProgram(run);
  EXPECT_EQ(again.exit, 2);
  EXPECT_NE(again.err.find("--force"), std::string::npos);
  Arguments forced = run;
  forced.emplace_back("--force");
  EXPECT_EQ(RunProgram(forced).exit, 0);
}

TEST(Cli, ExpectAndStrictDecideTheExitCode) {
  EXPECT_EQ(RunProgram({"run", "conveyor", "--expect", "max(gliding_offset@lagged) < 1e-6"}).exit,
            0);
  const ProgramResult result =
      RunProgram({"run", "conveyor", "--expect", "max(gliding_offset) < 1e-3"});
  EXPECT_EQ(result.exit, 4);
  EXPECT_NE(result.err.find("max(gliding_offset) < 1e-3"), std::string::npos);
  Arguments starved = {"run", "conveyor",         "-m", "similar",
                       "-p",  "max_iterations=1", "-p", "solver_tolerance=1e-12"};
  // a step that is no solution is refused
  const ProgramResult refused = RunProgram(starved);
  EXPECT_EQ(refused.exit, 1);
  EXPECT_NE(refused.err.find("lost_steps"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("did not converge, worst residual "), std::string::npos)
      << refused.err;
  const TempFolder folder;
  Arguments written = starved;
  written.insert(written.end(), {"-o", folder.path("a")});
  EXPECT_EQ(RunProgram(written).exit, 1);
  const nlohmann::json metrics = nlohmann::json::parse(ReadText(folder.path("a/metrics.json")));
  const nlohmann::json meta = nlohmann::json::parse(ReadText(folder.path("a/meta.json")));
  const nlohmann::json& model = metrics["models"]["similar"];
  EXPECT_FALSE(meta["complete"]);
  EXPECT_EQ(model["not_converged_steps"], 1);
  for (const nlohmann::json& channel : {model, meta["channels"][0]}) {
    EXPECT_EQ(channel["status"], "failed");
    EXPECT_NE(channel["failure"].get<std::string>().find("lost_steps"), std::string::npos);
  }
  // the printed table: the last but one column
  const std::string row = refused.out.substr(refused.out.find("\nsimilar"));
  std::istringstream cells(row);
  const std::vector<std::string> words{std::istream_iterator<std::string>(cells), {}};
  ASSERT_GT(words.size(), 3u) << row;
  EXPECT_EQ(words[words.size() - 2], "1") << refused.out;
  Arguments refused_strict = starved;
  refused_strict.emplace_back("--strict");
  EXPECT_EQ(RunProgram(refused_strict).exit, 3);
  starved.insert(starved.end(), {"-p", "lost_steps=accept"});
  const ProgramResult accepted = RunProgram(starved);
  EXPECT_EQ(accepted.exit, 0);
  EXPECT_NE(accepted.err.find("did not converge, worst residual "), std::string::npos)
      << accepted.err;
  Arguments strict = starved;
  strict.emplace_back("--strict");
  EXPECT_EQ(RunProgram(strict).exit, 3);
}

TEST(Cli, ChangesHappenAtTheirTime) {
  const TempFolder folder;
  const ProgramResult result =
      RunProgram({"run", "conveyor", "-m", "similar", "-t", "1", "--at", "0.3:time_step=1ms", "-o",
                  folder.path("a"), "--save", folder.path("a.json")});
  ASSERT_EQ(result.exit, 0) << result.err;
  const auto events = ReadCsv(folder.path("a/events.csv"));
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].at("kind"), "parameter");
  EXPECT_EQ(events[0].at("step"), "30");
  EXPECT_EQ(events[0].at("path"), "time_step");
  const auto steps = ReadCsv(folder.path("a/steps.csv"));
  EXPECT_EQ(steps.size(), 730u);
  EXPECT_NEAR(std::stod(steps.back().at("time_s")), 1, 1e-12);
  const nlohmann::json saved = nlohmann::json::parse(ReadText(folder.path("a.json")));
  EXPECT_EQ(saved["schema"], "slipscope.experiment/1");
  const nlohmann::json& change = saved["branches"][0]["channels"][0]["events"][0];
  EXPECT_EQ(change["step"], 30);
  EXPECT_EQ(change["path"], "time_step");
  EXPECT_EQ(change["to"], 1e-3);
}

TEST(Cli, AnInterruptKeepsFinishedRows) {
  const TempFolder folder;
  const Arguments run = {"run", "conveyor", "-t", "1e5", "-o", folder.path("a"), "--every", "1000"};
  Program program(run);
  ASSERT_TRUE(WaitFor([&] { return std::filesystem::exists(folder.path("a/steps.csv.part")); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  program.Signal(SIGINT);
  const ProgramResult result = program.Wait(60);
  EXPECT_EQ(result.exit, 130);
  EXPECT_FALSE(ReadCsv(folder.path("a/steps.csv")).empty());
  const nlohmann::json meta = nlohmann::json::parse(ReadText(folder.path("a/meta.json")));
  EXPECT_FALSE(meta["complete"]);
  EXPECT_EQ(meta["channels"][0]["status"], "interrupted");
  EXPECT_TRUE(meta["channels"][0]["failure"].is_null());
  EXPECT_EQ(RunProgram({"run", "conveyor", "-t", "1e5"}, 0.5, SIGTERM).exit, 143);
}

TEST(Cli, ProblemsRoundTripThroughSolve) {
  const TempFolder folder;
  for (const char* model :
       {"sap", "lagged", "lagged-regularized", "similar", "anitescu", "todorov"}) {
    const std::string dump = folder.path(model);
    ASSERT_EQ(RunProgram({"run", "falling-sphere", "-m", model, "-t", "0.06", "--every", "50",
                          "--dump-problems", dump})
                  .exit,
              0);
    const std::string file = dump + "/" + model + "-000050.json";
    const nlohmann::json problem = nlohmann::json::parse(ReadText(file));
    EXPECT_EQ(problem["schema"], "slipscope.problem/1");
    EXPECT_EQ(problem["trees"][0]["nv"], 3);
    const ProgramResult result = RunProgram({"solve", file, "--json", "--repeat", "3"});
    ASSERT_EQ(result.exit, 0) << result.err;
    const nlohmann::json answer = nlohmann::json::parse(result.out);
    // The same numbers, the same arithmetic: the same bits.
    EXPECT_EQ(answer["v"], problem["solution"]["v"]) << model;
    EXPECT_EQ(answer["impulses"], problem["solution"]["impulses"]) << model;
    EXPECT_EQ(answer["iterations"], problem["solution"]["iterations"]) << model;
    EXPECT_EQ(answer["max_velocity_difference"], 0) << model;
    EXPECT_EQ(RunProgram({"solve", file, "-m", "sap", "-p", "friction=0"}).exit, 0);
    EXPECT_EQ(RunProgram({"solve", file, "-m", "sapp"}).exit, 2);
    EXPECT_EQ(RunProgram({"check", file}).exit, 0);
  }
}

TEST(Cli, ChecksMeshes) {
  const TempFolder folder;
  const std::string gem = SourceFolder() + "/assets/meshes/gem.obj";
  const ProgramResult solid = RunProgram({"check", gem});
  EXPECT_EQ(solid.exit, 0) << solid.err;
  EXPECT_NE(solid.out.find("closed, volume"), std::string::npos) << solid.out;

  const std::string open = folder.path("open.obj");
  WriteText(open, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 2 4\n");
  const ProgramResult surface = RunProgram({"check", open});
  EXPECT_EQ(surface.exit, 0) << surface.err;
  EXPECT_NE(surface.out.find("fixed surroundings only"), std::string::npos) << surface.out;

  const std::string bad = folder.path("bad.obj");
  WriteText(bad, "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const ProgramResult refused = RunProgram({"check", bad});
  EXPECT_EQ(refused.exit, 5) << refused.out;
  EXPECT_NE(refused.err.find("bad.obj:1"), std::string::npos) << refused.err;
}

TEST(Cli, BadProblemsAreRefused) {
  const TempFolder folder;
  const std::string file = folder.path("p.json");
  const std::string tree = R"({"nv": 1, "A": [1], "v0": [0], "v_star": [0]})";
  const auto problem = [&](const std::string& trees, const std::string& contacts,
                           const std::string& more = "") {
    return R"({"schema": "slipscope.problem/1", "model": "sap", "time_step": 0.01, )" + more +
           "\"trees\": [" + trees + "], \"contacts\": [" + contacts + "]}";
  };
  const std::string contact =
      R"({"tree_a": -1, "tree_b": 0, "J_a": [], "J_b": [0, 0, 1], "bias": [0, 0, 0], "signed_distance": 0, "vn0": 0,)"
      R"( "stiffness": 1e5, "dissipation": 0, "relaxation_time": 0, "friction": 0.5, "delassus": 0.3)";
  const std::pair<std::string, const char*> kCases[] = {
      {"", "empty"},
      {"[1, 2", "1:6"},
      {"[]", "object"},
      {"{}", "schema"},
      {std::string(100000, '['), "JSON"},
      {problem("", ""), "must not be empty"},
      {problem(tree, contact + "}", "\"frictoin\": 1, "), "frictoin"},
      {problem(R"({"nv": 1, "A": [-1], "v0": [0], "v_star": [0]})", ""), "positive definite"},
      // not symmetric on the scale of its own entries, beside a large one
      {problem(R"({"nv": 3, "A": [1e12, 0, 0, 0, 1, 500, 0, 0, 1], "v0": [0, 0, 0],)"
               R"( "v_star": [0, 0, 0]})",
               ""),
       "positive definite"},
      // overflows while it is factored
      {problem(R"({"nv": 3, "A": [1e-300, 0, 1e200, 0, 1, 0, 1e200, 0, 1], "v0": [0, 0, 0],)"
               R"( "v_star": [0, 0, 0]})",
               ""),
       "positive definite"},
      {problem(R"({"nv": 2, "A": [1], "v0": [0], "v_star": [0]})", ""), "list of 4 numbers"},
      {problem(R"({"nv": 1e9, "A": [1], "v0": [0], "v_star": [0]})", ""), "trees[0].nv"},
      {problem(tree, R"({"tree_a": -1, "tree_b": 7})"), "tree_b"},
      {problem(tree, R"({"tree_a": 0, "tree_b": 0})"), "different trees"},
      {problem(tree, contact + ", \"mu\": 1}"), "unknown key 'mu'"},
  };
  for (const auto& [text, message] : kCases) {
    WriteText(file, text);
    const ProgramResult result = RunProgram({"solve", file});
    EXPECT_EQ(result.exit, 5) << text.substr(0, 200);
    EXPECT_NE(result.err.find(message), std::string::npos) << text.substr(0, 200) << "\n"
                                                           << result.err;
  }
  WriteText(file, problem(tree, contact + "}"));
  const ProgramResult good = RunProgram({"solve", file});
  EXPECT_EQ(good.exit, 0) << good.err;
}

TEST(Cli, ListsAndShowsForScripts) {
  const nlohmann::json models = nlohmann::json::parse(RunProgram({"list", "models", "--json"}).out);
  EXPECT_GE(models.size(), 6u);
  EXPECT_EQ(models[0]["id"], "sap");
  for (const char* what :
       {"scenes", "laws", "parameters", "signals", "robots", "studies", "keys"}) {
    const ProgramResult json = RunProgram({"list", what, "--json"});
    EXPECT_EQ(json.exit, 0);
    EXPECT_TRUE(nlohmann::json::parse(json.out).is_array()) << what;
    EXPECT_EQ(RunProgram({"list", what}).exit, 0) << what;
  }
  const nlohmann::json keys = nlohmann::json::parse(RunProgram({"list", "keys", "--json"}).out);
  const auto size = std::find_if(keys.begin(), keys.end(), [](const auto& row) {
    return row["section"] == "[body.NAME]" && row["key"] == "size";
  });
  ASSERT_NE(size, keys.end());
  EXPECT_EQ((*size)["kind"], "[x, y, z]");
  EXPECT_EQ((*size)["unit"], "m");
  EXPECT_NE(RunProgram({"list", "keys"}).out.find("[x, y, z] in m"), std::string::npos);
  EXPECT_NE(RunProgram({"list", "--help"}).out.find("keys"), std::string::npos);
  const nlohmann::json scene =
      nlohmann::json::parse(RunProgram({"show", "conveyor", "--json"}).out);
  EXPECT_EQ(scene["parameters"]["material.steel.friction"]["value"], 0.5);
  EXPECT_EQ(scene["parameters"]["material.steel.friction"]["max"], 3);
  const nlohmann::json bin =
      nlohmann::json::parse(RunProgram({"show", "object-bin", "--json"}).out);
  std::set<std::string> shapes;
  for (const auto& body : bin["bodies"]) {
    shapes.insert(body["shape"]);
    EXPECT_TRUE(body["shape"] == "mesh" ? body["vertices"] >= 6 : body["length"] > 0) << body;
  }
  EXPECT_EQ(shapes, (std::set<std::string>{"cylinder", "mesh"}));
  // only such shapes have a choice of narrow phases
  EXPECT_EQ(bin["parameters"]["narrow_phase"]["used"], true);
  EXPECT_EQ(scene["parameters"]["narrow_phase"]["used"], false);
  EXPECT_NE(RunProgram({"show", "conveyor"}).out.find("material.steel.friction"),
            std::string::npos);
  EXPECT_TRUE(nlohmann::json::parse(RunProgram({"doctor", "--json"}).out).contains("build"));
  EXPECT_NE(RunProgram({"compare", "conveyor"}).out.find("similar"), std::string::npos);
}

}  // namespace
}  // namespace slip
