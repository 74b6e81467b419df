#include "engine/tell/format.h"

#include <iterator>

#include "engine/core/numbers.h"

namespace slip {

std::string FormatSignal(Signal signal, double value, int digits) {
  return FormatQuantity(AboveNoise(signal, value), Info(signal).unit, digits);
}

std::string LiteralRich(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c == '_' || c == '^' || c == '\\') text += '\\';
    text += c;
  }
  return text;
}

std::string SentenceRich(std::string_view text) {
  std::string rich;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t end = text.substr(i, 2) == "^{" ? text.find('}', i) : text.npos;
    if (end != text.npos) {
      rich += text.substr(i, end - i + 1);
      i = end;
    } else {
      rich += LiteralRich(text.substr(i, 1));
    }
  }
  return rich;
}

std::string AsRich(std::string_view text) {
  constexpr std::string_view kFrom[] = {"⁻", "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  constexpr std::string_view kTo[] = {"\u2212", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
  std::string rich;
  bool raised = false;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t match = std::size(kFrom);
    for (std::size_t k = 0; k < std::size(kFrom); ++k) {
      if (text.substr(i).starts_with(kFrom[k])) match = k;
    }
    if ((match < std::size(kFrom)) != raised) {
      rich += raised ? "}" : "^{";
      raised = !raised;
    }
    if (raised) {
      rich += kTo[match];
      i += kFrom[match].size();
    } else {
      rich += text[i++];
    }
  }
  if (raised) rich += '}';
  return rich;
}

}  // namespace slip
