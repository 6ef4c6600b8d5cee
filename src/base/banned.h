/* Functions that must not be used do not compile. Include last. */
#ifndef KT_BASE_BANNED_H
#define KT_BASE_BANNED_H

#undef strcpy
#undef strcat
#undef strncpy
#undef strncat
#undef sprintf
#undef vsprintf
#undef gets
#undef strtok
#undef atoi
#undef atol
#undef system
#undef tmpnam
#undef mktemp
#define strcpy(...)   kt_banned_strcpy_use_kt_buf
#define strcat(...)   kt_banned_strcat_use_kt_buf
#define strncpy(...)  kt_banned_strncpy_use_kt_buf
#define strncat(...)  kt_banned_strncat_use_kt_buf
#define sprintf(...)  kt_banned_sprintf_use_kt_buf
#define vsprintf(...) kt_banned_vsprintf_use_kt_buf
#define gets(...)     kt_banned_gets
#define strtok(...)   kt_banned_strtok_use_kt_str_cut
#define atoi(...)     kt_banned_atoi_use_kt_str_uint
#define atol(...)     kt_banned_atol_use_kt_str_uint
#define system(...)   kt_banned_system_use_posix_spawn
#define tmpnam(...)   kt_banned_tmpnam_use_mkstemp
#define mktemp(...)   kt_banned_mktemp_use_mkstemp

#endif
