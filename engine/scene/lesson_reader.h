// [lesson] of a scene file: cards, their conditions, answers and advice.
#pragma once

#include "engine/scene/scene.h"
#include "engine/scene/table_reader.h"

namespace slip {

/// Reads and checks the lesson where there is one. Paths of parameters are those of `config`,
/// joints and feet those of `model`; null = not known, and not checked.
void ReadLesson(TableReader* root, const Model* model, const Config& config, Lesson* lesson);

}  // namespace slip
