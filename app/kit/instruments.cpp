// Table of readings: a drawing that holds numbers.
#include <algorithm>
#include <cmath>

#include "app/kit/instrument_parts.h"
#include "app/kit/widgets.h"
#include "engine/core/numbers.h"

namespace slip::app {
double RoundFull(double largest, double least) {
  const double full = std::max(largest * 1.05, least), step = NiceStep(full, 4);
  return std::ceil(full / step) * step;
}

void DrawLaw(ImDrawList* list, float x, float middle, const LawLine& law) {
  for (const ChannelStyle& model : law.models) {
    DrawMark(list, {x + Px(6), middle}, model, 4);
    x += Px(16);
  }
  RowText{list}.Left(x + (law.models.empty() ? 0 : Px(4)), middle, law.text, Role::kCaption,
                     Token::kText2);
}

void DrawLaws(ImDrawList* list, ImVec2 o, ImVec2 max, std::span<const LawLine> laws) {
  const float rule = max.y - Px(LawsHeight(static_cast<int>(laws.size())));
  list->AddRectFilled({o.x + Px(12), rule}, {max.x - Px(12), rule + Snap(1)},
                      Color(Token::kGlassLine));
  float middle = rule + Px(14);
  for (const LawLine& law : laws) {
    DrawLaw(list, o.x + Px(12), middle, law);
    middle += Px(kLawStep);
  }
}

ImVec2 GaugeTableSize(int rows, InstrumentForm form, int laws) {
  const auto count = static_cast<float>(std::max(1, rows));
  if (form != InstrumentForm::kFull) {
    const float width = form == InstrumentForm::kWide ? kWideTableWidth : kCompactInstrumentWidth;
    return {Snap(width), Snap(52 + kCompactInstrumentStep * count)};
  }
  return {Snap(kInstrumentWidth), Snap(68 + kInstrumentStep * count + LawsHeight(laws))};
}

namespace {

/// One table on its way: where its columns end, and whether there is room for gauges.
class Table {
 public:
  Table(std::string_view id, ImVec2 position, const GaugeTableText& text,
        std::span<const GaugeRow> rows, InstrumentForm form)
      : id_(id),
        text_(text),
        rows_(rows),
        low_(form != InstrumentForm::kFull),
        compact_(form == InstrumentForm::kCompact),
        o_{std::round(position.x), std::round(position.y)},
        right_(
            o_.x +
            GaugeTableSize(static_cast<int>(rows.size()), form, static_cast<int>(text.laws.size()))
                .x -
            Px(12)),
        columns_(text.headings.size()),
        beside_(text.beside < 0 ? columns_ - 1 : ToIndex(text.beside)),
        widest_beside_(WidthOf(beside_)) {
    // long numbers take their room from the gauges
    float widest = 0;
    for (const GaugeRow& row : rows) {
      if (!row.cells.empty())
        widest = std::max(widest, MeasureRich(row.cells.front(), Role::kValueStrong).x);
    }
    wide_gauge_ = columns_ == 2 && o_.x + Px(34 + 86 + 8) + widest <= End(0);
    has_gauge_ = o_.x + Px(34 + 52 + 6) + widest <= End(0);
  }

  bool has_gauge() const { return has_gauge_; }

  void DrawHead(float* y) const {
    *y = o_.y + Px(low_ ? 16 : 18);
    row_text_.Left(o_.x + Px(12), *y, text_.title, Role::kTitle, Token::kText);
    // a long title needs the width: then the unit stands before the headings
    const std::size_t last = text_.unit_over < 0 ? columns_ - 1 : ToIndex(text_.unit_over);
    const float unit_end = low_ ? right_ : End(last);
    const float title_end = o_.x + Px(12) + MeasureRich(text_.title, Role::kTitle).x + Px(8);
    const float unit = MeasureRich(text_.unit, Role::kCaption).x;
    ImVec2 unit_at{unit_end - unit, *y};
    *y += Px(low_ ? 20 : 24);
    if (low_ || title_end + unit > unit_end) unit_at = {o_.x + Px(12), *y};
    row_text_.Left(unit_at.x, unit_at.y, text_.unit, Role::kCaption, Token::kText3);
    RegisterWidget(id_ + "/unit", {unit_at.x, unit_at.y - Px(10)},
                   {unit_at.x + unit, unit_at.y + Px(10)}, false, text_.unit);
    for (std::size_t c = 0; c < columns_; ++c) {
      if (Seen(c)) row_text_.Right(End(c), *y, text_.headings[c], Role::kCaption, Token::kText3);
    }
  }

