// Options whose texts the grammar takes as they are: one row each. What they
// mean is their command's business.
#pragma once

#include <span>

#include "app/cli/options.h"

namespace slip::app {

template <class Options>
struct TextWord {
  const char* name;
  std::string Options::*member;
  const char* help;
};
/// One that may be given several times.
template <class Options>
struct ListWord {
  const char* name;
  std::vector<std::string> Options::*member;
  const char* help;
};

std::span<const TextWord<RunOptions>> RunTexts();
std::span<const TextWord<SweepOptions>> SweepTexts();
std::span<const ListWord<SweepOptions>> SweepLists();

}  // namespace slip::app
