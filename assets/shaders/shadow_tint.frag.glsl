// The colour that shows where light is missing.
uniform vec4 u_colour;

out vec4 o_colour;

void main() { o_colour = vec4(u_colour.rgb, 1.0); }
