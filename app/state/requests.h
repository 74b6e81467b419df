// What panels ask of the session. While they are drawn it stays as it is: what they ask for is done
// after the last of them.
#pragma once

#include <functional>
#include <utility>
#include <vector>

namespace slip::app {

class Session;

class Requests {
 public:
  using Request = std::function<void(Session*)>;
  explicit Requests(Session* session) : session_(session) {}

  void Ask(Request request) { asked_.push_back(std::move(request)); }

  // Not for what draws.
  /// Does everything that was asked for, in that order.
  void Perform() {
    while (!asked_.empty()) {
      for (const Request& request : std::exchange(asked_, {})) request(session_);
    }
  }
  Session& session() { return *session_; }

 private:
  Session* session_;
  std::vector<Request> asked_;
};

}  // namespace slip::app
