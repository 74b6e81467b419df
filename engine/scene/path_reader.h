// Quantities over time in a scene file, and [push.NAME].
#pragma once

#include "engine/dynamics/model.h"
#include "engine/method/config.h"
#include "engine/scene/table_reader.h"

namespace slip {

/// [[time, value], ...], times ascending from 0 on [s]; values in `unit`, at most `limit` in size.
/// Bad ones are reported, and the path stays empty.
Path<double> ReadPath(const TomlNode& node, std::string_view key, std::string_view unit,
                      double limit, Reporter* reporter);

/// [push.NAME]: force and torque on a body over time. Keys: body_keys.h.
void ReadPush(const TomlNode& node, Model* model, Config* config, Reporter* reporter);

}  // namespace slip
