// Recorded runs as tables: bodies.csv, contacts.csv and meta.json of a folder, or the first alone.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "engine/core/param_text.h"
#include "engine/core/text_file.h"
#include "engine/foreign/csv_table.h"
#include "engine/foreign/foreign_file.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

constexpr TextFileKind kTable{.name = "table of a run",
                              .most_bytes = 4096 * kMebibyte,
                              .missing_hint = "a folder as run -o writes it, a .csv, or an .npz"};

/// The place of the last decimal that a number is written to: 3 of "1.250", 5 of "1.25e-3".
int CountDecimals(std::string_view cell) {
  const std::size_t exponent_at = std::min(cell.find_first_of("eE"), cell.size());
  const std::string_view mantissa = cell.substr(0, exponent_at);
  const std::size_t point = mantissa.find('.');
  int decimals =
      point == std::string_view::npos ? 0 : static_cast<int>(mantissa.size() - point) - 1;
  if (exponent_at < cell.size()) {
    const Result<double> exponent = ParseQuantity(cell.substr(exponent_at + 1), "");
    if (exponent) decimals -= static_cast<int>(std::clamp(*exponent, -400.0, 400.0));
  }
  return decimals;
}

/// One table while it is read.
class TableReader {
 public:
  TableReader(std::string path, std::string_view text) : path_(std::move(path)), table_(text) {}

  CsvTable& table() { return table_; }
  Error At(std::string message, std::string hint = {}) const {
    return Error{.message = std::move(message),
                 .file = path_,
                 .line = std::max(1, table_.line()),
                 .hint = std::move(hint)};
  }
  /// Places of columns; false, with the error, where one is missing.
  template <std::size_t kCount>
  bool Find(const std::array<const char*, kCount>& names, std::array<int, kCount>* places,
            std::optional<Error>* error) const {
    for (std::size_t i = 0; i < kCount; ++i) {
      (*places)[i] = table_.Column(names[i]);
      if ((*places)[i] >= 0) continue;
      std::vector<std::string_view> known(table_.columns().begin(), table_.columns().end());
      if (error != nullptr)
        *error = At(fmt::format("has no column '{}'", names[i]), DidYouMean(names[i], known));
      return false;
    }
    return true;
  }
  bool Has(const char* name) const { return table_.Column(name) >= 0; }
  template <std::size_t kCount>
  std::optional<Error> Take(const std::array<int, kCount>& places, std::vector<double>* to) {
    for (const int place : places) {
      double value = 0;
      if (!table_.Number(place, &value)) {
        return At(fmt::format("'{}' is no number, in column {}",
                              std::string(table_.Cell(place).substr(0, 40)),
                              table_.columns()[static_cast<std::size_t>(place)]));
      }
      to->push_back(value);
    }
    return std::nullopt;
  }
  /// Whether the row is of the model that is meant; of all, where the table has no such column.
  bool IsMeant(const std::string& model) {
    const int column = table_.Column("model");
    if (column < 0) return true;
    const std::string name(table_.Cell(column));
    models_.insert(name);
    return model.empty() || name == model;
  }
  /// Reads to the end for the models that there are, and begins again.
  void FindModels() {
    if (table_.Column("model") < 0) return;
    const CsvTable begin = table_;
    while (table_.Next()) IsMeant({});
    table_ = begin;
  }
  const std::set<std::string>& models() const { return models_; }

 private:
  std::string path_;
  CsvTable table_;
  std::set<std::string> models_;
};

/// The number behind a finest decimal: 0 where all bits are written.
double Digit(int decimals) { return decimals >= 15 ? 0 : std::pow(10.0, -decimals); }

class BodiesReader {
 public:
  BodiesReader(const std::string& path, std::string_view text, ForeignFile* file)
      : reader_(path, text), file_(*file) {}

  std::optional<Error> Read() {
    std::optional<Error> error;
    const bool header = reader_.Find(std::array{"time_s"}, &time_, &error) &&
                        reader_.Find(std::array{"px_m", "py_m", "pz_m"}, &p_, &error) &&
                        reader_.Find(std::array{"qw", "qx", "qy", "qz"}, &q_, &error);
    if (!header) return error;
    moves_ = reader_.Find(std::array{"vx_m_s", "vy_m_s", "vz_m_s"}, &v_, nullptr) &&
             reader_.Find(std::array{"wx_rad_s", "wy_rad_s", "wz_rad_s"}, &w_, nullptr);
    NoteOthers();
    if (file_.meta.model.empty()) reader_.FindModels();
    if (const auto& models = reader_.models(); file_.meta.model.empty() && models.size() > 1) {
      return Error{.message = fmt::format("has rows of {} models: {}", models.size(),
                                          fmt::join(models, ", ")),
                   .file = file_.path,
                   .hint = fmt::format("--foreign-meta model={}", *models.begin())};
    }
    while (reader_.table().Next()) {
      if (!reader_.IsMeant(file_.meta.model)) continue;
      if ((error = TakeRow())) return error;
    }
    if (file_.time.empty()) {
      return reader_.At(file_.meta.model.empty()
                            ? "has no rows"
                            : "has no rows of model '" + file_.meta.model + "'");
    }
    if (next_ != file_.bodies.size()) return MissingBody();
    Finish();
    return std::nullopt;
  }

