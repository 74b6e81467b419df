// Friction cone, and how much of it is used: drawings that hold numbers.
#include <algorithm>
#include <cmath>

#include "app/kit/instrument_parts.h"
#include "app/kit/widgets.h"
#include "engine/tell/format.h"

namespace slip::app {
namespace {

/// The section of a cone in a picture of `size` at `o`. Equal axes: the angle of the cone is the
/// angle of friction.
class ConePicture {
 public:
  ConePicture(std::span<const ConePoint> points, double mu, ImVec2 o, ImVec2 size)
      : points_(points), mu_(mu), o_(o), size_(size) {
    double top = 1e-3;
    for (const ConePoint& point : points) {
      if (std::isfinite(point.fn)) top = std::max(top, point.fn);
      // a point far to the side must stay in the picture
      if (std::isfinite(point.ft) && mu > 0) top = std::max(top, std::fabs(point.ft) / mu * 0.7);
    }
    step_ = NiceStep(top * 1.15, 3);
    fn_max_ = std::ceil(top * 1.1 / step_) * step_;
    const float height = size.y - Px(26) - Px(24);
    bottom_ = o.y + size.y - Px(26);
    half_width_ = size.x / 2 - Px(20);
    per_newton_ = std::min(static_cast<double>(height) / fn_max_,
                           static_cast<double>(half_width_) / std::max(mu * fn_max_, 1e-12));
    centre_ = std::round(o.x + size.x / 2);
    ft_width_ = MeasureRich("f_t", Role::kCaption).x;
  }

  void DrawCones() const {
    const ImVec2 left = Place(-mu_ * fn_max_, fn_max_), right = Place(mu_ * fn_max_, fn_max_);
    list_->AddTriangleFilled(Apex(), left, right, Color(Token::kAccent, 0.12f));
    list_->AddLine(Apex(), left, Color(Token::kAccent), Px(1.5f));
    list_->AddLine(Apex(), right, Color(Token::kAccent), Px(1.5f));
    for (const ConePoint& point : points_) {
      if (!(point.mu > 0) || std::fabs(point.mu - mu_) < 1e-9 * mu_) continue;
      for (const double side : {-point.mu, point.mu}) {
        const double high =
            std::min(fn_max_, static_cast<double>(half_width_) / per_newton_ / point.mu);
        DrawDashedLine(list_, Apex(), Place(side * high, high), point.style.colour, 1, 4, 3);
      }
    }
  }

  void DrawAxes() const {
    const float peak = Place(0, fn_max_).y;
    list_->AddRectFilled({o_.x, bottom_}, {o_.x + size_.x, bottom_ + Snap(1)},
                         Color(Token::kLineStrong));
    list_->AddRectFilled({centre_, peak - Px(6)}, {centre_ + Snap(1), bottom_},
                         Color(Token::kLineStrong));
    DrawRich(list_, {centre_ - Px(6), peak - Px(26)}, "f_n", Role::kCaption, Color(Token::kText2));
    DrawRich(list_, {o_.x + size_.x - ft_width_, bottom_ + Px(6)}, "f_t", Role::kCaption,
             Color(Token::kText2));
  }

