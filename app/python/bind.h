// Functions and methods as Python shows them: a signature that help and notebooks read, and one
// sentence where a call does not fit it.
#pragma once

#include <fmt/format.h>
#include <pybind11/pybind11.h>

#include <string>
#include <string_view>
#include <utility>

namespace slip::python {

/// What does not fit the function's signature, as a TypeError.
[[noreturn]] void ThrowMisfit(const pybind11::handle& scope, const char* name,
                              const pybind11::args& args, const pybind11::kwargs& more);

/// "run(scene, models=None)" above the words, where Python looks for it.
inline std::string Documented(std::string_view name, std::string_view signature,
                              std::string_view doc) {
  return fmt::format("{}{}\n--\n\n{}", name, signature, doc);
}

/// Adds a function to a module or a method to a class, where signatures of pybind11 are off.
/// `signature` is "(self, count=1)".
template <class Scope, class Function, class... Extra>
void Def(Scope* scope, const char* name, std::string_view signature, Function&& function,
         std::string_view doc, const Extra&... extra) {
  const pybind11::handle where = *scope;
  scope->def(name, std::forward<Function>(function), Documented(name, signature, doc).c_str(),
             extra...);
  scope->def(name, [where, name](const pybind11::args& args, const pybind11::kwargs& more) {
    ThrowMisfit(where, name, args, more);
  });
}

/// The same to a class, without an object.
template <class Class, class Function, class... Extra>
void DefStatic(Class* type, const char* name, std::string_view signature, Function&& function,
               std::string_view doc, const Extra&... extra) {
  const pybind11::handle where = *type;
  type->def_static(name, std::forward<Function>(function), Documented(name, signature, doc).c_str(),
                   extra...);
  type->def_static(name, [where, name](const pybind11::args& args, const pybind11::kwargs& more) {
    ThrowMisfit(where, name, args, more);
  });
}

/// The constructor.
template <class Class, class Init, class... Extra>
void DefInit(Class* type, std::string_view signature, Init&& init, std::string_view doc,
             const Extra&... extra) {
  const pybind11::handle where = *type;
  type->def(std::forward<Init>(init), Documented("__init__", signature, doc).c_str(), extra...);
  type->def(
      "__init__",
      [where](pybind11::detail::value_and_holder&, const pybind11::args& args,
              const pybind11::kwargs& more) { ThrowMisfit(where, "__init__", args, more); },
      pybind11::detail::is_new_style_constructor());
}

}  // namespace slip::python
