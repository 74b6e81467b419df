// The tables of keys are what the readers go by: all that scenes use is listed, all that is listed
// is read, and what is said of it is true.
#include "engine/scene/scene_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "engine/core/text_file.h"
#include "engine/scene/scene.h"
#include "engine/scene/toml_tree.h"

namespace slip {
namespace {

const SceneSection* SectionNamed(std::string_view name) {
  for (const SceneSection* section : SceneSections()) {
    if (section->name == name) return section;
  }
  return nullptr;
}

/// Calls fn(section, key) for every key of the table, and of the tables in it.
template <class Fn>
void VisitKeys(const TomlNode& table, const std::string& section, const Fn& fn) {
  const std::map<std::string, std::string> kNamed = {
      {"material", "[material.NAME]"}, {"surface", "[surface.NAME]"}, {"body", "[body.NAME]"},
      {"pile", "[pile.NAME]"},         {"robot", "[robot.NAME]"},     {"push", "[push.NAME]"}};
  const std::map<std::pair<std::string, std::string>, std::string> kWithin = {
      {{"(top)", "camera"}, "[camera]"},
      {{"(top)", "lesson"}, "[lesson]"},
      {{"[lesson]", "card"}, "[[lesson.card]]"},
      {{"[[lesson.card]]", "advice"}, "[[lesson.card.advice]]"},
      {{"[pile.NAME]", "body"}, "[[pile.NAME.body]]"},
      {{"[robot.NAME]", "controller"}, "[robot.NAME] controller"}};
  for (const TomlNode& item : table.items) {
    fn(section, item.key);
    if (section == "(top)" && kNamed.contains(item.key)) {
      for (const TomlNode& named : item.items) VisitKeys(named, kNamed.at(item.key), fn);
    }
    const auto within = kWithin.find({section, item.key});
    if (within == kWithin.end()) continue;
    if (item.kind == TomlNode::Kind::kTable) {
      VisitKeys(item, within->second, fn);
    } else {
      for (const TomlNode& each : item.items) VisitKeys(each, within->second, fn);
    }
  }
}

TEST(SceneKeys, AllThatScenesUseIsListed) {
  int keys = 0;
  for (const std::string& name : ListScenes()) {
    const auto text = ReadTextFile(SceneFolder() + "/" + name + ".toml", kSceneFile);
    ASSERT_TRUE(text.ok()) << name;
    const auto document = ParseToml(*text, name);
    ASSERT_TRUE(document.ok()) << name;
    VisitKeys(*document, "(top)", [&](const std::string& section, const std::string& key) {
      const SceneSection* of = SectionNamed(section);
      ASSERT_NE(of, nullptr) << section;
      EXPECT_TRUE(of->Has(key)) << name << ": " << section << " " << key;
      ++keys;
    });
  }
  EXPECT_GT(keys, 1000);
}

/// Scenes whose line "%" stands where keys of a section do.
std::vector<std::string> Bases(std::string_view section) {
  const std::string top = "title = \"t\"\n";
  const std::string material = top + "[material.a]\n";
  const std::string ball = material + "[body.ball]\nshape = \"sphere\"\nradius = 0.1\nmass = 1\n";
  const auto shapes = [&](const std::string& table) {
    const std::string of = material + table;
    return std::vector<std::string>{
        of + "shape = \"box\"\nsize = [1, 1, 1]\nmass = 1\n%\n",
        of + "shape = \"sphere\"\nradius = 1\nmass = 1\n%\n",
        of + "shape = \"capsule\"\nradius = 1\nlength = 1\nmass = 1\n%\n",
        of + "shape = \"mesh\"\nfile = \"gem.obj\"\nmass = 1\n%\n",
        of + "shape = \"cloud\"\nfile = \"bunny.xyz\"\nradius = 0.01\nmass = 1\n%\n",
        of + "shape = \"cloud\"\nmesh = \"gem.obj\"\nsamples = 9\nradius = 0.01\nmass = 1\n%\n"};
  };
  const std::string robot = material + "[robot.r]\nfile = \"quadruped.urdf\"\n";
  const std::string card =
      ball +
      "[lesson]\ntitle = \"l\"\n[[lesson.card]]\nkind = \"predict\"\ntitle = \"c\"\ntext = \"x\"\n";
  if (section == "(top)") return {top + "%\n" + ball.substr(top.size()), top + "%\n"};
  if (section == "[material.NAME]") return {material + "%\n" + ball.substr(material.size())};
  if (section == "[surface.NAME]") return {ball + "[surface.s]\n%\n"};
  if (section == "[body.NAME]") return shapes("[body.b]\n");
  if (section == "[pile.NAME]") {
    return {material + "[pile.p]\n%\n[[pile.p.body]]\nshape = \"sphere\"\nradius = 1\nmass = 1\n",
            material + "[pile.p]\n%\n"};
  }
  if (section == "[[pile.NAME.body]]") return shapes("[pile.p]\nbodies = 2\n[[pile.p.body]]\n");
  if (section == "[robot.NAME]") return {robot + "%\n"};
  if (section == "[robot.NAME] controller")
    return {robot + "[robot.r.controller]\nkind = \"stand\"\n%\n"};
  if (section == "[push.NAME]")
    return {ball + "[push.p]\nbody = \"ball\"\nforce = [[0, [0, 0, 1]]]\n%\n"};
  if (section == "[[channel]]") return {ball + "[[channel]]\nmodel = \"sap\"\n%\n"};
  if (section == "[opens_with]") return {ball + "[opens_with]\n%\n"};
  if (section == "[camera]") return {ball + "[camera]\n%\n"};
  if (section == "[lesson]") return {ball + "[lesson]\ntitle = \"l\"\n%\n"};
  if (section == "[[lesson.card]]") return {card + "%\n"};
  if (section == "[[lesson.card.advice]]")
    return {card + "[[lesson.card.advice]]\nwhen = \"time_step < 1 ms\"\nsay = \"s\"\n%\n"};
  return {};
}

/// The base with this line for "%", and without other lines that give the same key.
std::string With(const std::string& base, std::string_view key, const std::string& value) {
  const std::string begin = std::string(key) + " = ";
  std::istringstream lines(base);
  std::vector<std::string> kept;
  std::size_t place = 0, last = 0;
  bool seen = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == "%") {
      place = kept.size();
      seen = true;
      kept.push_back(value.empty() ? "" : begin + value);
      continue;
    }
    kept.push_back(line);
  }
  EXPECT_TRUE(seen);
  // only within the same table
  for (last = place; last > 0 && !kept[last - 1].starts_with('['); --last) {
    if (!value.empty() && kept[last - 1].starts_with(begin)) kept[last - 1].clear();
  }
  std::string text;
  for (const std::string& line : kept) text += line + "\n";
  return text;
}

