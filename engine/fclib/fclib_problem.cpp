#include "engine/fclib/fclib_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/convex/inverse_inertia.h"
#include "engine/convex/problem_file.h"
#include "engine/core/helper_process.h"
#include "engine/core/numbers.h"
#include "engine/core/text_file.h"
#include "engine/fclib/fclib_helper.h"
#include "engine/fclib/fclib_sparse.h"
#include "engine/fclib/rigid_limit.h"

namespace slip {
namespace {

constexpr TextFileKind kFclibFile{.name = "contact problem", .most_bytes = 256 * kMebibyte};
constexpr int kMostTree = 1000;
constexpr double kMostFriction = 1e6;
constexpr const char* kGlobal = "fclib_global/";

/// Coordinates that belong together.
class Groups {
 public:
  explicit Groups(int count) : up_(static_cast<std::size_t>(count)) {
    std::iota(up_.begin(), up_.end(), 0);
  }
  int Of(int i) {
    while (At(up_, i) != i) i = At(up_, i) = At(up_, At(up_, i));
    return i;
  }
  /// The lower one speaks for both.
  void Join(int a, int b) {
    a = Of(a);
    b = Of(b);
    At(up_, std::max(a, b)) = std::min(a, b);
  }

 private:
  std::vector<int> up_;
};

/// At most two different groups.
struct Sides {
  int count = 0, first = -1, second = -1;
  void Add(int group) {
    if (count > 0 && group == first) return;
    if (count > 1 && group == second) return;
    if (count < 2) (count == 0 ? first : second) = group;
    ++count;
  }
};

class ProblemMaker {
 public:
  ProblemMaker(const FclibMessage& message, const std::string& path)
      : message_(message), path_(path) {}

  Result<FclibProblem> Make() {
    const bool made = NameWhatIsBeyond() && ReadSizes() && FindTrees() && AddTrees() &&
                      AddContacts() && ReadAnswer();
    if (!made) return Error{.message = problem_, .file = path_};
    out_.title = message_.title;
    SetRigidLimit(&out_.task);
    return std::move(out_);
  }

 private:
  template <class... Args>
  bool Refuse(fmt::format_string<Args...> format, Args&&... args) {
    if (problem_.empty()) problem_ = fmt::format(format, std::forward<Args>(args)...);
    return false;
  }
  const std::vector<double>* Find(const std::string& name) const {
    return message_.Find(kGlobal + name);
  }

  bool NameWhatIsBeyond() {
    const auto has = [&](std::string_view group) {
      return std::find(message_.groups.begin(), message_.groups.end(), group) !=
             message_.groups.end();
    };
    if (has(kFclibGlobal)) {
      // equalities of no rows are none
      const std::vector<double>* equalities = Find("G/n");
      if (equalities != nullptr && !(equalities->size() == 1 && equalities->front() == 0))
        return Refuse(
            "it has equalities (fclib_global/G, joints between its bodies), which are not read");
      if (Find("vectors/mu_r") != nullptr)
        return Refuse("it has rolling friction (fclib_global/vectors/mu_r), which is not read");
      return true;
    }
    for (const std::string_view form : kFclibOtherForms) {
      if (!has(form)) continue;
      const bool rolls = form.ends_with("rolling");
      return Refuse("it holds {}, {}: what is read is fclib_global, with M and H", form,
                    rolls ? "which has rolling friction"
                          : "the local form, which knows contacts but no bodies");
    }
    return Refuse("it holds no contact problem: there is no group fclib_global");
  }

  const std::vector<double>* Vector(const std::string& name, int size) {
    const std::vector<double>* found = Find(name);
    if (found == nullptr) {
      Refuse("{}{} is missing", kGlobal, name);
    } else if (found->size() != static_cast<std::size_t>(size)) {
      Refuse("{}{} must have {} numbers (found {})", kGlobal, name, size, found->size());
    } else if (!std::all_of(found->begin(), found->end(),
                            [](double x) { return std::isfinite(x); })) {
      Refuse("{}{} must be finite", kGlobal, name);
    } else {
      return found;
    }
    return nullptr;
  }

  bool ReadSizes() {
    problem_ = ReadSparse(message_, "fclib_global/M", &M_);
    if (problem_.empty()) problem_ = ReadSparse(message_, "fclib_global/H", &H_);
    if (!problem_.empty()) return false;
    const std::vector<double>* dimension = Vector("spacedim", 1);
    if (dimension == nullptr) return false;
    if (dimension->front() != 2 && dimension->front() != 3)
      return Refuse("fclib_global/spacedim must be 2 or 3 (found {:.9g})", dimension->front());
    out_.dimension = static_cast<int>(dimension->front());
    if (M_.rows != M_.columns || H_.rows != M_.rows)
      return Refuse("fclib_global/M is {} by {} and H {} by {}: they do not fit", M_.rows,
                    M_.columns, H_.rows, H_.columns);
    if (H_.columns % out_.dimension != 0)
      return Refuse("fclib_global/H has {} columns: no multiple of {}", H_.columns, out_.dimension);
    contacts_ = H_.columns / out_.dimension;
    f_ = Vector("vectors/f", M_.rows);
    w_ = Vector("vectors/w", H_.columns);
    mu_ = Vector("vectors/mu", contacts_);
    return problem_.empty();
  }

