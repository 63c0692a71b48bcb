"""The compiler's index of a build: the symbols that each file of the package uses, read with the toolchain's libIndexStore.

Source: https://github.com/swiftlang/llvm-project/blob/next/clang/include/indexstore/indexstore.h
"""

import ctypes
import pathlib
import shutil
import types

RECORD = 2


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode()


NAME_VISITOR = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, Text)
VISITOR = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)
POINTER = ctypes.c_void_p
FUNCTIONS = {
    "store_create": (POINTER, [ctypes.c_char_p, POINTER]),
    "store_units_apply_f": (ctypes.c_bool, [POINTER, ctypes.c_uint, POINTER, NAME_VISITOR]),
    "unit_reader_create": (POINTER, [POINTER, ctypes.c_char_p, POINTER]),
    "unit_reader_dispose": (None, [POINTER]),
    "unit_reader_get_main_file": (Text, [POINTER]),
    "unit_reader_dependencies_apply_f": (ctypes.c_bool, [POINTER, POINTER, VISITOR]),
    "unit_dependency_get_kind": (ctypes.c_int, [POINTER]),
    "unit_dependency_get_name": (Text, [POINTER]),
    "unit_dependency_get_filepath": (Text, [POINTER]),
    "record_reader_create": (POINTER, [POINTER, ctypes.c_char_p, POINTER]),
    "record_reader_dispose": (None, [POINTER]),
    "record_reader_symbols_apply_f": (ctypes.c_bool, [POINTER, ctypes.c_bool, POINTER, VISITOR]),
    "symbol_get_usr": (Text, [POINTER]),
}


def library():
    """The functions of the toolchain's library, without their prefix."""
    compiler = pathlib.Path(shutil.which("swiftc")).resolve()
    code = ctypes.CDLL(str(compiler.parent.parent / "lib/libIndexStore.so"))
    functions = types.SimpleNamespace()
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(code, "indexstore_" + name)
        function.restype, function.argtypes = result, arguments
        setattr(functions, name, function)
    return functions


def unit_names(code, store):
    """The names of the units of a store: one for each compiled file."""
    names = []

    def visit(_, name):
        names.append(str(name))
        return True

    code.store_units_apply_f(store, 0, None, NAME_VISITOR(visit))
    return names


def symbols_by_file(store_path):
    """The symbols of each source file in a store, as their unique names."""
    code = library()
    store = code.store_create(str(store_path).encode(), None)
    if not store:
        raise SystemExit(f"{store_path} isn't an index of the compiler. Build first.")
    found = {}
    for unit in unit_names(code, store):
        reader = code.unit_reader_create(store, unit.encode(), None)
        file = pathlib.Path(str(code.unit_reader_get_main_file(reader)))
        records = []

        def visit(_, dependency):
            if code.unit_dependency_get_kind(dependency) == RECORD \
                    and str(code.unit_dependency_get_filepath(dependency)) == str(file):
                records.append(str(code.unit_dependency_get_name(dependency)))
            return True

        code.unit_reader_dependencies_apply_f(reader, None, VISITOR(visit))
        code.unit_reader_dispose(reader)
        for record in records:
            found.setdefault(file, set()).update(symbols_of(code, store, record))
    return found


def symbols_of(code, store, record):
    """The symbols in one record of a store."""
    reader = code.record_reader_create(store, record.encode(), None)
    names = set()

    def visit(_, symbol):
        names.add(str(code.symbol_get_usr(symbol)))
        return True

    code.record_reader_symbols_apply_f(reader, True, None, VISITOR(visit))
    code.record_reader_dispose(reader)
    return names
