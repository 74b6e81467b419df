// Writes JSON text: 17 significant digits whatever the locale, null for what is not finite.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slip {

/// "0.10000000000000001", "nan", "inf": reads back to the same bits.
std::string FullNumber(double value);

/// Objects and lists in the order of the calls. The caller keeps keys and values in balance.
class JsonWriter {
 public:
  JsonWriter& BeginObject() { return Begin('{', false); }
  JsonWriter& EndObject() { return End('}'); }
  /// `flat` lists stay on one line.
  JsonWriter& BeginList(bool flat = true) { return Begin('[', flat); }
  JsonWriter& EndList() { return End(']'); }
  JsonWriter& Key(std::string_view key);

  JsonWriter& Number(double value);
  JsonWriter& Integer(long long value);
  JsonWriter& Text(std::string_view value);
  JsonWriter& Flag(bool value);
  JsonWriter& Null();
  /// A value that is JSON already.
  JsonWriter& Raw(std::string_view json);

  /// Key and value in one call.
  JsonWriter& Number(std::string_view key, double value) { return Key(key).Number(value); }
  JsonWriter& Integer(std::string_view key, long long value) { return Key(key).Integer(value); }
  JsonWriter& Text(std::string_view key, std::string_view value) { return Key(key).Text(value); }
  JsonWriter& Flag(std::string_view key, bool value) { return Key(key).Flag(value); }
  /// A flat list of `count` numbers.
  JsonWriter& Numbers(std::string_view key, const double* values, int count);
  JsonWriter& Texts(std::string_view key, const std::vector<std::string>& values);

  /// The document; ends with a line feed.
  std::string Take();

 private:
  struct Level {
    bool flat;
    bool empty;
  };
  JsonWriter& Begin(char bracket, bool flat);
  JsonWriter& End(char bracket);
  void Separate();
  void NewLine();
  void Quote(std::string_view text);

  std::string out_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

}  // namespace slip
