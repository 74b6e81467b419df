// What Python gives, as values of ours: whole numbers and numbers of Python and NumPy, texts,
// paths. What cannot be one is a TypeError with a sentence; `what` names the argument.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace slip::python {

/// 3, np.int64(3), 3.0; never True. 2.5 is a slipscope.Error.
int64_t ToWhole(const pybind11::object& value, std::string_view what);
/// One that lies between these, else a slipscope.Error.
int64_t ToWhole(const pybind11::object& value, std::string_view what, int64_t least, int64_t most);
double ToNumber(const pybind11::object& value, std::string_view what);
/// True or False, of Python or NumPy.
bool IsFlag(const pybind11::object& value);
bool ToFlag(const pybind11::object& value, std::string_view what);
std::string ToText(const pybind11::object& value, std::string_view what);
/// str, bytes or PathLike.
std::string ToPath(const pybind11::object& value, std::string_view what);
/// A path as Python has those that are no UTF-8, too.
pybind11::object ToPythonPath(const std::string& path);
/// Of any iterable, or one alone; None: of none. Paths will do.
std::vector<std::string> ToTexts(const pybind11::object& value, std::string_view what);
/// A mapping; None: an empty one.
pybind11::dict ToDict(const pybind11::object& value, std::string_view what);

/// "steps must be a whole number (found 'x')", as a TypeError.
[[noreturn]] void ThrowType(std::string_view what, std::string_view expected,
                            const pybind11::object& found);

/// "no channel 'sop' (did you mean 'sap'?)", or with all of them where none is near.
std::string SayUnknown(std::string_view kind, const std::string& word,
                       const std::vector<std::string>& known);

}  // namespace slip::python
