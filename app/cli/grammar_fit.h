// The grammar of fit; for parse.cpp.
#pragma once

#include "app/cli/grammar_parts.h"
#include "app/cli/numbers.h"

namespace slip::app {

inline void AddFit(CLI::App* app, FitOptions* options, RawNumbers* raw) {
  AddScene(app, &options->scene)->required();
  app->add_option("-m,--model", options->models,
                  "Comma list of contact models; default: the scene's");
  Repeatable(app, "-p,--param", &options->params,
             "PATH=VALUE[UNIT], where the search is compared with");
  app->add_option("--foreign", options->foreign.files,
                  "[NAME=]PATH ..., recorded runs, or a folder of them")
      ->required();
  Repeatable(app, "--foreign-meta", &options->foreign.meta,
             "KEY=VALUE about them, for example angular_velocity_in=body");
  Repeatable(app, "--vary", &options->vary,
             "PATH=log:a:b, PATH=lin:a:b, or PATH: from a tenth to ten times its value; a comma "
             "list, or given more than once")
      ->required();
  app->add_option("--held-out", options->held_out,
                  "Comma list of runs that take no part (default: all do, by turns)");
  app->add_option("--folds", raw->folds, "Groups that are left out by turns (default 4; 1: none)");
  app->add_option("--start", options->start,
                  "flight: bodies begin on the least squares of their free flight (default); "
                  "measured: as the first sample says")
      ->check(OneOf({"flight", "measured"}, "no start"));
  app->add_option("--resamples", raw->resamples,
                  "Draws of runs that the intervals are of (default 500)");
  app->add_option("--landscape", raw->landscape,
                  "Values per axis of landscape.csv (default 15; 0: none)");
  app->add_option("--seed", raw->seed, "Of the search and the draws (default 1)");
  app->add_option("-o,--output", options->output, "Folder for tables and the report");
  app->add_option("-j,--jobs", raw->jobs,
                  "Threads (default: all cores); the numbers are the same for any");
  app->add_flag("--force", options->force, "Overwrite files");
  AddProgress(app, &options->progress);
}

}  // namespace slip::app
