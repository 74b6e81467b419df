// Sparse matrices as FCLIB stores them: {m, n, nz, p, i, x}, where nz says how. nz >= 0: so many
// triplets, p their columns and i their rows; -1: by columns, -2: by rows, p where each begins.
#pragma once

#include <string>
#include <vector>

#include "engine/fclib/fclib_message.h"

namespace slip {

struct SparseEntry {
  int row = 0, column = 0;
  double x = 0;
};

struct SparseMatrix {
  int rows = 0, columns = 0;
  std::vector<SparseEntry> entries;  ///< of one place there may be several: their sum counts
};

/// The matrix of this group, "fclib_global/M". What is wrong with it, a sentence, or empty.
std::string ReadSparse(const FclibMessage& message, const std::string& group, SparseMatrix* out);

}  // namespace slip
