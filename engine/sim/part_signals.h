// Signals of a model's joints, feet and free bodies: "torque:solo/FL_KFE", "force:solo/FL_FOOT",
// "speed:puck". Their rows stand in signals.cpp; here they meet the parts that a model has.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/dynamics/model.h"
#include "engine/sim/signals.h"

namespace slip {

struct ContactFrame;
struct JointFrame;
struct StepView;

/// All signals of a model by place: the table, then those of its parts, but for a lone free body.
std::vector<Signal> ListSignals(const Model& model);
/// Those of the joint that carries a body, of its feet, and its own.
std::vector<Signal> SignalsOfBody(const Model& model, int body);
/// The most that the motor of a joint gives, of the signal of its torque; else infinite.
double LimitOf(const Model& model, Signal signal);
/// As files and conditions write it.
std::string NameOf(const Model& model, Signal signal);
/// As the window writes it: a foot by its short name, the robot where there are several.
std::string LabelOf(const Model& model, Signal signal);
/// Without the words that the names of all feet of the robot end with: "FL" of FL_FOOT.
std::string_view ShortName(const Robot& robot, const Robot::Foot& foot);
/// Error: a sentence about an unknown name, with the parts that there are.
Result<Signal> SignalNamed(const Model& model, std::string_view name);

/// Whether a step of the model has signals besides the table.
bool HasParts(const Model& model);
/// Values of a step's signals of parts, in the order of their places; memory is reused. Where no
/// step was `measured`, those of contacts are NaN.
void ReadPartSignals(const Model& model, StepView step, std::span<const JointFrame> joints,
                     std::span<const ContactFrame> contacts, bool measured,
                     std::vector<double>* values);

}  // namespace slip
