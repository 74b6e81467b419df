#include "app/view/shown.h"

#include "engine/core/numbers.h"
#include "render/quantities/quantity.h"

namespace slip::app {

render::ViewRequest LeadRequest(const Session& session, const render::ViewStyle& style, Theme theme,
                                const Picked& picked) {
  render::ViewRequest request{style};
  request.theme = RenderTheme(theme);
  request.lead = session.looks().lead();
  request.solo = session.looks().solo();
  request.foreign = session.files().foreign().ghosts();
  for (int i = 0; i < Snapshot::kMaxChannels; ++i) {
    At(request.visible, i) = i < session.channel_count() && session.looks().Present(i);
  }
  const Selection& selected = picked.selection;
  request.selected_body = selected.key >= 0 ? -1 : selected.body;
  request.selected_key = selected.key;
  // of a few bodies the tool tip says enough, and a new picture for each would be expensive
  const bool pile = session.channel_count() > 0 && render::IsPile(session.snapshot(), request);
  const Selection& hover = picked.hover;
  request.hover_body = pile && hover.channel == session.looks().lead() ? hover.body : -1;
  if (picked.hover_body >= 0) request.hover_body = picked.hover_body;
  if (picked.hover_link >= 0) request.hover_body = picked.hover_link;
  if (picked.shown_link.body >= 0 && session.now() < picked.shown_link.until)
    request.selected_body = picked.shown_link.body;
  return request;
}

bool ShowsPile(const Session& session) {
  render::ViewRequest request;
  request.lead = session.looks().lead();
  request.solo = session.looks().solo();
  return render::IsPile(session.snapshot(), request);
}

int ShownChannels(const Session& session) {
  int count = 0;
  for (int i = 0; i < session.channel_count(); ++i) count += session.looks().Present(i) ? 1 : 0;
  return count;
}

bool ShowsDifference(const Session& session, Compare compare) {
  if (compare != Compare::kDifference) return false;
  for (int i = 0; i < session.channel_count(); ++i) {
    if (i != session.looks().lead() && session.looks().Shown(i)) return true;
  }
  return false;
}

}  // namespace slip::app
