// Messages: the card over the picture, and the list behind the sign in the status bar.
#pragma once

#include <vector>

#include "app/state/frame_marks.h"
#include "app/state/message_card.h"
#include "app/view/pane.h"

namespace slip::app {

/// The newest message on a card, in the window of the picture, where it hides the least.
void DrawCard(const Session& session, const std::vector<Pane>& panes, const Rect& view,
              MessageCard* own, FrameMarks* marks, Requests* requests);
/// In the status bar: how many warnings there were. A click opens the list. Returns its left end.
float MessageSign(const Session& session, const Rect& bar, MessageCard* own);
/// All messages, over the status bar.
void DrawMessageList(const Session& session, const Rect& bar, MessageCard* own, Requests* requests);

}  // namespace slip::app
