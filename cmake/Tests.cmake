# Criterion passes silently where a leak is found or nothing was run: these lines
# in the output fail the test.
set(KT_FAIL_LINES "ERROR: [A-Za-z]+Sanitizer;runtime error:;Tested: 0 ")

# kt_unit_tests(NAME): one test program of tests/unit/NAME/*.c, linked with kt_NAME.
function(kt_unit_tests name)
	file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/unit/${name}/*.c)
	if(NOT sources)
		return()
	endif()
	add_executable(unit_${name} ${sources})
	target_link_libraries(unit_${name} PRIVATE kt_flags kt_${name} PkgConfig::CRITERION ${ARGN})
	target_compile_options(unit_${name} PRIVATE -Wno-missing-prototypes -Wno-pedantic -Wno-shadow
		-Wno-sign-conversion -Wno-conversion)
	target_compile_definitions(unit_${name} PRIVATE KT_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data")
	add_test(NAME unit.${name} COMMAND unit_${name})
	kt_test_guard(unit.${name})
endfunction()

function(kt_test_guard name)
	if(KT_SANITIZE) # all is several times slower
		set(limit 900)
	else()
		set(limit 300)
	endif()
	set_tests_properties(${name} PROPERTIES
		FAIL_REGULAR_EXPRESSION "${KT_FAIL_LINES}"
		TIMEOUT ${limit}
		SKIP_RETURN_CODE 77
		ENVIRONMENT "LC_ALL=C.UTF-8;KTRIAGE_SHARED=${KT_SHARED};KTRIAGE_BIN=${CMAKE_BINARY_DIR}/ktriage;KTRIAGE_SOURCE=${CMAKE_SOURCE_DIR}")
endfunction()

# kt_script_test(NAME SCRIPT [ARG...]): a test that is a program of its own; exit 77 skips.
function(kt_script_test name)
	add_test(NAME ${name} COMMAND ${ARGN})
	kt_test_guard(${name})
endfunction()

set(KT_SHARED "${CMAKE_SOURCE_DIR}/../shared" CACHE PATH "Reference data beside the checkout, if any")
