// The bodies of another run of the session as a ghost: one neutral colour, thin and dashed, so that
// nobody takes it for a model.
#pragma once

#include "render/scene/draw_list.h"

namespace slip::render {

/// Snapshot::ghost as a snapshot of its own, with the one channel that is drawn beside the lead.
class RunGhost {
 public:
  /// Fills itself from what the request shows; false when there is nothing to draw.
  bool Take(const Snapshot& snapshot, const ViewRequest& request);
  /// The same of a recorded run of the request.
  bool TakeForeign(const Snapshot& snapshot, const ViewRequest& request, std::size_t index);
  /// Behind all that the list holds already, but shadows: those of the lead come last.
  void AppendBodies(const DrawContext& context, DrawList* list) const;
  void AppendShadows(const DrawContext& context, DrawList* list) const;
  void AppendOutlines(const DrawContext& context, DrawList* list) const;

 private:
  void Fill(const Snapshot& snapshot, const ViewRequest& request,
            std::shared_ptr<const Model> model, const std::vector<BodyFrame>& bodies);
  DrawContext ContextOf(const DrawContext& context) const;

  Snapshot snapshot_;
  ViewRequest request_;
  int foreign_ = -1;
};

}  // namespace slip::render
