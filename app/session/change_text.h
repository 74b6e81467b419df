// A change of a parameter in words.
#pragma once

#include <string>

#include "engine/method/config.h"

namespace slip::app {

/// Symbol or name of the parameter, as rich text: "δt", "FL_KFE target".
std::string ParamName(const Config& config, const std::string& path);
/// "δt 10 → 4 ms", "SAP → Lagged": rich text, both numbers with one prefix where they have one in
/// common. `config` knows the parameter.
std::string ChangeText(const Config& config, const std::string& path, double from, double to);
/// "δt 4 ms", "Lagged": what it was changed to.
std::string ValueText(const Config& config, const std::string& path, double to);
/// The same without marks of sub- and superscripts.
std::string PlainText(std::string_view rich);

}  // namespace slip::app
