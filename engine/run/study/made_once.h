// Values that several workers need, each made once, by whoever asks first.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

#include "engine/core/sliced.h"

namespace slip {

template <class Key, class Value>
class MadeOnce {
 public:
  /// `make` gives a pointer to the value; null when it was stopped, which the next who asks tries
  /// again. Others that need the same value wait. The last few are kept.
  /// In slices: whoever waits for another must not share its thread, so one at a time there.
  template <class Make>
  Sliced<std::shared_ptr<const Value>> Get(const Key& key, const Make& make) {
    const std::shared_ptr<Entry> entry = Find(key);
    const std::lock_guard lock(entry->making);
    if (entry->value == nullptr) entry->value = co_await make();
    co_return entry->value;
  }

 private:
  struct Entry {
    explicit Entry(const Key& of) : key(of) {}
    Key key;
    std::mutex making;
    std::shared_ptr<const Value> value;
  };

  std::shared_ptr<Entry> Find(const Key& key) {
    constexpr std::size_t kMostKept = 64;  // more than there are workers that could wait for one
    const std::lock_guard lock(mutex_);
    const auto at = std::find_if(entries_.begin(), entries_.end(),
                                 [&](const auto& other) { return other->key == key; });
    if (at != entries_.end()) return *at;
    entries_.push_back(std::make_shared<Entry>(key));
    const std::shared_ptr<Entry> made = entries_.back();
    if (entries_.size() > kMostKept) entries_.pop_front();
    return made;
  }

  std::mutex mutex_;  // of the list
  std::deque<std::shared_ptr<Entry>> entries_;
};

}  // namespace slip
