// Keys of a scene file before its tables, and of those that are about how it is shown and run.
#pragma once

#include <array>

#include "engine/scene/scene.h"
#include "engine/scene/scene_keys.h"

namespace slip {

namespace key_words {

// in their order
inline constexpr std::array<std::string_view, 5> kInstruments = {"gap", "creep", "rebound",
                                                                 "conditioning", "numbers"};

}  // namespace key_words

inline constexpr SceneKey kTopKeys[] = {
    {.name = "schema",
     .kind = KeyKind::kText,
     .otherwise = "\"slipscope.scene/1\"",
     .doc = "Version of the format."},
    {.name = "title", .kind = KeyKind::kText, .needed = true, .doc = "Name for people."},
    {.name = "story",
     .kind = KeyKind::kText,
     .doc = "What happens and what to look for, a paragraph."},
    {.name = "source", .kind = KeyKind::kText, .doc = "Paper and section."},
    {.name = "tags", .kind = KeyKind::kTexts, .doc = "Words to search by."},
    {.name = "duration",
     .kind = KeyKind::kNumber,
     .unit = "s",
     .range = {0, 3600, true},
     .otherwise = "2",
     .doc = "Length of a run without --duration."},
    {.name = "planar",
     .kind = KeyKind::kFlag,
     .otherwise = "false",
     .doc = "No body leaves the x-z plane."},
    {.name = "contact_margin",
     .kind = KeyKind::kNumber,
     .unit = "m",
     .range = {0, key_limits::kFar, true},
     .otherwise = "0.02",
     .doc = "Signed distance below which a pair counts as a contact."},
    {.name = "plots",
     .kind = KeyKind::kTexts,
     .otherwise = R"(["normal_force", "gliding_offset", "condition_number"])",
     .doc = "Signals that are drawn over time: `slipscope list signals`."},
    {.name = "chosen",
     .kind = KeyKind::kTexts,
     .doc = "Paths of parameters whose value no paper gives."},
    {.name = "fan_out",
     .kind = KeyKind::kNumber,
     .unit = "m",
     .range = {0, 10},
     .otherwise = "0",
     .doc = "Sideways distance between the bodies of the models side by side."},
    {.name = "speed",
     .kind = KeyKind::kNumber,
     .range = {kPlaybackSpeeds.front(), kPlaybackSpeeds.back()},
     .otherwise = "1",
     .doc = "Playback speed that the window opens with, one of those that it offers: 0.1 is ten "
            "times slower."},
    {.name = "pace",
     .kind = KeyKind::kNumber,
     .range = {kPlaybackSpeeds.front(), kPlaybackSpeeds.back()},
     .doc = "Former name of speed, which is still read."},
    {.name = "loop",
     .kind = KeyKind::kFlag,
     .otherwise = "false",
     .doc = "The window shows 0 to `duration` again and again, until somebody acts."},
    {.name = "instrument",
     .kind = KeyKind::kChoice,
     .choices = key_words::kInstruments,
     .otherwise = "\"gap\"",
     .doc = "What is measured over the picture."},
    {.name = "numbers",
     .kind = KeyKind::kTexts,
     .doc = "Of instrument = \"numbers\": up to three signals, or texts such as "
            "\"gone [m] = last(position_x)\"."},
    {.name = "closed_form",
     .kind = KeyKind::kFlag,
     .otherwise = "false",
     .doc = "The first body stands on one spring with an anchor, whose closed form is drawn."},
    {.name = "material", .form = "tables [material.NAME]", .doc = "At least one is needed."},
    {.name = "surface",
     .form = "tables [surface.NAME]",
     .doc = "Half-spaces; without one there is no ground, and bodies fall for ever."},
    {.name = "body", .form = "tables [body.NAME]", .doc = "Single bodies."},
    {.name = "pile", .form = "tables [pile.NAME]", .doc = "Many bodies from a few patterns."},
    {.name = "robot",
     .form = "tables [robot.NAME]",
     .doc = "Links and joints of a URDF or MJCF file."},
    {.name = "push", .form = "tables [push.NAME]", .doc = "Forces on bodies over time."},
    {.name = "channel",
     .form = "tables [[channel]]",
     .otherwise = "one, with SAP",
     .doc = "One to five models side by side."},
    {.name = "opens_with",
     .form = "table [opens_with]",
     .doc = "Parameters that the window opens with."},
    {.name = "camera", .form = "table [camera]", .doc = "Where the picture is seen from."},
    {.name = "lesson", .form = "table [lesson]", .doc = "Cards that ask and explain."},
};

inline constexpr SceneKey kChannelKeys[] = {
    {.name = "model",
     .form = "text",
     .needed = true,
     .doc = "Id of a model: `slipscope list models`."},
    {.name = "PATH",
     .form = "number or text",
     .doc = "Any parameter by its path: `slipscope list parameters`."},
};

inline constexpr SceneKey kOpensWithKeys[] = {
    {.name = "PATH",
     .form = "number or text",
     .doc = "A parameter by its path; the window resets to it, runs take the scene's value."},
};

inline constexpr SceneKey kCameraKeys[] = {
    {.name = "target",
     .kind = KeyKind::kVector,
     .unit = "m",
     .range = {-key_limits::kFar, key_limits::kFar},
     .otherwise = "[0, 0, 0.05]",
     .doc = "What it looks at."},
    {.name = "distance",
     .kind = KeyKind::kNumber,
     .unit = "m",
     .range = {0, key_limits::kFar, true},
     .otherwise = "1.5",
     .doc = "From there."},
    {.name = "azimuth",
     .kind = KeyKind::kNumber,
     .unit = "rad",
     .range = {-10, 10},
     .otherwise = "-1.2",
     .doc = "Of the eye about z; 0 is along +x."},
    {.name = "elevation",
     .kind = KeyKind::kNumber,
     .unit = "rad",
     .range = {-1.57, 1.57},
     .otherwise = "0.35",
     .doc = "Of the eye above the target."},
    {.name = "field_of_view",
     .kind = KeyKind::kNumber,
     .unit = "rad",
     .range = {0.05, 2.5},
     .otherwise = "0.45",
     .doc = "Vertical."},
    {.name = "follow",
     .kind = KeyKind::kFlag,
     .otherwise = "false",
     .doc = "The target goes along with the first body, horizontally."},
};

inline constexpr SceneSection kTopSection{
    .name = "(top)", .keys = kTopKeys, .params = ListSceneParams<StepParams>};
inline constexpr SceneSection kMaterialSection{
    .name = "[material.NAME]", .keys = {}, .params = ListSceneParams<Material>};
inline constexpr SceneSection kChannelSection{.name = "[[channel]]", .keys = kChannelKeys};
inline constexpr SceneSection kOpensWithSection{.name = "[opens_with]", .keys = kOpensWithKeys};
inline constexpr SceneSection kCameraSection{.name = "[camera]", .keys = kCameraKeys};

consteval const SceneKey& TopKey(std::string_view name) { return RowOf(kTopKeys, name); }
consteval const SceneKey& ChannelKey(std::string_view name) { return RowOf(kChannelKeys, name); }
consteval const SceneKey& CameraKey(std::string_view name) { return RowOf(kCameraKeys, name); }

}  // namespace slip
