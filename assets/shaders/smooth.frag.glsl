// Edges that a picture with one sample a pixel shows as stairs are blended along their direction,
// which the brightness of the four corners tells. What has no edge is left as it is.
in vec2 v_place;

uniform sampler2D u_picture;
uniform vec2 u_texel;

out vec4 o_colour;

const float kLeast = 0.08, kShare = 0.2;  // of contrast: for dark places, and for bright ones
const float kReach = 6.0;                  // along an edge [px]

float Brightness(vec3 colour) { return dot(colour, vec3(0.3, 0.6, 0.1)); }
float BrightnessAt(ivec2 at) { return Brightness(texelFetch(u_picture, at, 0).rgb); }

void main() {
  ivec2 here = ivec2(gl_FragCoord.xy);
  ivec2 last = textureSize(u_picture, 0) - 1;
  ivec2 low = max(here - 1, ivec2(0)), high = min(here + 1, last);
  float a = BrightnessAt(low), b = BrightnessAt(ivec2(high.x, low.y));
  float c = BrightnessAt(ivec2(low.x, high.y)), d = BrightnessAt(high);
  float own = BrightnessAt(here);
  float least = min(own, min(min(a, b), min(c, d)));
  float most = max(own, max(max(a, b), max(c, d)));
  if (most - least < max(kLeast, kShare * most)) discard;

  // across the slope of the brightness, longer the nearer the edge is to an axis
  vec2 along = vec2(a + b - c - d, b + d - a - c);
  along /= max(min(abs(along.x), abs(along.y)), 0.03 * (most - least) + 1e-4);
  along = clamp(along, -kReach, kReach) * u_texel;
  vec2 place = gl_FragCoord.xy * u_texel;
  vec4 near = 0.5 * (texture(u_picture, place - along / 6.0) + texture(u_picture, place + along / 6.0));
  vec4 far = 0.5 * near + 0.25 * (texture(u_picture, place - along / 2.0) +
                                  texture(u_picture, place + along / 2.0));
  // the far ones may have left the edge
  float mixed = Brightness(far.rgb);
  o_colour = mixed < least || mixed > most ? near : far;
}
