// Study files: any text is read or refused, and what is read finds all that its expressions name.
#include "engine/study/study.h"
#include "engine/study/study_data.h"
#include "tests/fuzz/oracle.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using namespace slip;
  using namespace slip::fuzz;
  for (const bool quick : {false, true}) {
    const Result<Study> study = ReadStudy(std::string(TextOf(data, size)), "fuzz.toml", quick);
    if (!study) {
      RequireErrors(study.errors());
      continue;
    }
    Require(!study->runs.empty() && study->cells() > 0, "a study has cells");
    // without a cell nothing is measured, and nothing holds
    const StudyData none(*study);
    for (const StudyVerdict& verdict : JudgeStudy(*study, none))
      Require(verdict.of != nullptr, "a verdict is of a statement");
  }
  return 0;
}