bool Refused(const std::string& text, std::string_view key) {
  const auto scene = ReadSceneText(text, "t.toml");
  if (scene.ok()) return false;
  const std::string unknown = "unknown key '" + std::string(key) + "'";
  const std::string nothing = std::string(key) + " means nothing";
  return std::any_of(scene.errors().begin(), scene.errors().end(), [&](const Error& error) {
    return error.message.starts_with(unknown) || error.message.starts_with(nothing) ||
           error.message.starts_with("no parameter");
  });
}

TEST(SceneKeys, AllThatIsListedIsRead) {
  int keys = 0;
  for (const SceneSection* section : SceneSections()) {
    const std::vector<std::string> bases = Bases(section->name);
    ASSERT_FALSE(bases.empty()) << section->name;
    for (const std::string& base : bases) {
      ASSERT_TRUE(Refused(With(base, "no_such_key", "1"), "no_such_key")) << base;
    }
    for (const std::string_view name : section->Names()) {
      const std::string_view key = name == "PATH" ? "gravity" : name;
      EXPECT_TRUE(
          std::any_of(bases.begin(), bases.end(),
                      [&](const std::string& base) { return !Refused(With(base, key, "1"), key); }))
          << section->name << " " << key;
      ++keys;
    }
  }
  EXPECT_GT(keys, 180);
}

