#include "engine/run/study/sweep_meta.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/core/hash.h"
#include "engine/core/text_file.h"

namespace slip {
namespace {

constexpr std::string_view kKey = "\"checksum\"";
/// The most rows that a sweep may have, with room to spare for long ones.
constexpr TextFileKind kMetaFile{.name = "meta.json of a sweep", .most_bytes = 512 * kMebibyte};

std::string HashOf(std::string_view text) {
  Fnv1a hash;
  for (const char c : text) hash.Add(static_cast<unsigned char>(c));
  return fmt::format("{:016x}", hash.value());
}

}  // namespace

std::string WithChecksum(std::string_view object) {
  std::string text(object.substr(0, object.rfind('}')));
  text.erase(text.find_last_not_of(" \n") + 1);
  text += ",\n  ";
  const std::string hash = HashOf(text);
  return fmt::format("{}{}: \"{}\"\n}}\n", text, kKey, hash);
}

Checksum FindChecksum(std::string_view text) {
  const std::size_t key = text.rfind(kKey);
  if (key == std::string_view::npos) return Checksum::kMissing;
  const std::string end = fmt::format("{}: \"{}\"\n}}\n", kKey, HashOf(text.substr(0, key)));
  return text.substr(key) == end ? Checksum::kRight : Checksum::kWrong;
}

std::string ReadInterruptedJournal(const std::string& folder) {
  const std::string path = (std::filesystem::path(folder) / "meta.json").string();
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};
  const Result<std::string> text = ReadTextFile(path, kMetaFile);
  if (!text) return {};
  const nlohmann::json meta = nlohmann::json::parse(*text, nullptr, false);
  if (!meta.is_object()) return {};
  const auto journal = meta.find("journal");
  return journal != meta.end() && journal->is_string() ? journal->get<std::string>()
                                                       : std::string();
}

}  // namespace slip
