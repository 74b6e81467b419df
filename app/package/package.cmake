# What `cmake --install` puts where, and the Debian package that `cpack` makes of it in the build folder.
include(GNUInstallDirs)
set(package_dir ${CMAKE_SOURCE_DIR}/app/package)
set(package_made ${CMAKE_BINARY_DIR}/package)

install(TARGETS slipscope)
install(DIRECTORY scenes assets DESTINATION ${CMAKE_INSTALL_DATADIR}/slipscope
  PATTERN pictures EXCLUDE PATTERN LICENSE EXCLUDE PATTERN CHANGELOG.md EXCLUDE)
install(FILES ${package_dir}/slipscope.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES ${package_dir}/slipscope.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
install(FILES ${package_dir}/slipscope.svg
  DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
install(FILES ${package_dir}/slipscope.bash RENAME slipscope
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${package_dir}/_slipscope DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${package_dir}/slipscope.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES ${package_dir}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Made when it is installed: the page says what the program says. -n: the same bytes every time.
install(CODE "
  file(MAKE_DIRECTORY ${package_made})
  execute_process(COMMAND ${package_dir}/man.sh $<TARGET_FILE:slipscope>
    OUTPUT_FILE ${package_made}/slipscope.1 COMMAND_ERROR_IS_FATAL ANY)
  file(COPY_FILE ${CMAKE_SOURCE_DIR}/assets/CHANGELOG.md ${package_made}/changelog)
  execute_process(COMMAND gzip -9 -n -f ${package_made}/slipscope.1 ${package_made}/changelog
    COMMAND_ERROR_IS_FATAL ANY)")
install(FILES ${package_made}/slipscope.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${package_made}/changelog.gz DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "Slipscope maintainers <slipscope@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "oscilloscope for contact mechanics")
set(CPACK_PACKAGE_DESCRIPTION
  "Runs several contact models on one scene, in a window or without one, and
shows forces, gliding offset, stick and slip and solver conditioning while
every parameter can be changed. It opens robots from URDF and MJCF files,
records videos, and writes what it measures.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# opened at run time, so that no linker knows them
set(CPACK_DEBIAN_PACKAGE_DEPENDS
  "libgl1, libegl1, libegl-mesa0, libgl1-mesa-dri, fonts-inter, fonts-jetbrains-mono, fonts-fork-awesome")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS ffmpeg)
if(problem_package)
  string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ", ${problem_package}")
endif()
include(CPack)
