// What the program computes stays the same, bit for bit, on every compiler and instruction set.
// tests/run --golden writes the expected results (SLIPSCOPE_GOLDEN=write).
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <functional>
#include <set>

#include "engine/core/output_file.h"
#include "engine/core/text_file.h"
#include "engine/method/methods.h"
#include "tests/golden/golden_run.h"
#include "tests/support/folders.h"

namespace slip {

void PrintTo(const GoldenCase& each, std::ostream* out) { *out << each.Name(); }

namespace {

const std::string kListPath = SourceFolder() + "/tests/golden/hashes.txt";

GoldenList ReadList() {
  const auto text = ReadTextFile(kListPath, {});
  return text.ok() ? ParseList(*text) : GoldenList();
}

bool Writes() {
  const char* mode = std::getenv("SLIPSCOPE_GOLDEN");
  return mode != nullptr && std::string_view(mode) == "write";
}

void WriteList(const GoldenList& list) {
  ASSERT_TRUE(WriteFile(kListPath, FormatList(list), true).ok());
  GTEST_SKIP() << "written, not compared";
}

/// "2.2.2" of a key of an engine's channel; empty of ours.
std::string_view EngineOf(std::string_view key) {
  const std::size_t at = key.find('@');
  return at == key.npos ? "" : key.substr(at + 1, key.find(' ', at) - at - 1);
}
/// Of an engine in a version that this build has not.
bool IsElsewhere(const std::string& key) {
  const std::string_view version = EngineOf(key);
  return !version.empty() &&
         std::none_of(Methods().begin(), Methods().end(), [&](const MethodInfo& method) {
           return method.version != nullptr && method.version() == version;
         });
}

/// Compares these results with the expected ones of the keys that they answer for.
void Check(GoldenResults found, const std::function<bool(const std::string& key)>& answers_for) {
  GoldenList list = ReadList();
  const std::string libm = LibmName();
  if (Writes()) {
    list.Remove([&](const std::string& key) {
      return answers_for(key) && !found.contains(key) && !IsElsewhere(key);
    });
    list.Put(libm, found);
    return WriteList(list);
  }
  GoldenResults expected = list.ExpectedOn(libm);
  std::erase_if(expected, [&](const auto& entry) {
    return !answers_for(entry.first) || IsElsewhere(entry.first);
  });
  // nothing is known of an engine in another version
  std::erase_if(found, [&](const auto& entry) {
    const std::string_view engine = EngineOf(entry.first);
    return !engine.empty() && std::none_of(expected.begin(), expected.end(), [&](const auto& e) {
      return EngineOf(e.first) == engine;
    });
  });
  const std::vector<std::string> differences = Differences(expected, found);
  for (const std::string& sentence : differences) ADD_FAILURE() << sentence;
  if (!differences.empty() && !list.Knows(libm)) {
    ADD_FAILURE() << "no results are known for a libm that rounds sine and cosine as " << libm
                  << "; if other machines pass, `tests/run --golden` adds those of this one";
  }
}

class Golden : public testing::TestWithParam<GoldenCase> {};
using GoldenFiles = Golden;

TEST_P(Golden, States) {
  Check(RunStates(GetParam()),
        [&](const std::string& key) { return CaseOf(key) == GetParam().Name() && !IsFile(key); });
}

// meta.json must tell the hash of the state: those are expected already.
TEST_P(GoldenFiles, AreTheSame) {
  const GoldenResults found = RunFiles(GetParam());
  Check(found, [&](const std::string& key) {
    return found.contains(key) || (CaseOf(key) == GetParam().Name() && IsFile(key));
  });
}

std::string TestName(const testing::TestParamInfo<GoldenCase>& info) {
  std::string name = info.param.Name();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

/// The states of heaps say Long.
std::string StatesName(const testing::TestParamInfo<GoldenCase>& info) {
  static const std::set<std::string> heaps = {"clutter", "clutter-seed-002", "object-bin",
                                              "ball-pit", "dominoes"};
  return TestName(info) + (heaps.contains(info.param.scene) ? "Long" : "");
}

INSTANTIATE_TEST_SUITE_P(Scenes, Golden, testing::ValuesIn(GoldenCases()), StatesName);
INSTANTIATE_TEST_SUITE_P(Scenes, GoldenFiles, testing::ValuesIn(GoldenFileCases()), TestName);

TEST(GoldenList, HasNoLineWithoutACase) {
  std::set<std::string, std::less<>> states, files;
  for (const GoldenCase& each : GoldenCases()) states.insert(each.Name());
  for (const GoldenCase& each : GoldenFileCases()) files.insert(each.Name());
  std::set<std::string> unknown;
  GoldenList list = ReadList();
  list.Remove([&](const std::string& key) {
    const bool known = (IsFile(key) ? files : states).contains(CaseOf(key));
    if (!known) unknown.insert(key);
    return !known;
  });
  if (Writes()) return WriteList(list);
  EXPECT_EQ(unknown, std::set<std::string>()) << "`tests/run --golden` removes these lines";
}

TEST(GoldenList, EveryDifferenceIsNamed) {
  const GoldenResults expected = {{"conveyor sap 1", "00aa"},
                                  {"conveyor sap 100", "00bb failed in step 7: why"},
                                  {"conveyor steps.csv 100", "00cc"}};
  EXPECT_TRUE(Differences(expected, expected).empty());
  GoldenResults found = expected;
  found["conveyor sap 1"] = "00ab";
  found["conveyor sap 100"] = "00bb failed in step 8: why";
  found.erase("conveyor steps.csv 100");
  found["conveyor lagged 500"] = "00dd";
  const std::vector<std::string> wanted = {
      "conveyor, sap, step 1: expected 00aa, found 00ab",
      "conveyor, sap, step 100: expected 00bb failed in step 7: why, found 00bb failed in step 8: "
      "why",
      "conveyor, steps.csv, step 100: expected 00cc, found nothing",
      "conveyor, lagged, step 500: expected nothing, found 00dd"};
  EXPECT_EQ(Differences(expected, found), wanted);
}

TEST(GoldenList, KeepsWhatAnotherLibmGives) {
  const std::string text =
      "sin-cos:1\n"
      "conveyor sap 1 00aa\n"
      "conveyor sap 100 00bb failed in step 7: why\n"
      "conveyor sap 100 sin-cos:2 00cc failed in step 8: why\n";
  GoldenList list = ParseList("# comment\n\n" + text);
  EXPECT_TRUE(FormatList(list).ends_with("\n" + text)) << FormatList(list);
  EXPECT_TRUE(list.Knows("sin-cos:1") && list.Knows("sin-cos:2") && !list.Knows("sin-cos:3"));
  EXPECT_EQ(list.ExpectedOn("sin-cos:1").at("conveyor sap 100"), "00bb failed in step 7: why");
  EXPECT_EQ(list.ExpectedOn("sin-cos:2").at("conveyor sap 100"), "00cc failed in step 8: why");
  EXPECT_EQ(list.ExpectedOn("sin-cos:2").at("conveyor sap 1"), "00aa");
  EXPECT_EQ(list.ExpectedOn("sin-cos:3"), list.ExpectedOn("sin-cos:1"));

  list.Put("sin-cos:2", {{"conveyor sap 1", "00ab"}, {"conveyor sap 100", "00ac"}});
  EXPECT_EQ(list.ExpectedOn("sin-cos:2").at("conveyor sap 1"), "00ab");
  EXPECT_EQ(list.ExpectedOn("sin-cos:1").at("conveyor sap 1"), "00aa");
  list.Put("sin-cos:2", {{"conveyor sap 1", "00aa"}});
  EXPECT_FALSE(list.others.at("sin-cos:2").contains("conveyor sap 1"));
  list.Put("sin-cos:1", {{"conveyor sap 1", "00ad"}});
  EXPECT_EQ(list.ExpectedOn("sin-cos:2").at("conveyor sap 1"), "00ad");
  list.Remove([](const std::string& key) { return key == "conveyor sap 100"; });
  EXPECT_EQ(list.ExpectedOn("sin-cos:2").size(), 1u);
}

TEST(GoldenList, WallTimesDoNotCount) {
  EXPECT_EQ(WithoutWallTimes("step,wall_us,model,solve_us\n1,8.5,sap,3\n2,7,,4\n"),
            WithoutWallTimes("step,wall_us,model,solve_us\n1,9,sap,1\n2,1,,0\n"));
  EXPECT_NE(WithoutWallTimes("step,wall_us,x\n1,9,2\n"),
            WithoutWallTimes("step,wall_us,x\n1,9,3\n"));
  EXPECT_NE(WithoutWallTimes("a,wall_us,b\n1,0,\n"), WithoutWallTimes("a,wall_us,b\n,0,1\n"));
  EXPECT_EQ(WithoutWallTimes("body,x\n\"a,b\",1\n"), "body,x\n\"a,b\",1\n");
}

}  // namespace
}  // namespace slip
