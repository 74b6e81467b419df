// Where the card of a message hides the least.
#pragma once

#include <vector>

#include "app/session/session.h"
#include "app/state/frame_marks.h"
#include "app/state/message_card.h"
#include "app/view/pane.h"

namespace slip::app {

/// Notes where the bodies are now. Of a pile only when a card is to be `placed`: it has many.
void SeeBodies(const Session& session, const std::vector<Pane>& panes, const Rect& view,
               bool placed, SeenBodies* bodies);

struct CardPlace {
  ImVec2 at{0, 0};
  float hidden = 0;  ///< squares of bodies under it, those of a while ago too
};
/// No readout under it if that can be, then as little as can be of where bodies are or were, then
/// the nearest to the middle of the lower border.
CardPlace FindCardPlace(const SeenBodies& bodies, double now, ImVec2 size, const Rect& view,
                        const FrameMarks& marks);
/// A body is under it now.
bool HidesBody(const SeenBodies& bodies, double now, const Rect& card, const Rect& view);

}  // namespace slip::app
