// The tree of boxes over a mesh's triangles: split at the median of the longest side.
#include <algorithm>
#include <numeric>

#include "engine/core/thread_stop.h"
#include "engine/geometry/mesh.h"

namespace slip {
namespace {

/// Small enough that few triangles are tested in vain, large enough for a shallow tree.
constexpr int kLeafSize = 4;

struct Builder {
  TriangleMesh* mesh;
  std::vector<Vec3> centers;
  bool stopped = false;

  // Returns the index of the node over tree_order[first, last).
  int Build(int first, int last) {
    constexpr int kLarge = 4096;  // triangles whose node takes a while
    const int index = static_cast<int>(mesh->tree.size());
    mesh->tree.emplace_back();
    if (last - first >= kLarge && !stopped) stopped = ThreadStop::Asked();
    if (stopped) return index;
    Eigen::AlignedBox3d box, center_box;
    for (int i = first; i < last; ++i) {
      const int t = mesh->tree_order[i];
      center_box.extend(centers[t]);
      for (int v : mesh->triangles[t]) box.extend(mesh->vertices[v]);
    }
    int right = first, count = last - first;
    if (count > kLeafSize) {
      Eigen::Index axis = 0;
      center_box.sizes().maxCoeff(&axis);
      const auto begin = mesh->tree_order.begin();
      const int middle = first + (last - first) / 2;
      // ties by index: the same tree on every machine
      std::nth_element(begin + first, begin + middle, begin + last, [&](int a, int b) {
        const double ca = centers[a][axis];
        const double cb = centers[b][axis];
        return ca != cb ? ca < cb : a < b;
      });
      Build(first, middle);
      right = Build(middle, last);
      count = 0;
    }
    mesh->tree[index] = {box.min(), box.max(), right, count};
    return index;
  }
};

}  // namespace

void BuildMeshTree(TriangleMesh* mesh) {
  mesh->tree.clear();
  mesh->tree_order.resize(mesh->triangles.size());
  std::iota(mesh->tree_order.begin(), mesh->tree_order.end(), 0);
  if (mesh->triangles.empty()) return;
  Builder builder{mesh, {}, false};
  builder.centers.reserve(mesh->triangles.size());
  for (const auto& t : mesh->triangles)
    builder.centers.push_back((mesh->vertices[t[0]] + mesh->vertices[t[1]] + mesh->vertices[t[2]]) /
                              3);
  builder.Build(0, static_cast<int>(mesh->triangles.size()));
}

}  // namespace slip
