# The modules for compressed inputs and bundles. ISA-L reads gzip twice as fast as zlib; it is used where
# it is found (x86-64, arm64), and nothing is missing without it.
option(KT_ISAL "Read gzip with ISA-L where it is found" ON)

pkg_check_modules(ARCHIVE REQUIRED IMPORTED_TARGET libarchive>=3.6)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd>=1.4)
pkg_check_modules(LZMA REQUIRED IMPORTED_TARGET liblzma)
pkg_check_modules(LZ4 REQUIRED IMPORTED_TARGET liblz4)
find_library(BZ2 bz2 REQUIRED)
if(KT_ISAL)
	pkg_check_modules(ISAL IMPORTED_TARGET libisal)
endif()

# kt_unpack_module(NAME SOURCES file... LIBS library...)
function(kt_unpack_module name)
	cmake_parse_arguments(M "" "" "SOURCES;LIBS" ${ARGN})
	list(TRANSFORM M_SOURCES PREPEND src/input/unpack/)
	add_library(${name} MODULE ${M_SOURCES} src/input/unpack/table.c)
	target_include_directories(${name} PRIVATE src)
	target_link_libraries(${name} PRIVATE kt_flags ${M_LIBS})
	set_target_properties(${name} PROPERTIES PREFIX "" C_VISIBILITY_PRESET hidden)
	install(TARGETS ${name} DESTINATION ${CMAKE_INSTALL_LIBDIR}/ktriage)
	# Programs that read inputs load it.
	add_dependencies(kt_input ${name})
endfunction()

kt_unpack_module(ktriage-unpack
	SOURCES module.c stream.c zlib.c isal.c zstd.c xz.c bzip2.c lz4.c lz4block.c
	LIBS PkgConfig::ZLIB PkgConfig::ZSTD PkgConfig::LZMA PkgConfig::LZ4 ${BZ2})
if(ISAL_FOUND)
	target_compile_definitions(ktriage-unpack PRIVATE KT_ISAL)
	target_link_libraries(ktriage-unpack PRIVATE PkgConfig::ISAL)
endif()
# libarchive takes five times as long to load as all of the above.
kt_unpack_module(ktriage-archive SOURCES archive.c LIBS PkgConfig::ARCHIVE)

# The programs of tests do not lie beside them.
if(BUILD_TESTING)
	set_source_files_properties(src/base/plugin.c PROPERTIES COMPILE_DEFINITIONS
		KT_MODULES_BUILT="${CMAKE_BINARY_DIR}")
endif()
