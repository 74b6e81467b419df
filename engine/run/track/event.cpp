#include "engine/run/track/event.h"

#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

namespace slip {

EventItem::EventItem(const EventItem& other) = default;
EventItem::EventItem(EventItem&& other) noexcept = default;
EventItem& EventItem::operator=(const EventItem& other) = default;
EventItem& EventItem::operator=(EventItem&& other) noexcept = default;
EventItem::~EventItem() = default;
namespace {

/// The path and the note of what happened.
struct Words {
  using Pair = std::pair<std::string, std::string>;
  Pair operator()(const ParamChanged& e) const { return {e.path, {}}; }
  Pair operator()(const StepFailed& e) const { return {{}, e.why}; }
  Pair operator()(const NotConverged& e) const {
    return {{}, e.why.empty() ? std::string() : "not converged: " + e.why};
  }
  Pair operator()(const GaveUp& e) const { return {e.robot, std::string(GaveUp::kWhy)}; }
  Pair operator()(const Pulled& e) const { return {e.body, e.how}; }
  Pair operator()(const ChannelBegan& e) const { return {{}, e.method}; }
  Pair operator()(const SceneLoaded& e) const { return {{}, e.title}; }
  Pair operator()(const Refused& e) const { return {e.path, e.why}; }
  Pair operator()(const auto&) const { return {}; }
};

template <class Item>
constexpr std::string_view KindOf() {
  if constexpr (requires { Item::kName; }) return Item::kName;
  return {};
}

template <class... Items>
std::vector<std::string_view> KindsOf(const std::variant<Items...>*) {
  return {KindOf<Items>()...};
}

}  // namespace

bool IsInTree(const Event& event) {
  return std::visit(
      []<class Item>(const Item&) {
        return requires { Item::kInTree; };
      },
      event.item);
}

bool IsAnswer(const Event& event) {
  return std::visit(
      []<class Item>(const Item&) {
        return requires { Item::kAnswer; };
      },
      event.item);
}

EventText TextOf(const Event& event) {
  EventText text;
  text.kind = std::visit([]<class Item>(const Item&) { return KindOf<Item>(); }, event.item);
  std::tie(text.path, text.note) = std::visit(Words{}, event.item);
  return text;
}

std::string EventKinds() {
  std::vector<std::string_view> kinds = KindsOf(static_cast<const EventItem*>(nullptr));
  std::erase(kinds, std::string_view());
  std::string text;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (i > 0) text += i + 1 < kinds.size() ? ", " : " or ";
    text += kinds[i];
  }
  return text;
}

}  // namespace slip
