// list: what there is, as a table for people or JSON for scripts.
#include <fmt/format.h>

#include <filesystem>

#include "app/cli/commands.h"
#include "app/cli/list_rows.h"
#include "app/host/print.h"
#include "engine/core/json_writer.h"
#include "engine/core/param_text.h"
#include "engine/dialect/dialect.h"
#include "engine/run/study/suite.h"
#include "engine/scene/scene.h"
#include "engine/sim/part_signals.h"
#include "engine/sim/signals.h"
#include "engine/study/study.h"
#include "engine/urdf/robot_description.h"

namespace slip::app {
namespace {

std::string S(std::string_view text) { return std::string(text); }

Rows Scenes() {
  Rows rows = {{"id", "title", "models", "source"}};
  for (const std::string& name : ListScenes()) {
    const auto scene = FindScene(name);
    if (!scene) {
      // A broken file is listed, so that it can be found and checked.
      rows.push_back({name, "(does not load; see 'slipscope check')", "", ""});
      continue;
    }
    std::string models;
    for (const ChannelSpec& channel : (*scene)->channels) {
      models += (models.empty() ? "" : ",") + S(Info(channel.config.method()).id);
    }
    rows.push_back({name, (*scene)->title, models, (*scene)->source});
  }
  return rows;
}

Rows Models() {
  Rows rows = {{"id", "label", "glides", "source", "doc"}};
  for (int i = 0; i < static_cast<int>(Methods().size()); ++i) {
    const MethodInfo& info = Info(static_cast<MethodId>(i));
    const std::string_view why = info.WhyMissing();
    const std::string missing = why.empty() ? "" : "Not in this build: " + S(why) + ". ";
    rows.push_back({S(info.id), S(info.label), info.glides ? "yes" : "no", S(info.source),
                    missing + S(info.doc)});
  }
  return rows;
}

Rows Laws() {
  Rows rows = {{"id", "label", "formula", "source", "doc"}};
  for (int i = 0; i < static_cast<int>(NormalLawIds().size()); ++i) {
    const NormalLawTraits& info = Info(static_cast<NormalLawId>(i));
    rows.push_back({S(info.id), S(info.label), S(info.formula), S(info.source), S(info.doc)});
  }
  return rows;
}

std::string UsedBy(const ParamInfo& info) {
  if (ReadByAll(info)) return "all";
  std::string text;
  for (int i = 0; i < static_cast<int>(Methods().size()); ++i) {
    const auto id = static_cast<MethodId>(i);
    if (Reads(Info(id), info)) text += (text.empty() ? "" : ",") + S(Info(id).id);
  }
  return text;
}

/// `other` has the same parameters as `table`, with units of their own.
template <class T>
void AddParams(std::span<const Param<T>> table, std::span<const Param<T>> other,
               const std::string& prefix, Rows* rows) {
  const T defaults;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const ParamInfo &info = table[i].info, &as = other[i].info;
    const double value = table[i].Get(defaults);
    rows->push_back({prefix + S(info.name), Either(S(info.unit), S(as.unit)),
                     info.scale == Scale::kChoice ? FormatValue(info, value) : FormatNumber(value),
                     Either(RangeText(info), RangeText(as)), UsedBy(info), S(info.doc)});
  }
}

template <class T>
void AddParams(std::span<const Param<T>> table, const std::string& prefix, Rows* rows) {
  AddParams(table, table, prefix, rows);
}

Rows Parameters() {
  Rows rows = {{"path", "unit", "default", "range", "models", "doc"}};
  AddParams(StepParamTable(), "", &rows);
  AddParams(MaterialTable(), "material.NAME.", &rows);
  AddParams(SurfaceTable(), "surface.NAME.", &rows);
  AddParams(PileTable(), "pile.NAME.", &rows);
  AddParams(BodyTable(), "body.NAME.", &rows);
  AddParams(PushTable(), "push.NAME.", &rows);
  // joints that turn, and those that slide
  AddParams(JointTable(false), JointTable(true), "joint.ROBOT/NAME.", &rows);
  AddParams(RobotTable(), "robot.NAME.", &rows);
  return rows;
}

Rows Signals() {
  Rows rows = {{"name", "unit", "doc"}};
  for (const SignalInfo& info : SignalTable())
    rows.push_back({S(info.name), S(info.unit), S(info.doc)});
  for (const SignalInfo& info : PartSignals(SignalPart::kTurningJoint))
    rows.push_back({S(info.name) + ":ROBOT/JOINT", S(info.unit), S(info.doc)});
  for (const SignalInfo& info : PartSignals(SignalPart::kFoot))
    rows.push_back({S(info.name) + ":ROBOT/FOOT", S(info.unit), S(info.doc)});
  for (const SignalInfo& info : PartSignals(SignalPart::kBody))
    rows.push_back({S(info.name) + ":BODY", S(info.unit), S(info.doc)});
  return rows;
}

/// With the names that the parts of a model give them.
Rows Signals(const Model& model) {
  Rows rows = {{"name", "unit", "doc"}};
  for (const Signal signal : ListSignals(model)) {
    const SignalInfo& info = Info(signal);
    rows.push_back({NameOf(model, signal), S(info.unit), S(info.doc)});
  }
  return rows;
}

Rows Robots() {
  Rows rows = {{"id", "file", "links", "joints", "mass_kg"}};
  for (const std::string& path : ListRobots()) {
    const std::string file = std::filesystem::path(path).filename().string();
    const Result<RobotDescription> robot = ReadUrdf(path);
    if (!robot) {
      // A broken file is listed, so that it can be found and checked.
      rows.push_back({"(does not load; see 'slipscope check')", file, "", "", ""});
      continue;
    }
    rows.push_back({robot->name, file, fmt::format("{}", robot->links.size()),
                    fmt::format("{}", robot->joints.size()),
                    fmt::format("{:.9g}", robot->CalcMass())});
  }
  return rows;
}

Rows Suites() {
  Rows rows = {{"id", "title", "questions", "story"}};
  for (const std::string& name : ListSuites()) {
    const Result<Suite> suite = FindSuite(name);
    if (!suite) {
      // A broken file is listed, so that it can be found.
      rows.push_back({name, "(does not load)", "", ""});
      continue;
    }
    std::size_t variants = 0;
    for (const SuiteCase& each : suite->cases) variants += each.variants.size();
    rows.push_back({name, suite->title, std::to_string(variants), suite->story});
  }
  return rows;
}

Rows StudyRows() {
  Rows rows = {{"id", "title", "cells", "source"}};
  for (const std::string& name : ListStudies()) {
    const Result<Study> study = FindStudy(name, false);
    if (study) {
      rows.push_back({name, study->title, std::to_string(study->cells()), study->source});
    } else {
      rows.push_back({name, "(does not load; see 'slipscope check')", "", ""});
    }
  }
  return rows;
}

Rows ListDialects() {
  Rows rows = {{"id", "label", "checked", "values"}};
  for (const Dialect& dialect : Dialects()) {
    std::string values;
    for (const DialectKnob& knob : dialect.knobs) {
      std::string numbers;
      for (const double number : knob.normal)
        numbers += (numbers.empty() ? "" : " ") + FormatNumber(number);
      const char* quote = knob.normal.size() > 1 ? "\"" : "";
      values +=
          fmt::format("{}{}={}{}{}", values.empty() ? "" : " ", knob.name, quote, numbers, quote);
    }
    rows.push_back({S(dialect.id), S(dialect.label), S(dialect.checked), values});
  }
  return rows;
}

std::string FormatJson(const Rows& rows) {
  JsonWriter json;
  json.BeginList(false);
  for (std::size_t r = 1; r < rows.size(); ++r) {
    json.BeginObject();
    for (std::size_t c = 0; c < rows[r].size(); ++c) json.Text(rows[0][c], rows[r][c]);
    json.EndObject();
  }
  json.EndList();
  return json.Take();
}

}  // namespace

