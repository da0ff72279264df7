"""jq's library with Oniguruma and decNumber: its files, the ones its own build would generate, and how to compile them.

Instead of jq's ``configure`` this page states what it would find for wasi-libc.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from .cache import Cache
from .compile import Unit
from .fixes import apply
from .jq_fixes import JQ
from .sources import files_of, unpack

__all__ = ["jq_includes", "jq_sources", "jq_units"]

_INNER = "deps/jq-1.8.2.tar.gz"
_FOLDERS = ["src", "vendor/decNumber", "vendor/oniguruma/src"]
_ONIGURUMA = "vendor/oniguruma/src"


def _words(text: str) -> list[str]:
    return text.split()


_VALUES = _words("jv jv_unicode jv_print jv_parse jv_aux execute")
"""Files that are compiled as one, so that values, which are many and small, are copied and freed without calls."""

_LIBRARY = _words("""
    builtin bytecode compile jv_dtoa jv_file lexer linker locfile parser util values
""")
_REGEX = _words("""
    ascii onig_init regcomp regenc regerror regexec regext regparse regsyntax regtrav regversion st unicode
    unicode_fold1_key unicode_fold2_key unicode_fold3_key unicode_unfold_key utf8
""")
_SELDOM = {
    *_words("builtin bytecode compile lexer linker locfile parser util jv_file decContext"),
    *(set(_REGEX) - {"regexec", "utf8"}),
}
"""Files whose code runs once for a program or a pattern, not for each value."""

_MATH = _words("""
    acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh drem erf erfc exp exp10 exp2 expm1 fabs fdim
    floor fma fmax fmin fmod frexp hypot ilogb j0 j1 jn ldexp lgamma lgamma_r log log10 log1p log2 logb modf nearbyint
    nextafter nexttoward pow remainder rint round scalb scalbln scalbn significand sin sinh sqrt tan tanh tgamma trunc
    y0 y1 yn
""")
_C_LIBRARY = _words("""
    alloca_h atexit gmtime gmtime_r localtime localtime_r memmem setlocale strftime strptime timegm tm_tm_gmt_off
""")

_DEFINES = [f"-DHAVE_{name.upper()}=1" for name in [*_C_LIBRARY, *_MATH]]
_DEPTHS = [f"-DMAX_{what}_DEPTH=500" for what in _words("PARSING PRINT PATH CMP EQUAL CONTAINS OBJECT_MERGE")]
"""How deep values may nest (jq: 10,000): printing takes 1.4 KB of the guest's 1 MB stack for each level."""

_HEAP = [
    f"-D{name}={own}"
    for name, own in {
        "malloc": "jv_mem_alloc_unguarded",
        "calloc": "jv_mem_calloc_unguarded",
        "realloc": "jv_mem_realloc",
        "strdup": "jv_mem_strdup",
        "free": "jv_mem_free",
    }.items()
]
"""jq allocates in two ways, and frees in either what it got in the other."""

_JQ_FLAGS = (
    "-std=c11",
    "-w",
    "-DUSE_DECNUM=1",
    "-DHAVE_LIBONIG=1",
    "-DHAVE___THREAD=1",
    "-DIEEE_8087=1",
    "-DHAVE_GAMMA=1",
    "-Dgamma=lgamma",
    "-Dstrptime=amla_jq_strptime",
    "-Dabort=amla_give_up",  # jq aborts where there is no memory
    "-DAMLA_FUEL=16384",  # instructions until a program stands still: about a millisecond
    *_HEAP,
    *_DEPTHS,
    *_DEFINES,
)

_ONIGURUMA_CONFIG = """\
#define HAVE_ALLOCA 1
#define HAVE_ALLOCA_H 1
#define HAVE_STDINT_H 1
#define HAVE_INTTYPES_H 1
#define HAVE_SYS_TIME_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_UNISTD_H 1
#define SIZEOF_INT 4
#define SIZEOF_LONG 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_VOIDP 4
#define STDC_HEADERS 1
#define PACKAGE "onig"
#define VERSION "6.9.10"
"""


def jq_sources(archive: Path, cache: Cache) -> Path:
    """Unpack jq and write what its own build would generate; returns jq's folder."""
    outer = dict(files_of(archive.read_bytes(), lambda name: str(name) == _INNER))
    files = dict(apply(JQ, files_of(outer[PurePosixPath(_INNER)], _wanted)))
    files[PurePosixPath("src/builtin.inc")] = _byte_list(files[PurePosixPath("src/builtin.jq")])
    files[PurePosixPath("src/values.c")] = "".join(f'#include "{name}.c"\n' for name in _VALUES).encode()
    files[PurePosixPath(_ONIGURUMA, "config.h")] = _ONIGURUMA_CONFIG.encode()
    return unpack(cache, "jq", files.items())


def _wanted(name: PurePosixPath) -> bool:
    return str(name.parent) in _FOLDERS and name.suffix in {".c", ".h", ".jq"}


def _byte_list(content: bytes) -> bytes:
    """``content`` as the inside of a C array."""
    return "".join(f"{byte},\n" for byte in content).encode()


def jq_includes(folder: Path) -> list[str]:
    """Flags with which our own C finds jq's headers."""
    return ["-isystem", str(folder / "src")]


def jq_units(folder: Path) -> list[Unit]:
    regex = folder / _ONIGURUMA
    numbers = ["vendor/decNumber/decContext.c", "vendor/decNumber/decNumber.c"]
    flags = (*_JQ_FLAGS, f"-I{folder}", f"-I{folder / 'src'}", f"-I{folder / 'vendor'}", f"-I{regex}")
    library = [
        Unit(folder, name, (*flags, *_size(name))) for name in [*(f"src/{name}.c" for name in _LIBRARY), *numbers]
    ]
    regex_flags = ("-std=c11", "-w", "-DHAVE_CONFIG_H", "-I.")
    return library + [Unit(regex, f"{name}.c", (*regex_flags, *_size(name))) for name in _REGEX]


def _size(name: str) -> tuple[str, ...]:
    """Flags for a file that is small rather than fast."""
    return ("-Oz",) if PurePosixPath(name).stem in _SELDOM else ()
