// What --force leaves of a former report in the same folder: figures and tables of studies that the
// new one does not have.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace slip::app {

class FormerReport {
 public:
  /// Before the first of the new files has its name: the old report and its verdicts still tell
  /// whose the others are. Figures count that the report shows, and tables of the studies in its
  /// verdicts that begin as ours do. `written`: names that the new report takes itself.
  FormerReport(const std::string& folder, std::span<const std::string> written);
  /// Once the new report is whole.
  void Remove() const;

 private:
  std::vector<std::string> paths_;
};

}  // namespace slip::app
