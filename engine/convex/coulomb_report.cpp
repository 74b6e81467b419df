#include "engine/convex/coulomb_report.h"

#include <fmt/format.h>

namespace slip {
namespace {

std::string CountIslands(int count) {
  return fmt::format("{} island{}", count, count == 1 ? "" : "s");
}

// The label of the step, and what it means.
std::string Certificate(const CoulombNumbers& n, double mismatch) {
  if (n.unsolved > 0) return mismatch > kUnstableMismatch ? "none" : "unstable";
  if (n.round_off > 0) return "at round-off";
  return n.several > 0 ? "certified, one of several" : "certified";
}

std::string Sentence(const CoulombNumbers& n, double mismatch) {
  if (n.unsolved == 0) return "";
  if (mismatch <= kUnstableMismatch)
    return fmt::format(
        "Only an unstable solution (index -1) found in {}: it solves the step, but there are "
        "others",
        CountIslands(n.unsolved));
  return fmt::format(
      "No solution found in {}: a Lagged step there, with bounds of friction that are wrong by up "
      "to {:.3g} N{}",
      CountIslands(n.unsolved), mismatch,
      n.stage == 5 ? ". What is driven may have none: no solution is guaranteed here" : "");
}

std::string Stages(const CoulombNumbers& n) {
  std::string text = n.stage >= 4 ? "none found it" : "of 3";
  if (n.folds > 0) text += fmt::format(", {} fold{}", n.folds, n.folds == 1 ? "" : "s");
  return text;
}

}  // namespace

OwnNumbers CoulombNumbers::Pack() const {
  return {.count = 8,
          .value = {relative, newtons, static_cast<double>(stage), static_cast<double>(folds),
                    static_cast<double>(untested), static_cast<double>(several),
                    static_cast<double>(unsolved), static_cast<double>(round_off)}};
}

CoulombNumbers CoulombNumbers::Unpack(const OwnNumbers& own) {
  if (own.count != 8) return {};
  const auto count = [&](std::size_t i) { return static_cast<int>(own.value[i]); };
  return {.relative = own.value[0],
          .newtons = own.value[1],
          .stage = count(2),
          .folds = count(3),
          .untested = count(4),
          .several = count(5),
          .unsolved = count(6),
          .round_off = count(7)};
}

void CoulombReport::Report(const SolvedStep& step, StepReport* report) {
  const SolveSummary& s = step.solve;
  const CoulombNumbers n = CoulombNumbers::Unpack(s.own);
  Figure work = IterationsFigure(s, step.params, "Factorisations");
  report->figures = {
      {.id = "coulomb_residual",
       .caption = "Certificate",
       .value = n.relative,
       .suffix = Certificate(n, s.mismatch),
       .counts = false,
       .tip = "Residual of momentum with friction bound to the normal impulses of this very step, "
              "relative. Below 1e-8 the step solves Coulomb's equations, with the stiction "
              "tolerance. Where several solutions exist, one of them was taken: the first that the "
              "stages reach."},
      {.id = "coulomb_residual_N",
       .caption = "In newtons",
       .value = n.newtons,
       .suffix = "N or N m",
       .counts = false},
      work,
      {.id = "stage",
       .caption = "Stage",
       .value = static_cast<double>(n.stage),
       .suffix = Stages(n),
       .tip = "1: Newton on the coupled equations. 2: a fixed point over Lagged steps, or the root "
              "of a single contact. 3: a path from a Lagged step. 4: none found a solution."},
      {.id = "several",
       .caption = "One of several",
       .value = static_cast<double>(n.several),
       .suffix = n.several == 1 ? "island" : "islands"},
      {.id = "index_untested",
       .caption = "Index not tested",
       .value = static_cast<double>(n.untested),
       .suffix = n.untested == 1 ? "island" : "islands",
       .tip = "The index of a solution is the sign of a determinant: +1 wherever it was computed, "
              "since others are not taken. In islands of more than 420 coordinates it is not."},
      {.id = "folds", .caption = "Folds", .value = static_cast<double>(n.folds)},
      {.id = "unsolved",
       .caption = "No solution found",
       .value = static_cast<double>(n.unsolved),
       .suffix = n.unsolved == 1 ? "island" : "islands"},
      {.id = "mismatch_N",
       .caption = "Mismatch",
       .value = s.mismatch,
       .suffix = "N",
       .counts = false,
       .tip = "Where no solution was found: what the bounds of friction lack, at most."},
      {.id = "condition",
       .caption = "Condition κ",
       .value = s.condition_number,
       .suffix = fmt::format("raw {:.4g}", s.condition_number_raw),
       .counts = false,
       .signal = "condition_number",
       .tip = "Of the symmetric part, scaled to unit inertia."},
      {.id = "size",
       .caption = "System",
       .value = static_cast<double>(s.system_size),
       .suffix = CountIslands(s.islands),
       .times = static_cast<double>(s.system_size)},
      {.id = "contacts", .caption = "Contacts", .value = static_cast<double>(s.contacts)},
      BalanceFigure(s, "Momentum residual"),
  };
  report->status = Sentence(n, s.mismatch);
  report->tolerance = 1e-8;
}

}  // namespace slip
