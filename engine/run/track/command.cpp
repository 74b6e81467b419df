#include "engine/run/track/command.h"

namespace slip {

CommandEffect EffectOf(const Command& command) {
  return std::visit([]<class Kind>(const Kind&) { return Kind::kEffect; }, command);
}

}  // namespace slip