 private:
  std::optional<Error> TakeRow() {
    CsvTable& table = reader_.table();
    double time = 0;
    if (!table.Number(time_[0], &time)) return reader_.At("its time is no number");
    const int body_column = table.Column("body");
    const std::string name(table.Cell(body_column));
    const bool begins = file_.time.empty() || time != file_.time.back();
    if (begins) {
      if (!file_.time.empty() && next_ != file_.bodies.size()) return MissingBody();
      if (!file_.time.empty() && !(time > file_.time.back())) {
        return reader_.At(fmt::format("its time, {} s, is not after {} s", time, file_.time.back()),
                          "sort the rows by time");
      }
      file_.time.push_back(time);
      double step = 0;
      if (table.Number(table.Column("step"), &step)) steps_.push_back(step);
      next_ = 0;
    }
    if (file_.time.size() == 1) {
      if (std::find(file_.bodies.begin(), file_.bodies.end(), name) != file_.bodies.end())
        return reader_.At("body '" + name + "' has two rows of the same time");
      file_.bodies.push_back(name);
    } else if (next_ >= file_.bodies.size() || file_.bodies[next_] != name) {
      return reader_.At(fmt::format("expected body '{}', found '{}'",
                                    next_ < file_.bodies.size() ? file_.bodies[next_] : "none",
                                    name.substr(0, 60)),
                        "each time needs a row of each body, in the same order");
    }
    ++next_;
    for (const int place : p_) decimals_ = std::max(decimals_, CountDecimals(table.Cell(place)));
    if (auto error = reader_.Take(p_, &positions_)) return error;
    if (auto error = reader_.Take(q_, &turns_)) return error;
    if (!moves_) return std::nullopt;
    for (const int place : v_)
      velocity_decimals_ = std::max(velocity_decimals_, CountDecimals(table.Cell(place)));
    if (auto error = reader_.Take(v_, &velocities_)) return error;
    return reader_.Take(w_, &spins_);
  }
  /// Columns of theirs that nothing is done with.
  void NoteOthers() {
    static constexpr std::string_view kKnown[] = {
        "step",   "time_s", "model",    "body",     "px_m",     "py_m",
        "pz_m",   "qw",     "qx",       "qy",       "qz",       "vx_m_s",
        "vy_m_s", "vz_m_s", "wx_rad_s", "wy_rad_s", "wz_rad_s", "mass_kg"};
    std::vector<std::string> others;
    for (const std::string& column : reader_.table().columns()) {
      if (std::find(std::begin(kKnown), std::end(kKnown), column) == std::end(kKnown))
        others.push_back(column.substr(0, 40));
    }
    if (others.empty()) return;
    if (others.size() > 6) others.resize(6), others.emplace_back("and more");
    file_.notes.push_back(fmt::format("not read, of its columns: {}", fmt::join(others, ", ")));
  }
  Error MissingBody() const {
    return reader_.At(fmt::format("before it, body '{}' has no row at {} s", file_.bodies[next_],
                                  file_.time.back()),
                      "each time needs a row of each body");
  }
  void Finish() {
    const auto t = static_cast<int64_t>(file_.time.size()),
               n = static_cast<int64_t>(file_.bodies.size());
    file_.position = ArrayOf(std::move(positions_), {t, n, 3});
    file_.turn = ArrayOf(std::move(turns_), {t, n, 4});
    file_.digit = Digit(decimals_);
    file_.velocity_digit = Digit(velocity_decimals_);
    file_.meta.order_said = true;  // by the names of the columns
    if (moves_) {
      file_.velocity = ArrayOf(std::move(velocities_), {t, n, 3});
      file_.spin = ArrayOf(std::move(spins_), {t, n, 3});
    }
    // each step was written: then the count of steps says how long they are
    if (t > 1 && steps_.size() == file_.time.size() && std::isnan(file_.meta.time_step) &&
        steps_.back() > steps_.front())
      file_.meta.time_step =
          (file_.time.back() - file_.time.front()) / (steps_.back() - steps_.front());
  }

