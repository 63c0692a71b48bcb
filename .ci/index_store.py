"""The compiler's index of a build: the symbols in each file of the package, read with the toolchain's libIndexStore.

Source: https://github.com/swiftlang/llvm-project/blob/next/clang/include/indexstore/indexstore.h
"""

import collections
import ctypes
import pathlib
import shutil

RECORD = 2
DECLARED, REFERENCE = 1 | 2, 4

POINTER, NUMBER = ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint)


class Text(ctypes.Structure):
    _fields_ = [("data", POINTER), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode()


NAMES = ctypes.CFUNCTYPE(ctypes.c_bool, POINTER, Text)
VISITOR = ctypes.CFUNCTYPE(ctypes.c_bool, POINTER, POINTER)
FUNCTIONS = {
    "store_create": (POINTER, [ctypes.c_char_p, POINTER]),
    "store_units_apply_f": (ctypes.c_bool, [POINTER, ctypes.c_uint, POINTER, NAMES]),
    "unit_reader_create": (POINTER, [POINTER, ctypes.c_char_p, POINTER]),
    "unit_reader_dispose": (None, [POINTER]),
    "unit_reader_get_main_file": (Text, [POINTER]),
    "unit_reader_dependencies_apply_f": (ctypes.c_bool, [POINTER, POINTER, VISITOR]),
    "unit_dependency_get_kind": (ctypes.c_int, [POINTER]),
    "unit_dependency_get_name": (Text, [POINTER]),
    "unit_dependency_get_filepath": (Text, [POINTER]),
    "record_reader_create": (POINTER, [POINTER, ctypes.c_char_p, POINTER]),
    "record_reader_dispose": (None, [POINTER]),
    "record_reader_occurrences_apply_f": (ctypes.c_bool, [POINTER, POINTER, VISITOR]),
    "occurrence_get_symbol": (POINTER, [POINTER]),
    "occurrence_get_roles": (ctypes.c_uint64, [POINTER]),
    "occurrence_get_line_col": (None, [POINTER, NUMBER, NUMBER]),
    "symbol_get_usr": (Text, [POINTER]),
    "symbol_get_name": (Text, [POINTER]),
}

# A symbol in a file: its unique name, its name, whether it is declared or used there, and its line.
Occurrence = collections.namedtuple("Occurrence", "symbol name is_declared is_used line")


class Index:
    """The index of a build directory."""

    def __init__(self, build):
        compiler = pathlib.Path(shutil.which("swiftc")).resolve()
        library = ctypes.CDLL(str(compiler.parent.parent / "lib/libIndexStore.so"))
        for name, (result, arguments) in FUNCTIONS.items():
            function = getattr(library, "indexstore_" + name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)
        self.store = self.store_create(str(build / "index/store").encode(), None)
        if not self.store:
            raise SystemExit(f"{build} has no index. Build all traits and tests first.")

    def files(self, root):
        """Yields each Swift file below a directory with its occurrences."""
        units = []
        self.store_units_apply_f(self.store, 0, None, NAMES(lambda _, name: units.append(str(name)) or True))
        found = collections.defaultdict(list)
        for unit in units:
            reader = self.unit_reader_create(self.store, unit.encode(), None)
            file = pathlib.Path(str(self.unit_reader_get_main_file(reader)))
            if file.is_relative_to(root) and file.exists():
                for record in self.records(reader, file):
                    found[file] += self.occurrences(record)
            self.unit_reader_dispose(reader)
        return sorted(found.items())

    def records(self, reader, file):
        names = []

        def visit(_, dependency):
            if self.unit_dependency_get_kind(dependency) == RECORD \
                    and str(self.unit_dependency_get_filepath(dependency)) == str(file):
                names.append(str(self.unit_dependency_get_name(dependency)))
            return True

        self.unit_reader_dependencies_apply_f(reader, None, VISITOR(visit))
        return names

    def occurrences(self, record):
        reader = self.record_reader_create(self.store, record.encode(), None)
        found, line = [], ctypes.c_uint()

        def visit(_, occurrence):
            symbol, roles = self.occurrence_get_symbol(occurrence), self.occurrence_get_roles(occurrence)
            self.occurrence_get_line_col(occurrence, line, ctypes.c_uint())
            found.append(Occurrence(str(self.symbol_get_usr(symbol)), str(self.symbol_get_name(symbol)),
                                    bool(roles & DECLARED), bool(roles & REFERENCE), line.value))
            return True

        self.record_reader_occurrences_apply_f(reader, None, VISITOR(visit))
        self.record_reader_dispose(reader)
        return found
