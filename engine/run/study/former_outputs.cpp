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

/// Our files begin with their schema.
bool HasSchema(const fs::path& path, std::string_view schema) {
  if (!IsPlainFile(path.string())) return false;
  std::array<char, 256> begin{};
  std::ifstream(path, std::ios::binary).read(begin.data(), begin.size());
  return std::string_view(begin.data(), begin.size()).find(schema) != std::string_view::npos;
}

}  // namespace

bool IsFormerProblem(const std::string& stem, const std::string& path) {
  return FindMethod(stem.substr(0, stem.find('#'))).has_value() &&
         HasSchema(path, "\"slipscope.problem/");
}

bool IsPlainFile(const std::string& path) {
  std::error_code code;
  return fs::is_regular_file(fs::symlink_status(path, code));
}

FormerFiles::FormerFiles(const std::string& folder, std::span<const std::string_view> written)
    : folder_(folder), written_(written.begin(), written.end()) {}

void FormerFiles::Add(std::string_view name) {
  if (std::find(written_.begin(), written_.end(), name) != written_.end()) return;
  std::string path = (fs::path(folder_) / name).string();
  if (IsPlainFile(path)) paths_.push_back(std::move(path));
}

void FormerFiles::Remove() const {
  std::error_code ignored;
  for (const std::string& path : paths_) fs::remove(path, ignored);
}

FormerFiles FindFormerOutputs(const std::string& folder,
                              std::span<const std::string_view> written) {
  FormerFiles former(folder, written);
  const fs::path meta = fs::path(folder) / "meta.json";
  if (!HasSchema(meta, "\"slipscope.run/") && !HasSchema(meta, "\"slipscope.sweep/")) return former;
  for (const std::string_view name : RunFileNames()) former.Add(name);
  former.Add(kSweepTable);
  return former;
}

}  // namespace slip
