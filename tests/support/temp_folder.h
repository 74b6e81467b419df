// A folder for what a test writes, and what is read back from it.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace slip {

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
