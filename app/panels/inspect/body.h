#pragma once

#include <string>

#include "engine/dynamics/model.h"

namespace slip::app {

/// "box", of a link "box x2, cylinder": what touches of it, or else what is seen; "none".
std::string ShapeWords(const Model& model, int body);

}  // namespace slip::app
