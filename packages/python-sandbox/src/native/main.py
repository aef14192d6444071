"""Entry of a native process, appended to `runner.py`: imports modules, drops rights, runs exactly one job.

The container around it is set up by bubblewrap; here it sets the limits that only a running process can.
"""
import ctypes, gc, json, os, resource, sys, time

CONFIG = json.loads(sys.argv[1])
THREAD_VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
SET_MODE_FILTER, TSYNC = 1, 1
PRINT_SECONDS = 0.1


class Filter(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


def load_modules(on_print):
    sys.path.extend(path for path in CONFIG["path"] if path not in sys.path)
    # One thread: an analysis has one process of its own, and the cores are shared.
    os.environ.update((name, "1") for name in THREAD_VARIABLES)
    run = make_runner(json.dumps(CONFIG["policy"]), on_print)
    os.environ.clear()
    return run


def limit(what, value):
    resource.setrlimit(what, (value, value))


def give_up_rights():
    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_NPROC, CONFIG["threads"])
    limit(resource.RLIMIT_NOFILE, CONFIG["openFiles"])
    limit(resource.RLIMIT_FSIZE, CONFIG["fileBytes"])
    program = bytes.fromhex(CONFIG["filter"])
    libc = ctypes.CDLL(None, use_errno=True)
    filter = Filter(len(program) // 8, program)
    if libc.syscall(CONFIG["seccomp"], SET_MODE_FILTER, TSYNC, ctypes.byref(filter)) != 0:
        raise OSError(ctypes.get_errno(), "the filter of system calls was refused")


def limit_job(own):
    if own["addressBytes"]:
        limit(resource.RLIMIT_AS, own["addressBytes"])
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + 1 + own["cpuSeconds"])


def open_channel():
    """The pipe to the supervisor, separated from what libraries print themselves."""
    channel = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def send(text):
        channel.write(text.encode() + b"\n")
        channel.flush()

    return send


def reporter(send):
    """Sends printed text a few times a second; the rest comes with the answer."""
    waiting, due = [], [0.0]

    def report(text):
        waiting.append(text)
        now = time.monotonic()
        if now >= due[0]:
            due[0] = now + PRINT_SECONDS
            send(json.dumps({"printed": "".join(waiting)}))
            waiting.clear()

    return report


def main():
    send = open_channel()
    run = load_modules(reporter(send))
    gc.collect()
    gc.freeze()
    give_up_rights()
    send('{"ready":true}')
    job = sys.stdin.buffer
    header = json.loads(job.readline())
    code = job.read(header["codeBytes"]).decode()
    data = job.read(header["dataBytes"])
    limit_job(header["own"])
    answer = run(code, data, json.dumps(header["options"]))
    send(answer if len(answer) <= CONFIG["replyBytes"] else '{"broken":true}')


main()
