# kt_embed(TARGET HEADER file...): a header with the bytes of each file as an array,
# and the hash by which a page's Content-Security-Policy lets exactly these bytes in:
#
#     static const char kt_doc_css[] = {…};  #define kt_doc_css_HASH "sha256-…"
#
# for "…/doc.css". The files are ASCII, so that bytes are chars everywhere. Run with -DOUT=… -DFILES=… it writes the header.
if(NOT CMAKE_SCRIPT_MODE_FILE)
	set(KT_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})
	function(kt_embed target header)
		set(out ${CMAKE_BINARY_DIR}/generated/${header})
		list(TRANSFORM ARGN PREPEND ${CMAKE_SOURCE_DIR}/src/ OUTPUT_VARIABLE files)
		add_custom_command(OUTPUT ${out}
			COMMAND ${CMAKE_COMMAND} -DOUT=${out} "-DFILES=${files}" -P ${KT_EMBED_SCRIPT}
			DEPENDS ${files} ${KT_EMBED_SCRIPT} VERBATIM)
		target_sources(${target} PRIVATE ${out})
		target_include_directories(${target} PRIVATE ${CMAKE_BINARY_DIR}/generated)
	endfunction()
	return()
endif()

set(digits ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)

# Base64 of a text of hexadecimal digits.
function(base64 hex out)
	string(LENGTH ${hex} n)
	math(EXPR pad "(6 - ${n} % 6) % 6")
	string(REPEAT 0 ${pad} zeros)
	string(APPEND hex ${zeros})
	math(EXPR last "${n} - 1")
	foreach(at RANGE 0 ${last} 6)
		string(SUBSTRING ${hex} ${at} 6 three)
		math(EXPR bits "0x${three}")
		foreach(shift 18 12 6 0)
			math(EXPR digit "(${bits} >> ${shift}) & 63")
			string(SUBSTRING ${digits} ${digit} 1 one)
			string(APPEND text ${one})
		endforeach()
	endforeach()
	math(EXPR drop "${pad} / 2")
	string(LENGTH ${text} n)
	math(EXPR keep "${n} - ${drop}")
	string(SUBSTRING ${text} 0 ${keep} text)
	string(REPEAT = ${drop} marks)
	set(${out} ${text}${marks} PARENT_SCOPE)
endfunction()

set(all "/* Made by cmake/Embed.cmake; do not edit. */\n")
foreach(file IN LISTS FILES)
	get_filename_component(name ${file} NAME)
	string(REPLACE . _ name kt_${name})
	file(READ ${file} hex HEX)
	file(SHA256 ${file} sum)
	base64(${sum} hash)
	string(REGEX REPLACE "(..)" "0x\\1," bytes ${hex})
	string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes ${bytes})
	string(APPEND all "static const char ${name}[] = {\n${bytes}};\n#define ${name}_HASH \"sha256-${hash}\"\n")
endforeach()
file(WRITE ${OUT} "${all}")
