// All numbers of a picture are of one moment, which advances ten times a second while a run plays.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "app/kit/widget_registry.h"
#include "app/session/session.h"
#include "engine/tell/format.h"
#include "tests/support/methods.h"
#include "tests/support/offscreen.h"
#include "tests/support/stepped_session.h"

namespace slip::app {
namespace {

constexpr double kFrame = 1.0 / 60;

std::string TextOf(const std::string& id) {
  const WidgetRecord* widget = FindWidget(id);
  return widget != nullptr ? widget->text : std::string();
}

/// Whether two numbers are the same one, each as far as it is written.
bool SameNumber(const std::string& a, const std::string& b) {
  const auto half = [](const std::string& text) {
    const std::size_t point = text.find('.');
    const std::size_t digits = text.find_first_not_of("0123456789", point + 1);
    const std::size_t decimals = std::min(digits, text.size()) - point - 1;
    return point == text.npos ? 0.5 : 0.5 * std::pow(10, -static_cast<double>(decimals));
  };
  return std::abs(std::stod(a) - std::stod(b)) <= half(a) + half(b) + 1e-9;
}

/// Neither a dash nor a power of ten.
bool IsPlain(const std::string& text) {
  const std::string number = text.substr(0, text.find(' '));
  return !number.empty() && number.find_first_not_of("-0123456789.") == number.npos;
}

class Player : public SteppedSession {
 public:
  // not at the border of a tenth
  explicit Player(const std::string& scene, bool staged = false)
      : SteppedSession(scene, staged, 0.003) {
    for (int i = 0; i < 10; ++i) Frame();
  }
  /// Plays until the numbers are behind the picture.
  void FallBehind() {
    session->playback().SetPlaying(true);
    for (int i = 0; i < 12 && (i < 3 || AtTheMoment()); ++i) Frame();
    EXPECT_FALSE(AtTheMoment()) << "else this says nothing";
  }
  bool AtTheMoment() const {
    const WrittenMoment& written = session->written();
    return written.time() == session->snapshot().time &&
           written.frame(0).step == session->frame(0).step;
  }
};

TEST(WrittenMoment, AdvancesTenTimesASecondWhileARunPlays) {
  Player player("conveyor");
  const WrittenMoment& written = player.session->written();
  const int64_t count = written.count();
  double last = written.time();
  int times = 0;
  for (int i = 0; i < 120; ++i) {
    player.Frame();
    times += written.time() != last ? 1 : 0;
    EXPECT_GE(written.time(), last);
    EXPECT_LE(written.time(), player.session->snapshot().time);
    EXPECT_GT(written.time(), player.session->snapshot().time - 0.12);
    last = written.time();
  }
  EXPECT_GE(times, 18);
  EXPECT_LE(times, 22);
  EXPECT_EQ(written.count() - count, times);
}

TEST(WrittenMoment, IsTheOneOnTheScreenOnceSomethingIsDone) {
  Player player("conveyor");
  Session& session = *player.session;
  player.FallBehind();
  session.playback().SetPlaying(false);
  player.Frame(0.001);
  EXPECT_TRUE(player.AtTheMoment()) << "paused";
  session.playback().Step(1);
  player.Frame(0.001);
  EXPECT_TRUE(player.AtTheMoment()) << "stepped";
  for (const double time : {0.1, 0.05, 0.15}) {
    session.playback().Seek(time);
    player.Frame(0.001);
    EXPECT_NEAR(session.snapshot().time, time, 0.011);
    EXPECT_TRUE(player.AtTheMoment()) << "scrubbed";
  }
  session.playback().GoLive();
  player.Frame();
  player.FallBehind();
  session.params().Set(-1, "friction", 0.2);
  player.Frame(0.001);
  EXPECT_TRUE(player.AtTheMoment()) << "changed";
  EXPECT_EQ(session.written().frame(0).config.materials[0].friction,
            session.frame(0).config.materials[0].friction);
  player.Frame();
  player.FallBehind();
  session.looks().Add(method_id::kTodorov);
  player.Frame(0.001);
  ASSERT_EQ(session.channel_count(), 4);
  EXPECT_EQ(session.written().snapshot().channels.size(), 4u);
  EXPECT_TRUE(player.AtTheMoment()) << "a model more";
  player.FallBehind();
  session.playback().Reset();
  player.Frame(0.001);
  EXPECT_LT(session.snapshot().time, 0.02);
  EXPECT_TRUE(player.AtTheMoment()) << "reset";
  player.FallBehind();
  ASSERT_TRUE(session.Load("sliding-box"));
  player.Frame(0.001);
  ASSERT_TRUE(session.TakenOver());
  EXPECT_EQ(session.written().snapshot().model, session.snapshot().model);
  EXPECT_TRUE(player.AtTheMoment()) << "opened";
}

TEST(WrittenMoment, OfALoopIsNeverAheadAndStandsWithIt) {
  Player player("sliding-box", true);
  const Session& session = *player.session;
  int held = 0, shown = 0, rested = 0;
  for (int i = 0; i < 60 * 12; ++i) {
    player.Frame();
    EXPECT_LE(session.written().time(), session.snapshot().time);
    const LoopPhase phase = session.playback().loop_phase();
    held += phase == LoopPhase::kHold ? 1 : 0;
    shown += phase == LoopPhase::kShow ? 1 : 0;
    if (phase == LoopPhase::kHold) EXPECT_TRUE(player.AtTheMoment());
    if (phase == LoopPhase::kShow) rested += player.AtTheMoment() ? 0 : 1;
  }
  EXPECT_GT(held, 50);
  EXPECT_GT(shown, 100);
  EXPECT_GT(rested, shown / 4) << "numbers rest in what is shown again, too";
}

TEST(WrittenNumbers, AFootHasOneForceInAllOfAPicture) {
  OPEN_OR_SKIP(ui, "quadruped-trot");
  PassAndDraw(ui.get(), 0.3);
  ASSERT_EQ(ui->ui().state.shell.inspect_tab, TabId::kFeet);
  const Session& session = ui->session();
  int compared = 0, others = 0, tagged = 0;
  for (int i = 0; i < 90; ++i) {
    ui->Frame(kFrame);
    const std::string feet = TextOf("overlay/readout");
    int standing = 0;
    for (const char* foot : {"FL", "FR", "HL", "HR"}) {
      if (!TextOf("feet/solo/" + std::string(foot) + "_FOOT/f_n/0").empty()) ++standing;
    }
    EXPECT_TRUE(feet.starts_with(std::to_string(standing) + " of 4 feet")) << feet;
    for (int c = 0; c < session.channel_count(); ++c) {
      const std::string table = TextOf("feet/solo/FL_FOOT/f_n/" + std::to_string(c));
      const std::string header = TextOf("plot/0/readout/" + std::to_string(c));
      if (table.empty() || header.empty()) continue;
      ++compared;
      EXPECT_TRUE(SameNumber(table, header)) << table << " N, " << header << " N, frame " << i;
      // the live value is another one
      const SeriesView force = session.series().View(c, ui->ui().state.plots.slots[0].signal);
      others += SameNumber(FormatFixed(force.At(session.snapshot().time), 2), table) ? 0 : 1;
      const std::string tag = TextOf("overlay/tag/" + std::to_string(c));
      if (tag.empty()) continue;
      // "SAP FL 9.81 N ..."
      std::istringstream words(tag);
      std::string model, foot_name, newtons;
      ASSERT_TRUE(words >> model >> foot_name >> newtons);
      const std::string row = TextOf("feet/solo/" + foot_name + "_FOOT/f_n/" + std::to_string(c));
      if (row.empty()) continue;
      ++tagged;
      EXPECT_TRUE(SameNumber(newtons, row)) << tag << ", table " << row << ", frame " << i;
    }
  }
  EXPECT_GT(compared, 60);
  EXPECT_GT(others, compared / 3) << "else this says nothing";
  EXPECT_GT(tagged, 10);
}

TEST(WrittenNumbers, AGapIsTheSameInInstrumentTableAndHeader) {
  OPEN_OR_SKIP(ui, "sliding-box");
  ui->session().playback().SetSpeed(0.5);
  ui->ui().state.shell.inspect_tab = TabId::kContacts;
  PassAndDraw(ui.get(), 0.3);
  int compared = 0, headers = 0, others = 0;
  for (int i = 0; i < 60 && ui->session().snapshot().time < 0.4; ++i) {
    ui->Frame(kFrame);
    const std::vector<ContactRow>& rows = ui->ui().state.contacts.table.rows();
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const std::string gap = TextOf("contacts/gap/" + std::to_string(row));
      const std::string channel = std::to_string(rows[row].channel);
      const std::string instrument = TextOf("overlay/gap/" + channel);
      const std::string header = TextOf("plot/1/readout/" + channel);
      if (!IsPlain(header) || !IsPlain(instrument)) continue;
      ++headers;
      EXPECT_TRUE(SameNumber(header, instrument)) << header << ", " << instrument << ", " << i;
      // the signed distance at rest is 9 µm at most
      if (!IsPlain(gap)) continue;
      ASSERT_TRUE(instrument.ends_with(" mm")) << instrument;
      ++compared;
      const auto differs = [&](double millimetres) {
        return std::abs(millimetres - std::stod(instrument)) > 0.02;
      };
      EXPECT_FALSE(differs(std::stod(gap))) << gap << ", " << instrument << ", frame " << i;
      const ContactFrame& live = ui->session().frame(rows[row].channel).contacts[0];
      others += differs(1e3 * live.signed_distance) ? 1 : 0;
    }
  }
  EXPECT_GT(compared, 20);
  EXPECT_GT(headers, 60);
  EXPECT_GT(others, 5) << "else this says nothing";
}

TEST(WrittenNumbers, BesideAnArrowIsThatOfTheTable) {
  UI_OR_SKIP(ui, OpenPlan("conveyor", "sap"));
  ui->ui().state.view.split_forces = true;
  ui->ui().state.shell.inspect_tab = TabId::kContacts;
  PassAndDraw(ui.get(), 0.05);
  int compared = 0, others = 0;
  for (int i = 0; i < 60; ++i) {
    ui->Frame(kFrame);
    const std::string label = TextOf("overlay/label/0/f_n"), table = TextOf("contacts/fn/0");
    if (label.empty() || table.empty()) continue;
    ++compared;
    EXPECT_TRUE(SameNumber(label, table)) << label << ", " << table << ", frame " << i;
    const double live =
        ui->session().frame(0).signals[static_cast<std::size_t>(Signal::kNormalForce)];
    others += SameNumber(FormatFixed(live, 3), table) ? 0 : 1;
  }
  EXPECT_GT(compared, 20);
  EXPECT_GT(others, 5) << "else this says nothing";
}

TEST(WrittenNumbers, OfASkippedTimeAreOfThePicture) {
  OPEN_OR_SKIP(ui, "quadruped-trot");
  for (int i = 0; i < 20; ++i) {
    const double time = 0.31 + 0.004 * i;
    ui->SkipTo(time);
    ui->Frame(0);
    EXPECT_EQ(ui->session().written().time(), ui->session().snapshot().time) << time;
    const SeriesView force = ui->session().series().View(0, ui->ui().state.plots.slots[0].signal);
    EXPECT_TRUE(SameNumber(TextOf("plot/0/readout/0"), FormatFixed(force.At(time), 3))) << time;
  }
}

TEST(WrittenNumbers, OfAVideoChangeTenTimesASecond) {
  OPEN_OR_SKIP(ui, "quadruped-trot");
  ui->SkipTo(0.3);
  std::string last;
  int changes = 0;
  for (int i = 0; i < 60; ++i) {
    ui->FrameAt(0.3 + i * kFrame, kFrame);
    changes += TextOf("overlay/tag/0") != last ? 1 : 0;
    last = TextOf("overlay/tag/0");
  }
  EXPECT_GE(changes, 8);
  EXPECT_LE(changes, 12);
}

TEST(WrittenNumbers, RowsOfContactsThatAreSortedAreInOrderWhileARunPlays) {
  OPEN_OR_SKIP(ui, "quadruped-trot");
  ui->ui().state.contacts.order = ContactOrder::kForce;
  PassAndDraw(ui.get(), 0.3);
  ui->ui().state.shell.inspect_tab = TabId::kContacts;
  int pairs = 0;
  for (int i = 0; i < 60; ++i) {
    ui->Frame(kFrame);
    for (int row = 0;; ++row) {
      const std::string upper = TextOf("contacts/fn/" + std::to_string(row));
      const std::string lower = TextOf("contacts/fn/" + std::to_string(row + 1));
      if (upper.empty() || lower.empty()) break;
      ++pairs;
      EXPECT_GE(std::stod(upper), std::stod(lower)) << "frame " << i << ", row " << row;
    }
  }
  EXPECT_GT(pairs, 100);
}

TEST(WrittenNumbers, ReductionsAreOfTheWholeRunWhenALoopShowsItAgain) {
  UI_OR_SKIP(staged, OpenStaged("bouncing-mass"));
  OffscreenUi& ui = *staged;
  const auto pass_to = [&](LoopPhase phase) {
    for (int i = 0; i < 1500 && ui.session().playback().loop_phase() != phase; ++i) ui.Skip(kFrame);
    return ui.session().playback().loop_phase() == phase;
  };
  const auto agree = [&](const char* when) {
    // "max" and a number per model; the instrument has the number first in each row
    std::istringstream peaks(TextOf("plot/0/max"));
    std::string word;
    ASSERT_TRUE(peaks >> word) << when;
    for (int c = 0; c < ui.session().channel_count(); ++c) {
      ASSERT_TRUE(peaks >> word) << when;
      EXPECT_TRUE(SameNumber(word, TextOf("overlay/numbers/" + std::to_string(c))))
          << when << ": " << word << ", " << TextOf("overlay/numbers/" + std::to_string(c));
    }
  };
  // the first run, with the numbers at rest
  PassAndDraw(&ui, 0.5);
  for (int i = 0; i < 20; ++i) ui.Frame(kFrame);
  ASSERT_TRUE(pass_to(LoopPhase::kHold));
  for (int i = 0; i < 2; ++i) ui.Frame(kFrame);
  agree("at the end");
  const std::string whole = TextOf("overlay/numbers/0");
  ASSERT_TRUE(pass_to(LoopPhase::kShow));
  for (const double seconds : {0.1, 0.5, 1.0, 1.5}) {
    Pass(&ui, seconds);
    for (int i = 0; i < 4; ++i) ui.Frame(kFrame);
    ASSERT_EQ(ui.session().playback().loop_phase(), LoopPhase::kShow);
    agree("in the second pass");
    const std::string now = TextOf("overlay/numbers/0");
    EXPECT_EQ(now.substr(0, now.find(" m")), whole.substr(0, whole.find(" m")));
  }
  // and under the hand
  ui.session().playback().SetPlaying(false);
  ui.session().playback().Seek(0.1);
  Settle(&ui);
  agree("scrubbed");
}

/// Hands over so many samples at a time, as an engine does that is ahead of its reader.
class DrippingLink final : public EngineLink {
 public:
  void Send(Command command) override { inner_.Send(std::move(command)); }
  const Snapshot& Latest() override { return inner_.Latest(); }
  bool NextTelemetry(Telemetry* item) override {
    return allowed_-- > 0 && inner_.NextTelemetry(item);
  }
  std::optional<Event> NextEvent() override { return inner_.NextEvent(); }
  bool live() const override { return true; }

