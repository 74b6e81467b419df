# The module of Python, where pybind11 is found: target slipscope_python, package in the build folder's
# python/. Nothing else needs it.
find_program(SLIP_PYTHON_EXECUTABLE python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(SLIP_PYTHON_EXECUTABLE python3)
set(PYTHON_EXECUTABLE ${SLIP_PYTHON_EXECUTABLE})
find_package(pybind11 2.10 QUIET)
if(pybind11_FOUND)
  file(GLOB python_sources CONFIGURE_DEPENDS app/python/*.cpp)
  pybind11_add_module(slipscope_python MODULE EXCLUDE_FROM_ALL NO_EXTRAS ${python_sources})
  target_link_libraries(slipscope_python PRIVATE slip_flags slipscope_engine)
  if(SLIP_WINDOW)
    # pictures are drawn by the window's own code, which needs no window: --as-needed leaves GLFW out
    target_link_libraries(slipscope_python PRIVATE slipscope_app)
    target_link_options(slipscope_python PRIVATE LINKER:--as-needed)
    target_compile_definitions(slipscope_python PRIVATE SLIP_PICTURES)
  endif()
  # its macros shadow their own names
  target_compile_options(slipscope_python PRIVATE -Wno-shadow)
  target_compile_definitions(slipscope_python PRIVATE SLIP_VERSION="${PROJECT_VERSION}")
  set_target_properties(slipscope_python PROPERTIES OUTPUT_NAME _slipscope
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/python/slipscope)
  file(GLOB python_files CONFIGURE_DEPENDS app/python/slipscope/*)
  add_custom_command(TARGET slipscope_python POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E copy ${python_files} ${CMAKE_BINARY_DIR}/python/slipscope VERBATIM)
endif()
