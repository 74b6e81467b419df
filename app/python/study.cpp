#include "app/python/study.h"

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <charconv>
#include <memory>
#include <optional>

#include "app/python/bind.h"
#include "app/python/errors.h"
#include "app/python/interrupts.h"
#include "app/python/memory_arrays.h"
#include "app/python/unmade.h"
#include "app/python/values.h"
#include "engine/core/numbers.h"
#include "engine/core/thread_stop.h"
#include "engine/core/worker_pool.h"
#include "engine/run/study/sweep_lines.h"
#include "engine/study/study_data.h"
#include "engine/study/study_plan.h"

namespace slip::python {
namespace {

namespace py = pybind11;

/// What a study has become.
struct StudyOutcome {
  std::string id, title, story;
  py::dict tables, samples;
  std::vector<py::dict> statements;
  std::size_t cells = 0, failed = 0;
  bool holds = true;
};

Study ReadAnyStudy(const std::string& text, bool quick) {
  Interrupts interrupts;
  std::optional<Result<Study>> study;
  {
    const Unlocked unlocked;
    const ThreadStop stop(interrupts.Poll());
    const bool is_text = text.find('\n') != std::string::npos;
    study = is_text ? ReadStudy(text, "text.toml", quick) : FindStudy(text, quick);
  }
  interrupts.Raise();
  return Take(std::move(*study));
}

/// A column of a table: whole numbers, numbers or texts, whichever all of them are.
py::object ColumnOf(const std::vector<std::string>& texts) {
  const auto read = [&texts](auto* numbers) {
    for (const std::string& text : texts) {
      const char* end = text.data() + text.size();
      const auto [last, error] = std::from_chars(text.data(), end, numbers->emplace_back());
      if (last != end || error != std::errc()) return false;
    }
    return true;
  };
  const std::vector<int64_t> shape = {static_cast<int64_t>(texts.size())};
  std::vector<int64_t> whole;
  if (read(&whole)) return ToArray(std::move(whole), shape);
  std::vector<double> numbers;
  if (read(&numbers)) return ToArray(std::move(numbers), shape);
  return py::module_::import("numpy").attr("array")(texts);
}

/// Columns by their headings in the files of `slipscope study -o`.
py::dict TableOf(const StudyRun& run, const StudyCell* cells) {
  const std::vector<std::string> names = SplitCells(StudyRowHeader(run));
  std::vector<std::vector<std::string>> columns(names.size());
  for (std::size_t i = 0; i < run.cells(); ++i) {
    const std::vector<std::string> row = SplitCells(cells[i].row);
    for (std::size_t c = 0; c < names.size(); ++c)
      columns[c].push_back(c < row.size() ? row[c] : std::string());
  }
  py::dict table;
  for (std::size_t c = 0; c < names.size(); ++c) table[py::str(names[c])] = ColumnOf(columns[c]);
  return table;
}

/// Likewise: the cells' samples, one behind the other.
py::dict SamplesOf(const StudyRun& run, const StudyCell* cells) {
  const std::vector<std::string> names = SplitCells(StudySampleHeader(run));
  const std::size_t place = run.plan.axes.size() + 2;  // cell, axes, model
  std::vector<std::vector<std::string>> places(place);
  std::vector<std::vector<double>> numbers(names.size() - place);
  for (std::size_t i = 0; i < run.cells(); ++i) {
    const std::vector<std::string> row = SplitCells(cells[i].row);
    for (const std::string& sample : cells[i].samples) {
      for (std::size_t c = 0; c < place; ++c) places[c].push_back(row[c]);
      const std::vector<std::string> values = SplitCells(sample);
      for (std::size_t c = 0; c < numbers.size(); ++c) {
        const std::string& text = values[c];
        double number = kNaN;
        std::from_chars(text.data(), text.data() + text.size(), number);
        numbers[c].push_back(number);
      }
    }
  }
  py::dict table;
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (c < place) {
      table[py::str(names[c])] = ColumnOf(places[c]);
      continue;
    }
    const std::vector<int64_t> shape = {static_cast<int64_t>(numbers[c - place].size())};
    table[py::str(names[c])] = ToArray(std::move(numbers[c - place]), shape);
  }
  return table;
}

py::dict StatementOf(const StudyVerdict& verdict) {
  const StudyCondition& of = *verdict.of;
  py::dict words;
  words["id"] = of.id;
  words["text"] = of.text;
  words["mark"] = std::string(At(kStudyMarks, static_cast<int>(of.mark)));
  words["verdict"] = std::string(Name(verdict.answer));
  words["fails"] = verdict.Fails();
  words["least"] = verdict.least;
  words["most"] = verdict.most;
  words["low"] = verdict.low;
  words["high"] = verdict.high;
  words["unit"] = of.unit;
  words["note"] = verdict.note.empty() ? of.known : verdict.note;
  return words;
}

std::shared_ptr<StudyOutcome> MakeStudy(const py::object& name_or_text, const py::object& quick,
                                        const py::object& threads) {
  const std::string text = py::isinstance<py::str>(name_or_text) ? ToText(name_or_text, "study")
                                                                 : ToPath(name_or_text, "study");
  const int64_t workers = ToWhole(threads, "threads", 0, kMostWorkers);
  StudyPlan plan;
  plan.studies.push_back(ReadAnyStudy(text, ToFlag(quick, "quick")));
  const Study& study = plan.studies.front();
  std::vector<StudyCell> cells(plan.cells());
  StudyData data(study);
  auto outcome = std::make_shared<StudyOutcome>();
  Interrupts interrupts;
  StudyCallbacks callbacks;
  callbacks.cell = [&](const StudyCell& cell) {
    const StudyPlan::Place place = plan.PlaceOf(cell.cell);
    data.Add(place.run, place.index, cell);
    outcome->failed += cell.failed ? 1 : 0;
    cells[cell.cell] = cell;
  };
  callbacks.poll = [&](double) { return !interrupts.Stopped(); };
  std::vector<StudyVerdict> verdicts;
  {
    const Unlocked unlocked;
    const int jobs = workers > 0 ? static_cast<int>(workers) : HardwareThreads();
    if (MakeStudyCells(plan, jobs, std::vector<bool>(cells.size(), false), callbacks))
      verdicts = JudgeStudy(study, data);
  }
  interrupts.Raise();

  outcome->id = study.id;
  outcome->title = study.title;
  outcome->story = study.story;
  outcome->cells = cells.size();
  const StudyCell* own = cells.data();
  for (const StudyRun& run : study.runs) {
    if (run.cells() == 0) continue;
    outcome->tables[py::str(run.id)] = TableOf(run, own);
    if (!run.series.empty()) outcome->samples[py::str(run.id)] = SamplesOf(run, own);
    own += run.cells();
  }
  for (const StudyVerdict& verdict : verdicts) {
    outcome->statements.push_back(StatementOf(verdict));
    outcome->holds = outcome->holds && !verdict.Fails();
  }
  return outcome;
}

}  // namespace

