// [[channel]] and [opens_with] of a scene file: parameters that differ from the scene's own.
#pragma once

#include "engine/scene/scene.h"
#include "engine/scene/table_reader.h"

namespace slip {

/// One channel with the scene's model where the file names none. The scene's Config comes first.
void ReadChannels(TableReader* root, Scene* scene);
void ReadOpensWith(TableReader* root, Scene* scene);

}  // namespace slip
