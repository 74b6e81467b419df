// The window says where steps are too long for what turns in them.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/rolling_coin.h"
#include "tests/support/stepped_session.h"
#include "tests/support/temp_folder.h"

namespace slip::app {
namespace {

int CountNotes(const Session& session, const std::string& part) {
  const auto& messages = session.messages();
  return static_cast<int>(std::count_if(messages.begin(), messages.end(), [&](const Message& m) {
    return m.what.find(part) != std::string::npos;
  }));
}

void Play(SteppedSession* stage, int frames) {
  for (int i = 0; i < frames; ++i) stage->Frame();
}

TEST(TurningNotes, SayWhatTurnsTooFarAndWhereEnergyComesFrom) {
  const TempFolder folder;
  const std::string file = folder.path("coin.toml");
  WriteText(file, kRollingCoin);
  SteppedSession stage(file, false, 0);
  Play(&stage, 30);
  EXPECT_EQ(CountNotes(*stage.session, "energy from nowhere"), 0);
  EXPECT_EQ(CountNotes(*stage.session, "deg in a step while it touches"), 0);
  stage.session->params().Set(-1, "turning", 1);
  Play(&stage, 60);
  EXPECT_GE(CountNotes(*stage.session, "energy from nowhere"), 1);
  stage.session->params().Set(-1, "turning", 0);
  stage.session->params().Set(-1, "time_step", 40e-3);
  stage.session->playback().Reset();
  stage.Frame(0);
  EXPECT_EQ(CountNotes(*stage.session, "energy from nowhere"), 0) << "a reset clears it";
  Play(&stage, 30);
  EXPECT_GE(CountNotes(*stage.session, "turns coin by "), 1);
}

}  // namespace
}  // namespace slip::app
