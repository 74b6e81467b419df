// What stands under a parameter row: the match with another model's parameter, and amber notes
// where the present value leaves the range in which the numbers mean what they seem to.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/kit/widgets.h"
#include "app/panels/friction.h"
#include "app/panels/keep_room.h"
#include "app/panels/param_rows.h"
#include "app/session/equivalence.h"
#include "engine/contact/equivalent.h"
#include "engine/sim/contact_inertia.h"

namespace slip::app {
namespace {

// A contact period of fewer steps than this is not followed through an impact.
constexpr double kStepsPerPeriod = 10;
// Contacts close by this many steps of gravity at rest; faster ones are impacts.
constexpr double kRestSteps = 5;
// Overlap and creep that a person would see: a share of the body, and of it over the scene's time.
constexpr double kVisibleShare = 0.02;
// A spring this many times stronger than the contact's force is not what holds it: a step left it.
constexpr double kUnloaded = 10;
// Drag of starting from rest beside the weight.
constexpr double kNoticedDrag = 0.1;

// Overlap over the way of a step that no step begins with.
constexpr double kShallow = 1e-4;

/// One contact that bears out a note.
struct Worst {
  int channel = -1;
  const ContactFrame* contact = nullptr;
  double value = 0;
  void Offer(int i, const ContactFrame& c, double v) {
    if (v > value) *this = {i, &c, v};
  }
};

bool IsOwner(const Session& session, const ChannelFrame& frame, const ContactFrame& contact,
             const std::string& owner) {
  if (owner.empty()) return true;
  const auto material = static_cast<std::size_t>(
      session.model()->bodies[static_cast<std::size_t>(contact.body)].material);
  return material < frame.config.materials.size() && frame.config.materials[material].name == owner;
}

double BoundOf(const Session& session, const ContactFrame& contact) {
  return session.model()->bodies[static_cast<std::size_t>(contact.body)].bound;
}

double MassOf(const Session& session, const ContactFrame& contact) {
  return session.model()->bodies[static_cast<std::size_t>(contact.body)].mass;
}

template <class Value>
Worst FindWorst(const Session& session, const ParamEntry& entry, Value value) {
  Worst worst;
  for (int i = 0; i < session.channel_count(); ++i) {
    const ChannelFrame& frame = session.written().frame(i);
    if (!Uses(*session.model(), frame.config, *entry.info)) continue;
    for (const ContactFrame& contact : frame.contacts) {
      if (IsOwner(session, frame, contact, entry.owner))
        worst.Offer(i, contact, value(frame, contact));
    }
  }
  return worst;
}

struct FoundNote {
  std::string id, text, detail;
  Why why;
};
using Notes = std::vector<FoundNote>;

void Note(const char* id, std::string text, std::string detail, Why why, Notes* notes) {
  notes->push_back({id, std::move(text), std::move(detail), std::move(why)});
}

/// The near-rigid clamp of SAP replaces the stiffness that was asked for; say so where it is set.
bool NearRigidNote(const Session& session, const ParamEntry& entry, Notes* notes) {
  for (int i = 0; i < session.channel_count(); ++i) {
    int active = 0, all = 0;
    double effective = 0;
    for (const ContactFrame& contact : session.written().frame(i).contacts) {
      if (!IsOwner(session, session.written().frame(i), contact, entry.owner)) continue;
      ++all;
      if (!contact.near_rigid) continue;
      ++active;
      effective = contact.stiffness;
    }
    if (active == 0) continue;
    const std::string text =
        fmt::format("{} softens contact here: near-rigid limit active on {} of {} contacts.",
                    session.looks().Name(i), active, all);
    const std::string asked = FormatQuantity(session.params().Value(i, entry.path), "N/m");
    Note("note/near_rigid", text,
         fmt::format("k_eff {} of {}", FormatQuantity(effective, "N/m"), asked),
         {"Why is the contact softer than asked?",
          "A contact whose natural period is shorter than β time steps cannot be resolved, and a "
          "stiffness beyond that only makes the problem harder to solve. SAP caps it there: "
          "R_n = max(β²/(4π²) w, 1/(δt k (δt + τ_d))). A smaller time step or a smaller "
          "near-rigid threshold β gives back the stiffness."},
         notes);
    return true;
  }
  return false;
}

/// Overlap that can be seen: static, or left by a step that was too long for what turned in it.
void OverlapNote(const Session& session, const ParamEntry& entry, Notes* notes) {
  const Worst worst =
      FindWorst(session, entry, [&](const ChannelFrame&, const ContactFrame& contact) {
        const double share = -contact.signed_distance / BoundOf(session, contact);
        return share > kVisibleShare ? share : 0;
      });
  if (worst.contact == nullptr) return;
  const ContactFrame& contact = *worst.contact;
  const double overlap = -contact.signed_distance, spring = contact.stiffness * overlap;
  const double h = session.written().frame(worst.channel).config.step.time_step;
  if (spring > kUnloaded * contact.fn) {
    Note(
        "note/left_over",
        fmt::format("Overlap of {} in {}: made by a step of {}, not by a load.",
                    FormatQuantity(overlap, "m"), session.looks().Name(worst.channel),
                    FormatQuantity(h, "s")),
        fmt::format("k x {}, f_n {}", FormatQuantity(spring, "N"), FormatQuantity(contact.fn, "N")),
        {"Where does the overlap come from?",
         "Contact points and normals are those of the start of a step. What turns or slides far "
         "within it overlaps at its end, whatever the stiffness. The elastic energy k x²/2 is "
         "what the law says of that overlap; no body ever had it. It opens in the next steps: "
         "under Hunt & Crossley at 1/d at most, otherwise at once, and thin bodies may then fly "
         "off. A smaller time step makes it smaller."},
        notes);
    return;
  }
  if (!(contact.fn > 0)) return;
  Note("note/soft",
       fmt::format("Overlap of {} in {}: {:.0f} % of the body's radius.",
                   FormatQuantity(overlap, "m"), session.looks().Name(worst.channel),
                   100 * worst.value),
       "softer than it looks",
       {"Why does it matter?",
        "Contact points and normals are those of rigid shapes. They are exact as long as the "
        "overlap is small beside the body; beyond a few percent, lever arms and the moment of "
        "touch drift. At rest the overlap is f_n/k: a larger stiffness makes it smaller."},
       notes);
}

/// Lagged contacts that carry load and slide without any friction: they are never pressed when a
/// step begins.
void LagNote(const Session& session, const ParamEntry& entry, Notes* notes) {
  const Worst worst =
      FindWorst(session, entry, [&](const ChannelFrame& frame, const ContactFrame& contact) {
        const double way = frame.config.step.time_step * contact.vt;
        // one that has just closed is so too, for a step
        const bool shallow = contact.fn < kShallow * contact.stiffness * way;
        return contact.friction_off && shallow ? contact.fn : 0.0;
      });
  if (worst.contact == nullptr) return;
  const ContactFrame& contact = *worst.contact;
  const double way = session.written().frame(worst.channel).config.step.time_step * contact.vt;
  Note("note/lag",
       fmt::format("{}: the lagged normal impulse is zero, so friction is off.",
                   session.looks().Name(worst.channel)),
       fmt::format("overlap {}, way {}", FormatQuantity(contact.fn / contact.stiffness, "m", 2),
                   FormatQuantity(way, "m", 2)),
       {"Why is there no friction?",
        "Lagged bounds friction by the normal impulse that the contact has at the start of a step. "
        "One that has just closed has none. With a stiffness this high the overlap under load is "
        "smaller than the way of a step by orders, so a moving contact is open at the start of the "
        "next step, too, and never grips: a robot trots in place. A smaller stiffness or time step "
        "brings the friction back. SAP and Similar couple both within a step."},
       notes);
}

/// Impacts that one step jumps over.
void ImpactNote(const Session& session, const ParamEntry& entry, Notes* notes) {
  const double speed = session.HardestImpact();
  const Worst worst =
      FindWorst(session, entry, [&](const ChannelFrame& frame, const ContactFrame& contact) {
        // by the mass of the body, which is cheap: piles have thousands of contacts
        const double h = frame.config.step.time_step;
        const bool impacts = speed >= kRestSteps * frame.config.step.gravity * h;
        return impacts && contact.stiffness > 0
                   ? h * h * contact.stiffness / MassOf(session, contact)
                   : 0.0;
      });
  if (worst.contact == nullptr) return;
  const ChannelFrame& frame = session.written().frame(worst.channel);
  const double mass = CalcContactInertia(*session.model(), frame, *worst.contact).normal_mass;
  const double period = CalcContactPeriod(worst.contact->stiffness, mass);
  const double steps = period / frame.config.step.time_step;
  if (!(steps < kStepsPerPeriod)) return;
  Note("note/impact",
       fmt::format("Impacts at {} are not resolved: the rebound depends on the step.",
                   FormatQuantity(speed, "m/s")),
       fmt::format("period {} = {:.2g} δt", FormatQuantity(period, "s"), steps),
       {"Why does the rebound depend on the time step?",
        "A contact swings with the period 2π √(m/k). With fewer than about ten steps in it, the "
        "implicit step itself damps the impact: what is lost then is the time stepping's doing "
        "and not the dissipation's. Resting and sliding contacts are not affected. A smaller time "
        "step or a smaller stiffness resolves it. The speed is that of the hardest impact in the "
        "plots; Forget impacts in the menu Edit goes by later ones."},
       notes);
}

/// Creep of contacts that should hold.
void CreepNote(const Session& session, const ParamEntry& entry, Notes* notes) {
  const double duration = session.scene() != nullptr ? session.scene()->duration : 1;
  const Worst worst =
      FindWorst(session, entry, [&](const ChannelFrame&, const ContactFrame& contact) {
        if (contact.mode != ContactMode::kStick || !std::isfinite(contact.creep_predicted))
          return 0.0;
        const double share = contact.creep_predicted * duration / BoundOf(session, contact);
        return share > kVisibleShare ? share : 0.0;
      });
  if (worst.contact == nullptr) return;
  Note("note/creep",
       fmt::format("{} creeps where it should hold: {} over the {} of this scene.",
                   session.looks().Name(worst.channel),
                   FormatQuantity(worst.contact->creep_predicted * duration, "m"),
                   FormatQuantity(duration, "s")),
       FormatQuantity(worst.contact->creep_predicted, "m/s"),
       {"Why does a sticking contact creep?",
        "Regularised friction needs some slip to carry a force: v_s r/√(1 − r²) with the stiction "
        "tolerance v_s, and σ w δt f_t with the regularisation σ, where r = f_t/(μ f_n). A "
        "smaller tolerance creeps less and is harder to solve: watch the condition number."},
       notes);
}

/// Motion from rest in every step: the drag of it beside the weight.
void RestNote(const Session& session, Notes* notes) {
  for (int i = 0; i < session.channel_count(); ++i) {
    double share = 0;
    const std::string drag = RestDrag(session, i, &share);
    if (drag.empty() || !(share > kNoticedDrag)) continue;
    Note("note/rest",
         fmt::format("{}: motion at this speed costs {:.0f} % of the weight as drag.",
                     session.looks().Name(i), 100 * share),
         "m v/δt = " + drag,
         {"Why does motion cost a force?",
          "Quasi-dynamic: every step starts from rest, so each one builds the momentum m v again "
          "and a lift at speed v needs an extra force of m v/δt, which friction must carry. It "
          "grows as the time step shrinks: move slower, or take longer steps. Falls and throws "
          "are not for this method: a free body falls at δt g, no faster."},
         notes);
    return;
  }
}

void MatchLine(const Session& session, const ParamEntry& entry, int channel, Requests* requests) {
  const std::optional<Match> match = FindMatch(session, entry, channel);
  if (!match) return;
  const std::string id = "match/" + entry.path + (channel < 0 ? "" : "@" + std::to_string(channel));
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, line = Px(18);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float x = min.x + Px(4);
  const bool possible = match->obstacle.empty();
  const std::string value = FormatQuantity(match->value, entry.info->unit);
  ImGui::PushID(id.c_str());
  bool pressed = false;
  float end = x;
  if (match->met) {
    const ImVec2 tick = MeasureText(icon::kDone, Role::kIconSmall);
    DrawText(list, {x, min.y + (line - tick.y) / 2}, icon::kDone, Role::kIconSmall,
             Color(Token::kOk));
    end = x + Px(18);
    end += DrawRich(list, {end, min.y + Px(2)}, "Matches " + match->partner, Role::kCaption,
                    Color(Token::kText2));
  } else if (possible) {
    ImGui::SetCursorScreenPos({x, min.y + Px(2)});
    const std::string link = "Match " + match->partner;
    pressed = LinkText(id, link, "Sets the value that makes both models alike.");
    end = x + MeasureRich(link, Role::kCaption).x;
    end +=
        DrawRich(list, {end, min.y + Px(2)}, " → " + value, Role::kCaption, Color(Token::kText2));
  } else {
    end += DrawRich(list, {x, min.y + Px(2)}, "Match " + match->partner, Role::kCaption,
                    Color(Token::kText3));
  }
  // the rule is never out of sight: before the press as after it
  const std::string rule = possible ? match->rule : match->obstacle;
  int lines = 1;
  float rule_end = x;
  std::string rest = rule;
  while (!rest.empty() && lines < 4) {
    std::size_t cut = rest.size();
    while (MeasureRich(rest.substr(0, cut), Role::kCaption).x > width - Px(8)) {
      const std::size_t space = rest.rfind(' ', cut - 1);
      if (space == std::string::npos || space == 0) break;
      cut = space;
    }
    rule_end = x + DrawRich(list, {x, min.y + Px(2) + line * static_cast<float>(lines)},
                            rest.substr(0, cut), Role::kCaption, Color(Token::kText3));
    rest = cut < rest.size() ? rest.substr(cut + 1) : std::string();
    ++lines;
  }
  if (match->by_impact) {
    constexpr const char* kForget = "forget it";
    float at = rule_end + Px(8);
    if (at + MeasureRich(kForget, Role::kCaption).x > min.x + width) at = x, ++lines;
    ImGui::SetCursorScreenPos({at, min.y + Px(2) + line * static_cast<float>(lines - 1)});
    if (LinkText(id + "/forget", kForget, "Goes by the impacts from now on."))
      requests->Do(Action::kForgetImpacts);
  }
  const float height = line * static_cast<float>(lines) + Px(8);
  RegisterWidget(id + "/line", min, {min.x + width, min.y + height}, end > min.x + width + 0.5f);
  ImGui::SetCursorScreenPos(min);
  ImGui::Dummy({width, height - ImGui::GetStyle().ItemSpacing.y});
  if (possible) Tooltip(match->details);
  ImGui::PopID();
  if (!pressed) return;
  const std::string done = fmt::format("{} set to {} to match {} ({}).", entry.info->label, value,
                                       match->partner, match->rule);
  requests->Ask([channel, path = entry.path, set = match->value, done](Session* s) {
    s->params().Set(channel, path, set);
    s->Say(done);
  });
}

/// Gravity of known places, one press each.
void GravityLine(const ParamEntry& entry, int channel, Requests* requests) {
  struct Place {
    const char* name;
    double gravity;
  };
  static constexpr Place kPlaces[] = {{"Earth", 9.81}, {"Moon", 1.62}, {"none", 0}};
  const ImVec2 min = ImGui::GetCursorScreenPos();
  float x = min.x + Px(4);
  for (const Place& place : kPlaces) {
    ImGui::SetCursorScreenPos({x, min.y + Px(2)});
    if (LinkText(std::string("gravity/") + place.name, place.name, "Its gravity at the surface.")) {
      requests->Ask([channel, path = entry.path, gravity = place.gravity](Session* s) {
        s->params().Set(channel, path, gravity);
      });
    }
    Tooltip(FormatQuantity(place.gravity, entry.info->unit));
    x += MeasureText(place.name, Role::kCaption).x + Px(16);
  }
  ImGui::SetCursorScreenPos(min);
  ImGui::Dummy({ImGui::GetContentRegionAvail().x, Px(26) - ImGui::GetStyle().ItemSpacing.y});
}

/// What there is to say about the value, the most important first.
Notes FindNotes(const Session& session, const ParamEntry& entry) {
  const std::string_view name = entry.info->name;
  Notes notes;
  if (name == "stiffness" && !NearRigidNote(session, entry, &notes))
    OverlapNote(session, entry, &notes);
  if (name == "stiffness") LagNote(session, entry, &notes);
  if (name == "time_step") ImpactNote(session, entry, &notes);
  if (name == "time_step") RestNote(session, &notes);
  if (name == "stiction_tolerance" || name == "friction_regularization")
    CreepNote(session, entry, &notes);
  return notes;
}

/// On the row's first line, before its lock: there is a note, and no room was made for it yet.
void NoteSign(const std::string& path, ImVec2 row, const Notes& notes, RoomUnder* room) {
  const ImVec2 cursor = ImGui::GetCursorScreenPos();
  const ImVec2 at{row.x + ImGui::GetContentRegionAvail().x - Px(44), row.y};
  ImGui::SetCursorScreenPos(at);
  ImGui::PushID(path.c_str());
  if (ImGui::InvisibleButton("note/sign", {Px(20), Px(20)})) room->Unfold();
  ImGui::PopID();
  RegisterLastItem("note/sign/" + path);
  std::string text;
  for (const FoundNote& note : notes) text += note.text + "\n" + note.detail + "\n";
  TooltipBeside(text + "Click to unfold it.");
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 size = MeasureText(icon::kWarning, Role::kIconSmall);
  list->AddRectFilled(at, {at.x + Px(20), at.y + Px(20)}, Color(Token::kPanel), Px(4));
  DrawText(list, {at.x + (Px(20) - size.x) / 2, at.y + (Px(20) - size.y) / 2}, icon::kWarning,
           Role::kIconSmall, Color(Token::kWarn));
  ImGui::SetCursorScreenPos(cursor);
}

}  // namespace

void DrawParamNotes(const Session& session, const ParamEntry& entry, ImVec2 row, ParamRows* rows) {
  if (session.model() == nullptr || !session.TakenOver()) return;
  const Notes notes = FindNotes(session, entry);
  RoomUnder* room = &rows->rooms["notes/" + entry.path];
  KeepRoom(room, [&] {
    for (const FoundNote& note : notes) {
      if (AmberNote(note.id, note.text, note.detail)) rows->why = note.why;
    }
  });
  if (room->folded && !notes.empty()) NoteSign(entry.path, row, notes, room);
}

void DrawParamMatch(const Session& session, const ParamEntry& entry, int channel, ParamRows* rows,
                    Requests* requests) {
  KeepRoom(&rows->rooms["match/" + entry.path + "@" + std::to_string(channel)], [&] {
    if (entry.info->name == "gravity") GravityLine(entry, channel, requests);
    MatchLine(session, entry, channel, requests);
  });
}

}  // namespace slip::app