  void Allow(int items) { allowed_ = items; }
  void RunFor(double seconds) { inner_.RunFor(seconds); }

 private:
  SteppedLink inner_;
  int allowed_ = std::numeric_limits<int>::max();
};

TEST(CatchUp, AMomentIsCoveredWhenItsSamplesAreThere) {
  auto owned = std::make_unique<DrippingLink>();
  DrippingLink* link = owned.get();
  Session session(std::move(owned));
  double now = 0;
  const auto frame = [&](double seconds, int items) {
    link->Allow(items);
    link->RunFor(seconds);
    session.Update(now += 0.02);
  };
  constexpr int kEvery = 1 << 30;
  ASSERT_TRUE(session.Load("sliding-box"));
  session.playback().SetSpeed(1);
  session.playback().SetPlaying(true);
  for (int i = 0; i < 100; ++i) frame(0.02, kEvery);
  const double end = session.snapshot().time;
  ASSERT_GT(end, 0.2);
  EXPECT_TRUE(session.series().Covers(0, end));
  session.playback().Reset();
  session.playback().SetPlaying(false);
  for (int i = 0; i < 3; ++i) frame(0, kEvery);
  ASSERT_EQ(session.branches().Living().size(), 2u);
  // the moment is there at once, its past comes in bit by bit
  session.branches().ReturnTo(session.branches().Living().front());
  frame(0, 8);
  frame(0, 8);
  ASSERT_NEAR(session.snapshot().time, end, 1e-9);
  EXPECT_FALSE(session.series().Covers(0, end));
  EXPECT_TRUE(session.series().Covers(0, session.series().end()));
  for (int i = 0; i < 3; ++i) frame(0, kEvery);
  EXPECT_TRUE(session.series().Covers(0, end));
}

}  // namespace
}  // namespace slip::app
