// A recorded run as its file has it: nothing turned, named or measured yet.
#pragma once

#include <string>
#include <vector>

#include "engine/foreign/foreign_meta.h"
#include "engine/npz/npy.h"

namespace slip {

/// T samples of N bodies, and C contacts. Arrays of an .npz may still be in the file.
struct ForeignFile {
  std::string path;
  ForeignMeta meta;
  std::vector<std::string> bodies;  ///< N; a single empty name: there was no column for it
  std::vector<double> time;         ///< T, strictly rising [s]
  NpyArray position, turn;          ///< (T, N, 3), (T, N, 4)
  NpyArray velocity, spin;          ///< (T, N, 3); without shape: not recorded
  bool single_precision = false;    ///< poses
  double digit = 0;                ///< last decimal that positions are written to [m]; 0 = all bits
  double velocity_digit = 0;       ///< likewise [m/s]
  std::vector<std::string> notes;  ///< what is passed over, sentences without full stop

  // contacts, by time
  std::vector<double> contact_time;   ///< C
  std::vector<std::string> surfaces;  ///< names that are no bodies
  NpyArray contact_a, contact_b;      ///< (C), indices into bodies; -1 = surface or world
  NpyArray contact_p, contact_n;      ///< (C, 3)
  NpyArray contact_f;                 ///< (C, 3) on B; without shape: directions unknown
  NpyArray contact_fn, contact_ft;    ///< (C) where they are

  bool has_velocity() const { return !velocity.shape().empty(); }
  bool has_forces() const { return !contact_f.shape().empty(); }
};

/// A folder or .csv as `run -o` writes it, or an .npz. `assignments` are "KEY=VALUE", on top of
/// what the file says. Errors: one sentence; nothing is held for what a file only promises.
Result<ForeignFile> ReadForeignFile(const std::string& path,
                                    const std::vector<std::string>& assignments);

/// Its two kinds. `overrides` come last.
Result<ForeignFile> ReadForeignCsv(const std::string& path,
                                   const std::vector<std::string>& assignments);
Result<ForeignFile> ReadForeignNpz(const std::string& path,
                                   const std::vector<std::string>& assignments);
/// Times rise, turns are unit, all numbers are finite; sizes fit. What is wrong, with its place.
Status CheckForeignFile(const ForeignFile& file);

}  // namespace slip
