// Font files of the Debian packages fonts-inter, fonts-jetbrains-mono, fonts-fork-awesome and
// fonts-dejavu-core. Sizes: design tokens, section 2.
#include "app/kit/fonts.h"

#include <cmath>
#include <filesystem>
#include <string>

#include "engine/core/data_folder.h"
#include "engine/core/numbers.h"

namespace slip::app {
namespace {

enum class Face { kInter, kInterMedium, kInterSemiBold, kMono, kMonoMedium, kIcons };

struct RoleFont {
  Role role;
  Face face;
  float em;    // design pixels
  bool icons;  // merge the icons into it
};

constexpr RoleFont kRoleFonts[] = {
    // kBody comes first: the first font of the atlas is ImGui's default
    {Role::kBody, Face::kInter, 14, true},
    {Role::kLessonTitle, Face::kInterSemiBold, 18, false},
    {Role::kCardTitle, Face::kInterSemiBold, 15, false},
    {Role::kTitle, Face::kInterSemiBold, 13, true},
    {Role::kLabel, Face::kInter, 13, true},
    {Role::kLabelStrong, Face::kInterMedium, 13, false},
    {Role::kCaption, Face::kInter, 12, false},
    {Role::kTag, Face::kInter, 11, false},
    {Role::kSub, Face::kInter, 10, false},
    {Role::kClock, Face::kMonoMedium, 18, false},
    {Role::kValue, Face::kMono, 13, false},
    {Role::kValueStrong, Face::kMonoMedium, 13, false},
    {Role::kAxis, Face::kMono, 12, false},
    {Role::kTick, Face::kMono, 11, false},
    {Role::kMonoSub, Face::kMono, 10, false},
    {Role::kIcon, Face::kIcons, 14, true},
    {Role::kIconSmall, Face::kIcons, 12, true},
};

// ImGui's pixel size is ascent minus descent, not the em square: factors per face
constexpr float kInterFactor = 1.2102f;
constexpr float kMonoFactor = 1.32f;
constexpr float kIconFactor = 1.096f;
constexpr float kDejaVuFactor = 1.164f;

// Those that came with the program, or else the system's.
std::string FontRoot() {
  std::error_code ignored;
  const std::string own = DataFolder() + "/fonts/";
  return std::filesystem::is_directory(own, ignored) ? own : "/usr/share/fonts/";
}

// Latin-1, Greek, letters with a dot above (x of a speed), script l, dashes and ellipsis, primes,
// super- and subscripts, arrows, operators. Every text of the program is tested against these.
// ImGui keeps the pointer: the arrays must outlive the atlas.
constexpr ImWchar kWordRanges[] = {0x20,   0xFF,   0x370,  0x3FF,  0x1E80, 0x1E93, 0x2010,
                                   0x2027, 0x2032, 0x2032, 0x2070, 0x209F, 0x2113, 0x2113,
                                   0x2190, 0x21FF, 0x2200, 0x22FF, 0};
// only the icons the kit names: 700 glyphs at every size would dominate the atlas
constexpr ImWchar kUsedIcons[] = {
    0xF002, 0xF002, 0xF00C, 0xF00E, 0xF019, 0xF019, 0xF023, 0xF025, 0xF048, 0xF051,
    0xF056, 0xF05A, 0xF067, 0xF067, 0xF06E, 0xF071, 0xF0C5, 0xF0C5, 0xF0D7, 0xF0DA,
    0xF0E2, 0xF0E2, 0xF0EB, 0xF0EB, 0xF0F3, 0xF0F3, 0xF108, 0xF108, 0xF10C, 0xF10C,
    0xF111, 0xF111, 0xF15B, 0xF15B, 0xF126, 0xF126, 0xF19D, 0xF19D, 0xF1B2, 0xF1B2,
    0xF1DE, 0xF1DE, 0xF201, 0xF201, 0xF030, 0xF030, 0xF09C, 0xF09C, 0};

const char* FileOf(Face face) {
  switch (face) {
    case Face::kInter:
      return "opentype/inter/Inter-Regular.otf";
    case Face::kInterMedium:
      return "opentype/inter/Inter-Medium.otf";
    case Face::kInterSemiBold:
      return "opentype/inter/Inter-SemiBold.otf";
    case Face::kMono:
      return "truetype/jetbrains-mono/JetBrainsMono-Regular.ttf";
    case Face::kMonoMedium:
      return "truetype/jetbrains-mono/JetBrainsMono-Medium.ttf";
    case Face::kIcons:
      return "truetype/fork-awesome/forkawesome-webfont.ttf";
  }
  return "";
}

bool IsMono(Face face) { return face == Face::kMono || face == Face::kMonoMedium; }

float FactorOf(Face face) {
  if (face == Face::kIcons) return kIconFactor;
  return IsMono(face) ? kMonoFactor : kInterFactor;
}

const char* FallbackOf(Face face) {
  if (IsMono(face)) return "truetype/dejavu/DejaVuSansMono.ttf";
  if (face == Face::kInterSemiBold) return "truetype/dejavu/DejaVuSans-Bold.ttf";
  return "truetype/dejavu/DejaVuSans.ttf";
}

ImFont* AddFile(const std::string& path, float px, const ImWchar* ranges, bool merge, float scale,
                bool snap) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return nullptr;
  ImFontConfig config;
  config.MergeMode = merge;
  // sub-pixel positions pay only where pixels are large; figures sit on whole pixels
  config.OversampleH = snap || scale >= 1.75f ? 1 : 2;
  config.OversampleV = 1;
  config.PixelSnapH = snap;
  return ImGui::GetIO().Fonts->AddFontFromFileTTF(path.c_str(), px, &config, ranges);
}

ImFont* AddRole(const RoleFont& row, float scale, float* px) {
  const std::string root = FontRoot();
  const float em = row.em * scale;
  const bool mono = IsMono(row.face);
  const bool is_icon = row.face == Face::kIcons;
  const ImWchar* ranges = is_icon ? kUsedIcons : kWordRanges;

  // the face itself, or its stand-in
  *px = std::round(em * FactorOf(row.face));
  ImFont* font = AddFile(root + FileOf(row.face), *px, ranges, false, scale, mono || is_icon);
  if (!font && !is_icon) {
    *px = std::round(em * kDejaVuFactor);
    font = AddFile(root + FallbackOf(row.face), *px, ranges, false, scale, mono);
  }
  if (!font) {
    ImFontConfig config;
    config.SizePixels = *px = std::round(std::max(13.0f, em));
    return ImGui::GetIO().Fonts->AddFontDefault(&config);
  }
  if (is_icon) return font;

  // glyphs the face lacks, then the icons
  AddFile(root + FallbackOf(row.face), std::round(em * kDejaVuFactor), kWordRanges, true, scale,
          mono);
  if (row.icons) {
    AddFile(root + FileOf(Face::kIcons), std::round(em * kIconFactor), kUsedIcons, true, scale,
            true);
  }
  return font;
}

}  // namespace

namespace {

Face FaceOf(WordWeight weight) {
  return weight == WordWeight::kRegular  ? Face::kInter
         : weight == WordWeight::kMedium ? Face::kInterMedium
                                         : Face::kInterSemiBold;
}

}  // namespace

std::string WordFont(WordWeight weight) { return FontRoot() + FileOf(FaceOf(weight)); }

std::string WordFallback(WordWeight weight) { return FontRoot() + FallbackOf(FaceOf(weight)); }

FontTable BuildFonts(float scale, RoleSizes* px) {
  FontTable fonts{};
  ImFontAtlas* atlas = ImGui::GetIO().Fonts;
  atlas->Clear();
#if IMGUI_VERSION_NUM < 19200
  // a wide sheet: large scales would otherwise exceed the height some drivers allow
  atlas->TexDesiredWidth = scale >= 1.75f ? 4096 : 2048;
#endif
  for (const RoleFont& row : kRoleFonts) {
    const auto index = static_cast<std::size_t>(row.role);
    fonts[index] = AddRole(row, scale, &(*px)[index]);
  }
  ImGui::GetIO().FontDefault = At(fonts, Role::kBody);
  return fonts;
}

}  // namespace slip::app
