// What the README shows is run as it stands there: commands, those within a sentence too, and the
// scene.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>

#include "engine/scene/scene.h"
#include "render/video/frame_writer.h"
#include "tests/support/folders.h"
#include "tests/support/program.h"
#include "tests/support/screen.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

/// A folder with the files that the README speaks of, and its text.
class Readme : public testing::Test {
 protected:
  Readme() : text_(ReadText(SourceFolder() + "/README.md")) {
    // "`boxes.toml`, ...:", and below it the file
    const std::regex block("`([a-z-]+\\.toml)`[^`]*```toml\n([^`]*)```");
    for (std::sregex_iterator at(text_.begin(), text_.end(), block), end; at != end; ++at) {
      scenes_[(*at)[1]] = (*at)[2];
      WriteText(folder_.path((*at)[1]), (*at)[2]);
    }
    // "robot.urdf" stands for a robot of one's own
    fs::copy(SourceFolder() + "/assets/robots", folder_.path(), fs::copy_options::recursive);
    fs::rename(folder_.path("quadruped.urdf"), folder_.path("robot.urdf"));
  }

  void Run(const std::string& line, const std::string& environment = {}) {
    const std::string shell = "cd '" + folder_.path() + "' && " + environment + " PATH='" +
                              BuildFolder() + "':\"$PATH\" && {\n" + line +
                              "\n} >log 2>&1";  // its comment ends with it
    const int status = std::system(shell.c_str());
    EXPECT_EQ(WEXITSTATUS(status), 0) << line << "\n" << ReadText(folder_.path("log"));
  }

  /// Where there is a screen, it leaves after a few frames.
  void RunInWindow(const std::string& line, const Screen& screen) {
    if (screen.display.empty()) return;
    Run(line + " --frames 3",
        "export XDG_CONFIG_HOME=\"$PWD/config\" XDG_STATE_HOME=\"$PWD/state\" "
        "DISPLAY=" +
            screen.display + " &&");
  }

  const std::string text_;
  const TempFolder folder_;
  std::map<std::string, std::string> scenes_;  // by file name
};

/// The names in the help's list of commands.
std::vector<std::string> Commands() {
  std::istringstream lines(RunProgram({"--help"}).out);
  std::vector<std::string> commands;
  bool listed = false;
  for (std::string line; std::getline(lines, line);) {
    if (listed && line.starts_with("  ") && line.size() > 2 && line[2] != ' ')
      commands.push_back(line.substr(2, line.find(' ', 2) - 2));
    listed = listed || line.starts_with("Subcommands:");
  }
  return commands;
}

/// What begins with no command opens its scene.
bool OpensWindow(const std::string& line, const std::vector<std::string>& commands) {
  const std::string first = line.substr(10, line.find(' ', 10) - 10);
  return std::find(commands.begin(), commands.end(), first) == commands.end();
}

/// What takes minutes runs in its shortest form: the command's name, and what makes it short.
constexpr std::pair<std::string_view, std::string_view> kShort[] = {
    {"slipscope study ", "--quick -j 2 "}, {"slipscope fit ", "--resamples 10 --landscape 0 "}};

std::string Shortened(std::string line) {
  for (const auto& [command, addition] : kShort)
    if (line.starts_with(command)) line.insert(command.size(), addition);
  return line;
}

TEST_F(Readme, StudiesRun) {
  std::istringstream lines(text_);
  int commands = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("slipscope study ")) continue;
    ++commands;
    Run(Shortened(line));
  }
  EXPECT_EQ(commands, 1);
}

TEST_F(Readme, CommandsRun) {
  const std::vector<std::string> names = Commands();
  const Screen screen;
  std::istringstream lines(text_);
  int commands = 0, windows = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("slipscope ", 0) != 0) continue;
    ++commands;
    if (line.starts_with("slipscope study ")) continue;  // a test of its own
    if (OpensWindow(line, names)) {
      ++windows;
      RunInWindow(line.substr(0, line.find('#')), screen);
    } else {
      Run(Shortened(line));
    }
  }
  EXPECT_GE(commands, 6);
  EXPECT_GE(windows, 1);
  for (const char* file : {"out/steps.csv", "conveyor.png", "conveyor.mp4"}) {
    EXPECT_TRUE(fs::exists(folder_.path(file))) << file;
  }
}

