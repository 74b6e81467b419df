// JSON of a scene: resolved, with its parameters and the seed of its random numbers.
#pragma once

#include "engine/core/json_writer.h"
#include "engine/scene/scene.h"

namespace slip {

/// "seed": of the random numbers that the scene was made with. That of its pile; of several an
/// object; null where nothing is random. And "seed_note", which says so.
void WriteSeed(const Scene& scene, JsonWriter* json, bool note = true);
/// The resolved scene as an object: texts, bodies, surfaces, channels with all parameters.
void WriteScene(const Scene& scene, JsonWriter* json);
/// Every parameter of a Config: value and unit; given a model also range, scale, doc, and whether
/// it matters there.
void WriteParams(const Config& config, const Model* model, JsonWriter* json);

}  // namespace slip
