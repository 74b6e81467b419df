// Outlines in pixels, origin top left, with the value of the depth buffer.
layout(location = 0) in vec3 a_pixel;
layout(location = 1) in float a_across;  // signed distance from the middle of the line [px]
layout(location = 2) in vec4 a_colour;

uniform vec2 u_size;

out float v_across;
out vec4 v_colour;

void main() {
  vec2 p = a_pixel.xy / u_size * 2.0 - 1.0;
  gl_Position = vec4(p.x, -p.y, a_pixel.z * 2.0 - 1.0, 1.0);
  v_across = a_across;
  v_colour = a_colour;
}