// COMMAND stands for each of them; what opens a window leaves after a few frames.
TEST_F(Readme, CommandsWithinSentencesRun) {
  const std::vector<std::string> names = Commands();
  ASSERT_GE(names.size(), 8u);
  const Screen screen;
  const std::regex within("`(slipscope [^`\n]+)`");
  int commands = 0, windows = 0;
  for (std::sregex_iterator at(text_.begin(), text_.end(), within), end; at != end; ++at) {
    const std::string line = (*at)[1];
    ++commands;
    const std::size_t place = line.find("COMMAND");
    if (place != std::string::npos) {
      for (const std::string& name : names) Run(std::string(line).replace(place, 7, name));
      continue;
    }
    if (!OpensWindow(line, names)) {
      Run(line);
      continue;
    }
    ++windows;
    RunInWindow(line, screen);
  }
  EXPECT_GE(commands, 5);
  EXPECT_GE(windows, 1);
  if (screen.display.empty()) GTEST_SKIP() << "no Xvfb here: windows were not opened";
}

struct Extent {
  int pixels = 0, left = 0, right = 0, top = 0, bottom = 0;
};

/// Of the pixels that are not clear, the most that hang together.
Extent LargestThing(const render::Image& image) {
  const auto index = [&image](int x, int y) {
    return static_cast<std::size_t>(y * image.width + x);
  };
  std::vector<bool> seen(index(0, image.height), false);
  std::vector<std::pair<int, int>> open;
  const auto reach = [&](int x, int y) {
    if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
    if (seen[index(x, y)] || image.At(x, y)[3] < 128) return;
    seen[index(x, y)] = true;
    open.emplace_back(x, y);
  };
  Extent largest;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      Extent thing{0, x, x, y, y};
      for (reach(x, y); !open.empty();) {
        const auto [u, v] = open.back();
        open.pop_back();
        ++thing.pixels;
        thing.left = std::min(thing.left, u), thing.right = std::max(thing.right, u);
        thing.top = std::min(thing.top, v), thing.bottom = std::max(thing.bottom, v);
        for (const int step : {-1, 1}) reach(u + step, v), reach(u, v + step);
      }
      if (thing.pixels > largest.pixels) largest = thing;
    }
  }
  return largest;
}

// Two boxes that end on each other, and a picture that shows them whole.
TEST_F(Readme, TheSceneIsWorthLookingAt) {
  ASSERT_EQ(scenes_.count("boxes.toml"), 1u);
  const std::string& scene = scenes_.at("boxes.toml");
  EXPECT_LE(std::count(scene.begin(), scene.end(), '\n'), 15);
  EXPECT_NE(scene.find("without [surface] there is no ground"), std::string::npos);
  Run("slipscope run boxes.toml -t 1 --strict -o boxes");
  const auto rows = ReadCsv(folder_.path("boxes/bodies.csv"));
  ASSERT_GE(rows.size(), 2u);
  const auto last = [&](const char* body, const char* column) {
    const auto row = std::find_if(rows.rbegin(), rows.rend(),
                                  [&](const auto& r) { return r.at("body") == body; });
    return row == rows.rend() ? -1 : std::stod(row->at(column));
  };
  EXPECT_NEAR(last("large", "pz_m"), 0.1, 1e-3);
  EXPECT_NEAR(last("small", "pz_m"), 0.25, 1e-3);
  EXPECT_GT(std::stod(rows[1].at("pz_m")), 0.28) << "it falls first";

  Run("slipscope render boxes.toml --time 1 --region view --transparent -o boxes.png");
  const auto image = render::ReadPng(folder_.path("boxes.png"));
  ASSERT_TRUE(image.ok()) << image.error().Text();
  const Extent boxes = LargestThing(*image);
  // both as one thing, with room around it, and not as a speck
  EXPECT_GT(boxes.pixels, image->width * image->height / 20);
  EXPECT_GT(boxes.left, image->width / 20);
  EXPECT_LT(boxes.right, image->width - image->width / 20);
  EXPECT_GT(boxes.top, image->height / 20);
  EXPECT_LT(boxes.bottom, image->height - image->height / 20);
  EXPECT_GT(boxes.bottom - boxes.top, image->height / 3);
}

TEST_F(Readme, NamesEveryScene) {
  for (const std::string& scene : ListScenes()) {
    EXPECT_NE(text_.find("`" + scene + "`"), std::string::npos) << scene;
  }
}

TEST_F(Readme, StaysShort) {
  std::istringstream words(text_);
  int count = 0;
  for (std::string word; words >> word;) ++count;
  EXPECT_LT(count, 1500);
}

}  // namespace
}  // namespace slip
