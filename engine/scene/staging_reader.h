// What a scene file says of its first picture: speed, loop, instrument and its numbers, camera.
#pragma once

#include "engine/scene/scene.h"
#include "engine/scene/table_reader.h"

namespace slip {

void ReadStaging(TableReader* root, Scene* scene);
/// What the instrument "numbers" shows. A null model is not known: only the list is checked.
void ReadNumbers(TableReader* root, const Model* model, Scene* scene);

}  // namespace slip