  /// The same step on both axes.
  void DrawTicks() const {
    const float widest = MeasureText(FormatSignificant(-fn_max_, 2), Role::kTick).x + Px(8);
    const int every =
        std::max(1, static_cast<int>(std::ceil(widest / static_cast<float>(step_ * per_newton_))));
    const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step_) - 1e-9)));
    int tick = 0;
    for (double value = step_; value <= fn_max_ * 1.001; value += step_) {
      ++tick;
      const float y = std::round(Place(0, value).y);
      list_->AddRectFilled({centre_ - Px(3), y}, {centre_ + Px(4), y + Snap(1)},
                           Color(Token::kLineStrong));
      DrawText(list_, {centre_ + Px(8), y - FontPx(Role::kTick) / 2}, FormatFixed(value, decimals),
               Role::kTick, Color(Token::kText3));
      if (tick % every != 0) continue;  // a wide cone crowds its lower axis
      for (const double sign : {-1.0, 1.0}) DrawLowerTick(sign * value, decimals);
    }
  }

  void DrawPoints() const {
    for (const ConePoint& point : points_) {
      if (!std::isfinite(point.fn) || !std::isfinite(point.ft) || point.fn <= 0) continue;
      const ImVec2 p = Place(point.ft, point.fn);
      list_->AddLine(Apex(), p, point.style.colour, Px(1.75f));
      DrawMark(list_, p, point.style, 4.5f);
    }
  }

 private:
  ImVec2 Place(double ft, double fn) const {
    return {centre_ + static_cast<float>(ft * per_newton_),
            bottom_ - static_cast<float>(fn * per_newton_)};
  }
  ImVec2 Apex() const { return {centre_, bottom_}; }

  void DrawLowerTick(double value, int decimals) const {
    const float x = Place(value, 0).x;
    const std::string label = FormatFixed(value, decimals);
    const float w = MeasureText(label, Role::kTick).x;
    if (x - w / 2 < o_.x || x + w / 2 > o_.x + size_.x - ft_width_ - Px(8)) return;
    list_->AddRectFilled({x, bottom_ - Px(3)}, {x + Snap(1), bottom_ + Px(3)},
                         Color(Token::kLineStrong));
    DrawText(list_, {x - w / 2, bottom_ + Px(6)}, label, Role::kTick, Color(Token::kText3));
  }

  std::span<const ConePoint> points_;
  double mu_;
  ImVec2 o_, size_;
  double step_, fn_max_, per_newton_;
  float bottom_, half_width_, centre_, ft_width_;
  ImDrawList* list_ = ImGui::GetWindowDrawList();
};

}  // namespace

void FrictionCone(std::string_view id, std::span<const ConePoint> points, double mu, ImVec2 size,
                  std::string_view note) {
  const ImVec2 o = ImGui::GetCursorScreenPos();
  ImGui::Dummy(size);
  RegisterLastItem(id);
  const ConePicture picture(points, mu, o, size);
  picture.DrawCones();
  picture.DrawAxes();
  picture.DrawTicks();
  picture.DrawPoints();
  // a wide cone reaches there
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::string coefficient = "µ = " + FormatSignificant(mu, 2);
  const ImVec2 extent = MeasureText(coefficient, Role::kAxis);
  list->AddRectFilled({o.x, o.y + Px(18)}, {o.x + extent.x + Px(4), o.y + Px(22) + extent.y},
                      Color(Token::kPanel), Px(3));
  DrawText(list, {o.x, o.y + Px(20)}, coefficient, Role::kAxis, Color(Token::kText3));
  DrawRich(list, {o.x, o.y + Px(38)}, note, Role::kCaption, Color(Token::kText3));
}

void FrictionUsedRow(std::string_view id, const ChannelStyle& style, double used, double written) {
  const ImVec2 o = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float middle = std::round(o.y + Px(10));
  ImDrawList* list = ImGui::GetWindowDrawList();
  DrawMark(list, {o.x + Px(8), middle}, style, 4.5f);
  const std::string text =
      std::isfinite(written) ? FormatFixed(written * 100, 1) + " %" : std::string("–");
  const float number = MeasureText("100.0 %", Role::kAxis).x;
  const float left = o.x + Px(28), right = o.x + width - number - Px(8);
  list->AddRectFilled({left, middle - Px(4)}, {right, middle + Px(4)}, Color(Token::kControl),
                      Px(2));
  if (std::isfinite(used) && used > 0) {
    const auto part = static_cast<float>(std::clamp(used, 0.0, 1.0));
    list->AddRectFilled({left, middle - Px(4)}, {left + part * (right - left), middle + Px(4)},
                        style.colour, Px(2));
  }
  DrawText(list, {o.x + width - MeasureText(text, Role::kAxis).x, middle - FontPx(Role::kAxis) / 2},
           text, Role::kAxis, Color(Token::kText));
  ImGui::Dummy({width, Snap(20) - ImGui::GetStyle().ItemSpacing.y});
  RegisterWidget(id, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), false, text);
}

}  // namespace slip::app
