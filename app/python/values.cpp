#include "app/python/values.h"

#include <fmt/format.h>

#include <cmath>

#include "app/python/errors.h"
#include "engine/core/param_text.h"

namespace slip::python {
namespace {

namespace py = pybind11;

constexpr std::string_view kWhole = "a whole number", kNumber = "a number", kText = "a text",
                           kPath = "a path";
constexpr std::size_t kLongestFound = 60, kMostKnown = 20;

std::string SayFound(std::string_view what, std::string_view expected, const py::object& found) {
  auto text = py::repr(found).cast<std::string>();
  if (text.size() > kLongestFound) {
    py::str whole(text);
    text = py::str(whole[py::slice(0, static_cast<py::ssize_t>(kLongestFound), 1)])
               .cast<std::string>() +
           "...";
  }
  return fmt::format("{} must be {} (found {})", what, expected, text);
}

// The attribute's answer, or nothing when it refuses.
py::object Ask(const py::object& value, PyObject* (*ask)(PyObject*)) {
  auto answer = py::reinterpret_steal<py::object>(ask(value.ptr()));
  if (!answer) PyErr_Clear();
  return answer;
}

bool IsText(const py::object& value) { return py::isinstance<py::str>(value); }

// Arrays of NumPy are no numbers, but for those without a dimension.
bool IsNumber(const py::object& value) {
  if (IsText(value) || PyComplex_Check(value.ptr())) return false;
  if (py::hasattr(value, "ndim") && py::cast<int>(value.attr("ndim")) != 0) return false;
  return PyFloat_Check(value.ptr()) || PyIndex_Check(value.ptr()) ||
         py::hasattr(value, "__float__");
}

}  // namespace

void ThrowType(std::string_view what, std::string_view expected, const py::object& found) {
  throw py::type_error(SayFound(what, expected, found));
}

int64_t ToWhole(const py::object& value, std::string_view what) {
  if (IsFlag(value) || !IsNumber(value)) ThrowType(what, kWhole, value);
  py::object whole;
  if (PyIndex_Check(value.ptr())) whole = Ask(value, PyNumber_Index);
  if (!whole) {
    const double number = ToNumber(value, what);
    if (!std::isfinite(number) || std::trunc(number) != number)
      throw SentenceError(SayFound(what, kWhole, value));
    whole = py::reinterpret_steal<py::object>(PyLong_FromDouble(number));
    if (!whole) throw py::error_already_set();
  }
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(whole.ptr(), &overflow);
  if (overflow != 0) throw SentenceError(SayFound(what, "a whole number below 2^63", value));
  return number;
}

int64_t ToWhole(const py::object& value, std::string_view what, int64_t least, int64_t most) {
  const int64_t number = ToWhole(value, what);
  if (number < least || number > most)
    throw SentenceError(fmt::format("{} must be from {} to {} (found {})", what, least, most,
                                    py::str(value).cast<std::string>()));
  return number;
}

double ToNumber(const py::object& value, std::string_view what) {
  if (!IsNumber(value)) ThrowType(what, kNumber, value);
  const py::object number = Ask(value, PyNumber_Float);
  if (!number) throw SentenceError(SayFound(what, "a number that a float can be", value));
  return number.cast<double>();
}

bool IsFlag(const py::object& value) {
  // of NumPy: bool_, or bool from its version 2 on
  return py::isinstance<py::bool_>(value) ||
         (py::hasattr(value, "dtype") && py::hasattr(value, "item") &&
          py::isinstance<py::bool_>(value.attr("item")()));
}

bool ToFlag(const py::object& value, std::string_view what) {
  if (!IsFlag(value)) ThrowType(what, "True or False", value);
  return PyObject_IsTrue(value.ptr()) == 1;
}

std::string ToText(const py::object& value, std::string_view what) {
  if (!IsText(value)) ThrowType(what, kText, value);
  py::ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
  if (text != nullptr) return {text, static_cast<std::size_t>(size)};
  PyErr_Clear();  // half a character
  throw SentenceError(SayFound(what, "a text of whole characters", value));
}

std::string ToPath(const py::object& value, std::string_view what) {
  const bool bytes = py::isinstance<py::bytes>(value);
  if (!IsText(value) && !bytes && !py::hasattr(value, "__fspath__")) ThrowType(what, kPath, value);
  const auto path = py::module_::import("os").attr("fsencode")(value).cast<std::string>();
  if (path.find('\0') != std::string::npos)
    throw SentenceError(SayFound(what, "a path without a zero", value));
  return path;
}

py::object ToPythonPath(const std::string& path) {
  return py::module_::import("os").attr("fsdecode")(py::bytes(path));
}

std::vector<std::string> ToTexts(const py::object& value, std::string_view what) {
  const auto one = [what](const py::object& item) {
    return py::hasattr(item, "__fspath__") ? ToPath(item, what) : ToText(item, what);
  };
  if (value.is_none()) return {};
  if (IsText(value) || py::hasattr(value, "__fspath__")) return {one(value)};
  if (py::isinstance<py::bytes>(value) || !py::hasattr(value, "__iter__"))
    ThrowType(what, "texts", value);
  std::vector<std::string> texts;
  for (const py::handle item : value)
    texts.push_back(one(py::reinterpret_borrow<py::object>(item)));
  return texts;
}

py::dict ToDict(const py::object& value, std::string_view what) {
  if (value.is_none()) return {};
  if (!py::hasattr(value, "keys")) ThrowType(what, "a dict of names and values", value);
  return py::dict(value);
}

std::string SayUnknown(std::string_view kind, const std::string& word,
                       const std::vector<std::string>& known) {
  const std::vector<std::string_view> views(known.begin(), known.end());
  const std::string message = fmt::format("no {} '{}'", kind, word.substr(0, kLongestFound));
  const bool said = known.size() <= kMostKnown || !Closest(word, views).empty();
  return said ? fmt::format("{} ({})", message, DidYouMean(word, views)) : message;
}

}  // namespace slip::python
