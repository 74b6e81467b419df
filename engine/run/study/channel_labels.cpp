#include "engine/run/study/channel_labels.h"

#include <algorithm>

namespace slip {

ChannelLabels::ChannelLabels(std::span<const std::vector<MethodId>> methods)
    : labels_(methods.size()) {
  const auto free_name = [this](MethodId method) {
    const std::vector<std::string> taken = All();
    const std::string id(Info(method).id);
    std::string text = id;
    for (int nth = 2; std::find(taken.begin(), taken.end(), text) != taken.end(); ++nth)
      text = id + "#" + std::to_string(nth);
    return text;
  };
  // what they begin with has the plain names
  for (std::size_t c = 0; c < methods.size(); ++c) {
    const MethodId start = methods[c].front();
    labels_[c].push_back({start, free_name(start)});
  }
  for (std::size_t c = 0; c < methods.size(); ++c) {
    for (const MethodId method : methods[c]) {
      const bool known = std::any_of(labels_[c].begin(), labels_[c].end(),
                                     [method](const Label& l) { return l.method == method; });
      if (!known) labels_[c].push_back({method, free_name(method)});
    }
  }
}

const std::string& ChannelLabels::Of(std::size_t channel, MethodId method) const {
  for (const Label& label : labels_[channel])
    if (label.method == method) return label.text;
  return (*this)[channel];
}

std::vector<std::string> ChannelLabels::AllOf(std::size_t channel) const {
  std::vector<std::string> texts;
  for (const Label& label : labels_[channel]) texts.push_back(label.text);
  return texts;
}

std::vector<std::string> ChannelLabels::All() const {
  std::vector<std::string> texts;
  for (const std::vector<Label>& of_channel : labels_)
    for (const Label& label : of_channel) texts.push_back(label.text);
  return texts;
}

std::vector<MethodId> ChannelLabels::MethodsOf(std::size_t channel) const {
  std::vector<MethodId> methods;
  for (const Label& label : labels_[channel]) methods.push_back(label.method);
  return methods;
}

}  // namespace slip
