option(KT_WERROR "Warnings are errors (for CI)" OFF)
option(KT_FAULTS "Allow allocations, reads and writes to be failed by number (for tests)" ON)
option(KT_FUZZ "Build the fuzz targets with libFuzzer (clang)" OFF)

file(RELATIVE_PATH KT_MODULES_RELATIVE ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/ktriage/)

add_library(kt_flags INTERFACE)
target_compile_features(kt_flags INTERFACE c_std_17)
target_compile_definitions(kt_flags INTERFACE
	_GNU_SOURCE
	KT_VERSION="${PROJECT_VERSION}"
	KT_RULES_SOURCE="${CMAKE_SOURCE_DIR}/rules"
	KT_RULES_INSTALLED="${CMAKE_INSTALL_FULL_DATADIR}/ktriage/rules"
	KT_MODULES_RELATIVE="${KT_MODULES_RELATIVE}/"
	KT_MODULES_INSTALLED="${CMAKE_INSTALL_FULL_LIBDIR}/ktriage"
	$<$<BOOL:${KT_FAULTS}>:KT_FAULTS>)
target_compile_options(kt_flags INTERFACE
	-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wstrict-prototypes
	-Wmissing-prototypes -Wundef -Wformat=2 -Wcast-qual -Wnull-dereference -Wvla -Wwrite-strings
	$<$<BOOL:${KT_WERROR}>:-Werror>
	-fstack-protector-strong -fPIC)
target_link_options(kt_flags INTERFACE -Wl,-z,relro,-z,now -Wl,--as-needed)
if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
	target_compile_options(kt_flags INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endif()

if(KT_SANITIZE)
	target_compile_options(kt_flags INTERFACE -fsanitize=address,undefined
		-fno-sanitize-recover=all -fno-omit-frame-pointer)
	target_compile_definitions(kt_flags INTERFACE KT_ARENA_DEBUG)
	target_link_options(kt_flags INTERFACE -fsanitize=address,undefined)
endif()
if(KT_COVERAGE)
	target_compile_options(kt_flags INTERFACE --coverage)
	target_link_options(kt_flags INTERFACE --coverage)
endif()
if(KT_FUZZ)
	target_compile_options(kt_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
