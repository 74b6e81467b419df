// Outlines with one pixel of feather, so that they are smooth without multisampling too.
in float v_across;
in vec4 v_colour;

uniform float u_half_width;

out vec4 o_colour;

void main() {
  o_colour = vec4(v_colour.rgb, v_colour.a * clamp(u_half_width + 0.5 - abs(v_across), 0.0, 1.0));
}
