#include "engine/core/json_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/core/utf8.h"

namespace slip {

std::string FullNumber(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return fmt::format("{:.17g}", value);
}

void JsonWriter::NewLine() {
  out_ += '\n';
  out_.append(2 * levels_.size(), ' ');
}

void JsonWriter::Separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) return;
  Level& level = levels_.back();
  if (!level.empty) out_ += level.flat ? ", " : ",";
  level.empty = false;
  if (!level.flat) NewLine();
}

JsonWriter& JsonWriter::Begin(char bracket, bool flat) {
  Separate();
  out_ += bracket;
  levels_.push_back({flat, true});
  return *this;
}

JsonWriter& JsonWriter::End(char bracket) {
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.flat && !level.empty) NewLine();
  out_ += bracket;
  return *this;
}

void JsonWriter::Quote(std::string_view text) {
  out_ += '"';
  while (!text.empty()) {
    const std::size_t size = Utf8CharSize(text);
    const char c = text.front();
    if (c == '"' || c == '\\') {
      out_ += '\\';
      out_ += c;
    } else if (c == '\n') {
      out_ += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out_ += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else if (size == 0) {
      out_ += "\\ufffd";  // a byte that is no text has no place in JSON
    } else {
      out_ += text.substr(0, size);
    }
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  out_ += '"';
}

JsonWriter& JsonWriter::Key(std::string_view key) {
  Separate();
  Quote(key);
  out_ += ": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::Raw(std::string_view json) {
  Separate();
  out_ += json;
  return *this;
}

JsonWriter& JsonWriter::Number(double value) {
  Separate();
  out_ += std::isfinite(value) ? FullNumber(value) : "null";
  return *this;
}

JsonWriter& JsonWriter::Integer(long long value) {
  Separate();
  out_ += std::to_string(value);
  return *this;
}

JsonWriter& JsonWriter::Text(std::string_view value) {
  Separate();
  Quote(value);
  return *this;
}

JsonWriter& JsonWriter::Flag(bool value) {
  Separate();
  out_ += value ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::Null() {
  Separate();
  out_ += "null";
  return *this;
}

JsonWriter& JsonWriter::Numbers(std::string_view key, const double* values, int count) {
  Key(key).BeginList();
  for (int i = 0; i < count; ++i) Number(values[i]);
  return EndList();
}

JsonWriter& JsonWriter::Texts(std::string_view key, const std::vector<std::string>& values) {
  Key(key).BeginList();
  for (const std::string& value : values) Text(value);
  return EndList();
}

std::string JsonWriter::Take() {
  out_ += '\n';
  return std::move(out_);
}

}  // namespace slip
