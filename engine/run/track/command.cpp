#include "engine/run/track/command.h"

namespace slip {

Command::Command(const Command& other) = default;
Command::Command(Command&& other) noexcept = default;
Command& Command::operator=(const Command& other) = default;
Command& Command::operator=(Command&& other) noexcept = default;
Command::~Command() = default;

CommandEffect EffectOf(const Command& command) {
  return std::visit([]<class Kind>(const Kind&) { return Kind::kEffect; }, command);
}

}  // namespace slip