std::string RangeText(const ParamInfo& info) {
  if (info.scale == Scale::kChoice) {
    std::string text;
    for (const std::string_view choice : info.choices)
      text += (text.empty() ? "" : "|") + std::string(choice);
    return text;
  }
  const std::string zero = info.zero ? "0, " : "";
  return zero + FormatNumber(info.min) + ".." + FormatNumber(info.max) +
         (info.scale == Scale::kLog ? " log" : "");
}

std::string Either(const std::string& one, const std::string& other) {
  return one == other ? one : one + " or " + other;
}

int ListCommand(const ListOptions& options) {
  Rows rows = {{"id"}};
  if (options.what == "scenes") rows = Scenes();
  if (options.what == "models") rows = Models();
  if (options.what == "laws") rows = Laws();
  if (options.what == "parameters") rows = Parameters();
  if (options.what == "signals" && options.scene.empty()) rows = Signals();
  if (options.what == "signals" && !options.scene.empty()) {
    const auto scene = FindScene(options.scene);
    if (!scene) {
      PrintErrors(scene.errors());
      return kExitInput;
    }
    rows = Signals(*(*scene)->model);
  }
  if (options.what == "robots") rows = Robots();
  if (options.what == "suites") rows = Suites();
  if (options.what == "dialects") rows = ListDialects();
  if (options.what == "keys") rows = ListKeys(!options.json);
  if (options.what == "studies") rows = StudyRows();
  const std::vector<bool> left(rows[0].size(), false);
  const std::string text = options.json      ? FormatJson(rows)
                           : rows.size() > 1 ? FormatTable(rows, left)
                                             : "";
  return Print(text) ? kExitDone : kExitFailed;
}

}  // namespace slip::app
