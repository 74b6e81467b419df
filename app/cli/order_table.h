// How the errors of a sweep fall with the time step, as a table for people.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/run/study/sweep_plan.h"

namespace slip::app {

class OrderTable {
 public:
  /// In the order of the grid. Rows that differ in nothing but the time step make one line.
  void Add(const SweepPlan& plan, std::size_t run, double error);
  /// Smallest error and fitted order of each line, with the steps between which it holds.
  std::string Table() const;

 private:
  struct Line {
    std::string where, model;
    std::vector<std::pair<double, double>> errors;  // by step
  };
  std::vector<Line> lines_;
};

}  // namespace slip::app
