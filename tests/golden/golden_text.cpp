#include "tests/golden/golden_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "engine/core/hash.h"

namespace slip {
namespace {

/// Text up to the mark, which is taken away with it.
std::string_view Take(std::string_view* text, char mark) {
  const std::size_t at = std::min(text->find(mark), text->size());
  const std::string_view part = text->substr(0, at);
  text->remove_prefix(std::min(at + 1, text->size()));
  return part;
}

constexpr std::string_view kLibmPrefix = "sin-cos:";
constexpr std::string_view kHeader =
    "# What the program computes; `tests/run --golden` writes this file. A line tells\n"
    "#   scene and changes, channel, step: the hash of the state there, or, where a step failed\n"
    "#     before, the hash of the last state and why it failed;\n"
    "#   scene, file, steps: the hash of the file, without wall times.\n"
    "# All hold for a libm that rounds sine and cosine as named next. Where another gives another\n"
    "# result, a line with its name follows.\n";

}  // namespace

bool GoldenList::Knows(const std::string& name) const {
  return name == libm || others.contains(name);
}

GoldenResults GoldenList::ExpectedOn(const std::string& name) const {
  const auto own = others.find(name);
  GoldenResults expected = own == others.end() ? GoldenResults() : own->second;
  expected.insert(results.begin(), results.end());
  return expected;
}

void GoldenList::Put(const std::string& name, const GoldenResults& found) {
  if (libm.empty()) libm = name;
  for (const auto& [key, result] : found) {
    if (name == libm) {
      results[key] = result;
    } else if (const auto at = results.find(key); at != results.end() && at->second == result) {
      others[name].erase(key);
    } else {
      others[name][key] = result;
    }
  }
}

void GoldenList::Remove(const std::function<bool(const std::string& key)>& which) {
  const auto matches = [&](const auto& entry) { return which(entry.first); };
  std::erase_if(results, matches);
  for (auto& [name, own] : others) std::erase_if(own, matches);
}

GoldenList ParseList(std::string_view text) {
  GoldenList list;
  while (!text.empty()) {
    std::string_view line = Take(&text, '\n');
    if (line.empty() || line[0] == '#') continue;
    if (line.starts_with(kLibmPrefix)) {
      list.libm = line;
      continue;
    }
    std::string key;
    for (int part = 0; part < 3; ++part) key.append(part > 0 ? " " : "").append(Take(&line, ' '));
    if (line.starts_with(kLibmPrefix)) {
      const std::string libm(Take(&line, ' '));
      list.others[libm][key] = line;
    } else {
      list.results[key] = line;
    }
  }
  return list;
}

std::string FormatList(const GoldenList& list) {
  std::set<std::string> lines;
  for (const auto& [key, result] : list.results) lines.insert(key + " " + result);
  for (const auto& [libm, own] : list.others) {
    for (const auto& [key, result] : own) lines.insert(fmt::format("{} {} {}", key, libm, result));
  }
  return fmt::format("{}{}\n{}\n", kHeader, list.libm, fmt::join(lines, "\n"));
}

std::string LibmName() {
  Fnv1a hash;
  for (int i = 0; i < 100000; ++i) {
    const double x = 3e-4 * i;
    hash.Add(std::bit_cast<uint64_t>(std::sin(x)));
    hash.Add(std::bit_cast<uint64_t>(std::cos(x)));
  }
  return fmt::format("{}{:08x}", kLibmPrefix, hash.value() >> 32);
}

bool IsFile(std::string_view key) { return key.find(".csv ") != std::string_view::npos; }

std::string_view CaseOf(std::string_view key) { return Take(&key, ' '); }

std::vector<std::string> Differences(const GoldenResults& expected, const GoldenResults& found) {
  std::vector<std::string> sentences;
  const auto add = [&](std::string_view key, std::string_view wanted, std::string_view result) {
    const std::string_view each = Take(&key, ' '), what = Take(&key, ' ');
    sentences.push_back(
        fmt::format("{}, {}, step {}: expected {}, found {}", each, what, key, wanted, result));
  };
  for (const auto& [key, wanted] : expected) {
    const auto at = found.find(key);
    const std::string_view result = at == found.end() ? "nothing" : std::string_view(at->second);
    if (result != wanted) add(key, wanted, result);
  }
  for (const auto& [key, result] : found) {
    if (!expected.contains(key)) add(key, "nothing", result);
  }
  return sentences;
}

uint64_t HashText(std::string_view text) {
  Fnv1a hash;
  for (const char c : text) hash.Add(static_cast<unsigned char>(c));
  return hash.value();
}

std::string WithoutWallTimes(std::string_view csv) {
  std::vector<bool> keep;
  std::string_view rest = csv;
  for (std::string_view header = Take(&rest, '\n'); !header.empty();) {
    keep.push_back(!Take(&header, ',').ends_with("_us"));
  }
  if (std::find(keep.begin(), keep.end(), false) == keep.end()) return std::string(csv);
  std::string text;
  for (rest = csv; !rest.empty();) {
    std::string_view row = Take(&rest, '\n');
    for (std::size_t c = 0; c < keep.size() || !row.empty(); ++c) {
      const std::string_view field = Take(&row, ',');
      if (c >= keep.size() || keep[c]) text.append(field).push_back(',');
    }
    text.push_back('\n');
  }
  return text;
}

}  // namespace slip
