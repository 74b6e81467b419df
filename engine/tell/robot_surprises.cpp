#include "engine/tell/robot_surprises.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "engine/core/quantity_text.h"
#include "engine/tell/surprise_list.h"

namespace slip {
namespace {

// Names of others that a line has room for.
constexpr std::size_t kNamed = 3;

/// What stands between quotation marks taken out: remarks of one kind are equal then.
std::string PatternOf(const std::string& remark) {
  std::string pattern;
  bool quoted = false;
  for (std::size_t i = 0; i < remark.size(); ++i) {
    const char c = remark[i];
    if (c == '\'' || c == '"') quoted = !quoted;
    // numbers are names, too
    if (!quoted && std::isdigit(static_cast<unsigned char>(c)) == 0 && c != '.') pattern += c;
  }
  return pattern;
}

}  // namespace

void SurpriseList::Say(std::string_view id, SurpriseKind kind, double size, int body,
                       std::string name, std::string text, std::string hint) {
  Finding& found = findings_.emplace_back();
  found.size = size;
  found.said = {id, kind, std::move(text), std::move(hint), {}, {}};
  if (body >= 0) found.said.bodies = {body};
  if (!name.empty()) found.said.names = {std::move(name)};
}

bool SurpriseList::Has(std::string_view id) const {
  return std::any_of(findings_.begin(), findings_.end(),
                     [&](const Finding& found) { return found.said.id == id; });
}

void SurpriseList::Drop(std::string_view id) {
  std::erase_if(findings_, [&](const Finding& found) { return found.said.id == id; });
}

std::vector<Surprise> SurpriseList::Fold() {
  std::stable_sort(findings_.begin(), findings_.end(),
                   [](const Finding& a, const Finding& b) { return a.size > b.size; });
  std::vector<Surprise> folded;
  for (Finding& found : findings_) {
    const auto same = std::find_if(folded.begin(), folded.end(),
                                   [&](const Surprise& said) { return said.id == found.said.id; });
    if (same == folded.end()) {
      folded.push_back(std::move(found.said));
      continue;
    }
    for (const int body : found.said.bodies)
      if (std::find(same->bodies.begin(), same->bodies.end(), body) == same->bodies.end())
        same->bodies.push_back(body);
    for (std::string& name : found.said.names) same->names.push_back(std::move(name));
  }
  std::stable_sort(folded.begin(), folded.end(),
                   [](const Surprise& a, const Surprise& b) { return a.kind < b.kind; });
  return folded;
}

std::string QuoteLink(std::string_view name) { return fmt::format("'{}'", name); }

std::string TimesText(double ratio) { return FormatSignificant(ratio, ratio < 9.95 ? 2 : 3); }

std::string_view WordOf(SurpriseKind kind) {
  return kind == SurpriseKind::kRight   ? "right"
         : kind == SurpriseKind::kWrong ? "wrong"
                                        : "assumed";
}

std::vector<Surprise> FindSurprises(const Scene& scene) {
  if (scene.model == nullptr || scene.model->robots.empty()) return {};
  SurpriseList list;
  const std::set<int> absurd = FindShapeSurprises(scene, &list);
  FindBodySurprises(scene, absurd, &list);
  return list.Fold();
}

std::vector<Surprise> FoldRemarks(std::span<const std::string> remarks) {
  std::vector<Surprise> folded;
  std::map<std::string, std::size_t> known;
  for (const std::string& remark : remarks) {
    const auto [at, is_new] = known.emplace(PatternOf(remark), folded.size());
    if (is_new) {
      folded.push_back({.id = "remark", .kind = SurpriseKind::kAssumed, .text = remark});
    }
    folded[at->second].names.push_back(remark);
  }
  return folded;
}

std::string SurpriseLine(const Surprise& surprise) {
  std::string line = surprise.text;
  if (surprise.names.size() > 1) {
    const std::size_t others = surprise.names.size() - 1;
    line += fmt::format("; {} more likewise", others);
    if (surprise.id != "remark") {
      line += ": ";
      for (std::size_t i = 1; i <= std::min(others, kNamed); ++i)
        line += (i > 1 ? ", " : "") + surprise.names[i];
      if (others > kNamed) line += " ...";
    }
  }
  if (!surprise.hint.empty()) line += " (" + surprise.hint + ")";
  return line;
}

}  // namespace slip
