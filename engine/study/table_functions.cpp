// What table expressions can do with lists.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/core/numbers.h"
#include "engine/study/table_expression.h"

namespace slip {
namespace {

using Lists = std::span<const NumberList>;

bool SameLength(Lists lists, std::string* error) {
  if (lists[0].size() == lists[1].size()) return true;
  *error = fmt::format("needs lists of one length, found {} and {} values", lists[0].size(),
                       lists[1].size());
  return false;
}

/// A NaN in it is one of the result: what was not measured shows nothing.
template <class Reduce>
NumberList ReduceList(const NumberList& list, Reduce reduce) {
  if (list.empty()) return {kNaN};
  for (const double value : list)
    if (std::isnan(value)) return {kNaN};
  return {reduce(list)};
}

NumberList Max(Lists l, std::string*) {
  return ReduceList(l[0], [](const auto& v) { return *std::max_element(v.begin(), v.end()); });
}
NumberList Min(Lists l, std::string*) {
  return ReduceList(l[0], [](const auto& v) { return *std::min_element(v.begin(), v.end()); });
}
double SumOf(const NumberList& v) { return std::accumulate(v.begin(), v.end(), 0.0); }
NumberList Sum(Lists l, std::string*) { return ReduceList(l[0], SumOf); }
double MeanOf(const NumberList& v) { return SumOf(v) / static_cast<double>(v.size()); }
NumberList Mean(Lists l, std::string*) { return ReduceList(l[0], MeanOf); }
NumberList Rms(Lists l, std::string*) {
  return ReduceList(l[0], [](const auto& v) {
    return std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0) /
                     static_cast<double>(v.size()));
  });
}
NumberList Median(Lists l, std::string*) {
  return ReduceList(l[0], [](NumberList v) {
    std::sort(v.begin(), v.end());
    return (v[(v.size() - 1) / 2] + v[v.size() / 2]) / 2;
  });
}
NumberList Spread(Lists l, std::string*) {
  return ReduceList(l[0], [](const auto& v) {
    const auto [low, high] = std::minmax_element(v.begin(), v.end());
    return *high - *low;
  });
}
NumberList First(Lists l, std::string*) { return {l[0].empty() ? kNaN : l[0].front()}; }
NumberList Last(Lists l, std::string*) { return {l[0].empty() ? kNaN : l[0].back()}; }
NumberList Count(Lists l, std::string*) { return {static_cast<double>(l[0].size())}; }

template <double (*function)(double)>
NumberList Each(Lists l, std::string*) {
  NumberList out = l[0];
  for (double& value : out) value = function(value);
  return out;
}

NumberList Head(Lists l, std::string*) {
  const double wanted = l[1].empty() ? 0 : std::max(0.0, l[1][0]);
  const auto count = std::min(static_cast<double>(l[0].size()), wanted);
  return {l[0].begin(), l[0].begin() + static_cast<std::ptrdiff_t>(count)};
}
NumberList Tail(Lists l, std::string*) {
  const double wanted = l[1].empty() ? 0 : std::max(0.0, l[1][0]);
  const auto count = std::min(static_cast<double>(l[0].size()), wanted);
  return {l[0].end() - static_cast<std::ptrdiff_t>(count), l[0].end()};
}
NumberList Join(Lists l, std::string*) {
  NumberList out;
  for (const NumberList& list : l) out.insert(out.end(), list.begin(), list.end());
  return out;
}
NumberList Diff(Lists l, std::string*) {
  NumberList out;
  for (std::size_t i = 1; i < l[0].size(); ++i) out.push_back(l[0][i] - l[0][i - 1]);
  return out;
}
NumberList Where(Lists l, std::string* error) {
  NumberList out;
  if (!SameLength(l, error)) return out;
  for (std::size_t i = 0; i < l[0].size(); ++i)
    if (l[1][i] != 0) out.push_back(l[0][i]);
  return out;
}
/// ln(e1/e2)/ln(h1/h2) of neighbours.
NumberList Order(Lists l, std::string* error) {
  NumberList out;
  if (!SameLength(l, error)) return out;
  for (std::size_t i = 1; i < l[0].size(); ++i)
    out.push_back(std::log(l[1][i - 1] / l[1][i]) / std::log(l[0][i - 1] / l[0][i]));
  return out;
}
/// Least squares through the logarithms.
NumberList Slope(Lists l, std::string* error) {
  if (!SameLength(l, error)) return {};
  const auto n = static_cast<double>(l[0].size());
  double x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < l[0].size(); ++i) {
    const double a = std::log(l[0][i]), b = std::log(l[1][i]);
    x += a;
    y += b;
    xx += a * a;
    xy += a * b;
  }
  return {(n * xy - x * y) / (n * xx - x * x)};
}
/// y at a place between the points, whose x ascend or descend; NaN outside of them.
NumberList Interpolate(Lists l, std::string* error) {
  NumberList out;
  if (!SameLength(l, error)) return out;
  const NumberList &x = l[0], &y = l[1];
  for (const double at : l[2]) {
    double found = kNaN;
    for (std::size_t i = 1; i < x.size() && std::isnan(found); ++i) {
      if ((at - x[i - 1]) * (at - x[i]) > 0) continue;
      const double part = x[i] == x[i - 1] ? 0 : (at - x[i - 1]) / (x[i] - x[i - 1]);
      found = y[i - 1] + part * (y[i] - y[i - 1]);
    }
    out.push_back(found);
  }
  return out;
}
/// By the trapezoidal rule.
NumberList Integral(Lists l, std::string* error) {
  if (!SameLength(l, error)) return {};
  double sum = 0;
  for (std::size_t i = 1; i < l[0].size(); ++i)
    sum += (l[0][i] - l[0][i - 1]) * (l[1][i] + l[1][i - 1]) / 2;
  return {sum};
}
/// Of the upward crossings of the straight line through the samples, their first and their last:
/// crossings between over the time between.
NumberList Frequency(Lists l, std::string* error) {
  if (!SameLength(l, error)) return {};
  const NumberList &t = l[0], &y = l[1];
  const auto n = static_cast<double>(t.size());
  if (t.size() < 3) return {kNaN};
  const double mt = MeanOf(t), my = MeanOf(y);
  double tt = 0, ty = 0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    tt += (t[i] - mt) * (t[i] - mt);
    ty += (t[i] - mt) * (y[i] - my);
  }
  const double slope = n > 2 && tt > 0 ? ty / tt : 0;
  const auto above = [&](std::size_t i) { return y[i] - my - slope * (t[i] - mt); };
  NumberList crossings;
  for (std::size_t i = 1; i < t.size(); ++i) {
    const double a = above(i - 1), b = above(i);
    if (a < 0 && b >= 0) crossings.push_back(t[i - 1] + (t[i] - t[i - 1]) * a / (a - b));
  }
  if (crossings.size() < 2) return {kNaN};
  return {static_cast<double>(crossings.size() - 1) / (crossings.back() - crossings.front())};
}
NumberList Ranks(const NumberList& list) {
  std::vector<std::size_t> order(list.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return list[a] < list[b]; });
  NumberList ranks(list.size());
  for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = static_cast<double>(i);
  return ranks;
}
NumberList RankCorrelation(Lists l, std::string* error) {
  if (!SameLength(l, error)) return {};
  const NumberList a = Ranks(l[0]), b = Ranks(l[1]);
  if (a.size() < 2) return {kNaN};
  const double middle = static_cast<double>(a.size() - 1) / 2;
  double ab = 0, aa = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - middle) * (b[i] - middle);
    aa += (a[i] - middle) * (a[i] - middle);
  }
  return {ab / aa};
}

