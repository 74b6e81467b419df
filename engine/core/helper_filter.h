// What a helper may ask of the system.
#pragma once

namespace slip {

/// From now on this process can read what it holds, open files to read them, use memory and end;
/// whatever else it asks for is not there: no file is written, no process started, nobody talked
/// to. Where the system has no such filter, nothing changes.
void FilterHelperCalls();

}  // namespace slip
