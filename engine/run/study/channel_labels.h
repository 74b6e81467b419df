// What the channels of a run are called: by the method that makes their steps, "sap", with a number
// where another channel has that name, "sap#2". Decided once, before the run, for all methods that
// a channel comes to; files, conditions, tables and sentences ask here.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/method/methods.h"

namespace slip {

class ChannelLabels {
 public:
  ChannelLabels() = default;
  /// Of each channel the methods that it comes to, in their order; any of them more than once.
  explicit ChannelLabels(std::span<const std::vector<MethodId>> methods);

  /// One more, a recorded run: it keeps this name, `carrier` is what carries its steps.
  void AddForeign(MethodId carrier, const std::string& name) {
    labels_.push_back({{carrier, name}});
  }

  std::size_t size() const { return labels_.size(); }
  /// At its start.
  const std::string& operator[](std::size_t channel) const { return labels_[channel].front().text; }
  /// While this method makes its steps.
  const std::string& Of(std::size_t channel, MethodId method) const;
  /// The first is that of its start.
  std::vector<std::string> AllOf(std::size_t channel) const;
  std::vector<std::string> All() const;
  /// The methods that they are of.
  std::vector<MethodId> MethodsOf(std::size_t channel) const;

 private:
  struct Label {
    MethodId method;
    std::string text;
  };
  std::vector<std::vector<Label>> labels_;
};

}  // namespace slip
