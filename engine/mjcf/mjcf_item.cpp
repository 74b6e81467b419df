#include "engine/mjcf/mjcf_item.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/core/param_text.h"

namespace slip {
namespace {

constexpr std::string_view kMjcfBlanks = " \t\r\n";
constexpr std::string_view kMainClass = "main";
constexpr std::size_t kMostGuesses = 200;  // names among which a misspelt one is looked for
constexpr std::size_t kMostDefaults = 2000;

/// Elements whose defaults are one: all are actuators, and each says the same in other words.
bool IsActuator(std::string_view name) {
  for (const std::string_view kind : {"general", "motor", "position", "velocity", "intvelocity",
                                      "damper", "cylinder", "muscle", "adhesion", "plugin"})
    if (name == kind) return true;
  return false;
}

bool IsLike(std::string_view name, std::string_view other) {
  return name == other || (IsActuator(name) && IsActuator(other));
}

}  // namespace

const std::string* MjcfItem::Find(std::string_view name, const MjcfNode** at) const {
  for (const MjcfNode* level : levels_) {
    const std::string* found = level->Find(name);
    if (found == nullptr) continue;
    if (at != nullptr) *at = level;
    return found;
  }
  return nullptr;
}

std::string MjcfItem::Text(std::string_view name) const {
  const std::string* found = Find(name);
  return found == nullptr ? std::string() : *found;
}

std::size_t MjcfItem::Numbers(std::string_view name, std::size_t least, std::span<double> out,
                              const NumberRange& range) const {
  const MjcfNode* at = nullptr;
  return Find(name, &at) == nullptr ? 0 : NumbersOf(*at, name, least, out, range);
}

std::size_t MjcfItem::NumbersOf(const MjcfNode& at, std::string_view name, std::size_t least,
                                std::span<double> out, const NumberRange& range) const {
  const std::string* text = at.Find(name);
  if (text == nullptr) return 0;
  const std::string what = fmt::format("{} of <{}>", name, at.name);
  std::string_view rest = *text;
  std::size_t count = 0;
  while (true) {
    rest.remove_prefix(std::min(rest.find_first_not_of(kMjcfBlanks), rest.size()));
    if (rest.empty()) break;
    const std::string_view word = rest.substr(0, rest.find_first_of(kMjcfBlanks));
    rest.remove_prefix(word.size());
    const std::optional<double> number = ParseXmlNumber(word);
    const bool finite = number && std::isfinite(*number);
    if (!finite || std::abs(*number) > range.most) {
      const std::string unit = range.unit.empty() ? "" : fmt::format(" {}", range.unit);
      FailAt(at,
             fmt::format("{}: {}; expected {}", what, QuoteXml(word),
                         !number       ? "a number"
                         : !finite     ? "a finite number"
                         : *number < 0 ? fmt::format("at least {:g}{}", -range.most, unit)
                                       : fmt::format("at most {:g}{}", range.most, unit)),
             finite ? "is the unit right?" : "write it like 0.05 or 5e-2, with blanks between");
      return 0;
    }
    if (count < out.size()) out[count] = *number;
    ++count;
  }
  if (count < least || count > out.size()) {
    const std::string expected =
        least == out.size() ? fmt::format("{}", least) : fmt::format("{} to {}", least, out.size());
    FailAt(at,
           fmt::format("{} has {} number{}; expected {}", what, count, count == 1 ? "" : "s",
                       expected),
           "numbers have blanks between them");
    return 0;
  }
  return count;
}

bool MjcfItem::NumberFrom(double low, std::string_view name, double* out,
                          const NumberRange& range) const {
  double value = 0;
  if (!Number(name, &value, range)) return false;
  if (value < low) {
    const MjcfNode* at = nullptr;
    Find(name, &at);
    FailAt(*at, fmt::format("{} of <{}> is {:g}", name, at->name, value),
           fmt::format("expected at least {:g}", low));
    return false;
  }
  *out = value;
  return true;
}

bool MjcfItem::Whole(std::string_view name, int* out) const {
  double value = 0;
  if (!Number(name, &value, {.most = 2147483647})) return false;
  if (value != std::floor(value)) {
    const MjcfNode* at = nullptr;
    Find(name, &at);
    FailAt(*at, fmt::format("{} of <{}> is {:g}", name, at->name, value),
           "expected a whole number");
    return false;
  }
  *out = static_cast<int>(value);
  return true;
}

bool MjcfItem::Flag(std::string_view name, bool* out) const {
  const auto choice = Choice(name, {"false", "true"});
  if (choice) *out = *choice == 1;
  return choice.has_value();
}

std::optional<bool> MjcfItem::Maybe(std::string_view name) const {
  const auto choice = Choice(name, {"false", "true", "auto"});
  if (!choice || *choice == 2) return std::nullopt;
  return *choice == 1;
}

std::optional<std::size_t> MjcfItem::Choice(std::string_view name,
                                            std::initializer_list<std::string_view> words) const {
  const MjcfNode* at = nullptr;
  const std::string* text = Find(name, &at);
  if (text == nullptr) return std::nullopt;
  const auto word = std::find(words.begin(), words.end(), *text);
  if (word == words.end()) {
    std::string list;
    for (const std::string_view known : words)
      list += (list.empty() ? "" : ", ") + std::string(known);
    FailAt(*at, fmt::format("{} of <{}> is {}", name, at->name, QuoteXml(*text)),
           "expected one of " + list);
    return std::nullopt;
  }
  return static_cast<std::size_t>(word - words.begin());
}

void MjcfDefaults::Read(const MjcfNode& root, MjcfReport* report) {
  classes_.push_back({std::string(kMainClass), -1, {}});
  index_.emplace(kMainClass, 0);
  for (const MjcfNode& section : root.children) {
    if (section.name != "default") continue;
    const std::string* name = section.Find("class");
    if (section.model > 0) {
      ReadClass(section, -1, report);
      continue;
    }
    if (name != nullptr && *name != kMainClass && index_.size() == 1 && classes_[0].nodes.empty()) {
      // the outermost class may have a name of its own
      index_.emplace(*name, 0);
    } else if (name != nullptr && !index_.contains(*name)) {
      report->Fail(section, fmt::format("a second outermost class {}", QuoteXml(*name)),
                   "put it into the first <default>");
      continue;
    }
    ReadClass(section, -1, report);
  }
}

void MjcfDefaults::ReadClass(const MjcfNode& node, int parent, MjcfReport* report) {
  int own = 0;
  // an attached model has an outermost class of its own
  if (parent >= 0 || node.model > 0) {
    const std::string* name = node.Find("class");
    if (name == nullptr || name->empty()) {
      return report->Fail(node, "<default> without a class", "write <default class=\"NAME\">");
    }
    own = static_cast<int>(classes_.size());
    if (!index_.emplace(*name, own).second) {
      return report->Fail(node, fmt::format("a second class {}", QuoteXml(*name)),
                          "classes have different names");
    }
    classes_.push_back({*name, parent, {}});
  }
  classes_[static_cast<std::size_t>(own)].nodes.push_back(&node);
  for (const MjcfNode& child : node.children) {
    // every element looks through those of its class
    if (++elements_ > kMostDefaults) {
      if (elements_ == kMostDefaults + 1)
        report->Fail(child, fmt::format("more than {} elements in <default>", kMostDefaults),
                     "is it a robot?");
      return;
    }
    if (child.name == "default") {
      ReadClass(child, own, report);
    } else if (!CheckMjcfAttributes(child, report)) {
      report->Fail(child, fmt::format("<{}> in <default> is not known", child.name),
                   "delete it, or is it misspelt?");
    }
  }
}

bool MjcfDefaults::Check(const MjcfNode& at, const std::string& name, MjcfReport* report) const {
  if (index_.contains(name)) return true;
  std::vector<std::string_view> known;
  for (const auto& [other, index] : index_) known.push_back(other);
  known.resize(std::min(known.size(), kMostGuesses));
  report->Fail(at, fmt::format("there is no class {}", QuoteXml(name)), DidYouMean(name, known));
  return false;
}

MjcfItem MjcfDefaults::Make(const MjcfNode& node, std::string owner, const std::string& childclass,
                            MjcfReport* report) const {
  MjcfItem item(node, std::move(owner), report);
  const std::string* given = node.Find("class");
  std::string name = given != nullptr ? *given : childclass;
  if (given != nullptr && !Check(node, *given, report)) name.clear();
  const auto found = index_.find(name);
  int at = found == index_.end() ? 0 : found->second;
  for (; at >= 0; at = classes_[static_cast<std::size_t>(at)].parent) {
    for (const MjcfNode* of : classes_[static_cast<std::size_t>(at)].nodes) {
      for (const MjcfNode& child : of->children)
        if (IsLike(child.name, node.name)) item.AddDefaults(child);
    }
  }
  return item;
}

std::string NameMjcf(const MjcfNode& node, std::string_view body) {
  const std::string* name = node.Find("name");
  if (name != nullptr && !name->empty()) return fmt::format("{} {}", node.name, QuoteXml(*name));
  if (!body.empty()) return fmt::format("a {} of body {}", node.name, QuoteXml(body));
  return fmt::format("<{}>", node.name);
}

}  // namespace slip
