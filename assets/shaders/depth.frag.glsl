// Shadow pass: depth alone.
void main() {}
