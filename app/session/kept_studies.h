// Results of studies outlive the window: the cells of whole studies lie in the user's cache folder,
// with what made them. They are shown again as long as the study's file and its scenes are the
// same.
#pragma once

#include <memory>
#include <string>

#include "app/session/study_job.h"

namespace slip::app {

/// A study of which the cells were there.
struct FoundStudy {
  std::shared_ptr<const StudyShown> shown;
  std::shared_ptr<const KeptCells> cells;
  RunContext by;       ///< program that made them: version and build
  double seconds = 0;  ///< that it took
};

class KeptStudies {
 public:
  /// Empty (the start) = nothing is kept. The least lately made results go when all of them have
  /// more bytes than `most`; those of a study that has more than a quarter of it are not kept.
  explicit KeptStudies(std::string folder = {}, std::uintmax_t most = 256u << 20)
      : folder_(std::move(folder)), most_(most) {}

  // Any thread may call these; what goes wrong keeps nothing.
  void Keep(const KeptCells& cells, const RunContext& by, double seconds) const;
  /// The plan has one study. Null `shown`: nothing is kept of it, as it is now.
  FoundStudy Find(const std::shared_ptr<const StudyPlan>& plan) const;

 private:
  std::string FolderOf(const StudyPlan& plan) const;
  void Prune() const;

  std::string folder_;
  std::uintmax_t most_;
};

}  // namespace slip::app