  TableReader reader_;
  ForeignFile& file_;
  std::array<int, 1> time_{};
  std::array<int, 3> p_{}, v_{}, w_{};
  std::array<int, 4> q_{};
  bool moves_ = false;
  int decimals_ = 0, velocity_decimals_ = 0;
  std::size_t next_ = 0;  // body of the present time
  std::vector<double> positions_, turns_, velocities_, spins_, steps_;
};

std::optional<Error> ReadContacts(const std::string& path, std::string_view text,
                                  ForeignFile* file) {
  TableReader reader(path, text);
  std::array<int, 1> time{}, fn{}, ft{};
  std::array<int, 3> p{}, n{}, f{};
  std::array<int, 2> bodies{};
  std::optional<Error> error;
  const bool header = reader.Find(std::array{"time_s"}, &time, &error) &&
                      reader.Find(std::array{"body_a", "body_b"}, &bodies, &error) &&
                      reader.Find(std::array{"px_m", "py_m", "pz_m"}, &p, &error) &&
                      reader.Find(std::array{"nx", "ny", "nz"}, &n, &error);
  if (!header) return error;
  const bool whole = reader.Find(std::array{"fx_N", "fy_N", "fz_N"}, &f, nullptr);
  if (!whole && !(reader.Find(std::array{"fn_N"}, &fn, &error) &&
                  reader.Find(std::array{"ft_N"}, &ft, &error)))
    return error;
  std::map<std::string, double, std::less<>> index;
  for (std::size_t b = 0; b < file->bodies.size(); ++b)
    index.emplace(file->bodies[b], static_cast<double>(b));
  std::vector<double> a_of, b_of, points, normals, forces, fns, fts;
  while (reader.table().Next()) {
    if (!reader.IsMeant(file->meta.model)) continue;
    if ((error = reader.Take(time, &file->contact_time))) return error;
    for (int side = 0; side < 2; ++side) {
      const auto at = index.find(reader.table().Cell(bodies[static_cast<std::size_t>(side)]));
      (side == 0 ? a_of : b_of).push_back(at == index.end() ? -1 : at->second);
    }
    if ((error = reader.Take(p, &points)) || (error = reader.Take(n, &normals))) return error;
    if (whole) {
      if ((error = reader.Take(f, &forces))) return error;
    } else if ((error = reader.Take(fn, &fns)) || (error = reader.Take(ft, &fts))) {
      return error;
    }
  }
  const auto count = static_cast<int64_t>(file->contact_time.size());
  file->contact_a = ArrayOf(std::move(a_of), {count});
  file->contact_b = ArrayOf(std::move(b_of), {count});
  file->contact_p = ArrayOf(std::move(points), {count, 3});
  file->contact_n = ArrayOf(std::move(normals), {count, 3});
  if (whole) {
    file->contact_f = ArrayOf(std::move(forces), {count, 3});
  } else {
    file->contact_fn = ArrayOf(std::move(fns), {count});
    file->contact_ft = ArrayOf(std::move(fts), {count});
  }
  return std::nullopt;
}

}  // namespace

Result<ForeignFile> ReadForeignCsv(const std::string& path,
                                   const std::vector<std::string>& assignments) {
  ForeignFile file;
  file.path = path;
  std::error_code ignored;
  const bool folder = fs::is_directory(path, ignored);
  const std::string meta = (fs::path(path) / "meta.json").string();
  if (folder && fs::exists(meta, ignored)) {
    if (Status status = ReadForeignMeta(meta, &file.meta); !status) return status.errors();
  }
  // tables of many runs lie in one folder, and what is said of them beside them
  const fs::path beside = fs::path(path).parent_path() / "meta.json";
  if (!folder && fs::exists(beside, ignored)) {
    ForeignMeta said;
    const Status status = ReadForeignMeta(beside.string(), &said);
    if (said.schema == kForeignSchema) {
      if (!status) return status.errors();
      file.meta = said;
    }
  }
  for (const std::string& text : assignments) {
    // what is wrong is said by who applies them once more
    if (text.starts_with("model=")) file.meta.model = text.substr(6);
  }
  const std::string bodies = folder ? (fs::path(path) / "bodies.csv").string() : path;
  {
    const auto text = ReadTextFile(bodies, kTable);
    if (!text) return text.errors();
    BodiesReader reader(bodies, *text, &file);
    if (auto error = reader.Read()) return *error;
  }
  if (folder && fs::exists(fs::path(path) / "joints.csv", ignored))
    file.notes.emplace_back("joints.csv is not read: the poses of the links say where joints are");
  const std::string contacts = (fs::path(path) / "contacts.csv").string();
  if (folder && fs::exists(contacts, ignored)) {
    const auto text = ReadTextFile(contacts, kTable);
    if (!text) return text.errors();
    if (auto error = ReadContacts(contacts, *text, &file)) return *error;
  }
  return file;
}

}  // namespace slip
