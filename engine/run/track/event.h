// What the engine tells beside its samples: something worth a mark or a message, or an answer.
// Plain values.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace slip {

struct BranchSamples;
struct Recording;

// What can happen. Those with a kName have rows of that kind in events.csv; kInTree = it is written
// in the tree of branches.

struct ParamChanged {
  static constexpr std::string_view kName = "parameter";
  static constexpr bool kInTree = true;
  std::string path;
  double from = 0, to = 0;
};
/// A step cannot be made.
struct StepFailed {
  static constexpr std::string_view kName = "failure";
  std::string why;  ///< sentence
};
/// The first of a run of steps that do not converge.
struct NotConverged {
  static constexpr std::string_view kName = "not-converged";
  std::string why = {};  ///< empty where it was not recorded
};
/// A robot's controller did.
struct GaveUp {
  static constexpr std::string_view kName = "gave-up";
  static constexpr std::string_view kWhy =
      "the robot has fallen, or a joint turned by more than 0.5 rad between two ticks";
  std::string robot;
};
/// A pull began or ended. Moves send none.
struct Pulled {
  static constexpr std::string_view kName = "grab";
  static constexpr bool kInTree = true;
  bool begins = false;
  std::string body = {};  ///< empty where it ends
  std::string how = {};   ///< where and how strong, where it is told
};
struct WasReset {
  static constexpr std::string_view kName = "reset";
};
struct Resynced {
  static constexpr std::string_view kName = "resync";
  static constexpr bool kInTree = true;
};
/// A channel was added.
struct ChannelBegan {
  static constexpr std::string_view kName = "began";
  static constexpr bool kInTree = true;
  std::string method;  ///< its label
};
struct SceneLoaded {
  static constexpr std::string_view kName = "loaded";
  std::string title;
};
/// A change, or what else was asked for, was not made.
struct Refused {
  static constexpr std::string_view kName = "refused";
  std::string path;  ///< of the parameter; empty without one
  std::string why;
};
struct BranchShown {
  int branch = 0;
};
/// The answer to TellBranch.
struct BranchTold {
  static constexpr bool kAnswer = true;
  std::shared_ptr<const BranchSamples> samples;
};
/// The answer to TakeRecording.
struct RecordingTaken {
  static constexpr bool kAnswer = true;
  std::shared_ptr<const Recording> recording;
};

/// One of them. A class, so that its many cases are copied and destroyed by one file's code.
struct EventItem
    : std::variant<ParamChanged, StepFailed, NotConverged, GaveUp, Pulled, WasReset, Resynced,
                   ChannelBegan, SceneLoaded, Refused, BranchShown, BranchTold, RecordingTaken> {
  using variant::variant;
  EventItem(const EventItem& other);
  EventItem(EventItem&& other) noexcept;
  EventItem& operator=(const EventItem& other);
  EventItem& operator=(EventItem&& other) noexcept;
  ~EventItem();
};

struct Event {
  int channel = -1;  ///< -1 = all
  int64_t step = 0;
  double time = 0;  ///< [s]
  EventItem item = {};
};

/// Whether the tree of branches is another one now.
bool IsInTree(const Event& event);
/// Whether it answers a question, and nothing has happened.
bool IsAnswer(const Event& event);

/// An event as a row of a file has it.
struct EventText {
  std::string_view kind;  ///< empty of those that no file has
  std::string path;       ///< of the parameter, or the name of the body or robot
  std::string note;       ///< sentence for people
};
EventText TextOf(const Event& event);
/// All kinds that files have: "parameter, failure, ... or refused".
std::string EventKinds();

}  // namespace slip
