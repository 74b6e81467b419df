// What notes and matches look at is computed once in a frame.
#include "app/session/run_moment.h"

#include <gtest/gtest.h>

#include "app/host/window.h"
#include "tests/support/offscreen.h"
#include "tests/support/stepped_session.h"

namespace slip::app {
namespace {

TEST(FrameMoments, AreComputedOnceInAFrame) {
  SteppedSession stage("conveyor", false, 0);
  for (int i = 0; i < 10; ++i) stage.Frame();
  Session& session = *stage.session;
  ASSERT_GE(session.channel_count(), 2);
  session.looks().SetLead(0);
  FrameMoments moments;
  const RunMoment& numbers = moments.OfNumbers(session, 7);
  const RunMoment& picture = moments.OfPicture(session, 7);
  EXPECT_EQ(&numbers.frame(0), &session.written().frame(0));
  EXPECT_EQ(&picture.frame(0), &session.frame(0));
  session.looks().SetLead(1);
  EXPECT_EQ(moments.OfNumbers(session, 7).lead, 0);
  EXPECT_EQ(moments.OfPicture(session, 7).lead, 0);
  EXPECT_EQ(moments.OfNumbers(session, 8).lead, 1);
  EXPECT_EQ(moments.OfPicture(session, 8).lead, 1);
}

// Rows of parameters ask by the number of the frame that is drawn: what they see is of that frame.
TEST(FrameMoments, RowsSeeTheFrameThatIsDrawn) {
  OPEN_OR_SKIP(ui, "conveyor");
  ui->ui().state.shell.left_tab = TabId::kParameters;
  Settle(ui.get());
  for (int i = 0; i < 5; ++i) {
    ui->Frame(1.0 / 30);
    FrameMoments& moments = ui->ui().state.param_rows.moments;
    const Session& session = ui->session();
    const int frame = ImGui::GetFrameCount();
    EXPECT_EQ(&moments.OfPicture(session, frame).frame(0), &session.frame(0)) << i;
    EXPECT_EQ(&moments.OfNumbers(session, frame).frame(0), &session.written().frame(0)) << i;
  }
}

}  // namespace
}  // namespace slip::app
