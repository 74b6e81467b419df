// The reference numbers of the papers' cases, read from the CSV files that the program writes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/program.h"

namespace slip {
namespace {

/// One run with all its rows.
class Data {
 public:
  explicit Data(std::vector<std::string> arguments) {
    const TempFolder folder;
    arguments.insert(arguments.begin(), "run");
    for (const char* more : {"-p", "solver_tolerance=1e-10", "-o"}) arguments.emplace_back(more);
    arguments.push_back(folder.path("d"));
    const ProgramResult result = RunProgram(arguments);
    EXPECT_EQ(result.exit, 0) << result.err;
    bodies_ = ReadCsv(folder.path("d/bodies.csv"));
    contacts_ = ReadCsv(folder.path("d/contacts.csv"));
  }

  /// Column of a model, step 1 first.
  std::vector<double> Body(const std::string& model, const std::string& column) const {
    return Column(bodies_, model, column);
  }
  std::vector<double> Contact(const std::string& model, const std::string& column) const {
    return Column(contacts_, model, column);
  }

 private:
  using Rows = std::vector<std::map<std::string, std::string>>;
  static std::vector<double> Column(const Rows& rows, const std::string& model,
                                    const std::string& column) {
    std::vector<double> values;
    for (const auto& row : rows) {
      if (row.at("model") == model) values.push_back(std::stod(row.at(column)));
    }
    return values;
  }
  Rows bodies_, contacts_;
};

double Max(const std::vector<double>& values, std::size_t from = 0) {
  double best = -HUGE_VAL;
  for (std::size_t i = from; i < values.size(); ++i) best = std::max(best, values[i]);
  return best;
}

#define EXPECT_RTOL(value, reference, rtol) \
  EXPECT_NEAR(value, reference, std::abs(reference) * (rtol))

TEST(Acceptance, OscillatingConveyor) {  // engine/README.md 10.1
  struct Row {
    const char* step;
    std::size_t per_second;
    const char* model;
    double x1, z1, x2, fn_max, phi_max, vn_max;
  };
  constexpr Row kRows[] = {
      {"10ms", 100, "lagged", 0.0774292573, -9.81e-7, 0.0774292573, 9.81, -9.81e-7, 0},
      {"10ms", 100, "similar", 0.0781814982, 1.3725598e-3, 0.0781814982, 12.1428, 2.814061e-3,
       0.0349456},
      {"10ms", 100, "sap", 0.0780123201, 1.37055343e-3, 0.0780123201, 12.1291, 2.828319e-3,
       0.0352541},
      {"1ms", 1000, "lagged", 0.0788886497, -9.81e-7, 0.0788886497, 9.81, -9.81e-7, 0},
      {"1ms", 1000, "similar", 0.0789640000, 1.40441605e-4, 0.0789640000, 12.8582, 2.81849e-4,
       0.00368940},
      {"1ms", 1000, "sap", 0.0787351596, 1.53373643e-4, 0.0787351596, 13.1530, 3.089586e-4,
       0.00404293},
  };
  for (const char* step : {"10ms", "1ms"}) {
    const Data data({"conveyor", "-p", std::string("time_step=") + step});
    for (const Row& row : kRows) {
      if (std::string(step) != row.step) continue;
      SCOPED_TRACE(std::string(row.model) + " " + step);
      const std::vector<double> x = data.Body(row.model, "px_m");
      const std::vector<double> z = data.Body(row.model, "pz_m");
      ASSERT_EQ(x.size(), 2 * row.per_second);
      EXPECT_RTOL(x[row.per_second - 1], row.x1, 1e-6);
      EXPECT_NEAR(z[row.per_second - 1] - 0.05, row.z1, std::abs(row.z1) * 1e-6 + 1e-12);
      EXPECT_RTOL(x[2 * row.per_second - 1], row.x2, 1e-6);
      EXPECT_RTOL(Max(data.Contact(row.model, "fn_N"), row.per_second), row.fn_max, 1e-5);
      EXPECT_RTOL(Max(data.Contact(row.model, "signed_distance_m"), row.per_second), row.phi_max,
                  1e-5);
      double vn = 0;
      for (const double v : data.Contact(row.model, "vn_m_s")) vn = std::max(vn, std::abs(v));
      EXPECT_NEAR(vn, row.vn_max, row.vn_max * 1e-5 + 1e-12);
    }
  }
}

TEST(Acceptance, FallingSphere) {  // 10.2
  const Data data({"falling-sphere"});
  struct Row {
    const char* model;
    std::size_t first;  ///< step of the first force
    double peak, phi, vn, vt, x;
  };
  constexpr Row kRows[] = {
      {"lagged", 45, 1061.6768, -4.00647e-6, 0, 0.7742405, 0.487334368},
      {"similar", 44, 949.58652, 2.29421e-4, -3.09773e-3, 0.7671926, 0.486762383},
      {"sap", 41, 554.2435, 4.64429e-4, -6.18030e-3, 0.7704293, 0.486759601},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.model);
    const std::vector<double> fn = data.Contact(row.model, "fn_N");
    ASSERT_EQ(fn.size(), 300u);
    EXPECT_LT(Max({fn.begin(), fn.begin() + static_cast<std::ptrdiff_t>(row.first) - 1}), 1e-9);
    EXPECT_GT(fn[row.first - 1], 0);
    EXPECT_RTOL(Max(fn), row.peak, 1e-6);
    EXPECT_RTOL(data.Contact(row.model, "signed_distance_m")[119], row.phi, 1e-5);
    EXPECT_NEAR(data.Contact(row.model, "vn_m_s")[119], row.vn, std::abs(row.vn) * 1e-5 + 1e-8);
    EXPECT_RTOL(data.Contact(row.model, "vt_m_s")[119], row.vt, 1e-6);
    EXPECT_RTOL(data.Body(row.model, "px_m").back(), row.x, 1e-6);
    EXPECT_NEAR(data.Body(row.model, "wy_rad_s").back(), 28.571429, 1e-3);
  }
}

TEST(Acceptance, ConstantConveyor) {  // 10.5
  for (const auto& [step, b] : {std::pair{"1e-4", 0.0499915544571719},
                                {"1e-3", 0.0499155445717189},
                                {"1e-2", 0.0491554457171813}}) {
    const Data data({"conveyor-constant", "-m", "todorov", "-p", std::string("time_step=") + step});
    const double h = std::stod(step);
    EXPECT_NEAR(data.Contact("todorov", "signed_distance_m").back() / h, b, 1e-12) << step;
    EXPECT_NEAR(data.Contact("todorov", "vn_m_s")[0] / h, -0.0837481298643, 1e-9) << step;
    EXPECT_LT(std::abs(data.Contact("todorov", "vn_m_s")[5] / h), 1e-5) << step;
  }
}

TEST(Acceptance, SlidingBox) {  // 10.6
  const Data hop({"sliding-box", "-m", "todorov"});
  EXPECT_RTOL(hop.Contact("todorov", "fn_N")[0], 47.5456988992, 1e-9);
  EXPECT_NEAR(hop.Contact("todorov", "vn_m_s")[0], 0.375457, 1e-6);
  EXPECT_NEAR(hop.Body("todorov", "vx_m_s")[0], 0.762272, 1e-6);
  for (std::size_t i = 1; i < 7; ++i) EXPECT_EQ(hop.Contact("todorov", "fn_N")[i], 0) << i;

  for (const char* step : {"10ms", "1ms"}) {
    SCOPED_TRACE(step);
    const Data data({"sliding-box-consistent", "-p", std::string("time_step=") + step});
    const std::vector<double> fn = data.Contact("todorov", "fn_N");
    EXPECT_RTOL(fn[0], 7.92428314987, 1e-9);
    for (const auto& [i, force] : {std::pair{1, 9.6441}, {2, 9.9424}, {3, 9.9909}, {4, 9.9986}}) {
      EXPECT_NEAR(fn[static_cast<std::size_t>(i)], force, 1e-4);
    }
    const std::size_t start = std::string(step) == "1ms" ? 119 : 11;
    EXPECT_NEAR(Max(fn, start), 11.8529, 1e-4);
    const bool fine = std::string(step) == "1ms";
    EXPECT_RTOL(data.Body("lagged", "px_m").back(), fine ? 0.099500296 : 0.095006277, 1e-6);
    EXPECT_RTOL(data.Body("similar", "px_m").back(), fine ? 0.099750235 : 0.097469598, 1e-6);
    EXPECT_RTOL(data.Body("sap", "px_m").back(), fine ? 0.099750189 : 0.097474838, 1e-6);
    EXPECT_RTOL(Max(data.Contact("similar", "fn_N"), start), fine ? 11.7339 : 11.8772, 1e-5);
    EXPECT_RTOL(Max(data.Contact("sap", "fn_N"), start), fine ? 11.7056 : 11.8540, 1e-5);
  }
}

TEST(Acceptance, StictionCreep) {  // 10.8: a belt that accelerates at 2 m/s^2 from rest
  const std::vector<std::string> drive = {
      "conveyor", "-p", "belt_amplitude=0", "-p", "belt_acceleration=2", "-t", "1"};
  for (const auto& [step, sap] : {std::pair{"10ms", 9.428090416e-6}, {"1ms", 9.428090e-7}}) {
    std::vector<std::string> arguments = drive;
    arguments.emplace_back("-p");
    arguments.push_back(std::string("time_step=") + step);
    const Data data(arguments);
    EXPECT_RTOL(data.Contact("lagged", "vt_m_s").back(), 4.465551e-5, 1e-6) << step;
    EXPECT_RTOL(data.Contact("similar", "vt_m_s").back(), 4.465551e-5, 1e-6) << step;
    EXPECT_RTOL(data.Contact("sap", "vt_m_s").back(), sap, 1e-6) << step;
  }
}

TEST(Acceptance, SlidingRod) {  // engine/README.md 10.3
  struct Row {
    const char* model;
    double peak, time;
  };
  const Data data(
      {"sliding-rod", "-m", "lagged,similar,sap", "-t", "0.03", "-p", "time_step=1e-5"});
  for (const Row& row : {Row{"lagged", 691.0, 0.02641}, Row{"similar", 611.66, 0.02723},
                         Row{"sap", 611.65, 0.02723}}) {
    const auto fn = data.Contact(row.model, "fn_N");
    const auto peak = std::max_element(fn.begin(), fn.end());
    EXPECT_RTOL(*peak, row.peak, 1e-3) << row.model;
    EXPECT_NEAR(1e-5 * static_cast<double>(peak - fn.begin() + 1), row.time, 1.1e-5) << row.model;
    EXPECT_GT(data.Body(row.model, "vz_m_s").back(), 3) << row.model;  // it leaps
  }
}

}  // namespace
}  // namespace slip
