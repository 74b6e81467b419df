// Files that another file names beside itself: only plain files inside its folder are read.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/core/text_file.h"

namespace slip {

/// Opens the folder for ReadFolderFile; -1 when it cannot be opened. Who opened it closes it.
int OpenFolder(const std::string& folder);

/// The file of that name in the folder or below it. None for what is no plain file, for names that
/// lead out of the folder or through a link, and for more than `most_bytes`.
std::optional<std::string> ReadFolderFile(int folder, std::string_view name,
                                          std::size_t most_bytes);

}  // namespace slip