  int ContactOf(const SparseEntry& entry) const { return entry.column / out_.dimension; }

  /// The groups that each contact has to do with.
  std::vector<Sides> SidesOf(Groups* groups) const {
    std::vector<Sides> sides(static_cast<std::size_t>(contacts_));
    for (const SparseEntry& entry : H_.entries)
      if (entry.x != 0) At(sides, ContactOf(entry)).Add(groups->Of(entry.row));
    return sides;
  }

  /// Bodies are not in the file. They are blocks of so many coordinates, as most who write it have
  /// them, and what M joins; a contact has two sides. Blocks that are too large are right, too.
  bool FindTrees() {
    const int n = M_.rows;
    for (const int block : {6, 3, 1}) {
      if (n % block != 0) continue;
      Groups groups(n);
      for (int i = 0; i < n; ++i) groups.Join(i, i - i % block);
      for (const SparseEntry& entry : M_.entries)
        if (entry.x != 0) groups.Join(entry.row, entry.column);
      sides_ = SidesOf(&groups);
      const bool fits =
          std::all_of(sides_.begin(), sides_.end(), [](const Sides& s) { return s.count <= 2; });
      // what has more than two is one
      for (const SparseEntry& entry : H_.entries)
        if (const Sides& s = At(sides_, ContactOf(entry));
            block == 1 && s.count > 2 && entry.x != 0)
          groups.Join(s.first, entry.row);
      if (!fits && block > 1) continue;
      if (!fits) sides_ = SidesOf(&groups);
      return PlaceCoordinates(&groups);
    }
    return false;
  }

  bool PlaceCoordinates(Groups* groups) {
    const auto n = static_cast<std::size_t>(M_.rows);
    tree_.assign(n, -1);
    std::vector<int> sizes;
    std::vector<int> local(n);
    for (int i = 0; i < M_.rows; ++i) {
      const int first = groups->Of(i);
      if (first == i) {
        At(tree_, i) = static_cast<int>(sizes.size());
        sizes.push_back(0);
      }
      const int tree = At(tree_, i) = At(tree_, first);
      At(local, i) = At(sizes, tree)++;
    }
    for (const int size : sizes)
      if (size > kMostTree)
        return Refuse("{} coordinates hang together in one block; at most {} are taken", size,
                      kMostTree);
    for (const int size : sizes) out_.task.AddTree(size);
    out_.bodies = static_cast<int>(sizes.size());
    out_.task.Resize();
    out_.place.resize(n);
    for (int i = 0; i < M_.rows; ++i)
      At(out_.place, i) = At(out_.task.trees, At(tree_, i)).start + At(local, i);
    return true;
  }

  bool AddTrees() {
    ContactTask& task = out_.task;
    for (const SparseEntry& entry : M_.entries) {
      if (entry.x == 0) continue;
      const ContactTask::Tree& tree = At(task.trees, At(tree_, entry.row));
      const int row = At(out_.place, entry.row) - tree.start,
                column = At(out_.place, entry.column) - tree.start;
      At(task.A, tree.A_offset + row * tree.nv + column) += entry.x;
    }
    for (const ContactTask::Tree& tree : task.trees) {
      std::vector<double> A(task.A.begin() + tree.A_offset,
                            task.A.begin() + tree.A_offset + tree.entries());
      if (!MakeInertia(tree.nv, &A))
        return Refuse("fclib_global/M must be symmetric and positive definite");
      std::copy(A.begin(), A.end(), task.A.begin() + tree.A_offset);
    }
    for (int i = 0; i < M_.rows; ++i) task.v_star[At(out_.place, i)] = At(*f_, i);
    inverse_.Update(task);
    for (std::size_t t = 0; t < task.trees.size(); ++t)
      inverse_.Solve(static_cast<int>(t), task.v_star.data() + task.trees[t].start);
    if (!task.v_star.allFinite()) return Refuse("fclib_global/M is too small for f");
    task.v0 = task.v_star;
    const std::vector<double>* guess = message_.Find("guesses/1/v");
    const auto counts = [](double x) { return x != 0; };
    const auto sound = [](double x) { return std::isfinite(x); };
    if (guess != nullptr && guess->size() == tree_.size() &&
        std::any_of(guess->begin(), guess->end(), counts) &&
        std::all_of(guess->begin(), guess->end(), sound))
      for (int i = 0; i < M_.rows; ++i) task.v0[At(out_.place, i)] = At(*guess, i);
    return true;
  }

  /// The task's row of one of the file's: the normal is the last here.
  int RowOf(int column) const {
    const int row = column % out_.dimension;
    return row == 0 ? 2 : row - 1;
  }

