#include "engine/fclib/fclib_sparse.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/core/numbers.h"

namespace slip {
namespace {

/// Largest number of rows or columns.
constexpr double kMostSparseSize = 1 << 20;

class SparseReader {
 public:
  SparseReader(const FclibMessage& message, const std::string& group)
      : message_(message), group_(group) {}

  const std::string& problem() const { return problem_; }

  /// A single whole number.
  int Whole(const char* name, double least, double most) {
    const std::vector<double>* found = Array(name);
    if (found == nullptr) return 0;
    if (found->size() != 1) return Refuse(name, "must be one number");
    const double x = found->front();
    if (!(x >= least && x <= most) || x != std::floor(x))
      return Refuse(
          name, fmt::format("must be a whole number from {} to {} (found {:.9g})", least, most, x));
    return static_cast<int>(x);
  }
  const std::vector<double>* Array(const char* name) {
    const std::vector<double>* found = message_.Find(group_ + "/" + name);
    if (found == nullptr) Refuse(name, "is missing");
    return problem_.empty() ? found : nullptr;
  }
  /// Entry k of an array of places, which has to be below `end`.
  int Place(const std::vector<double>& array, std::size_t k, const char* name, int end) {
    const double x = array[k];
    if (x >= 0 && x < end && x == std::floor(x)) return static_cast<int>(x);
    return Refuse(name,
                  fmt::format("[{}] must be a whole number below {} (found {:.9g})", k, end, x));
  }
  int Refuse(const std::string& name, const std::string& what) {
    if (problem_.empty())
      problem_ = group_ + "/" + name + (what.starts_with('[') ? "" : " ") + what;
    return 0;
  }

 private:
  const FclibMessage& message_;
  const std::string& group_;
  std::string problem_;
};

/// By columns or rows: `begins` has where each of `lines` begins, and the end.
void ReadCompressed(const std::vector<double>& begins, const std::vector<double>& across,
                    const std::vector<double>& x, bool by_rows, SparseMatrix* out,
                    SparseReader* reader) {
  const int lines = by_rows ? out->rows : out->columns, end = by_rows ? out->columns : out->rows;
  const int most = static_cast<int>(std::min(across.size(), x.size()));
  if (static_cast<int>(begins.size()) < lines + 1) {
    reader->Refuse("p", fmt::format("must have {} numbers (found {})", lines + 1, begins.size()));
    return;
  }
  int at = reader->Place(begins, 0, "p", 1);
  for (int line = 0; line < lines && reader->problem().empty(); ++line) {
    const int to = reader->Place(begins, static_cast<std::size_t>(line) + 1, "p", most + 1);
    if (to < at) reader->Refuse("p", "must not fall");
    for (; at < to && reader->problem().empty(); ++at) {
      const int other = reader->Place(across, static_cast<std::size_t>(at), "i", end);
      out->entries.push_back({by_rows ? line : other, by_rows ? other : line, At(x, at)});
    }
  }
}

}  // namespace

std::string ReadSparse(const FclibMessage& message, const std::string& group, SparseMatrix* out) {
  SparseReader reader(message, group);
  out->rows = reader.Whole("m", 1, kMostSparseSize);
  out->columns = reader.Whole("n", 1, kMostSparseSize);
  const int nz = reader.Whole("nz", -2, static_cast<double>(kMostFclibNumbers));
  const std::vector<double>*p = reader.Array("p"), *i = reader.Array("i"), *x = reader.Array("x");
  if (!reader.problem().empty()) return reader.problem();
  if (nz < 0) {
    ReadCompressed(*p, *i, *x, nz == -2, out, &reader);
  } else {
    const auto count = static_cast<std::size_t>(nz);
    if (p->size() < count || i->size() < count || x->size() < count)
      reader.Refuse("nz", fmt::format("is {}, but there are {}, {} and {} numbers in p, i and x",
                                      nz, p->size(), i->size(), x->size()));
    for (std::size_t k = 0; k < count && reader.problem().empty(); ++k)
      out->entries.push_back(
          {reader.Place(*i, k, "i", out->rows), reader.Place(*p, k, "p", out->columns), (*x)[k]});
  }
  for (const SparseEntry& entry : out->entries)
    if (!std::isfinite(entry.x)) reader.Refuse("x", "must be finite");
  return reader.problem();
}

}  // namespace slip
