// Objects that Python makes otherwise than by their constructor: by X.__new__(X), copy and pickle.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace slip::python {

/// Whoever uses one gets a TypeError. pybind11 would give a method fresh memory for it.
template <class Type>
void RefuseUnmade() {
  pybind11::detail::get_type_info(typeid(Type))->operator_new = [](std::size_t) -> void* {
    const pybind11::handle type = pybind11::detail::get_type_handle(typeid(Type), true);
    const auto name = pybind11::str(type.attr("__name__")).cast<std::string>();
    throw pybind11::type_error("this " + name + " was made without its constructor");
  };
}

/// A copy of what does not change is itself.
template <class Class>
void DefSame(Class* type) {
  type->def("__copy__", [](const pybind11::object& self) { return self; });
  type->def("__deepcopy__",
            [](const pybind11::object& self, const pybind11::object&) { return self; });
}

/// How a class with py::pickle is taken apart, by any protocol: the old ones would make it without
/// asking it.
template <class Class>
void DefReduce(Class* type) {
  type->def("__reduce__", [](const pybind11::object& self) {
    return pybind11::make_tuple(pybind11::module_::import("copyreg").attr("__newobj__"),
                                pybind11::make_tuple(pybind11::type::of(self)),
                                self.attr("__getstate__")());
  });
}

/// Pickling is refused, with this sentence.
template <class Class>
void RefusePickle(Class* type, const char* sentence) {
  type->def("__reduce__", [sentence](const pybind11::object&) -> pybind11::object {
    throw pybind11::type_error(sentence);
  });
}

}  // namespace slip::python
