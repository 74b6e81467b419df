// Columns of the matrices of our kernels are stored in whole panels of rows.
#pragma once

namespace slip {

inline constexpr int kPanel = 8;  ///< rows

}  // namespace slip