TEST(SceneKeys, StandOnceAndSayWhatTheyMean) {
  for (const SceneSection* section : SceneSections()) {
    std::vector<std::string_view> names = section->Names();
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end()) << section->name;
    for (const SceneKey& row : section->keys) {
      EXPECT_TRUE(row.doc.ends_with('.')) << section->name << " " << row.name;
      EXPECT_EQ(row.kind == KeyKind::kOther, !row.form.empty() && row.choices.empty())
          << section->name << " " << row.name;
      EXPECT_EQ(row.kind == KeyKind::kChoice, !row.choices.empty());
    }
  }
}

struct WhatIsRead {
  uint64_t model;
  Config config;
  std::vector<ChannelSpec> channels;
  std::vector<std::string> plots;
  std::vector<double> numbers;
};

bool operator==(const WhatIsRead& a, const WhatIsRead& b) {
  return a.model == b.model && a.config == b.config && a.plots == b.plots &&
         a.numbers == b.numbers && a.channels.size() == b.channels.size();
}

WhatIsRead ReadAll(const Scene& s) {
  const CameraSpec& c = s.camera;
  return {Hash(*s.model),
          s.config,
          s.channels,
          s.plots,
          {s.duration, s.fan_out, s.speed, static_cast<double>(s.instrument),
           s.closed_form ? 1. : 0, s.loop ? 1. : 0, c.target.x(), c.target.y(), c.target.z(),
           c.distance, c.azimuth, c.elevation, c.field_of_view, c.follow ? 1. : 0,
           s.model->contact_margin, s.model->planar ? 1. : 0}};
}

// A default that is written down changes nothing.
TEST(SceneKeys, DefaultsAreThoseOfTheReader) {
  int checked = 0;
  for (const SceneSection* section : SceneSections()) {
    for (const SceneKey& row : section->keys) {
      if (!ParseToml("x = " + std::string(row.otherwise), "x").ok()) continue;  // in words
      bool compared = false;
      for (const std::string& base : Bases(section->name)) {
        const auto without = ReadSceneText(With(base, row.name, ""), "t.toml");
        const auto with = ReadSceneText(With(base, row.name, std::string(row.otherwise)), "t.toml");
        if (!without.ok() || !with.ok()) continue;
        compared = true;
        EXPECT_TRUE(ReadAll(**without) == ReadAll(**with)) << section->name << " " << row.name;
      }
      EXPECT_TRUE(compared) << section->name << " " << row.name;
      ++checked;
    }
  }
  EXPECT_GT(checked, 35);
}

TEST(SceneKeys, HintsComeFromTheSameTables) {
  const auto hint = [](const std::string& text) {
    const auto scene = ReadSceneText(text, "t.toml");
    return scene.ok() ? "" : scene.errors().front().Text();
  };
  const std::string base = Bases("[body.NAME]")[0];
  // a key that this shape does not read is suggested, too
  EXPECT_NE(hint(With(base, "pont_radius", "1")).find("did you mean 'point_radius'?"),
            std::string::npos);
  EXPECT_NE(hint(With(base, "densty", "1")).find("All keys: `slipscope list keys`"),
            std::string::npos);
  EXPECT_NE(hint(With(base, "xyzzy", "1")).find("their units: `slipscope list keys`"),
            std::string::npos);
  EXPECT_NE(hint(With(base, "radius", "1"))
                .find("radius means nothing in [body.b] as it is (Of a "
                      "sphere, capsule or cylinder"),
            std::string::npos);
  EXPECT_NE(hint(With(Bases("[pile.NAME]")[0], "seed", "1.5")).find("seed must be a whole number"),
            std::string::npos);
}

}  // namespace
}  // namespace slip
