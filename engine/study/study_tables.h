// What the readers of a study's tables share. Internal to engine/study.
#pragma once

#include <string>
#include <vector>

#include "engine/scene/table_reader.h"
#include "engine/study/study.h"
#include "engine/study/study_keys.h"

namespace slip {

/// The tables of a list of tables; whatever else is in it is reported.
std::vector<const TomlNode*> TablesIn(const TomlNode* list, Reporter* reporter);
/// A text that has to be there.
bool NeedText(TableReader* table, const SceneKey& key, std::string* out);
/// A name for files and expressions: lower-case letters, digits, and `more`.
bool NeedName(TableReader* table, const SceneKey& key, std::string_view more, std::string* out);
/// Two numbers, the smaller one first.
void ReadRange(TableReader* table, const SceneKey& key, double* from, double* to);

/// Errors with what is meant instead.
Error NoRun(const std::vector<StudyRun>& runs, const std::string& id);
Error NoAxis(const StudyRun& run, const std::string& name);

StudyRun ReadStudyRun(const TomlNode& node, const std::string& file, bool quick,
                      Reporter* reporter);
StudyFigure ReadStudyFigure(const TomlNode& node, const std::vector<StudyRun>& runs,
                            Reporter* reporter);
StudyTable ReadStudyTable(const TomlNode& node, const std::vector<StudyRun>& runs,
                          Reporter* reporter);
/// Quick runs may be shorter: they lose the frames beyond their end.
StudyPicture ReadStudyPicture(const TomlNode& node, const std::vector<StudyRun>& runs, bool quick,
                              Reporter* reporter);
StudyCondition ReadStudyCondition(const TomlNode& node, const std::vector<StudyRun>& runs,
                                  bool quick, Reporter* reporter);

}  // namespace slip
