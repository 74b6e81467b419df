// Fill-reducing elimination order of a sparse symmetric matrix of blocks: approximate minimum
// degree on a quotient graph (Amestoy, Davis, Duff 1996), without supervariables.
#pragma once

#include <span>
#include <utility>
#include <vector>

namespace slip {

/// Undirected edge between two nodes; the order of the ends does not matter.
using BlockEdge = std::pair<int, int>;

class MinimumDegree {
 public:
  /// Orders nodes 0..sizes.size()-1 of the graph with these edges (no loops, no repeats). `sizes`
  /// are the numbers of scalar rows of a node and weigh the degrees. Deterministic; allocates only
  /// while graphs grow.
  void Compute(std::span<const int> sizes, std::span<const BlockEdge> edges);

  /// Elimination order: order()[k] is the node eliminated k-th.
  std::span<const int> order() const { return order_; }
  /// Nodes eliminated after `node` that its column of the factor holds, unsorted.
  std::span<const int> Column(int node) const {
    const auto i = static_cast<std::size_t>(node);
    return {pool_.data() + element_begin_[i], static_cast<std::size_t>(element_length_[i])};
  }

 private:
  void Begin(std::span<const int> sizes, std::span<const BlockEdge> edges);
  // Steps count from 1; what a step has touched is marked with its number.
  int Eliminate(int node, int step);
  void WeighOutside(std::span<const int> column, int step);
  void Update(int node, int eliminated, int weight, int step);
  void Insert(int node);
  void Remove(int node);
  int PopMinimum();

  // lists of a live node: its elements, then its variables, in place of its first neighbours
  std::vector<int> begin_, elements_, length_, lists_;
  // an eliminated node is an element; its list of live neighbours is appended to the pool
  std::vector<int> element_begin_, element_length_, pool_;
  std::vector<int> degree_, weight_outside_, stamp_, mark_, order_, sizes_;
  std::vector<char> absorbed_;
  std::vector<int> head_, tail_, next_, previous_;  // nodes by degree
  int lowest_ = 0, remaining_ = 0;                  // a degree; scalar rows
};

}  // namespace slip