  void DrawRow(std::size_t i, float y, double full) const {
    const GaugeRow& row = rows_[i];
    if (row.name.empty()) {
      DrawMark(list_, {o_.x + Px(18), y}, row.style, 4.5f);
    } else {
      DrawDashedLine(list_, {o_.x + Px(12), y}, {o_.x + Px(25), y}, row.style.colour, 1.5f, 2, 3);
      row_text_.Left(o_.x + Px(32), y, row.name, Role::kCaption, Token::kText2);
    }
    if (!low_ && full > 0 && has_gauge_ && row.name.empty()) {
      const ImVec2 left{o_.x + Px(34), y};
      const float bar =
          DrawGauge(list_, left, wide_gauge_ ? 86 : 52, row.bar, row.tick, full, row.style.colour);
      RegisterWidget(id_ + "/bar/" + std::to_string(i), {left.x, y - Px(5)},
                     {left.x + bar, y + Px(5)});
    }
    std::string words;
    for (std::size_t c = 0; c < columns_ && c < row.cells.size(); ++c) {
      words += (words.empty() ? "" : " ") + row.cells[c];
      if (!Seen(c)) continue;
      row_text_.Right(End(c), y, row.cells[c], c == 0 ? Role::kValueStrong : Role::kValue,
                      c == 0 ? Token::kText : Token::kText2);
    }
    RegisterWidget(id_ + "/" + std::to_string(i), {o_.x, y - Px(10)}, {end_, y + Px(10)}, false,
                   words);
  }

 private:
  float WidthOf(std::size_t column) const {
    float width = MeasureRich(text_.headings[column], Role::kCaption).x;
    for (const GaugeRow& row : rows_) {
      if (column < row.cells.size())
        width = std::max(width, MeasureRich(row.cells[column], Role::kValue).x);
    }
    return width;
  }
  /// Right end of a column; the middle one of three is left out where it is narrow.
  float End(std::size_t column) const {
    if (column == (compact_ ? beside_ : columns_ - 1)) return right_;
    if (compact_) return std::min(o_.x + Px(128), right_ - widest_beside_ - Px(10));
    if (columns_ == 2 && !low_)
      return std::min(o_.x + Px(192), right_ - std::max(Px(76), widest_beside_ + Px(14)));
    float x = right_;
    for (std::size_t c = columns_ - 1; c > column; --c) {
      // the last column has units of its own
      const float step = Px(c == columns_ - 1 ? 76.0f : 68.0f);
      x -= std::max(step, WidthOf(c) + Px(12));
    }
    return x;
  }
  bool Seen(std::size_t column) const { return !compact_ || column == 0 || column == beside_; }

  std::string id_;
  const GaugeTableText& text_;
  std::span<const GaugeRow> rows_;
  bool low_, compact_;
  ImVec2 o_;
  float end_, right_;             // of the table, of its last column
  std::size_t columns_, beside_;  // beside: the one that stays where it is narrow
  float widest_beside_;
  bool wide_gauge_ = false, has_gauge_ = false;
  ImDrawList* list_ = ImGui::GetWindowDrawList();
  RowText row_text_{list_};
};

}  // namespace

bool GaugeTable(std::string_view id, ImVec2 position, const GaugeTableText& text,
                std::span<const GaugeRow> rows, double full, InstrumentForm form) {
  const bool low = form != InstrumentForm::kFull;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 o{std::round(position.x), std::round(position.y)};
  const ImVec2 size =
      GaugeTableSize(static_cast<int>(rows.size()), form, static_cast<int>(text.laws.size()));
  const ImVec2 max{o.x + size.x, o.y + size.y};
  DrawGlass(list, o, max);
  const Table table(id, position, text, rows, form);
  float y = 0;
  table.DrawHead(&y);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    y += Px(low ? kCompactInstrumentStep : kInstrumentStep);
    table.DrawRow(i, y, full);
  }
  std::vector<LawLine> laws = text.laws;
  // a line of no model tells what the gauges are
  for (LawLine& law : laws) {
    if (!table.has_gauge() && law.models.empty()) law.text.clear();
  }
  if (!low) DrawLaws(list, o, max, laws);
  const bool clicked = HelpSign(id, o, max, low, text.question);
  RegisterWidget(id, o, max);
  return clicked;
}

}  // namespace slip::app
