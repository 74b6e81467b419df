#include "engine/run/channels/change_events.h"

#include "engine/run/track/grab_text.h"

namespace slip {

std::optional<EventItem> ItemOf(const Change& change, double from, const Model& model,
                                const std::string& refused) {
  const auto* param = std::get_if<ParamChange>(&change);
  if (!refused.empty()) return Refused{param != nullptr ? param->path : std::string(), refused};
  if (param != nullptr) return ParamChanged{param->path, from, param->value};
  const auto* grab = std::get_if<Grab>(&change);
  if (grab == nullptr) return Resynced{};
  const bool begins = grab->body >= 0;
  if (begins == (from != 0)) return std::nullopt;
  if (!begins) return Pulled{};
  const Body& body = model.body(grab->body);
  return Pulled{true, body.name, DescribeGrab(*grab, body)};
}

}  // namespace slip
