// HDF5's library, opened by the one process that reads with it. Linked in, it and the network
// libraries that it brings would take longer to load than all the rest of the program.
#pragma once

#include <hdf5.h>

#include <string>

namespace slip {

// clang-format off
#define SLIP_HDF5_CALLS(CALL)                                                                      \
  CALL(H5open) CALL(H5Eset_auto2) CALL(H5PLset_loading_state)                                      \
  CALL(H5Pcreate) CALL(H5Pclose) CALL(H5Pset_fapl_core) CALL(H5Pset_file_image)                    \
  CALL(H5Pget_layout) CALL(H5Pget_external_count)                                                  \
  CALL(H5Fopen) CALL(H5Fclose) CALL(H5Lexists) CALL(H5Lget_info)                                   \
  CALL(H5Dopen2) CALL(H5Dclose) CALL(H5Dread) CALL(H5Dget_type) CALL(H5Dget_space)                 \
  CALL(H5Dget_create_plist) CALL(H5Tclose) CALL(H5Tget_class) CALL(H5Tget_size)                    \
  CALL(H5Tis_variable_str) CALL(H5Sclose) CALL(H5Sget_simple_extent_npoints)
// clang-format on

/// Its calls by their own names.
struct Hdf5 {
#define SLIP_MEMBER(name) decltype(&::name) name = nullptr;
  SLIP_HDF5_CALLS(SLIP_MEMBER)
#undef SLIP_MEMBER
  hid_t native_double = -1, file_access = -1;  ///< what the headers' macros stand for

  /// Opens it, for good. False: it is not there, or another one; *problem says so.
  bool Load(std::string* problem);
};

}  // namespace slip
