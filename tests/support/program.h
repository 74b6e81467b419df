// Runs the built slipscope as a user would, and reads what it wrote.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace slip {

struct ProgramResult {
  int exit = -1;  ///< exit code, or 128 + signal
  std::string out, err;
};

/// Runs build/.../slipscope with these arguments. `interrupt_after` seconds later it gets `signal`.
ProgramResult RunProgram(const std::vector<std::string>& arguments, double interrupt_after = 0,
                         int signal = 0);

/// A fresh folder that is removed with the object.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  std::string path(const std::string& name = {}) const;

 private:
  std::string path_;
};

std::string ReadText(const std::string& path);
void WriteText(const std::string& path, const std::string& text);

/// A CSV file as rows of column name -> cell. No quoted cells.
std::vector<std::map<std::string, std::string>> ReadCsv(const std::string& path);

}  // namespace slip