double Log10(double x) { return std::log10(x); }
double Ln(double x) { return std::log(x); }
double Exp(double x) { return std::exp(x); }
double Sqrt(double x) { return std::sqrt(x); }
double Sin(double x) { return std::sin(x); }
double Cos(double x) { return std::cos(x); }
double Tan(double x) { return std::tan(x); }
double Abs(double x) { return std::abs(x); }

// clang-format off
constexpr TableFunction kFunctions[] = {
    {"max", 1, 1, Max, "Largest."},
    {"min", 1, 1, Min, "Smallest."},
    {"mean", 1, 1, Mean, "Mean."},
    {"median", 1, 1, Median, "Median."},
    {"rms", 1, 1, Rms, "Root of the mean square."},
    {"sum", 1, 1, Sum, "Sum."},
    {"spread", 1, 1, Spread, "Largest less smallest."},
    {"first", 1, 1, First, "The first one."},
    {"last", 1, 1, Last, "The last one."},
    {"count", 1, 1, Count, "How many."},
    {"head", 2, 2, Head, "head(list, n): the first n."},
    {"tail", 2, 2, Tail, "tail(list, n): the last n."},
    {"join", 1, 12, Join, "One list after the other."},
    {"diff", 1, 1, Diff, "Differences of neighbours."},
    {"where", 2, 2, Where, "where(list, condition): those for which it holds."},
    {"order", 2, 2, Order, "order(h, e): ln(e1/e2)/ln(h1/h2) of neighbours."},
    {"slope", 2, 2, Slope, "slope(x, y): of the straight line through the logarithms."},
    {"interpolate", 3, 3, Interpolate, "interpolate(x, y, at): y between the points."},
    {"integral", 2, 2, Integral, "integral(t, y), trapezoidal."},
    {"frequency", 2, 2, Frequency, "frequency(t, y): upward crossings of the trend over time."},
    {"rank_correlation", 2, 2, RankCorrelation, "Of Spearman."},
    {"abs", 1, 1, Each<Abs>, "Size."},
    {"sqrt", 1, 1, Each<Sqrt>, "Square root."},
    {"log", 1, 1, Each<Log10>, "Decimal logarithm."},
    {"ln", 1, 1, Each<Ln>, "Natural logarithm."},
    {"exp", 1, 1, Each<Exp>, "Exponential."},
    {"sin", 1, 1, Each<Sin>, "Sine."},
    {"cos", 1, 1, Each<Cos>, "Cosine."},
    {"tan", 1, 1, Each<Tan>, "Tangent."},
};
// clang-format on

}  // namespace

std::span<const TableFunction> TableFunctions() { return kFunctions; }

}  // namespace slip
