#include "engine/fclib/fclib_message.h"

#include <cstring>
#include <type_traits>

namespace slip {
namespace {

// Both ends are the same program on the same machine: numbers are as in memory.
constexpr std::string_view kFclibBegin = "slipfcl1", kFclibEnd = "endfcl1";
constexpr std::size_t kMostFclibText = 1000, kMostFclibArrays = 100;

template <class T>
void Put(const T& value, std::string* bytes) {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::size_t at = bytes->size();
  bytes->resize(at + sizeof(T));
  std::memcpy(bytes->data() + at, &value, sizeof(T));
}

void PutText(std::string_view text, std::string* bytes) {
  text = text.substr(0, kMostFclibText);
  Put(static_cast<std::uint64_t>(text.size()), bytes);
  *bytes += text;
}

class FclibParser {
 public:
  explicit FclibParser(std::string_view bytes) : rest_(bytes) {}
  bool good() const { return good_; }
  bool empty() const { return rest_.empty(); }

  /// A count of things of this size that follow.
  std::size_t Count(std::uint64_t most, std::size_t bytes) {
    std::uint64_t count = 0;
    Copy(&count, sizeof count);
    good_ = good_ && count <= most && count * bytes <= rest_.size();
    return good_ ? static_cast<std::size_t>(count) : 0;
  }
  std::string Text() {
    std::string text(Count(kMostFclibText, 1), ' ');
    Copy(text.data(), text.size());
    // it goes into sentences
    for (char& c : text)
      if (c < 0x20 || c == 0x7f) c = '?';
    return text;
  }
  std::vector<double> Numbers() {
    std::vector<double> numbers(Count(kMostFclibNumbers, sizeof(double)));
    Copy(numbers.data(), numbers.size() * sizeof(double));
    return numbers;
  }
  void Expect(std::string_view word) {
    good_ = good_ && rest_.starts_with(word);
    if (good_) rest_.remove_prefix(word.size());
  }

 private:
  void Copy(void* to, std::size_t size) {
    good_ = good_ && size <= rest_.size();
    if (!good_ || size == 0) return;
    std::memcpy(to, rest_.data(), size);
    rest_.remove_prefix(size);
  }

  std::string_view rest_;
  bool good_ = true;
};

}  // namespace

std::string EncodeFclib(const FclibMessage& message) {
  std::string bytes(kFclibBegin);
  PutText(message.problem, &bytes);
  PutText(message.title, &bytes);
  Put(static_cast<std::uint64_t>(message.groups.size()), &bytes);
  for (const std::string& group : message.groups) PutText(group, &bytes);
  Put(static_cast<std::uint64_t>(message.arrays.size()), &bytes);
  for (const auto& [path, numbers] : message.arrays) {
    PutText(path, &bytes);
    Put(static_cast<std::uint64_t>(numbers.size()), &bytes);
    bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
  }
  return bytes += kFclibEnd;
}

std::optional<FclibMessage> DecodeFclib(std::string_view bytes) {
  FclibParser parser(bytes);
  FclibMessage message;
  parser.Expect(kFclibBegin);
  message.problem = parser.Text();
  message.title = parser.Text();
  for (std::size_t n = parser.Count(kMostFclibArrays, 1); n > 0 && parser.good(); --n)
    message.groups.push_back(parser.Text());
  for (std::size_t n = parser.Count(kMostFclibArrays, 1); n > 0 && parser.good(); --n) {
    const std::string path = parser.Text();
    message.arrays[path] = parser.Numbers();
  }
  parser.Expect(kFclibEnd);
  if (!parser.good() || !parser.empty()) return std::nullopt;
  return message;
}

}  // namespace slip
