#include "tests/support/screen.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace slip {

Screen::Screen() {
  int ends[2];
  if (pipe(ends) != 0) return;
  child_ = fork();
  if (child_ == 0) {
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, STDERR_FILENO);
    const std::string number = std::to_string(ends[1]);
    execlp("Xvfb", "Xvfb", "-displayfd", number.c_str(), "-screen", "0", "1280x720x24",
           static_cast<char*>(nullptr));
    _exit(127);
  }
  close(ends[1]);
  char c = 0;
  while (read(ends[0], &c, 1) == 1 && c != '\n') display += c;
  close(ends[0]);
  if (!display.empty()) display = ":" + display;
}

Screen::~Screen() {
  if (child_ <= 0) return;
  kill(child_, SIGTERM);
  waitpid(child_, nullptr, 0);
}

}  // namespace slip
