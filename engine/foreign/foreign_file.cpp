#include "engine/foreign/foreign_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "engine/npz/npz_file.h"

namespace slip {
namespace {

Error About(const std::string& path, std::string message, std::string hint = {}) {
  return Error{.message = std::move(message), .file = path, .hint = std::move(hint)};
}

Status Assign(const std::vector<std::string>& assignments, ForeignMeta* meta) {
  for (const std::string& text : assignments) {
    const Status status = SetForeignMeta(text, meta);
    if (!status)
      return Error{.message = "--foreign-meta: " + status.error().message,
                   .hint = status.error().hint};
  }
  return Ok{};
}

/// Reads scalars and arrays of one .npz, one error at most.
class NpzReader {
 public:
  NpzReader(const std::string& path, const NpzFile& npz) : path_(path), npz_(npz) {}

  bool Has(const char* name) const { return npz_.Find(name) != nullptr; }
  const NpyArray* Numbers(const char* name, const std::vector<int64_t>& shape) {
    const NpyArray* array = npz_.Find(name);
    if (array == nullptr) {
      Fail(fmt::format("has no array '{}'", name), "layout: time, bodies, position, quaternion");
      return nullptr;
    }
    if (array->IsText() || array->shape() != shape) {
      Fail(fmt::format("array '{}' must hold numbers of shape ({}), and has ({}){}", name,
                       fmt::join(shape, ", "), fmt::join(array->shape(), ", "),
                       array->IsText() ? ", texts" : ""));
      return nullptr;
    }
    return array;
  }
  std::vector<double> All(const char* name, int64_t count) {
    const NpyArray* array = Numbers(name, {count});
    std::vector<double> values(array == nullptr ? 0 : static_cast<std::size_t>(count));
    if (array != nullptr) array->Get(0, values);
    return values;
  }
  void Fail(std::string message, std::string hint = {}) {
    if (!error_) error_ = About(path_, std::move(message), std::move(hint));
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  const std::string& path_;
  const NpzFile& npz_;
  std::optional<Error> error_;
};

Status TakeScalars(const std::string& path, const NpzFile& npz, ForeignMeta* meta) {
  for (const ForeignKey& key : ForeignKeys()) {
    const NpyArray* array = npz.Find(key.name);
    if (array == nullptr || key.name == "names" || key.name == "settings" || array->count() != 1)
      continue;
    const std::string value =
        array->IsText() ? array->Text(0) : fmt::format("{:.17g}", array->Number(0));
    const Status status = meta->Set(std::string(key.name), value);
    if (!status) return About(path, status.error().message, status.error().hint);
  }
  return Ok{};
}

/// Blocks of rows of an array whose rows have `width` numbers: `see` gets the first row of each and
/// its numbers, and says whether to go on.
template <class See>
void ForBlocks(const NpyArray& array, int64_t width, const See& see) {
  constexpr int64_t kBlock = 1 << 16;
  std::vector<double> values;
  for (int64_t first = 0; first < array.count(); first += kBlock * width) {
    values.resize(static_cast<std::size_t>(std::min(kBlock * width, array.count() - first)));
    array.Get(first, values);
    if (!see(first / width, std::span<const double>(values))) return;
  }
}

}  // namespace

Result<ForeignFile> ReadForeignNpz(const std::string& path,
                                   const std::vector<std::string>& assignments) {
  const auto npz = NpzFile::Read(path);
  if (!npz) return npz.errors();
  ForeignFile file;
  file.path = path;
  if (Status status = TakeScalars(path, *npz, &file.meta); !status) return status.errors();
  if (Status status = Assign(assignments, &file.meta); !status) return status.errors();
  NpzReader reader(path, *npz);
  const NpyArray* names = npz->Find("bodies");
  if (names == nullptr || !names->IsText() || names->shape().size() != 1) {
    return About(path, "has no list of texts 'bodies'", "names of the bodies, N of them");
  }
  constexpr int64_t kMostBodies = 100000;
  const NpyArray* time = npz->Find("time");
  if (time == nullptr || time->IsText() || time->shape().size() != 1)
    return About(path, "has no list of numbers 'time'");
  const int64_t n = names->count(), t = time->count();
  if (n < 1 || n > kMostBodies || t < 1) return About(path, "has no samples, or no bodies");
  for (int64_t b = 0; b < n; ++b) file.bodies.push_back(names->Text(b));
  file.time = reader.All("time", t);
  const auto take = [&](const char* name, const std::vector<int64_t>& shape, NpyArray* to) {
    if (const NpyArray* array = reader.Numbers(name, shape)) *to = *array;
  };
  take("position", {t, n, 3}, &file.position);
  take("quaternion", {t, n, 4}, &file.turn);
  if (reader.Has("linear_velocity") || reader.Has("angular_velocity")) {
    take("linear_velocity", {t, n, 3}, &file.velocity);
    take("angular_velocity", {t, n, 3}, &file.spin);
  }
  if (reader.Has("contact_time")) {
    const int64_t c = npz->Find("contact_time")->count();
    file.contact_time = reader.All("contact_time", c);
    take("contact_a", {c}, &file.contact_a);
    take("contact_b", {c}, &file.contact_b);
    take("contact_position", {c, 3}, &file.contact_p);
    take("contact_normal", {c, 3}, &file.contact_n);
    take("contact_force", {c, 3}, &file.contact_f);
  }
  if (reader.error()) return *reader.error();
  file.single_precision = file.position.type() == NpyType::kF4 || file.turn.type() == NpyType::kF4;
  if (!file.meta.order_said) {
    return About(path, "does not say how its quaternions are written",
                 "--foreign-meta quaternion_order=wxyz or xyzw");
  }
  return file;
}

Status CheckForeignFile(const ForeignFile& file) {
  const auto n = static_cast<int64_t>(file.bodies.size());
  for (std::size_t k = 0; k < file.time.size(); ++k) {
    if (!std::isfinite(file.time[k]))
      return About(file.path, fmt::format("the time of sample {} is no number", k + 1));
    if (k > 0 && !(file.time[k] > file.time[k - 1])) {
      return About(file.path,
                   fmt::format("sample {}: its time, {} s, is not after {} s", k + 1, file.time[k],
                               file.time[k - 1]),
                   "sort the samples; no two may have the same time");
    }
  }
  std::optional<Error> error;
  const auto place = [&](int64_t row) {
    return fmt::format("sample {}, body '{}'", row / n + 1,
                       file.bodies[static_cast<std::size_t>(row % n)]);
  };
  const auto finite = [&](const NpyArray& array, int64_t width, const char* what) {
    ForBlocks(array, width, [&](int64_t row, std::span<const double> values) {
      for (std::size_t i = 0; i < values.size() && !error; ++i) {
        if (!std::isfinite(values[i]))
          error = About(file.path, fmt::format("{}: its {} is no number",
                                               place(row + static_cast<int64_t>(i) / width), what));
      }
      return !error;
    });
  };
  finite(file.position, 3, "position");
  if (file.has_velocity()) {
    finite(file.velocity, 3, "velocity");
    finite(file.spin, 3, "angular velocity");
  }
  ForBlocks(file.turn, 4, [&](int64_t row, std::span<const double> q) {
    for (std::size_t i = 0; i + 4 <= q.size() && !error; i += 4) {
      const double size =
          std::sqrt(q[i] * q[i] + q[i + 1] * q[i + 1] + q[i + 2] * q[i + 2] + q[i + 3] * q[i + 3]);
      if (std::abs(size - 1) <= 1e-3) continue;
      error = About(file.path,
                    fmt::format("{}: its quaternion is {} long, not 1",
                                place(row + static_cast<int64_t>(i / 4)), size),
                    "normalise before writing; are the columns in order?");
    }
    return !error;
  });
  for (std::size_t c = 1; c < file.contact_time.size() && !error; ++c) {
    if (!(file.contact_time[c] >= file.contact_time[c - 1]))
      error = About(file.path,
                    fmt::format("contact {}: its time is before that of the one before", c + 1));
  }
  if (error) return *error;
  return Ok{};
}

Result<ForeignFile> ReadForeignFile(const std::string& path,
                                    const std::vector<std::string>& assignments) {
  auto file = path.ends_with(".npz") ? ReadForeignNpz(path, assignments)
                                     : ReadForeignCsv(path, assignments);
  if (!file) return file;
  if (Status status = Assign(assignments, &file.value().meta); !status) return status.errors();
  if (Status status = CheckForeignFile(*file); !status) return status.errors();
  return file;
}

}  // namespace slip
