// The kernels themselves, for one instruction set: kernels6_*.cpp include this with flags of their
// own. Everything is internal to the file, and no function of another header is called: one that
// the compiler left out of line would be merged with that of files without those flags, and the
// program would end on processors without the instructions.
#pragma once

#include "engine/solver/kernels6.h"
#include "engine/solver/row6.h"

namespace slip {
namespace {

#if defined(__AVX512F__)
constexpr bool kWide = true;  // a whole block and its neighbours stay in registers
#else
constexpr bool kWide = false;
#endif
constexpr int kColumnsAtOnce = kWide ? 6 : 3;  // accumulators that fit the registers

// c = columns first, .. of C - sum of A B^T
SLIP_INLINE inline void Accumulate(const double* C, const double* L, const FactorUpdate* update,
                                   const FactorUpdate* end, int first, Row6* c) {
  Unroll<kColumnsAtOnce>([&](auto j) SLIP_INLINE {
    c[j] = C != nullptr ? Row6::LoadColumn(C + kStride6 * (first + j)) : Row6::Zero();
  });
  for (const FactorUpdate* u = update; u != end; ++u) {
    const double* A = L + u->a;
    const double* B = L + u->b + first;
    Unroll<6>([&](auto k) SLIP_INLINE {
      const Row6 a = Row6::LoadColumn(A + kStride6 * k);
      Unroll<kColumnsAtOnce>(
          [&](auto j) SLIP_INLINE { c[j].Subtract(a, Row6::Fill(B[kStride6 * k + j])); });
    });
  }
}

void SubtractProducts(const double* C, const double* L, const FactorUpdate* update,
                      const FactorUpdate* end, double* out) {
  for (int first = 0; first < 6; first += kColumnsAtOnce) {
    Row6 c[kColumnsAtOnce];
    Accumulate(C, L, update, end, first, c);
    Unroll<kColumnsAtOnce>([&](auto j)
                               SLIP_INLINE { c[j].StoreColumn(out + kStride6 * (first + j)); });
  }
}

// out = (C - sum of A B^T) X^T, X lower triangular and given by its transpose
SLIP_INLINE inline void EliminateBlock(const double* C, const double* L, const FactorUpdate* update,
                                       const FactorUpdate* end, const double* XT, double* out) {
  Row6 c[6];
  if constexpr (kWide) {
    Accumulate(C, L, update, end, 0, c);
  } else {
    alignas(64) double rest[kBlock6];
    SubtractProducts(C, L, update, end, rest);
    Unroll<6>([&](auto k) SLIP_INLINE { c[k] = Row6::LoadColumn(rest + kStride6 * k); });
  }
  Unroll<6>([&](auto j) SLIP_INLINE {
    Row6 sum = Row6::Zero();
    Unroll<j + 1>([&](auto k) SLIP_INLINE { sum.Add(c[k], Row6::Fill(XT[kStride6 * j + k])); });
    sum.StoreColumn(out + kStride6 * j);
  });
}

SLIP_INLINE inline void TransposeBlock(const double* from, double* to) {
  Row6 c[6];
  Unroll<6>([&](auto k) SLIP_INLINE { c[k] = Row6::LoadColumn(from + kStride6 * k); });
  Transpose(c);
  Unroll<6>([&](auto k) SLIP_INLINE { c[k].StoreColumn(to + kStride6 * k); });
}

alignas(64) constexpr double kUnit[6][8] = {{1},          {0, 1},          {0, 0, 1},
                                            {0, 0, 0, 1}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 1}};

// By C = M D M^T, M unit lower triangular, and X = D^-1/2 M^-1: between two pivots stands one
// division and no root.
SLIP_INLINE inline bool Invert(const double* C, double* X, double* XT) {
  bool positive = true;
  Row6 c[6], row[6];
  Unroll<6>([&](auto k) SLIP_INLINE { c[k] = Row6::LoadColumn(C + kStride6 * k); });
  double inverse[6];
  Unroll<6>([&](auto k) SLIP_INLINE {
    const double pivot = c[k].template Get<k>();
    positive = positive & (pivot > 0) & (pivot < 1e300);
    inverse[k] = 1 / pivot;
    const Row6 scale = Row6::Fill(inverse[k]);
    // the products are ready before the division is
    Unroll<6, k + 1>([&](auto j)
                         SLIP_INLINE { c[j] = c[j] - c[k] * c[k].template Splat<j>() * scale; });
    c[k] = c[k] * scale;  // column k of M below its diagonal
  });
  Unroll<6>([&](auto k) SLIP_INLINE {
    // row k of M^-1: e_k - sum_m M_km (row m)
    row[k] = Row6::LoadColumn(kUnit[k]);
    Unroll<k>([&](auto m) SLIP_INLINE { row[k].Subtract(row[m], c[m].template Splat<k>()); });
  });
  Unroll<6>([&](auto k) SLIP_INLINE {
    row[k] = row[k] * Row6::Fill(SquareRoot(inverse[k]));
    row[k].StoreColumn(XT + kStride6 * k);
  });
  Transpose(row);
  Unroll<6>([&](auto k) SLIP_INLINE { row[k].StoreColumn(X + kStride6 * k); });
  return positive;
}

bool InvertFactor(const double* C, double* X, double* XT) { return Invert(C, X, XT); }

// Columns follow each other so closely that the processor overlaps the inversion of one, a long
// chain of short operations, with the products of the next.
bool Factor(const FactorView& view, int first, int last, double shift, double* L) {
  const double* H = view.H;
  alignas(64) double C[kBlock6];
  for (int j = first; j < last; ++j) {
    const FactorColumn& column = view.columns[j];
    const double* diagonal = H + column.H;
    if (column.updates != column.updates_end || shift != 0) {
      SubtractProducts(diagonal, L, view.updates + column.updates,
                       view.updates + column.updates_end, C);
      for (int i = 0; shift != 0 && i < 6; ++i) {
        C[(kStride6 + 1) * i] += shift * diagonal[(kStride6 + 1) * i];
      }
      diagonal = C;
    }
    double* X = L + column.L;
    double* XT = X + kBlock6;
    if (!Invert(diagonal, X, XT)) return false;
    for (int m = column.blocks; m < column.blocks_end; ++m) {
      const FactorBlock& block = view.blocks[m];
      const double* from = block.H >= 0 ? H + block.H : nullptr;
      if (block.transposed) {
        TransposeBlock(from, C);
        from = C;
      }
      EliminateBlock(from, L, view.updates + block.updates, view.updates + block.updates_end, XT,
                     L + block.L);
    }
  }
  return true;
}

// y = A x by columns, in two chains of sums
SLIP_INLINE inline Row6 Multiply(const double* A, const double* x) {
  Row6 even = Row6::LoadColumn(A) * Row6::Fill(x[0]);
  Row6 odd = Row6::LoadColumn(A + kStride6) * Row6::Fill(x[1]);
  even.Add(Row6::LoadColumn(A + 2 * kStride6), Row6::Fill(x[2]));
  odd.Add(Row6::LoadColumn(A + 3 * kStride6), Row6::Fill(x[3]));
  even.Add(Row6::LoadColumn(A + 4 * kStride6), Row6::Fill(x[4]));
  odd.Add(Row6::LoadColumn(A + 5 * kStride6), Row6::Fill(x[5]));
  return even + odd;
}

void Solve(const FactorView& view, const double* L, int first, int last, double* x) {
  for (int j = first; j < last; ++j) {
    const FactorColumn& column = view.columns[j];
    double* xj = x + column.x;
    Multiply(L + column.L, xj).Store(xj);
    for (int m = column.blocks; m < column.blocks_end; ++m) {
      const FactorBlock& block = view.blocks[m];
      double* xi = x + block.x;
      (Row6::LoadFresh(xi) - Multiply(L + block.L, xj)).Store(xi);
    }
  }
  for (int j = last - 1; j >= first; --j) {
    const FactorColumn& column = view.columns[j];
    double* xj = x + column.x;
    if (column.blocks != column.blocks_end) {
      Row6 sum[6];
      Unroll<6>([&](auto k) SLIP_INLINE { sum[k] = Row6::Zero(); });
      for (int m = column.blocks; m < column.blocks_end; ++m) {
        const FactorBlock& block = view.blocks[m];
        const Row6 xi = Row6::LoadFresh(x + block.x);
        Unroll<6>([&](auto k) SLIP_INLINE {
          sum[k].Add(Row6::LoadColumn(L + block.L + kStride6 * k), xi);
        });
      }
      (Row6::LoadFresh(xj) - Sums(sum)).Store(xj);
    }
    Multiply(L + column.L + kBlock6, xj).Store(xj);
  }
}

void MultiplySymmetric(const FactorView& view, int first, int last, const double* x, double* y) {
  for (int j = first; j < last; ++j) {
    const FactorColumn& column = view.columns[j];
    const double* xj = x + column.x;
    Row6 sum[6];
    Unroll<6>([&](auto k) SLIP_INLINE { sum[k] = Row6::Zero(); });
    for (int m = column.blocks; m < column.blocks_end; ++m) {
      const FactorBlock& block = view.blocks[m];
      const double* B = view.H + block.H;
      const Row6 xi = Row6::Load(x + block.x);
      Unroll<6>([&](auto k) SLIP_INLINE { sum[k].Add(Row6::LoadColumn(B + kStride6 * k), xi); });
      double* yi = y + block.x;
      (Row6::LoadFresh(yi) + Multiply(B, xj)).Store(yi);
    }
    double* yj = y + column.x;
    (Row6::LoadFresh(yj) + Multiply(view.H + column.H, xj) + Sums(sum)).Store(yj);
  }
}

void MultiplyDiagonal(const double* A, int count, const double* x, double* y) {
  for (int i = 0; i < count; ++i, A += 36, x += 6, y += 6) {
    Row6 even = Row6::Zero(), odd = Row6::Zero();
    Unroll<3>([&](auto k) SLIP_INLINE {
      even.Add(Row6::Load(A + 12 * k), Row6::Fill(x[2 * k]));
      odd.Add(Row6::Load(A + 12 * k + 6), Row6::Fill(x[2 * k + 1]));
    });
    (even + odd).Store(y);
  }
}

void ContactSteps(const PairView& view, int first, int last, const double* x, double* y) {
  for (int k = first; k < last; ++k) {
    const PairBlock& pair = view.pairs[k];
    const double* J = view.J + pair.J;
    const Row6 row = Row6::Load(x + pair.x_row);
    if (pair.x_col < 0) {
      for (int i = pair.begin; i < pair.end; ++i, J += 18) {
        Row6 sum[3];
        Unroll<3>([&](auto r) SLIP_INLINE { sum[r] = Row6::Load(J + 6 * r) * row; });
        Sums3(sum, y + i * view.stride);
      }
      continue;
    }
    const Row6 col = Row6::Load(x + pair.x_col);
    for (int i = pair.begin; i < pair.end; ++i, J += 36) {
      Row6 sum[3];
      Unroll<3>([&](auto r) SLIP_INLINE {
        sum[r] = Row6::Load(J + 6 * r) * row;
        sum[r].Add(Row6::Load(J + 18 + 6 * r), col);
      });
      Sums3(sum, y + i * view.stride);
    }
  }
}

void ImpulseSum(const PairView& view, int first, int last, const double* gamma, double* y) {
  for (int k = first; k < last;) {
    const int x_row = view.pairs[k].x_row;
    Row6 row = Row6::LoadFresh(y + x_row);
    // pairs of one first body stand side by side
    for (; k < last && view.pairs[k].x_row == x_row; ++k) {
      const PairBlock& pair = view.pairs[k];
      const double* J = view.J + pair.J;
      const bool two = pair.x_col >= 0;
      Row6 col = two ? Row6::LoadFresh(y + pair.x_col) : Row6::Zero();
      for (int i = pair.begin; i < pair.end; ++i, J += two ? 36 : 18) {
        const double* g = gamma + i * view.stride;
        if (g[0] == 0 && g[1] == 0 && g[2] == 0) continue;  // half of a pile's contacts
        Unroll<3>([&](auto r) SLIP_INLINE { row.Add(Row6::Load(J + 6 * r), Row6::Fill(g[r])); });
        if (two) {
          Unroll<3>([&](auto r)
                        SLIP_INLINE { col.Add(Row6::Load(J + 18 + 6 * r), Row6::Fill(g[r])); });
        }
      }
      if (two) col.Store(y + pair.x_col);
    }
    row.Store(y + x_row);
  }
}

// A positive semi-definite G without a diagonal: half of a pile's contacts.
SLIP_INLINE inline bool IsZero(const double* G) { return G[0] == 0 && G[4] == 0 && G[8] == 0; }

// rows of G J
SLIP_INLINE inline void ScaleRows(const double* G, const double* J, Row6* out) {
  const Row6 a = Row6::Load(J), b = Row6::Load(J + 6), c = Row6::Load(J + 12);
  Unroll<3>([&](auto r) SLIP_INLINE {
    out[r] = a * Row6::Fill(G[r]);
    out[r].Add(b, Row6::Fill(G[3 + r]));
    out[r].Add(c, Row6::Fill(G[6 + r]));
  });
}

// columns first, .. of a block += (G J)^T J
SLIP_INLINE inline void AddProducts(const Row6* GJ, const double* J, Row6* c) {
  Unroll<3>([&](auto r) SLIP_INLINE {
    Unroll<kColumnsAtOnce>([&](auto j) SLIP_INLINE { c[j].Add(GJ[r], Row6::Fill(J[6 * r + j])); });
  });
}

SLIP_INLINE inline void LoadBlock(const double* from, Row6* c) {
  Unroll<kColumnsAtOnce>([&](auto j) SLIP_INLINE { c[j] = Row6::LoadColumn(from + kStride6 * j); });
}
SLIP_INLINE inline void StoreBlock(const Row6* c, double* to) {
  Unroll<kColumnsAtOnce>([&](auto j) SLIP_INLINE { c[j].StoreColumn(to + kStride6 * j); });
}

// All sums of a row of pairs in registers.
void AssembleWide(const PairView& view, int first, int last, const double* G, const double* A,
                  double* H) {
  for (int k = first; k < last;) {
    const int H_row = view.pairs[k].H_row;
    Row6 row[kColumnsAtOnce];
    if (view.pairs[k].A >= 0) {
      Unroll<kColumnsAtOnce>([&](auto j)
                                 SLIP_INLINE { row[j] = Row6::Load(A + view.pairs[k].A + 6 * j); });
    } else {
      LoadBlock(H + H_row, row);
    }
    for (; k < last && view.pairs[k].H_row == H_row; ++k) {
      const PairBlock& pair = view.pairs[k];
      const double* J = view.J + pair.J;
      if (pair.x_col < 0) {
        for (int i = pair.begin; i < pair.end; ++i, J += 18) {
          if (IsZero(G + i * view.stride)) continue;
          Row6 GJ[3];
          ScaleRows(G + i * view.stride, J, GJ);
          AddProducts(GJ, J, row);
        }
        continue;
      }
      Row6 col[kColumnsAtOnce], off[kColumnsAtOnce];
      LoadBlock(H + pair.H_col, col);
      Unroll<kColumnsAtOnce>([&](auto j) SLIP_INLINE { off[j] = Row6::Zero(); });
      for (int i = pair.begin; i < pair.end; ++i, J += 36) {
        if (IsZero(G + i * view.stride)) continue;
        Row6 GJ[3];
        ScaleRows(G + i * view.stride, J, GJ);
        AddProducts(GJ, J, row);
        AddProducts(GJ, J + 18, off);
        ScaleRows(G + i * view.stride, J + 18, GJ);
        AddProducts(GJ, J + 18, col);
      }
      StoreBlock(col, H + pair.H_col);
      StoreBlock(off, H + pair.H);
    }
    StoreBlock(row, H + H_row);
  }
}

// Half a block at a time in registers, the rows of G J in memory.
void AssembleNarrow(const PairView& view, int first, int last, const double* G, const double* A,
                    double* H) {
  constexpr int kContacts = 4;  // at once
  alignas(64) double scaled[kContacts][6][8];
  const double* rows[kContacts];  // of J
  const auto add = [&](int count, int row, int offset, double* block) SLIP_INLINE {
    for (int half = 0; half < 6; half += kColumnsAtOnce) {
      Row6 c[kColumnsAtOnce];
      LoadBlock(block + kStride6 * half, c);
      for (int i = 0; i < count; ++i) {
        Row6 GJ[3];
        Unroll<3>([&](auto r) SLIP_INLINE { GJ[r] = Row6::Load(scaled[i][row + r]); });
        AddProducts(GJ, rows[i] + offset + half, c);
      }
      StoreBlock(c, block + kStride6 * half);
    }
  };
  for (int k = first; k < last; ++k) {
    const PairBlock& pair = view.pairs[k];
    if (pair.A >= 0) {
      Unroll<6>([&](auto j) SLIP_INLINE {
        Row6::Load(A + pair.A + 6 * j).StoreColumn(H + pair.H_row + kStride6 * j);
      });
    }
    const bool two = pair.x_col >= 0;
    if (two) {
      Unroll<6>([&](auto j) SLIP_INLINE { Row6::Zero().StoreColumn(H + pair.H + kStride6 * j); });
    }
    const double* J = view.J + pair.J;
    for (int i = pair.begin; i < pair.end;) {
      int count = 0;
      for (; i < pair.end && count < kContacts; ++i, J += two ? 36 : 18) {
        const double* own = G + i * view.stride;
        if (IsZero(own)) continue;
        for (int body = 0; body < (two ? 2 : 1); ++body) {
          Row6 GJ[3];
          ScaleRows(own, J + 18 * body, GJ);
          Unroll<3>([&](auto r) SLIP_INLINE { GJ[r].Store(scaled[count][3 * body + r]); });
        }
        rows[count++] = J;
      }
      add(count, 0, 0, H + pair.H_row);
      if (two) {
        add(count, 0, 18, H + pair.H);
        add(count, 3, 18, H + pair.H_col);
      }
    }
  }
}

constexpr Kernels6 MakeKernels6(const char* name) {
  return {name,
          SubtractProducts,
          InvertFactor,
          Factor,
          Solve,
          MultiplySymmetric,
          MultiplyDiagonal,
          ContactSteps,
          ImpulseSum,
          kWide ? AssembleWide : AssembleNarrow};
}

}  // namespace
}  // namespace slip
