#include "app/panels/picture/instrument_laws.h"

#include <algorithm>
#include <set>
#include <string>

#include "app/state/channel_style.h"
#include "engine/tell/laws.h"

namespace slip::app {
namespace {

/// What holds for a channel, in the instruments that models differ in.
std::string LawOf(const Session& session, int channel) {
  const MethodInfo& info = slip::Info(session.looks().Of(channel).model);
  return std::string(InstrumentOf(session) == Instrument::kCreep ? CreepFormula(info)
                                                                 : info.gap_formula);
}

}  // namespace

Instrument InstrumentOf(const Session& session) {
  return session.scene() != nullptr ? session.scene()->instrument : Instrument::kGap;
}

std::vector<LawLine> LawsOf(const Session& session) {
  std::vector<LawLine> laws;
  const auto add = [&](int i) {
    const std::string law = LawOf(session, i);
    if (!session.looks().Present(i) || law.empty()) return;
    auto same = std::find_if(laws.begin(), laws.end(),
                             [&](const LawLine& line) { return line.text == law; });
    if (same == laws.end()) same = laws.insert(laws.end(), LawLine{{}, law});
    same->models.push_back(StyleOf(session, i));
  };
  const int lead = session.looks().lead();
  add(lead);
  for (int i = 0; i < session.channel_count(); ++i) {
    if (i != lead) add(i);
  }
  return laws;
}

int CountLaws(const Session& session) {
  std::set<std::string> laws;
  for (int i = 0; i < session.channel_count(); ++i) {
    if (session.looks().Present(i)) laws.insert(LawOf(session, i));
  }
  laws.erase("");
  return static_cast<int>(laws.size());
}

}  // namespace slip::app
