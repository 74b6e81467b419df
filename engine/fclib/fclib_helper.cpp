#include "engine/fclib/fclib_helper.h"

#include <fmt/format.h>

#include <array>
#include <new>

#include "engine/core/helper_process.h"
#include "engine/fclib/fclib_message.h"

#ifdef SLIP_HDF5
#include "engine/fclib/hdf5_library.h"
#endif

namespace slip {

#ifdef SLIP_HDF5
namespace {

/// An open thing of the library's, and what closes it.
class Open {
 public:
  Open(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Open() {
    if (id_ >= 0) close_(id_);
  }
  Open(const Open&) = delete;
  Open& operator=(const Open&) = delete;
  hid_t get() const { return id_; }
  bool good() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

// clang-format off
/// Data sets of the form that is read, beside the problem's group and within it.
constexpr std::array kWithin = {
    "M/m", "M/n", "M/nz", "M/p", "M/i", "M/x", "H/m", "H/n", "H/nz", "H/p", "H/i", "H/x", "G/m",
    "G/n", "vectors/f", "vectors/w", "vectors/mu", "vectors/mu_r", "vectors/b", "spacedim"};
constexpr std::array kBeside = {"guesses/1/v", "solution/v", "solution/r"};
// clang-format on

class ImageReader {
 public:
  ImageReader(const Hdf5& h5, hid_t file, FclibMessage* out) : h5_(h5), file_(file), out_(out) {}

  /// Whether there is something under this path, all the way through the file's own links: those
  /// into other files are not followed.
  bool Has(const std::string& path) {
    for (std::size_t end = 0; end != std::string::npos;) {
      end = path.find('/', end + 1);
      const std::string part = path.substr(0, end);
      if (h5_.H5Lexists(file_, part.c_str(), H5P_DEFAULT) <= 0) return false;
      H5L_info_t info{};
      if (h5_.H5Lget_info(file_, part.c_str(), &info, H5P_DEFAULT) < 0) return Refuse(part);
      if (info.type != H5L_TYPE_HARD) {
        out_->problem = part + " is a link to another place, which is not followed";
        return false;
      }
    }
    return true;
  }

  void ReadNumbers(const std::string& path) {
    if (!out_->problem.empty() || !Has(path)) return;
    const Open set(h5_.H5Dopen2(file_, path.c_str(), H5P_DEFAULT), h5_.H5Dclose);
    if (!set.good()) return void(Refuse(path));
    const Open type(h5_.H5Dget_type(set.get()), h5_.H5Tclose);
    const Open space(h5_.H5Dget_space(set.get()), h5_.H5Sclose);
    const Open made(h5_.H5Dget_create_plist(set.get()), h5_.H5Pclose);
    if (!type.good() || !space.good() || !made.good()) return void(Refuse(path));
    const H5T_class_t kind = h5_.H5Tget_class(type.get());
    if (kind != H5T_INTEGER && kind != H5T_FLOAT) {
      out_->problem = path + " holds no numbers";
      return;
    }
    if (h5_.H5Pget_layout(made.get()) == H5D_VIRTUAL ||
        h5_.H5Pget_external_count(made.get()) != 0) {
      out_->problem = path + " keeps its numbers in another file, which is not read";
      return;
    }
    const hssize_t count = h5_.H5Sget_simple_extent_npoints(space.get());
    if (count < 0) return void(Refuse(path));
    if (static_cast<std::uint64_t>(count) > kMostFclibNumbers) {
      out_->problem =
          fmt::format("{} has {} numbers; at most {} are read", path, count, kMostFclibNumbers);
      return;
    }
    std::vector<double> numbers(static_cast<std::size_t>(count));
    if (count > 0 && h5_.H5Dread(set.get(), h5_.native_double, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                 numbers.data()) < 0)
      return void(Refuse(path));
    out_->arrays[path] = std::move(numbers);
  }

  void ReadTitle(const std::string& path) {
    if (!out_->problem.empty() || !Has(path)) return;
    const Open set(h5_.H5Dopen2(file_, path.c_str(), H5P_DEFAULT), h5_.H5Dclose);
    if (!set.good()) return;
    const Open type(h5_.H5Dget_type(set.get()), h5_.H5Tclose);
    const Open space(h5_.H5Dget_space(set.get()), h5_.H5Sclose);
    if (!type.good() || !space.good() || h5_.H5Tget_class(type.get()) != H5T_STRING ||
        h5_.H5Tis_variable_str(type.get()) != 0 ||
        h5_.H5Sget_simple_extent_npoints(space.get()) != 1)
      return;
    const std::size_t size = h5_.H5Tget_size(type.get());
    if (size == 0 || size > 10000) return;
    std::string text(size, '\0');
    if (h5_.H5Dread(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) >= 0)
      out_->title = text.substr(0, text.find('\0'));
  }

 private:
  bool Refuse(const std::string& path) {
    out_->problem = path + " cannot be read: the file is damaged";
    return false;
  }

  const Hdf5& h5_;
  hid_t file_;
  FclibMessage* out_;
};

FclibMessage ReadImage(std::string bytes) {
  FclibMessage message;
  Hdf5 h5;
  if (!h5.Load(&message.problem)) return message;
  h5.H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  h5.H5PLset_loading_state(0);  // filters of others are programs
  const Open access(h5.H5Pcreate(h5.file_access), h5.H5Pclose);
  constexpr std::size_t kGrowth = 1 << 16;
  constexpr unsigned kReadOnly = 0;  // the header's own name of it is a call
  const bool ready = access.good() && h5.H5Pset_fapl_core(access.get(), kGrowth, 0) >= 0 &&
                     h5.H5Pset_file_image(access.get(), bytes.data(), bytes.size()) >= 0;
  const Open file(ready ? h5.H5Fopen("image", kReadOnly, access.get()) : -1, h5.H5Fclose);
  if (!file.good()) {
    message.problem = "it is no HDF5 file, or a damaged one";
    return message;
  }
  ImageReader reader(h5, file.get(), &message);
  const std::string global(kFclibGlobal);
  if (reader.Has(global)) message.groups.push_back(global);
  for (const std::string_view form : kFclibOtherForms)
    if (reader.Has(std::string(form))) message.groups.emplace_back(form);
  for (const char* name : kWithin) reader.ReadNumbers(global + "/" + name);
  for (const char* name : kBeside) reader.ReadNumbers(name);
  reader.ReadTitle(global + "/info/title");
  return message;
}

}  // namespace

std::string FclibLibrary() {
  return fmt::format("HDF5 {}.{}.{}", H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE);
}
std::string WhyNoFclib() {
  std::string problem;
  Hdf5 library;
  return library.Load(&problem) ? "" : problem;
}
#else
namespace {

FclibMessage ReadImage(const std::string&) { return {}; }

}  // namespace

std::string FclibLibrary() { return {}; }
std::string WhyNoFclib() { return "built without HDF5"; }
#endif

void ServeFclib(std::span<const std::string> words) {
  if (words.size() != 1 || words.front() != kFclibWord) return;
  FclibMessage message;
  try {
    message = ReadImage(ReadHelperInput());
  } catch (const std::bad_alloc&) {
    message = {};
    message.problem = "it takes more memory than a contact problem should";
  }
  EndHelper(EncodeFclib(message));
}

}  // namespace slip
