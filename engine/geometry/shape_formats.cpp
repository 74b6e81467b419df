#include "engine/geometry/shape_formats.h"

#include <filesystem>
#include <vector>

#include "engine/geometry/mesh_text.h"

namespace slip {
namespace {

std::string JoinByOr(const std::vector<std::string_view>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 < words.size() ? ", " : " or ";
    text += words[i];
  }
  return text;
}

template <class Keep>
std::string JoinSuffixes(const Keep& keep) {
  std::vector<std::string_view> words;
  for (const ShapeFormat& format : kShapeFormats)
    if (keep(format)) words.push_back(format.suffix);
  return JoinByOr(words);
}

}  // namespace

const ShapeFormat* FindShapeFormat(const std::string& path) {
  const std::string suffix = LowerExtension(path);
  for (const ShapeFormat& format : kShapeFormats)
    if (format.suffix == suffix) return &format;
  return nullptr;
}

const ShapeFormat* FindMeshFormat(const std::string& path) {
  const ShapeFormat* format = FindShapeFormat(path);
  return format != nullptr && format->faces ? format : nullptr;
}

std::string MeshFormatNames() {
  std::vector<std::string_view> words;
  for (const ShapeFormat& format : kShapeFormats)
    if (format.faces && (words.empty() || words.back() != format.name))
      words.push_back(format.name);
  return JoinByOr(words);
}

std::string MeshSuffixes() {
  return JoinSuffixes([](const ShapeFormat& format) { return format.faces; });
}

std::string CloudSuffixes() {
  return JoinSuffixes([](const ShapeFormat& format) { return format.points; });
}

std::string FindOtherFormat(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code code;
  const auto is_there = [&](std::string_view suffix) {
    fs::path other(path);
    other.replace_extension(suffix);
    return other != fs::path(path) && fs::is_regular_file(other, code) ? other.string()
                                                                       : std::string();
  };
  if (path.empty()) return {};
  if (std::string other = is_there(".obj"); !other.empty()) return other;
  for (const ShapeFormat& format : kShapeFormats) {
    if (!format.faces) continue;
    if (std::string other = is_there(format.suffix); !other.empty()) return other;
  }
  return {};
}

}  // namespace slip
