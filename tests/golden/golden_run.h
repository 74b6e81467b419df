// What the program computes, reduced to hashes: the one file here that knows how to run it.
#pragma once

#include <string>
#include <vector>

#include "tests/golden/golden_text.h"

namespace slip {

/// A run as the command line would ask for it.
struct GoldenCase {
  std::string scene;
  std::string models;       ///< as for -m; empty = the scene's channels
  std::string assignments;  ///< as for -p, separated by spaces
  std::string change;       ///< as for --at, or empty

  /// "clutter,solver=plain": scene, assignments and change, without spaces.
  std::string Name() const;
};

/// Every scene with its own channels, a few with all models, and runs that reach what no scene
/// does: the other normal laws, the plain solver, a change of the time step.
std::vector<GoldenCase> GoldenCases();
/// The scenes whose files are compared, too.
std::vector<GoldenCase> GoldenFileCases();

/// The hash of every channel's state after 1, 100 and 500 steps. Of a channel that failed before:
/// the hash of its last state, and which step was refused or failed, and why.
GoldenResults RunStates(const GoldenCase& each);

/// The hashes of bodies.csv, contacts.csv and steps.csv of 100 steps, without columns of wall
/// times; and of every channel the state_hash of meta.json, under the key of RunStates.
GoldenResults RunFiles(const GoldenCase& each);

}  // namespace slip
