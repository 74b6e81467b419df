#include "tests/support/fclib_files.h"

#include <array>

#ifdef SLIP_HDF5
#include <hdf5.h>
#endif

namespace slip::test {

#ifdef SLIP_HDF5
bool CanWriteFclib() { return true; }

void WriteFclib(const FclibMessage& message, const std::string& path) {
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t nested = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(nested, 1);
  for (const std::string& group : message.groups)
    H5Gclose(H5Gcreate2(file, group.c_str(), nested, H5P_DEFAULT, H5P_DEFAULT));
  for (const auto& [name, numbers] : message.arrays) {
    const hsize_t count = numbers.size();
    const hid_t space = H5Screate_simple(1, &count, nullptr);
    const char last = name.back();
    const bool whole = name.ends_with("nz") || name.ends_with("spacedim") ||
                       ((last == 'm' || last == 'n' || last == 'p' || last == 'i') &&
                        name[name.size() - 2] == '/');
    const hid_t set = H5Dcreate2(file, name.c_str(), whole ? H5T_STD_I32LE : H5T_IEEE_F64LE, space,
                                 nested, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
    H5Dclose(set);
    H5Sclose(space);
  }
  if (!message.title.empty()) {
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, message.title.size() + 1);
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t set =
        H5Dcreate2(file, "fclib_global/info/title", text, space, nested, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, message.title.c_str());
    H5Dclose(set);
    H5Sclose(space);
    H5Tclose(text);
  }
  H5Pclose(nested);
  H5Fclose(file);
}
#else
bool CanWriteFclib() { return false; }
void WriteFclib(const FclibMessage&, const std::string&) {}
#endif

void AddTriplets(const std::string& group, const std::vector<std::vector<double>>& rows,
                 FclibMessage* message) {
  std::vector<double> p, i, x;
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      if (rows[r][c] == 0) continue;
      i.push_back(static_cast<double>(r));
      p.push_back(static_cast<double>(c));
      x.push_back(rows[r][c]);
    }
  auto& to = message->arrays;
  to[group + "/m"] = {static_cast<double>(rows.size())};
  to[group + "/n"] = {static_cast<double>(rows.front().size())};
  to[group + "/nz"] = {static_cast<double>(x.size())};
  to[group + "/p"] = p;
  to[group + "/i"] = i;
  to[group + "/x"] = x;
}

FclibMessage SlidingPoint(double mu) {
  FclibMessage message;
  message.title = "A point";
  message.groups = {"fclib_global"};
  AddTriplets("fclib_global/M", {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}, &message);
  // columns n, t1, t2
  AddTriplets("fclib_global/H", {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}, &message);
  message.arrays["fclib_global/spacedim"] = {3};
  message.arrays["fclib_global/vectors/f"] = {2, 0, -0.2};
  message.arrays["fclib_global/vectors/w"] = {0, 0, 0};
  message.arrays["fclib_global/vectors/mu"] = {mu};
  return message;
}

FclibMessage Column(int bodies, double mu) {
  FclibMessage message;
  message.groups = {"fclib_global"};
  const auto n = static_cast<std::size_t>(6 * bodies);
  const auto contacts = static_cast<std::size_t>(4 * bodies);
  std::vector<std::vector<double>> M(n, std::vector<double>(n, 0)),
      H(n, std::vector<double>(3 * contacts, 0));
  std::vector<double> f(n, 0);
  constexpr double kMass = 1.5, kMoment = 0.01, kHalf = 0.1;
  for (std::size_t b = 0; b < n / 6; ++b) {
    for (std::size_t k = 0; k < 6; ++k) M[6 * b + k][6 * b + k] = k < 3 ? kMass : kMoment;
    f[6 * b] = kMass * 0.05 * static_cast<double>(b + 1);
    f[6 * b + 2] = -kMass * 0.0981;
    for (std::size_t c = 0; c < 4; ++c) {
      const double x = c % 2 == 0 ? kHalf : -kHalf, y = c < 2 ? kHalf : -kHalf;
      const std::size_t column = 3 * (4 * b + c);
      // velocity of the point (x, y, z) of a body: v + w × r
      const auto add = [&](std::size_t body, double sign, double z) {
        const std::array<std::array<double, 6>, 3> rows = {
            {{0, 0, 1, y, -x, 0}, {1, 0, 0, 0, z, -y}, {0, 1, 0, -z, 0, x}}};
        for (std::size_t k = 0; k < 3; ++k)
          for (std::size_t j = 0; j < 6; ++j) H[6 * body + j][column + k] += sign * rows[k][j];
      };
      add(b, 1, -kHalf);
      if (b > 0) add(b - 1, -1, kHalf);
    }
  }
  AddTriplets("fclib_global/M", M, &message);
  AddTriplets("fclib_global/H", H, &message);
  message.arrays["fclib_global/spacedim"] = {3};
  message.arrays["fclib_global/vectors/f"] = f;
  message.arrays["fclib_global/vectors/w"] = std::vector<double>(3 * contacts, 0);
  message.arrays["fclib_global/vectors/mu"] = std::vector<double>(contacts, mu);
  return message;
}

}  // namespace slip::test
