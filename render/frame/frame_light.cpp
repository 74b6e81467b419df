#include "render/frame/frame_light.h"

#include <algorithm>
#include <cmath>

#include "render/quantities/shadows.h"

namespace slip::render {
namespace {

constexpr float kInvPi = 0.31830989f;
constexpr double kNormalBias = 0.002;  // [m] hides acne; smaller than the lifts worth seeing

Eigen::Vector3f LinearColour(const Colour& colour) {
  float linear[4];
  SetColour(colour, linear);
  return {linear[0], linear[1], linear[2]};
}

/// World (relative to the target) to shadow map, a box around the target seen from the light.
Mat4 ShadowMatrix(const Camera& camera, const Vec3& to_light, int texels) {
  const double radius = std::clamp(1.15 * camera.spec().distance, 0.2, 60.0);
  const Vec3 z = to_light, x = Vec3::UnitY().cross(z).normalized(), y = z.cross(x);
  Mat4 m = Mat4::Identity();
  m.row(0).head<3>() = x / radius;
  m.row(1).head<3>() = y / radius;
  m.row(2).head<3>() = -z / (3 * radius);
  // whole texels only: shadows must not crawl while the camera pans
  const double texel = 2.0 / texels;
  for (int i = 0; i < 2; ++i) {
    const double at = m.row(i).head<3>().dot(camera.spec().target);
    m(i, 3) = at - texel * std::round(at / texel);
  }
  return m;
}

}  // namespace

FrameLight::FrameLight(const DrawContext& context)
    : context_(context), to_light_(ToKeyLight(context.camera)) {
  const Camera& camera = context.camera;
  const ViewRequest& request = context.request;
  // low quality has no map, only the shadows on planes
  taps_ = request.quality == Quality::kLow ? 0 : request.quality == Quality::kMedium ? 1 : 2;
  texels_ = request.quality == Quality::kHigh ? 2048 : 1024;
  shadow_matrix_ = ShadowMatrix(camera, to_light_, texels_);
  view_projection_ = (camera.Projection(context.viewport) * camera.View()).cast<float>();
  // texture coordinates 0 to 1 from clip space -1 to 1
  Mat4 half = Mat4::Identity();
  half.diagonal() << 0.5, 0.5, 0.5, 1;
  half.col(3).head<3>().setConstant(0.5);
  to_shadow_ = (half * shadow_matrix_).cast<float>();
  const double d = camera.spec().distance;
  fog_ = camera.orthographic() || request.backdrop != Backdrop::kScene
             ? Eigen::Vector2f(1e9f, 0.0f)
             : Eigen::Vector2f(static_cast<float>(1.1 * d), static_cast<float>(1 / (4.0 * d + 1)));
}

void FrameLight::Use(const Program& program) const {
  const SceneColours& colours = context_.colours;
  program.Use();
  program.Set("u_view_projection", view_projection_);
  program.Set("u_to_light", Eigen::Vector3f(to_light_.cast<float>()));
  program.Set("u_up", Eigen::Vector3f(context_.camera.up_W().cast<float>()));
  program.Set("u_sky", Eigen::Vector3f(colours.hemisphere * kInvPi * LinearColour(colours.sky)));
  program.Set("u_earth",
              Eigen::Vector3f(colours.hemisphere * kInvPi * LinearColour(colours.earth)));
  program.Set("u_key", Eigen::Vector3f(Eigen::Vector3f::Constant(colours.key * kInvPi)));
  program.Set("u_fog_colour", LinearColour(colours.clear));
  program.Set("u_fog", fog_);
  program.Set("u_alpha", 1.0f);
  program.Set("u_shadow", to_shadow_);
  program.Set("u_shadow_map", 0);
  program.Set("u_shadow_texel", Eigen::Vector3f(1.0f / static_cast<float>(texels_),
                                                static_cast<float>(kNormalBias), 2e-4f));
}

void FrameLight::UseBall(const Program& program) const {
  const Camera& camera = context_.camera;
  Use(program);
  const bool flat = camera.orthographic();
  const Eigen::Vector3f eye =
      (flat ? Vec3(-camera.forward_W()) : Vec3(camera.eye_W() - camera.spec().target))
          .cast<float>();
  program.Set("u_eye", Eigen::Vector4f(eye.x(), eye.y(), eye.z(), flat ? 0.0f : 1.0f));
  program.Set("u_right", Eigen::Vector3f(camera.right_W().cast<float>()));
}

void FrameLight::SetFlat(const Program& program, const Vec3& normal, const Colour& base,
                         const Colour& lines) const {
  const SceneColours& colours = context_.colours;
  const double upward = normal.dot(context_.camera.up_W()), facing = normal.dot(to_light_);
  const auto share = static_cast<float>(0.5 + 0.5 * upward);
  const Eigen::Vector3f sky =
      colours.hemisphere * kInvPi *
      (share * LinearColour(colours.sky) + (1 - share) * LinearColour(colours.earth));
  const Eigen::Vector3f key =
      Eigen::Vector3f::Constant(colours.key * kInvPi * static_cast<float>(std::max(facing, 0.0)));
  const auto lit = [](const Colour& albedo, const Eigen::Vector3f& light) {
    const Eigen::Vector3f c = LinearColour(albedo).cwiseProduct(light);
    return Eigen::Vector3f(c.unaryExpr([](float x) {
      x = std::clamp(x, 0.0f, 1.0f);
      return x <= 0.0031308f ? 12.92f * x : 1.055f * std::pow(x, 1 / 2.4f) - 0.055f;
    }));
  };
  program.Set("u_lit", lit(base, sky + key));
  program.Set("u_shaded", lit(base, sky));
  program.Set("u_line_lit", lit(lines, sky + key));
  program.Set("u_line_shaded", lit(lines, sky));
  program.Set("u_line_alpha", lines.a);
  program.Set("u_fog_srgb", Eigen::Vector3f(colours.clear.r, colours.clear.g, colours.clear.b));
}

}  // namespace slip::render
