# The self-test of the native engine, run as an analysis: tries what must fail and prints what came of it. It goes past the
# import list first, by the way that any analysis could go.
import json, statistics

load = statistics.sys.modules["builtins"].__import__
os, sys, socket, resource, ctypes = (load(name) for name in ("os", "sys", "socket", "resource", "ctypes"))
open = load("io").open
libc = ctypes.CDLL(None, use_errno=True)
attempts = {}


def attempt(name, action):
    try:
        attempts[name] = {"failed": False, "detail": str(action())[:200]}
    except BaseException as error:
        attempts[name] = {"failed": True, "detail": "%s: %s" % (type(error).__name__, str(error)[:150])}


def expect(name, holds, detail):
    attempts[name] = {"failed": bool(holds), "detail": "" if holds else str(detail)[:200]}


def first_of(actions):
    """The first that succeeds; an error that names how each failed where none does."""
    errors = []
    for action in actions:
        try:
            return action()
        except BaseException as error:
            errors.append(str(error))
    raise OSError("; ".join(dict.fromkeys(errors)))


def system_call(name, number, *arguments):
    if libc.syscall(number, *arguments) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return "%s was carried out" % name


def connect():
    socket.create_connection(("127.0.0.1", data["port"]), 1)
    return "connected to the loopback interface"


def write_outside():
    folders = ["/", os.path.dirname(sys.executable), os.path.dirname(os.__file__)]
    targets = [data["markerPath"], data["canaryPath"]] + [os.path.join(folder, "marker") for folder in folders]
    return first_of([lambda path=path: open(path, "w").write("x") for path in targets])


def fork():
    if os.fork() == 0:
        os._exit(0)
    return "forked"


def start_program():
    programs = [sys.executable, "/bin/sh", "/usr/bin/env"]
    return first_of(
        [lambda path=path: os.posix_spawn(path, [path], {}) for path in programs]
        + [lambda path=path: os.execv(path, [path]) for path in programs]
    )


def other_rights():
    return first_of([lambda: os.setuid(0), lambda: os.setgroups([0]), lambda: system_call("unshare", 272 if x64 else 97, 0x10000000)])


def raise_limits():
    for what in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC):
        if resource.getrlimit(what)[1] == resource.RLIM_INFINITY:
            return "limit %d is not set" % what
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return "the limit of memory was raised"


x64 = os.uname().machine == "x86_64"
# ptrace, mount, keyctl, bpf, io_uring_setup, process_vm_readv, userfaultfd, perf_event_open
CALLS = [101, 165, 250, 321, 425, 310, 323, 298] if x64 else [117, 40, 219, 280, 425, 270, 282, 241]

attempt("read outside files", lambda: open(data["canaryPath"]).read())
attempt("read files of the system", lambda: first_of([lambda path=path: open(path).read() for path in ("/etc/passwd", "/etc/hostname", "/proc/self/environ", "/proc/1/cmdline")]))
attempt("list folders", lambda: first_of([lambda path=path: os.listdir(path) for path in ("/proc", "/sys", "/dev", "/home", "/root", "/var")]))
attempt("write files", write_outside)
attempt("start processes", fork)
attempt("start programs", start_program)
attempt("connect", connect)
attempt("open sockets", lambda: socket.socket(socket.AF_UNIX))
attempt("reach other processes", lambda: first_of([lambda: os.kill(os.getppid(), 9), lambda: os.kill(-1, 0)]))
attempt("gain rights", other_rights)
attempt("use other system calls", lambda: first_of([lambda number=number: system_call(number, number, 0, 0, 0, 0) for number in CALLS]))
attempt("raise its limits", raise_limits)
variables = {name for name in os.environ if name not in ("LC_CTYPE", "PWD")}
expect("see the environment", not variables, " ".join(variables))
expect("be somebody", os.getuid() == os.getgid() == 65534 and os.getppid() == 0, "user %d, parent %d" % (os.getuid(), os.getppid()))
print(json.dumps(attempts))
