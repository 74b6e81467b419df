#include "engine/fclib/fclib_helper.h"

#include <fmt/format.h>

#include <array>
#include <new>

#include "engine/core/helper_process.h"
#include "engine/fclib/fclib_message.h"

#ifdef SLIP_HDF5
#include <hdf5.h>
#endif

namespace slip {

#ifdef SLIP_HDF5
namespace {

/// What an open thing of the library's is closed with.
template <herr_t (*kClose)(hid_t)>
class Open {
 public:
  explicit Open(hid_t id) : id_(id) {}
  ~Open() {
    if (id_ >= 0) kClose(id_);
  }
  Open(const Open&) = delete;
  Open& operator=(const Open&) = delete;
  hid_t get() const { return id_; }
  bool good() const { return id_ >= 0; }

 private:
  hid_t id_;
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
  ImageReader(hid_t file, FclibMessage* out) : file_(file), out_(out) {}

  /// Whether there is something under this path, all the way through the file's own links: those
  /// into other files are not followed.
  bool Has(const std::string& path) {
    for (std::size_t end = 0; end != std::string::npos;) {
      end = path.find('/', end + 1);
      const std::string part = path.substr(0, end);
      if (H5Lexists(file_, part.c_str(), H5P_DEFAULT) <= 0) return false;
      H5L_info_t info{};
      if (H5Lget_info(file_, part.c_str(), &info, H5P_DEFAULT) < 0) return Refuse(part);
      if (info.type != H5L_TYPE_HARD) {
        out_->problem = part + " is a link to another place, which is not followed";
        return false;
      }
    }
    return true;
  }

  void ReadNumbers(const std::string& path) {
    if (!out_->problem.empty() || !Has(path)) return;
    const Open<H5Dclose> set(H5Dopen2(file_, path.c_str(), H5P_DEFAULT));
    if (!set.good()) return void(Refuse(path));
    const Open<H5Tclose> type(H5Dget_type(set.get()));
    const Open<H5Sclose> space(H5Dget_space(set.get()));
    const Open<H5Pclose> made(H5Dget_create_plist(set.get()));
    if (!type.good() || !space.good() || !made.good()) return void(Refuse(path));
    const H5T_class_t kind = H5Tget_class(type.get());
    if (kind != H5T_INTEGER && kind != H5T_FLOAT) {
      out_->problem = path + " holds no numbers";
      return;
    }
    if (H5Pget_layout(made.get()) == H5D_VIRTUAL || H5Pget_external_count(made.get()) != 0) {
      out_->problem = path + " keeps its numbers in another file, which is not read";
      return;
    }
    const hssize_t count = H5Sget_simple_extent_npoints(space.get());
    if (count < 0) return void(Refuse(path));
    if (static_cast<std::uint64_t>(count) > kMostFclibNumbers) {
      out_->problem =
          fmt::format("{} has {} numbers; at most {} are read", path, count, kMostFclibNumbers);
      return;
    }
    std::vector<double> numbers(static_cast<std::size_t>(count));
    if (count > 0 &&
        H5Dread(set.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) < 0)
      return void(Refuse(path));
    out_->arrays[path] = std::move(numbers);
  }

  void ReadTitle(const std::string& path) {
    if (!out_->problem.empty() || !Has(path)) return;
    const Open<H5Dclose> set(H5Dopen2(file_, path.c_str(), H5P_DEFAULT));
    if (!set.good()) return;
    const Open<H5Tclose> type(H5Dget_type(set.get()));
    const Open<H5Sclose> space(H5Dget_space(set.get()));
    if (!type.good() || !space.good() || H5Tget_class(type.get()) != H5T_STRING ||
        H5Tis_variable_str(type.get()) != 0 || H5Sget_simple_extent_npoints(space.get()) != 1)
      return;
    const std::size_t size = H5Tget_size(type.get());
    if (size == 0 || size > 10000) return;
    std::string text(size, '\0');
    if (H5Dread(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) >= 0)
      out_->title = text.substr(0, text.find('\0'));
  }

 private:
  bool Refuse(const std::string& path) {
    out_->problem = path + " cannot be read: the file is damaged";
    return false;
  }

  hid_t file_;
  FclibMessage* out_;
};

FclibMessage ReadImage(std::string bytes) {
  FclibMessage message;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  H5PLset_loading_state(0);  // filters of others are programs
  const Open<H5Pclose> access(H5Pcreate(H5P_FILE_ACCESS));
  constexpr std::size_t kGrowth = 1 << 16;
  const bool ready = access.good() && H5Pset_fapl_core(access.get(), kGrowth, 0) >= 0 &&
                     H5Pset_file_image(access.get(), bytes.data(), bytes.size()) >= 0;
  const Open<H5Fclose> file(ready ? H5Fopen("image", H5F_ACC_RDONLY, access.get()) : -1);
  if (!file.good()) {
    message.problem = "it is no HDF5 file, or a damaged one";
    return message;
  }
  ImageReader reader(file.get(), &message);
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
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("HDF5 {}.{}.{}", major, minor, release);
}
#else
namespace {

FclibMessage ReadImage(const std::string&) { return {}; }

}  // namespace

std::string FclibLibrary() { return {}; }
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
