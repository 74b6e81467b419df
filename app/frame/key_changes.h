// What single keys change of the run or of what is shown of it is said, and can be taken back.
#pragma once

#include <memory>

#include "app/session/session.h"
#include "app/state/actions.h"
#include "app/state/key_changes.h"
#include "app/state/view_state.h"

namespace slip::app {

struct Ui;

/// What a key is about to change.
struct BeforeKey {
  Playback::Moment moment;
  int branch = 0;
  ChannelLooks::Seen seen;
  Compare compare{};
  CameraSpec camera;
  bool on = false;  ///< of a switch
  const Scene* scene = nullptr;
  std::size_t edits = 0;  ///< of parameters, that can be undone
};
std::unique_ptr<BeforeKey> RememberForKey(const Ui& ui, Action action);
/// Whether a message names its keys, whatever other keys are held: they lose or move what nobody
/// sees.
bool SaysEveryKey(Action action);
/// After the action of the key. Says nothing where nothing has changed.
void SayKeyChange(Action action, const BeforeKey& before, Ui* ui);
/// The next undo takes back what keys have changed, and no parameter.
bool IsKeyChangeNext(const Session& session, const KeyChanges& changes);
void UndoKeyChanges(Ui* ui);
/// Once per frame.
void UpdateKeyChanges(Ui* ui);

}  // namespace slip::app
