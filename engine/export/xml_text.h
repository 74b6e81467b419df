// XML by tinyxml2; numbers in the shortest text that reads back to the same bits.
#pragma once

#include <tinyxml2.h>

#include <span>
#include <string>

#include "engine/core/param_text.h"
#include "engine/core/types.h"

namespace slip {

inline std::string NumberText(std::span<const double> values) {
  std::string text;
  for (const double value : values) {
    if (!text.empty()) text += ' ';
    text += FormatNumber(value == 0 ? 0.0 : value);  // no -0
  }
  return text;
}
inline std::string NumberText(std::initializer_list<double> values) {
  return NumberText(std::span(values.begin(), values.size()));
}
inline std::string NumberText(const Vec3& v) { return NumberText({v.x(), v.y(), v.z()}); }
/// w, x, y, z
inline std::string NumberText(const Quat& q) { return NumberText({q.w(), q.x(), q.y(), q.z()}); }

/// Elements one after the other, as a document that can still get its head when all is known.
class XmlText {
 public:
  explicit XmlText(const char* root) : at_(document_.NewElement(root)) {
    document_.InsertEndChild(at_);
  }
  void Open(const char* element) { at_ = at_->InsertNewChildElement(element); }
  void Close() { at_ = at_->Parent()->ToElement(); }
  void Set(const char* name, const std::string& text) { at_->SetAttribute(name, text.c_str()); }
  void Set(const char* name, const char* text) { at_->SetAttribute(name, text); }
  void Set(const char* name, double value) { Set(name, NumberText({value})); }
  void Set(const char* name, const Vec3& v) { Set(name, NumberText(v)); }
  void Set(const char* name, const Quat& q) { Set(name, NumberText(q)); }
  void Text(const std::string& text) { at_->SetText(text.c_str()); }
  /// <element>text</element>
  void Leaf(const char* element, const std::string& text) {
    at_->InsertNewChildElement(element)->SetText(text.c_str());
  }
  void Leaf(const char* element, double value) { Leaf(element, NumberText({value})); }
  void Comment(const std::string& text) { at_->InsertNewComment(text.c_str()); }
  /// A comment before everything else in the root.
  void Head(const std::string& text) {
    document_.RootElement()->InsertFirstChild(document_.NewComment(text.c_str()));
  }

  std::string Take() const {
    tinyxml2::XMLPrinter printer;
    document_.Accept(&printer);
    return "<?xml version=\"1.0\"?>\n" + std::string(printer.CStr());
  }

 private:
  tinyxml2::XMLDocument document_;
  tinyxml2::XMLElement* at_;
};

}  // namespace slip
