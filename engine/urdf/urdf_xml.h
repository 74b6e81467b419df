// URDF text as a tree of XML elements that know their lines, and how their attributes are read.
#pragma once

#include <tinyxml2.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/text_file.h"
#include "engine/core/types.h"

namespace slip {

constexpr TextFileKind kUrdfFile{.name = "URDF file", .most_bytes = 16 * kMebibyte};

/// Error: too large, not text, not XML, nested too deeply, or with declarations of entities, which
/// nothing here expands. `root` is what an empty file should have, for the message.
Status ParseXml(std::string_view text, const std::string& file, tinyxml2::XMLDocument* document,
                const TextFileKind& kind = kUrdfFile,
                std::string_view root = "<robot name=\"...\">");

/// How many words a text has, between blanks of XML.
std::size_t CountXmlWords(std::string_view text);
/// The number that a whole word is, which may be infinite; what is too small for a double is zero.
std::optional<double> ParseXmlNumber(std::string_view word);

/// The text in UTF-8, line by line as it was, without its XML declaration: blanks stand in its
/// place. A text that is not in UTF-8 is converted from the encoding that it declares, ISO-8859-1
/// or windows-1252. Error: another one, or none.
Result<std::string> DecodeXml(std::string_view text, const std::string& file);

/// The first element that is not closed, or closed under another name, where that is what is wrong
/// with a text.
std::optional<Error> FindUnclosed(std::string_view text, const std::string& file);

/// What every check of a file needs: where errors go, and how to say where they are.
class UrdfReport {
 public:
  explicit UrdfReport(const std::string& file) : file_(file) {}

  void Fail(int line, std::string message, std::string hint = {});
  void Fail(const tinyxml2::XMLElement& at, std::string message, std::string hint = {}) {
    Fail(at.GetLineNum(), std::move(message), std::move(hint));
  }
  void Note(std::string note);
  /// One note for all that it is true of: "link 'a', link 'b' and 3 more: text".
  void NoteOf(const std::string& owner, const std::string& text);
  const std::string& file() const { return file_; }

  /// More would say the same again.
  static constexpr std::size_t kMostErrors = 100;
  static constexpr std::size_t kMostNotes = 200;

  /// By line.
  ErrorList Take();
  std::vector<std::string> TakeNotes();

  ErrorList errors;
  std::vector<std::string> notes;

 private:
  struct Shared {
    std::string text;
    std::vector<std::string> owners;
  };

  int more_ = 0;
  std::string file_;
  std::vector<Shared> shared_;
};

/// One element in its place: "link 'leg': mass".
struct UrdfPlace {
  std::string owner;  ///< "link 'leg'"
  UrdfReport* report;

  void Fail(const tinyxml2::XMLElement& at, const std::string& message,
            std::string hint = {}) const {
    report->Fail(at, owner + ": " + message, std::move(hint));
  }
};

/// How large a number may be: |x| within [least, most]; least > 0 asks for a positive one.
struct NumberRange {
  double least = 0;
  double most = 1e12;
  std::string_view unit = {};
};

/// Lengths in metres. Smaller ones are below every contact tolerance, larger ones lose those
/// tolerances to rounding.
inline constexpr NumberRange kSize{.least = 1e-6, .most = 1e3, .unit = "m"};
inline constexpr NumberRange kPosition{.most = 1e3, .unit = "m"};
inline constexpr NumberRange kAngle{.most = 1e3, .unit = "rad"};

/// The only child of that name, or nullptr; a second one is an error.
const tinyxml2::XMLElement* OnlyChild(const UrdfPlace& place, const tinyxml2::XMLElement& parent,
                                      const char* name);
/// The first child of that name, or nullptr; that there are more is noted.
const tinyxml2::XMLElement* FirstChild(const UrdfPlace& place, const tinyxml2::XMLElement& parent,
                                       const char* name);

/// The numbers of an attribute, whatever the locale. False when the attribute is missing (an error
/// only if `required`) or wrong (an error always).
bool ReadNumbers(const UrdfPlace& place, const tinyxml2::XMLElement& element, const char* attribute,
                 const NumberRange& range, bool required, std::span<double> values);
bool ReadNumber(const UrdfPlace& place, const tinyxml2::XMLElement& element, const char* attribute,
                const NumberRange& range, bool required, double* value);

/// What a text from the file looks like in a message; cut behind `most` bytes.
std::string QuoteXml(std::string_view text, std::size_t most = 60);

}  // namespace slip
