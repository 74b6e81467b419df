// import slipscope: the engine as a module of Python.
#include <pybind11/pybind11.h>

#include "app/python/channel.h"
#include "app/python/errors.h"
#include "app/python/interrupts.h"
#include "app/python/picture.h"
#include "app/python/problem.h"
#include "app/python/run.h"
#include "app/python/scene.h"
#include "app/python/simulation.h"
#include "app/python/study.h"

PYBIND11_MODULE(_slipscope, module) {
  namespace py = pybind11;
  py::options options;
  options.disable_function_signatures();  // Def writes those that Python reads
  module.doc() = "Contact mechanics: run scenes under several contact models, or step one.";
  module.attr("__version__") = SLIP_VERSION;
  py::exception<slip::python::SentenceError>& error =
      py::register_exception<slip::python::SentenceError>(module, "Error", PyExc_ValueError);
  error.attr("__doc__") = "What was given cannot be used: the program's sentences, a line each.";
  error.attr("__module__") = "slipscope";
  slip::python::Unlocked::WaitAtExit();
  slip::python::AddScenes(&module);
  slip::python::AddChannels(&module);
  slip::python::AddRun(&module);
  slip::python::AddSimulation(&module);
  slip::python::AddPictures(&module);
  slip::python::AddSolve(&module);
  slip::python::AddStudies(&module);
  // where people find them
  for (const char* name : {"Channel", "Run", "Scene", "Simulation", "State", "Study"})
    module.attr(name).attr("__module__") = "slipscope";
}
