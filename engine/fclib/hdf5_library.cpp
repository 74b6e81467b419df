#ifdef SLIP_HDF5
#include "engine/fclib/hdf5_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace slip {
namespace {

template <typename Call>
bool Find(void* library, const char* name, Call* call) {
  *call = reinterpret_cast<Call>(dlsym(library, name));
  return *call != nullptr;
}

}  // namespace

bool Hdf5::Load(std::string* problem) {
  void* library = dlopen(SLIP_HDF5, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* why = dlerror();
    const std::string package = SLIP_HDF5_PACKAGE;
    *problem = fmt::format("HDF5's library does not open ({}): install {}",
                           why == nullptr ? SLIP_HDF5 : why, package.empty() ? "it" : package);
    return false;
  }
  bool found = true;
// in two steps, as some names are macros for the version that is meant
#define SLIP_TEXT(name) #name
#define SLIP_FIND(name) found = found && Find(library, SLIP_TEXT(name), &this->name);
  SLIP_HDF5_CALLS(SLIP_FIND)
#undef SLIP_FIND
#undef SLIP_TEXT
  const hid_t* number = nullptr;
  const hid_t* access = nullptr;
  found = found && H5open() >= 0 && Find(library, "H5T_NATIVE_DOUBLE_g", &number) &&
          Find(library, "H5P_CLS_FILE_ACCESS_ID_g", &access);
  if (!found) {
    *problem = fmt::format("{} lacks calls of HDF5", SLIP_HDF5);
    return false;
  }
  native_double = *number;
  file_access = *access;
  return true;
}

}  // namespace slip
#endif
