// What the grammars of commands are put together from; for parse.cpp and what it includes.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/build_info.h"
#include "engine/core/param_text.h"

namespace slip::app {

/// A choice of words, with a suggestion for the nearly right one. `no`: how the sentence begins.
inline CLI::Validator OneOf(std::vector<std::string> words, const std::string& no = "no") {
  CLI::Validator validator;
  validator.operation([words = std::move(words), no](std::string& word) -> std::string {
    if (word.empty()) return {};  // RefuseEmpty speaks of it
    if (std::find(words.begin(), words.end(), word) != words.end()) return {};
    const std::vector<std::string_view> known(words.begin(), words.end());
    return no + " '" + word.substr(0, 60) + "' (" + DidYouMean(word, known) + ")";
  });
  return validator;
}

inline CLI::Option* Repeatable(CLI::App* app, const std::string& name,
                               std::vector<std::string>* values, const std::string& help) {
  return app->add_option(name, *values, help)->allow_extra_args(false)->take_all();
}

inline CLI::Option* AddScene(CLI::App* app, std::string* scene) {
  return app->add_option(
      "scene", *scene,
      "Name from 'list scenes', or the path of a scene, experiment or robot (.urdf, .xml)");
}

inline void AddProgress(CLI::App* app, std::string* progress) {
  app->add_option("--progress", *progress, "auto, none or json")
      ->check(OneOf({"auto", "none", "json"}));
}

inline void AddThreads(CLI::App* app, std::string* threads) {
  app->add_option("--threads", *threads,
                  "0: start no thread; what threads do is done in turn, in the window a "
                  "slice a frame; the numbers are the same")
      ->check([](const std::string& text) {
        return text == "0" || text.empty()
                   ? std::string()
                   : "expected 0, found '" + text.substr(0, 60) + "' (-j says how many there are)";
      });
}

inline CLI::App* AddCommand(CLI::App* app, const char* name, const char* help) {
  CLI::App* command = app->add_subcommand(name, help);
  command->set_version_flag("--version", "slipscope " + Version());
  return command;
}

}  // namespace slip::app