void AddStudies(py::module_* module) {
  py::class_<StudyOutcome, std::shared_ptr<StudyOutcome>>(
      *module, "Study", "What a study gave: its tables, and its statements with their verdicts.")
      .def_readonly("id", &StudyOutcome::id, "Its name: the file's without its ending.")
      .def_readonly("title", &StudyOutcome::title, "What its report is called.")
      .def_readonly("story", &StudyOutcome::story, "What it is about, a few sentences.")
      .def_readonly("tables", &StudyOutcome::tables,
                    "Of each run a dict of arrays, a row each cell, as `slipscope study -o` writes "
                    "them:\npandas.DataFrame(study.tables[\"slope\"]).")
      .def_readonly("samples", &StudyOutcome::samples,
                    "Of each run that keeps signals over time the same, a row each sample.")
      .def_readonly(
          "statements", &StudyOutcome::statements,
          "A dict each: id, text, mark (paper, derived or chosen), verdict, fails, least and most "
          "of what was\nmeasured, low and high of what is expected (NaN: no bound), unit, note.")
      .def_readonly("cells", &StudyOutcome::cells, "How many runs were asked for.")
      .def_readonly("failed", &StudyOutcome::failed, "How many of them failed.")
      .def_readonly("holds", &StudyOutcome::holds,
                    "No statement fails: `slipscope study` would end with exit 0.")
      .def("__repr__", [](const StudyOutcome& s) {
        return fmt::format("<slipscope.Study '{}': {} statements, {}>", s.id, s.statements.size(),
                           s.holds ? "none fails" : "some fail");
      });
  RefuseUnmade<StudyOutcome>();
  Def(module, "studies", "()", ListStudies, "Names of the studies that come with Slipscope.");
  Def(module, "study", "(study, quick=False, *, threads=0)", MakeStudy,
      R"(Makes a study, to the bit as `slipscope study` does, and judges its statements.

study      a name (studies), the path of a TOML file, or the text of one
quick      with the fewer values that it gives for that
threads    0: one for each processor; the same bits for any number

Raises slipscope.Error with the program's sentences.)",
      py::arg("study"), py::arg("quick") = false, py::kw_only(), py::arg("threads") = 0);
}

}  // namespace slip::python
