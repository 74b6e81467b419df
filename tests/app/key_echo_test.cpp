// Presenter mode shows keys and clicks.
#include <gtest/gtest.h>

#include <GLFW/glfw3.h>

#include "app/frame/input.h"
#include "app/frame/ui.h"
#include "tests/support/offscreen.h"

namespace slip::app {
namespace {

TEST(KeyEcho, ShowsKeysToThoseWhoWatch) {
  OPEN_OR_SKIP(ui, "conveyor", 1600, 900);
  ui->Frame(0.02);
  EXPECT_TRUE(DispatchKey(&ui->ui(), GLFW_KEY_F, 0, false, false));
  ui->Frame(0.02);
  EXPECT_EQ(FindWidget("echo/keys"), nullptr) << "nobody presents";

  ui->ui().requests.Do(Action::kPresenter);
  ui->Frame(0.02);
  EXPECT_TRUE(DispatchKey(&ui->ui(), GLFW_KEY_F, 0, false, false));
  ui->Frame(0.02);
  const WidgetRecord* echo = FindWidget("echo/keys");
  ASSERT_NE(echo, nullptr);
  EXPECT_EQ(echo->text, "F");
  EXPECT_TRUE(DispatchKey(&ui->ui(), GLFW_KEY_F, 0, false, false));
  ui->Frame(0.02);
  ASSERT_NE(FindWidget("echo/keys"), nullptr);
  EXPECT_EQ(FindWidget("echo/keys")->text, "F ×2");
  // what is typed is seen where it is typed
  (void)DispatchKey(&ui->ui(), GLFW_KEY_A, 0, false, true);
  ui->Frame(0.02);
  ASSERT_NE(FindWidget("echo/keys"), nullptr);
  EXPECT_EQ(FindWidget("echo/keys")->text, "F ×2");
}

}  // namespace
}  // namespace slip::app
