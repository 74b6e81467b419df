#include "engine/run/study/former_outputs.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "engine/run/study/recorder.h"
#include "engine/run/study/sweep_file.h"
#include "engine/sim/method_list.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

bool IsFile(const fs::path& path) {
  std::error_code code;
  return fs::is_regular_file(fs::symlink_status(path, code));
}

/// Our files begin with their schema.
bool HasSchema(const fs::path& path, std::string_view schema) {
  if (!IsFile(path)) return false;
  std::array<char, 256> begin{};
  std::ifstream(path, std::ios::binary).read(begin.data(), begin.size());
  return std::string_view(begin.data(), begin.size()).find(schema) != std::string_view::npos;
}

}  // namespace

bool IsFormerProblem(const std::string& stem, const std::string& path) {
  return FindMethod(stem.substr(0, stem.find('#'))).has_value() &&
         HasSchema(path, "\"slipscope.problem/");
}

FormerOutputs::FormerOutputs(const std::string& folder, std::span<const std::string_view> written) {
  const fs::path place(folder);
  const fs::path meta = place / "meta.json";
  if (!HasSchema(meta, "\"slipscope.run/") && !HasSchema(meta, "\"slipscope.sweep/")) return;
  const auto add = [&](std::string_view name) {
    if (std::find(written.begin(), written.end(), name) != written.end()) return;
    if (IsFile(place / name)) paths_.push_back((place / name).string());
  };
  for (const std::string_view name : RunFileNames()) add(name);
  add(kSweepTable);
}

void FormerOutputs::Remove() const {
  std::error_code ignored;
  for (const std::string& path : paths_) fs::remove(path, ignored);
}

}  // namespace slip
