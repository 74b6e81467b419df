#include "engine/geometry/collada_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "engine/geometry/point_scan.h"

namespace slip {
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;
constexpr std::string_view kTagBlanks = " \t\r\n";

/// <NAME ...>, </NAME> or <NAME ... />, without its brackets.
struct ColladaTag {
  std::string_view name, rest;
  bool closes = false, empty = false;
  std::size_t begin = 0, end = 0;  ///< of the whole, in the text
};

class ColladaScan {
 public:
  explicit ColladaScan(std::string_view text) : text_(text) {}

  std::string FindProblem(std::vector<std::string>* notes) {
    ColladaTag tag;
    for (std::size_t at = 0; TakeTag(at, &tag); at = tag.end) {
      if (tag.name == "node") Node(tag);
      if (tag.closes) continue;
      if (tag.name == "geometry") geometries_.insert(AttributeOf(tag, "id"));
      if (tag.name == "instance_controller") ++shown_;
      if (tag.name == "instance_geometry") {
        ++shown_;
        named_.emplace_back(UrlOf(tag), tag.begin);
      }
      if (tag.name == "instance_node" && !open_.empty())
        links_.push_back({open_.back(), UrlOf(tag), tag.begin});
      if (tag.name == "p" && !tag.empty) {
        const std::string_view corners = text_.substr(tag.end, text_.find('<', tag.end) - tag.end);
        if (const std::size_t minus = corners.find('-'); minus != kNowhere)
          return fmt::format("line {}: a face names a vertex by a negative number",
                             LineOf(tag.end + minus));
      }
    }
    if (std::string problem = FindMissing(notes); !problem.empty()) return problem;
    if (std::string loop = FindLoop(); !loop.empty()) return loop;
    if (!geometries_.empty() && shown_ == 0)
      return "its scene shows none of its geometries: there is no <instance_geometry>";
    return {};
  }

 private:
  struct Link {
    std::size_t from = 0;
    std::string_view to;
    std::size_t where = 0;
  };

  bool TakeTag(std::size_t from, ColladaTag* tag) const {
    const std::size_t begin = text_.find('<', from);
    const std::size_t end = begin == kNowhere ? begin : text_.find('>', begin);
    if (end == kNowhere) return false;
    std::string_view inside = text_.substr(begin + 1, end - begin - 1);
    tag->begin = begin;
    tag->end = end + 1;
    tag->closes = inside.starts_with('/');
    tag->empty = inside.ends_with('/');
    if (tag->closes) inside.remove_prefix(1);
    const std::size_t name = std::min(inside.find_first_of(" \t\r\n/"), inside.size());
    tag->name = inside.substr(0, name);
    tag->rest = inside.substr(name);
    return true;
  }

  // Of several, one that is missing is left out.
  std::string FindMissing(std::vector<std::string>* notes) const {
    std::string text;
    std::size_t missing = 0;
    for (const auto& [name, where] : named_) {
      if (name.empty() || geometries_.contains(name)) continue;
      if (++missing == 1)
        text = fmt::format("line {}: there is no geometry {}", LineOf(where), QuoteWord(name));
    }
    if (missing == shown_) return text;
    if (missing > 0) notes->push_back(text + ": what is missing is left out");
    return {};
  }

  static std::string_view AttributeOf(const ColladaTag& tag, std::string_view name) {
    const std::string_view rest = tag.rest;
    for (std::size_t at = rest.find(name); at != kNowhere; at = rest.find(name, at + 1)) {
      if (at == 0 || kTagBlanks.find(rest[at - 1]) == kNowhere) continue;
      const std::size_t sign = rest.find_first_not_of(kTagBlanks, at + name.size());
      if (sign == kNowhere || rest[sign] != '=') continue;
      const std::size_t quote = rest.find_first_not_of(kTagBlanks, sign + 1);
      if (quote == kNowhere || (rest[quote] != '"' && rest[quote] != '\'')) continue;
      const std::size_t last = rest.find(rest[quote], quote + 1);
      if (last != kNowhere) return rest.substr(quote + 1, last - quote - 1);
    }
    return {};
  }

  // Of another file: empty.
  static std::string_view UrlOf(const ColladaTag& tag) {
    const std::string_view url = AttributeOf(tag, "url");
    return url.starts_with('#') ? url.substr(1) : std::string_view();
  }

  void Node(const ColladaTag& tag) {
    if (tag.closes) {
      if (!open_.empty()) open_.pop_back();
      return;
    }
    const std::size_t own = shows_.size();
    shows_.emplace_back();
    if (const std::string_view id = AttributeOf(tag, "id"); !id.empty()) by_id_.emplace(id, own);
    if (const std::string_view name = AttributeOf(tag, "name"); !name.empty())
      by_name_.emplace(name, own);
    if (!open_.empty()) shows_[open_.back()].emplace_back(own, tag.begin);
    if (!tag.empty) open_.push_back(own);
  }

  /// Depth first, without recursion: files have chains of any length.
  std::string FindLoop() {
    for (const Link& link : links_) {
      // as the library looks for it
      const auto& known = by_id_.contains(link.to) ? by_id_ : by_name_;
      if (const auto to = known.find(link.to); to != known.end())
        shows_[link.from].emplace_back(to->second, link.where);
    }
    enum class State : char { kNew, kOpen, kDone };
    std::vector<State> states(shows_.size(), State::kNew);
    for (std::size_t first = 0; first < shows_.size(); ++first) {
      if (states[first] != State::kNew) continue;
      std::vector<std::pair<std::size_t, std::size_t>> path{{first, 0}};
      states[first] = State::kOpen;
      while (!path.empty()) {
        auto& [node, next] = path.back();
        if (next == shows_[node].size()) {
          states[node] = State::kDone;
          path.pop_back();
          continue;
        }
        const auto [below, where] = shows_[node][next++];
        if (states[below] == State::kOpen)
          return fmt::format("line {}: a node contains itself", LineOf(where));
        if (states[below] != State::kNew) continue;
        states[below] = State::kOpen;
        path.emplace_back(below, 0);
      }
    }
    return {};
  }

  std::ptrdiff_t LineOf(std::size_t at) const {
    return 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  }

  std::string_view text_;
  std::set<std::string_view> geometries_;
  std::vector<std::pair<std::string_view, std::size_t>> named_;  // geometries, and where
  std::size_t shown_ = 0;
  std::map<std::string_view, std::size_t> by_id_, by_name_;  // nodes
  /// What each node shows, and where it says so.
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> shows_;
  std::vector<Link> links_;
  std::vector<std::size_t> open_;  // nodes that are not closed yet
};

}  // namespace

std::string FindColladaProblem(std::string_view text, std::vector<std::string>* notes) {
  return ColladaScan(text).FindProblem(notes);
}

}  // namespace slip
