// Collects what a format cannot say: one sentence a kind, with the names that it is true of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/export/export.h"

namespace slip {

class Losses {
 public:
  /// The same sentence about another name joins the first one's line. No name: it is about all.
  void Add(LossId id, std::string_view text, const std::string& name = {});
  std::vector<ExportLoss> Take();
  const std::vector<ExportLoss>& list() const { return list_; }

 private:
  std::vector<ExportLoss> list_;
};

/// What every format leaves out alike: `input` has it and nobody else knows it.
void AddOwnLosses(const ExportInput& input, Losses* losses);

/// The comment at the head of a file.
std::string HeadComment(const ExportInput& input, const std::vector<ExportLoss>& losses);

}  // namespace slip
