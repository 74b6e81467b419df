// Attributes of one element with the defaults of its class behind it.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/types.h"
#include "engine/mjcf/mjcf_node.h"
#include "engine/urdf/urdf_xml.h"

namespace slip {

/// One element. What it does not say itself its class says, then the class around that.
class MjcfItem {
 public:
  MjcfItem(const MjcfNode& node, std::string owner, MjcfReport* report)
      : levels_{&node}, owner_(std::move(owner)), report_(report) {}

  void AddDefaults(const MjcfNode& node) { levels_.push_back(&node); }

  const MjcfNode& node() const { return *levels_.front(); }
  /// The element itself, then its defaults, the nearest first.
  const std::vector<const MjcfNode*>& levels() const { return levels_; }
  const std::string& owner() const { return owner_; }
  MjcfReport& report() const { return *report_; }

  /// Null where neither says it; `at` becomes the element that does.
  const std::string* Find(std::string_view name, const MjcfNode** at = nullptr) const;
  bool Has(std::string_view name) const { return Find(name) != nullptr; }
  std::string Text(std::string_view name) const;

  /// Numbers of an attribute, `least` to as many as there is room; returns how many were read, 0
  /// after an error, too.
  std::size_t Numbers(std::string_view name, std::size_t least, std::span<double> out,
                      const NumberRange& range = {}) const;
  /// Likewise, of one element alone.
  std::size_t NumbersOf(const MjcfNode& at, std::string_view name, std::size_t least,
                        std::span<double> out, const NumberRange& range = {}) const;
  bool Number(std::string_view name, double* out, const NumberRange& range = {}) const {
    return Numbers(name, 1, std::span(out, 1), range) == 1;
  }
  /// The same where less than `low` is an error.
  bool NumberFrom(double low, std::string_view name, double* out,
                  const NumberRange& range = {}) const;
  /// A whole number.
  bool Whole(std::string_view name, int* out) const;
  bool Flag(std::string_view name, bool* out) const;
  /// Nothing for "auto", after an error, and where nobody says it.
  std::optional<bool> Maybe(std::string_view name) const;
  /// The index of a word; nothing where nobody says it, or after an error.
  std::optional<std::size_t> Choice(std::string_view name,
                                    std::initializer_list<std::string_view> words) const;

  void Fail(const std::string& message, std::string hint = {}) const {
    report_->Fail(node(), owner_ + ": " + message, std::move(hint));
  }
  void FailAt(const MjcfNode& at, const std::string& message, std::string hint = {}) const {
    report_->Fail(at, owner_ + ": " + message, std::move(hint));
  }

 private:
  std::vector<const MjcfNode*> levels_;
  std::string owner_;
  MjcfReport* report_;
};

/// The <default> sections of a file.
class MjcfDefaults {
 public:
  /// Reads all of them.
  void Read(const MjcfNode& root, MjcfReport* report);

  /// An element in a body of this childclass, with what its own class says of such elements.
  MjcfItem Make(const MjcfNode& node, std::string owner, const std::string& childclass,
                MjcfReport* report) const;
  /// Whether there is such a class; else an error.
  bool Check(const MjcfNode& at, const std::string& name, MjcfReport* report) const;

 private:
  struct Class {
    std::string name;
    int parent = -1;
    std::vector<const MjcfNode*> nodes;
  };
  void ReadClass(const MjcfNode& node, int parent, MjcfReport* report);

  std::size_t elements_ = 0;  // in all classes
  std::vector<Class> classes_;
  std::map<std::string, int> index_;
};

/// "geom 'foot'", or "a geom of body 'leg'" where it has no name.
std::string NameMjcf(const MjcfNode& node, std::string_view body = {});

/// Says which attributes of an element nobody knows. False for an element that is not known here.
bool CheckMjcfAttributes(const MjcfNode& node, MjcfReport* report);

}  // namespace slip
