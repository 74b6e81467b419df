// [lesson] of a scene file: cards, their conditions, answers and advice.
#pragma once

#include "engine/scene/scene.h"
#include "engine/scene/table_reader.h"

namespace slip {

/// Reads and checks the lesson where there is one. Paths of parameters are those of `config`.
void ReadLesson(TableReader* root, const Config& config, Lesson* lesson);

}  // namespace slip
