// What --force leaves of a former result in the same folder: files that it wrote and the new one
// does not, such as joints.csv where there are no joints any more.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slip {

class FormerOutputs {
 public:
  FormerOutputs() = default;
  /// Before the first of the new files has its name: meta.json still tells whose the others are.
  /// Nothing but regular files with names of runs and sweeps counts, and only beside a meta.json of
  /// ours. `written`: names that the new result takes itself.
  FormerOutputs(const std::string& folder, std::span<const std::string_view> written);
  /// Once the new result is whole.
  void Remove() const;

 private:
  std::vector<std::string> paths_;
};

/// Whether a numbered file with this stem is a contact problem that a run of ours wrote.
bool IsFormerProblem(const std::string& stem, const std::string& path);

}  // namespace slip
