#include "app/panels/inspect/contact_pairs.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/kit/widgets.h"
#include "engine/core/numbers.h"

namespace slip::app {

const ContactFrame& ContactOf(const Session& session, const ContactRow& row) {
  return At(session.written().frame(row.channel).contacts, row.index);
}

const ContactFrame& DrawnContactOf(const Session& session, const ContactRow& row) {
  const ContactFrame& written = ContactOf(session, row);
  for (const ContactFrame& contact : session.frame(row.channel).contacts) {
    if (contact.key == written.key) return contact;
  }
  return written;
}

Pair PairOf(const Model* model, const ContactFrame& contact) {
  if (model == nullptr) return {};
  // of a robot that is alone the links' own names will do
  const auto own = [&](std::string_view name) {
    const std::size_t slash = name.find('/');
    return model->robots.size() == 1 && slash != std::string_view::npos ? name.substr(slash + 1)
                                                                        : name;
  };
  return {std::string(own(model->body(contact.body).name)),
          std::string(own(NameOfA(*model, contact)))};
}

std::string PairName(const Model* model, const ContactFrame& contact) {
  const Pair pair = PairOf(model, contact);
  return pair.b.empty() ? "–" : fmt::format("{} – {}", pair.b, pair.a);
}

std::string FitPair(const Pair& pair, Role role, float room) {
  const auto width = [&](const std::string& text) { return MeasureText(text, role).x; };
  const std::string full = fmt::format("{} – {}", pair.b, pair.a);
  if (width(full) <= room) return full;
  const float both = room - width("–"), half = both / 2;
  const float b = width(pair.b), a = width(pair.a);
  const float for_b = a < half ? both - a : std::min(b, half), for_a = both - std::min(b, for_b);
  return EllipsizeMiddle(pair.b, role, for_b) + "–" + EllipsizeMiddle(pair.a, role, for_a);
}

}  // namespace slip::app
