// The smallest window.
#pragma once

namespace slip::app {

/// In a smaller one the parts of tool bar and panels lie over each other [design px].
inline constexpr int kLeastWidth = 800, kLeastHeight = 450;

}  // namespace slip::app
