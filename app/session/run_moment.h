// The session as engine/tell looks at it.
#pragma once

#include <cstdint>
#include <optional>

#include "app/session/session.h"
#include "engine/tell/run_moment.h"

namespace slip::app {

/// At the moment of the numbers (WrittenMoment).
RunMoment MomentOfNumbers(const Session& session);
/// At the moment of the picture.
RunMoment MomentOfPicture(const Session& session);

/// Both, each computed once in a frame, when somebody asks first: rows of parameters are many.
class FrameMoments {
 public:
  /// `frame` is the number of the frame that is drawn.
  const RunMoment& OfNumbers(const Session& session, int frame);
  const RunMoment& OfPicture(const Session& session, int frame);

 private:
  struct Kept {
    int frame = -1;
    RunMoment moment;
  };
  Kept numbers_, picture_;
};

}  // namespace slip::app
