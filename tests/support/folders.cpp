#include "tests/support/folders.h"

namespace slip {

std::string SourceFolder() { return SLIP_SOURCE_DIR; }

std::string BuildFolder() { return SLIP_BINARY_DIR; }

}  // namespace slip