  bool AddContacts() {
    ContactTask& task = out_.task;
    for (int i = 0; i < contacts_; ++i) {
      const Sides& sides = At(sides_, i);
      const double mu = At(*mu_, i);
      if (!(mu >= 0 && mu <= kMostFriction))
        return Refuse("fclib_global/vectors/mu[{}] must be from 0 to {} (found {:.9g})", i,
                      kMostFriction, mu);
      if (sides.count == 0) return Refuse("contact {} moves nothing: its columns of H are zero", i);
      const int one = At(tree_, sides.first),
                other = sides.count > 1 ? At(tree_, sides.second) : -1;
      ContactTask::Contact& contact = task.AddContact(other, one);
      contact.start.mu = mu;
      for (int k = 0; k < out_.dimension; ++k)
        contact.bias[RowOf(k)] = At(*w_, i * out_.dimension + k);
    }
    for (const SparseEntry& entry : H_.entries) {
      if (entry.x == 0) continue;
      const ContactTask::Contact& contact = At(task.contacts, ContactOf(entry));
      const int tree = At(tree_, entry.row);
      const ContactTask::Tree& own = At(task.trees, tree);
      const int begin = tree == contact.tree_b ? contact.J_b : contact.J_a;
      At(task.J, begin + RowOf(entry.column) * own.nv + At(out_.place, entry.row) - own.start) +=
          entry.x;
    }
    for (std::size_t i = 0; i < task.contacts.size(); ++i) {
      ContactTask::Contact& contact = task.contacts[i];
      contact.start.w = inverse_.CalcDelassus(contact);
      constexpr double kMostDelassus = 1e20;
      if (!(contact.start.w > 1 / kMostDelassus && contact.start.w < kMostDelassus))
        return Refuse(
            "contact {} moves nothing that M and H could tell: its inverse mass is {:.3g}", i,
            contact.start.w);
    }
    return true;
  }

  bool ReadAnswer() {
    const std::vector<double>* r = message_.Find("solution/r");
    if (r == nullptr || r->size() != static_cast<std::size_t>(H_.columns)) return true;
    bool counts = false;
    for (const double x : *r) {
      if (!std::isfinite(x)) return true;
      counts = counts || x != 0;
    }
    if (!counts) return true;
    out_.impulses.assign(static_cast<std::size_t>(contacts_), Vec3::Zero());
    for (int k = 0; k < H_.columns; ++k)
      At(out_.impulses, k / out_.dimension)[RowOf(k)] = At(*r, k);
    return true;
  }

  const FclibMessage& message_;
  const std::string& path_;
  FclibProblem out_;
  std::string problem_;
  SparseMatrix M_, H_;
  const std::vector<double>*f_ = nullptr, *w_ = nullptr, *mu_ = nullptr;
  int contacts_ = 0;
  std::vector<Sides> sides_;
  std::vector<int> tree_;  ///< of each of the file's coordinates
  InverseInertia inverse_;
};

Error WhatHappened(const HelperRun& run, const std::string& path) {
  using End = HelperRun::End;
  const auto error = [&](std::string message) {
    return Error{.message = std::move(message), .file = path, .hint = "is the file whole?"};
  };
  switch (run.end) {
    case End::kStopped:
      return {.message = "it was stopped", .file = path, .hint = "read it again"};
    case End::kNotStarted:
      return {.message = "no process can be started to read HDF5: " + run.reason, .file = path};
    case End::kTookTooLong:
      return error("reading it as HDF5 takes too long");
    case End::kSaidTooMuch:
      return error("it is too large a problem");
    case End::kKilled:
      return error(
          fmt::format("the process that read it as HDF5 was ended by signal {}", run.code));
    case End::kFailed:
      return error(fmt::format("the process that read it as HDF5 failed with exit {}", run.code));
    case End::kAnswered:
      break;
  }
  return error("the process that read it as HDF5 said nothing that makes sense");
}

}  // namespace

bool IsFclibName(const std::string& path) {
  return path.ends_with(".hdf5") || path.ends_with(".h5") || path.ends_with(".hdf");
}

Result<FclibProblem> MakeFclibProblem(const FclibMessage& message, const std::string& path) {
  if (!message.problem.empty()) return Error{.message = message.problem, .file = path};
  return ProblemMaker(message, path).Make();
}

Result<FclibProblem> ReadFclib(const std::string& path) {
  if (FclibLibrary().empty())
    return Error{.message = "HDF5 files cannot be read: this program was built without HDF5",
                 .file = path,
                 .hint = "install libhdf5-dev and build again"};
  const Result<std::string> bytes = ReadTextFile(path, kFclibFile);
  if (!bytes) return bytes.errors();
  const std::string words[] = {std::string(kFclibWord)};
  const std::size_t mebibytes = bytes->size() / kMebibyte;
  const HelperLimits limits{.memory = 512 * kMebibyte + 16 * bytes->size(),
                            .cpu_seconds = 5 + static_cast<int>(mebibytes),
                            .wall_seconds = 40 + 4 * static_cast<int>(mebibytes),
                            .answer_bytes = 512 * kMebibyte};
  const HelperRun run = RunHelper(words, *bytes, -1, limits);
  std::optional<FclibMessage> message;
  if (run.end == HelperRun::End::kAnswered) message = DecodeFclib(run.answer);
  if (!message) return WhatHappened(run, path);
  return MakeFclibProblem(*message, path);
}

}  // namespace slip
