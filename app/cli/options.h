// What the command line asks for, as plain values. parse.cpp fills them; one command reads one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/host/exit_code.h"
#include "engine/run/record/recording_file.h"
#include "engine/run/study/foreign_channels.h"

namespace slip::app {

/// Options of everything that simulates.
struct SimulateOptions {
  std::string scene;               ///< name or path; empty = the default scene (window only)
  std::string models;              ///< comma list; empty = the scene's
  std::optional<double> duration;  ///< [s]
  std::optional<int64_t> steps;
  std::vector<std::string> params;  ///< "path=value[unit]"
  std::vector<std::string> at;      ///< "seconds:path=value[unit]"
  ForeignRequest foreign;           ///< recorded runs beside the channels
  std::string progress = "auto";    ///< auto, none, json
};

struct RunOptions : SimulateOptions {
  bool compare = false;  ///< the compare command: metric table on stdout
  std::string suite;     ///< in place of a scene
  std::string output;    ///< folder; empty = no files
  std::string signals;   ///< comma list: columns of signals.csv; empty = none
  std::string files;     ///< comma list of what is written; empty = all
  std::string foretell;  ///< span in s of foretold.csv; empty = none
  int64_t every = 1;
  int jobs = 0;  ///< threads that step the channels; 0 = one per core
  std::vector<std::string> expect;
  bool strict = false;
  bool force = false;
  std::string save;           ///< experiment file
  std::string dump_problems;  ///< folder
};

struct SweepOptions : SimulateOptions {
  std::vector<std::string> vary;    ///< "path=spec", or several side by side: "a=1,2; b=3,4"
  std::vector<std::string> derive;  ///< "path=expression"
  std::string signals;              ///< comma list
  std::string output;               ///< folder
  std::optional<double> from, to;   ///< [s], measured window
  std::vector<std::string> expect;
  bool strict = false;
  int jobs = 1;
  std::optional<double> local_error;    ///< tick [s]
  std::string truth;                    ///< method of the ground truth; empty = the method itself
  std::string largest;                  ///< "path=low,high"
  std::vector<std::string> largest_if;  ///< conditions
  std::string reference;                ///< step of the reference run, or auto; empty = none
  std::string shard;                    ///< "I/N"; empty = the whole grid
  std::vector<std::string> merge;       ///< folders of shards to join
  bool force = false;
};

struct StudyOptions {
  std::vector<std::string> names;  ///< names, files, or "all"
  std::string output;              ///< folder; empty = no files
  bool quick = false;
  int jobs = 1;
  std::string shard;               ///< "I/N"; empty = all cells
  std::vector<std::string> merge;  ///< folders of parts to join
  bool force = false;
  std::string progress = "auto";
};

/// Recorded runs are those of `foreign`; no length, and no change within a run.
struct FitOptions : SimulateOptions {
  std::vector<std::string> vary;  ///< comma lists of "path=range"
  std::string held_out;           ///< comma list of names
  std::string start = "flight";   ///< or "measured"
  std::string output;             ///< folder; empty = no files
  std::optional<int> folds;       ///< none = as the plan has it
  int resamples = 500;
  int landscape = 15;
  uint64_t seed = 1;
  int jobs = 0;  ///< 0 = one per core
  bool force = false;
};

struct SolveOptions {
  std::string file;
  std::string model;
  std::vector<std::string> params;
  int repeat = 1;
  bool json = false;
};

struct ListOptions {
  std::string what;   ///< scenes, models, ..., keys (kLists in parse.cpp)
  std::string scene;  ///< signals only: those of its parts too; empty = patterns
  bool json = false;
};

struct ShowOptions {
  std::string scene;
  bool json = false;
};

struct CheckOptions {
  std::vector<std::string> files;
};

struct ReplayOptions {
  std::string file;
  bool verify = false;
  int jobs = 0;  ///< 0 = all cores
  std::string progress = "auto";
};

struct ExportOptions {
  std::string scene;
  std::string to;      ///< id of a format
  std::string output;  ///< file; empty = stdout
  std::string model;   ///< method whose contacts are translated; empty = the scene's first
  std::vector<std::string> params;
  double at = 0;                       ///< [s], loads of contacts; 0 = those of the first step
  std::string contact = "translated";  ///< or "none"
  bool json = false;
  bool force = false;
};

struct DialectOptions {
  std::string scene;
  std::string to;      ///< id of a dialect, or "all"; empty with `from`
  std::string from;    ///< id of a dialect
  std::string values;  ///< of `from`: 'solref="0.02 1"'; what is not given is at its default
  std::string model;   ///< empty = the scene's first
  std::vector<std::string> params;
  std::string contact;  ///< "A:B"; empty = the one that carries most
  double at = 1;        ///< [s]
  std::string keep = "rest";
  bool json = false;
};

struct DoctorOptions {
  bool json = false;
};

struct WindowOptions : SimulateOptions {
  std::string theme;  ///< "light", "dark" or empty = as last time
  double scale = 0;   ///< of the user interface; 0 = from the monitor
  bool paused = false;
  std::string lesson;  ///< "first" for --lesson without a name; empty = none asked for
  int64_t frames = 0;  ///< leave after so many drawn frames; 0 = stay
  RunContext context;  ///< of the files that the window writes
};

/// What is not given is as the file's section "render" says, or as RenderSpec has it.
struct RenderOptions : SimulateOptions {
  std::string output;         ///< FILE.mp4, .webm, .gif, .png or a folder for frames
  int width = 0, height = 0;  ///< 0 = not given
  std::optional<double> fps;
  std::optional<double> speed;     ///< simulated seconds in a second of video
  std::optional<double> from, to;  ///< [s], video
  std::optional<double> time;      ///< [s], picture
  std::string region;              ///< view, plots, view-plots, window
  std::string plots;               ///< comma list of signals; empty = the scene's
  std::string show;                ///< comma list of switches; empty = as they are
  std::string theme;
  std::string quality;  ///< empty = by what draws it
  std::optional<double> scale;
  bool transparent = false;  ///< picture of the view without its ground
  bool force = false;
  RunContext context;  ///< of the file that is written beside the video
};

using AnyOptions =
    std::variant<RunOptions, SweepOptions, FitOptions, SolveOptions, ListOptions, ShowOptions,
                 CheckOptions, ReplayOptions, DoctorOptions, ExportOptions, DialectOptions,
                 StudyOptions, WindowOptions, RenderOptions>;

}  // namespace slip::app
