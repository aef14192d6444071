"""Prints, as JSON, what the interpreter that runs it consists of and which of the libraries named in its argument it has."""
import importlib, json, os, struct, sys


def loader_of(path):
    """The program loader that the kernel is asked for, from the ELF header; none in a static program."""
    with open(path, "rb") as file:
        header = file.read(64)
        if header[:5] != b"\x7fELF\x02":
            return None
        (offset,), (size, count) = struct.unpack_from("<Q", header, 32), struct.unpack_from("<HH", header, 54)
        file.seek(offset)
        table = file.read(size * count)
        for entry in range(0, len(table), size):
            if struct.unpack_from("<I", table, entry)[0] == 3:
                start, length = struct.unpack_from("<Q", table, entry + 8)[0], struct.unpack_from("<Q", table, entry + 32)[0]
                file.seek(start)
                return file.read(length).rstrip(b"\0").decode()
    return None


def installed(name):
    try:
        importlib.import_module(name)
        return True
    except Exception:
        return False


def mapped_files():
    with open("/proc/self/maps") as maps:
        return sorted({line.split(None, 5)[5].strip() for line in maps if "/" in line and ".so" in line})


def shared_data(opened):
    """Folders of data that a distributor keeps apart from the modules: those below `share` of which a file was read."""
    share = os.path.join(sys.prefix, "share", "")
    return sorted({share + path[len(share) :].split("/")[0] for path in opened if path.startswith(share)})


opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
libraries = json.loads(sys.argv[1])
found = {name: modules for name, modules in libraries.items() if all(installed(module) for module in modules)}
if "plotly" in found:
    sys.modules["plotly.graph_objects"].Figure()
executable = os.path.realpath(sys.executable)
print(
    json.dumps(
        {
            "version": list(sys.version_info[:2]),
            "executable": executable,
            "loader": loader_of(executable),
            "path": [path for path in sys.path if os.path.isdir(path)],
            "libraries": list(found),
            "mapped": mapped_files(),
            "data": [folder for folder in shared_data(opened) if os.path.isdir(folder)],
        }
    )
)
