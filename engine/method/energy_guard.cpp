#include "engine/method/energy_guard.h"

#include <algorithm>

namespace slip {
namespace {

/// Smallest pieces of a step: ten halvings.
constexpr int kMostPieces = 1 << 10;
/// Contacts that there is room for from the start: few points of a cloud touch at once.
constexpr std::size_t kMostReserved = 256;

// Whether shorter steps may do better: it gains, or has no solution, as at an impact.
bool WantsPieces(StepStatus status, const StepOutput& output) {
  return status == StepStatus::kNotFinite || status == StepStatus::kBeyondDigits ||
         status == StepStatus::kLost ||
         (Advanced(status) && output.solve.gain.share > kGainOfAnchors);
}

}  // namespace

void EnergyGuarded::Reserve(const StepInput& input) {
  reserved_for_ = &input.model;
  std::size_t points = 0;
  for (const Body& body : input.model.bodies) points += body.points_B.size();
  points = std::min(points, kMostReserved);
  config_ = input.config;
  kinematics_.Update(input.model, input.start);
  for (State* state : {&from_, &state_, &piece_.end}) {
    *state = input.start;
    state->contacts.reserve(points);
    state->memory.reserve(points);
  }
  contacts_.reserve(points);
  sum_.Reserve(points);
}

StepStatus EnergyGuarded::Step(const StepInput& input, StepOutput* output) {
  in_pieces_ = false;
  if (reserved_for_ != &input.model) Reserve(input);
  const StepStatus status = inner_->Step(input, output);
  if (input.config.step.gained_energy != 0 || !WantsPieces(status, *output)) return status;
  return StepInPieces(input, output);
}

StepStatus EnergyGuarded::TryPiece(const StepInput& input, double time, double h) {
  config_.step.time_step = h;
  // the formulation reads the time of its own steps
  state_ = from_;
  state_.time_base = time;
  state_.step_base = state_.step;
  kinematics_.Update(input.model, state_);
  const bool has_limit = Info(input.config.method()).stable_step != nullptr;
  const StepInput of_piece{.model = input.model,
                           .config = config_,
                           .start = state_,
                           .V_WB = kinematics_.V_WB,
                           .trees = kinematics_.trees,
                           .actuation = input.actuation,
                           .measure_condition = input.measure_condition || has_limit,
                           .measure_distance = input.measure_distance,
                           .stop = input.stop};
  const StepStatus status = inner_->Step(of_piece, &piece_);
  contacts_.clear();
  if (!Advanced(status)) return status;
  for (auto block = inner_->Contacts(0); !block.empty(); block = inner_->Contacts(contacts_.size()))
    contacts_.insert(contacts_.end(), block.begin(), block.end());
  return status;
}

StepStatus EnergyGuarded::StepInPieces(const StepInput& input, StepOutput* output) {
  const double outer = input.config.step.time_step, start_time = input.start.Time(outer);
  const bool has_limit = Info(input.config.method()).stable_step != nullptr;
  config_ = input.config;
  from_ = input.start;
  sum_.Clear();
  double shared_error = 0, share = 0, residual = 0, made = 0;
  int pieces = 0;
  bool converged = true;
  // places in the step, in its smallest pieces: a half, or what is left of a larger half, begins
  // where its own size divides the place. A method that has a limit tries the whole once more, to
  // know it.
  for (int at = 0, size = has_limit ? kMostPieces : kMostPieces / 2; at < kMostPieces;) {
    if (IsStopped(input.stop)) return StepStatus::kStopped;
    const double h = outer * size / kMostPieces;
    const StepStatus status = TryPiece(input, start_time + outer * at / kMostPieces, h);
    if (status == StepStatus::kStopped) return status;
    const bool wants_pieces = WantsPieces(status, piece_);
    const bool unstable = has_limit && h > piece_.solve.stable_step;
    if (wants_pieces && size > 1 && !unstable) {
      size /= 2;
      continue;
    }
    if (wants_pieces || !Advanced(status)) {
      output->solve = piece_.solve;
      output->reason = piece_.reason;
      output->culprit_body = Advanced(status) ? piece_.solve.gain.body : piece_.culprit_body;
      return Advanced(status) ? StepStatus::kGain : status;
    }
    sum_.Add(piece_, contacts_, 1, h, outer);
    shared_error = std::max(shared_error, piece_.shared_error);
    share = std::max(share, piece_.solve.gain.share);
    made += piece_.solve.gain.energy;
    residual = std::max(residual, piece_.solve.worst_residual);
    converged &= status == StepStatus::kConverged;
    ++pieces;
    std::swap(from_, piece_.end);
    at += size;
    size = at & -at;
  }
  std::swap(output->end, from_);
  output->solve = piece_.solve;
  output->solve.converged = converged;
  output->solve.gain.share = share;
  output->solve.gain.energy = made;
  output->solve.worst_residual = residual;
  output->solve.anchors.pieces = pieces;
  output->shared_error = shared_error;
  sum_.Finish(input.start, output);
  in_pieces_ = true;
  return converged ? StepStatus::kConverged : StepStatus::kIterationLimit;
}

std::span<const ContactOutcome> EnergyGuarded::Contacts(std::size_t first) {
  if (!in_pieces_) return inner_->Contacts(first);
  return std::span<const ContactOutcome>(sum_.contacts()).subspan(first);
}

}  // namespace slip
