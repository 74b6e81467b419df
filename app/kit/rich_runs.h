// Text with sub- and superscripts, split into runs: "f_n" is "f" and a subscript "n".
#pragma once

#include <string_view>
#include <vector>

namespace slip::app {

enum class RichLevel { kBase, kSub, kSuper };
struct RichRun {
  std::string_view text;
  RichLevel level;
};

/// Fills `runs` with views into `text`. `_` and `^` take the following word, or a {group}; after a
/// backslash they are themselves.
void SplitRuns(std::string_view text, std::vector<RichRun>* runs);

}  // namespace slip::app
