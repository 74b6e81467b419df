// What --force leaves of a former result in the same folder: files that it wrote and the new one
// does not, such as joints.csv where there are no joints any more.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slip {

/// Files of a former result in one folder. They are found before the first of the new files has its
/// name, while the old ones still tell whose they are.
class FormerFiles {
 public:
  FormerFiles() = default;
  /// `written`: names that the new result takes itself.
  FormerFiles(const std::string& folder, std::span<const std::string_view> written);
  /// Regular files alone; others are nobody's.
  void Add(std::string_view name);
  /// Once the new result is whole.
  void Remove() const;

 private:
  std::string folder_;
  std::vector<std::string> written_, paths_;
};

/// Whether it is a regular file and no link to one.
bool IsPlainFile(const std::string& path);

/// Of a run or a sweep: files with names of these, and only beside a meta.json of ours.
FormerFiles FindFormerOutputs(const std::string& folder, std::span<const std::string_view> written);

/// Whether a numbered file with this stem is a contact problem that a run of ours wrote.
bool IsFormerProblem(const std::string& stem, const std::string& path);

}  // namespace slip
