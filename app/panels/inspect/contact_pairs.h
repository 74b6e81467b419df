// The contacts behind the rows of their table, and the names of the two that touch.
#pragma once

#include <string>

#include "app/kit/theme.h"
#include "app/session/session.h"
#include "app/state/contact_rows.h"

namespace slip::app {

/// As its numbers are written.
const ContactFrame& ContactOf(const Session& session, const ContactRow& row);
/// The same contact as it is drawn: bars and points move on while numbers rest.
const ContactFrame& DrawnContactOf(const Session& session, const ContactRow& row);

struct Pair {
  std::string b, a;
};
Pair PairOf(const Model* model, const ContactFrame& contact);
/// "box – ground".
std::string PairName(const Model* model, const ContactFrame& contact);
/// Both names in so much room [pixels], each with its beginning and its end.
std::string FitPair(const Pair& pair, Role role, float room);

}  // namespace slip::app
