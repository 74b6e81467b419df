// What a panel asks for. While panels are drawn the session stays as it is: what they ask for is
// done after the last of them.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/state/actions.h"

namespace slip::app {

class Session;

class Requests {
 public:
  using Request = std::function<void(Session*)>;
  Requests(Session* session, const KeyMap* keys) : session_(session), keys_(keys) {}

  /// A change of the session.
  void Ask(Request request) { asked_.push_back(std::move(request)); }
  /// An action: it is done at the start of the next frame.
  /// `bare_key`: by one key alone, which a hand may have hit by mistake.
  void Do(Action action, bool bare_key = false) {
    actions_.push_back(action);
    bare_keys_.push_back(bare_key);
  }
  /// To the clipboard; says that `what` is there.
  void Copy(const std::string& text, const std::string& what);
  /// Those in force, for tool tips.
  const KeyMap& keys() const { return *keys_; }

  // Not for what draws.
  /// Does every change that was asked for, in that order.
  void Perform() {
    while (!asked_.empty()) {
      for (const Request& request : std::exchange(asked_, {})) request(session_);
    }
  }
  const std::deque<Action>& actions() const { return actions_; }
  /// The actions that wait; those that come from now on are for the next time. `bare_keys` says of
  /// each whether it came so.
  std::deque<Action> TakeActions(std::deque<bool>* bare_keys = nullptr) {
    std::deque<bool> bare = std::exchange(bare_keys_, {});
    if (bare_keys != nullptr) *bare_keys = std::move(bare);
    return std::exchange(actions_, {});
  }
  Session& session() { return *session_; }

 private:
  Session* session_;
  const KeyMap* keys_;
  std::vector<Request> asked_;
  std::deque<Action> actions_;
  std::deque<bool> bare_keys_;
};

}  // namespace slip::app
