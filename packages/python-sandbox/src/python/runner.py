"""Runs one analysis inside the interpreter: import allow-list, captured output, conversion to JSON.

Written for honest mistakes and good messages. Not a security boundary: the process around it is.
"""


def make_runner(policy_json, on_print=None):
    import builtins, collections, datetime, decimal, fractions, io, json, math, random, traceback

    policy = json.loads(policy_json)
    allowed = frozenset(policy["allowed"])
    missing = policy["missing"]
    for name in allowed:
        # Importing now, while the process waits or before the snapshot is taken, saves time later.
        __import__(name)

    real_import = builtins.__import__
    source_name = "<analysis>"
    # Room in a reply for an error text and the names of its fields.
    reply_frame = 32 * 1024

    def guarded_import(name, globals=None, locals=None, fromlist=(), level=0):
        root = str(name).partition(".")[0]
        if root in missing:
            raise ImportError("'%s' is not installed on this server; use %s instead" % (root, missing[root]))
        if level != 0 or root not in allowed:
            raise ImportError("import of '%s' is not allowed; allowed modules: %s" % (name, ", ".join(sorted(allowed))))
        return real_import(name, None, None, fromlist, 0)

    def unavailable(name):
        def refuse(*args, **kwargs):
            raise NameError("%s() is not available in an analysis; its input is the dict 'data'" % name)

        refuse.__name__ = name
        return refuse

    hidden = {"copyright", "credits", "license", "help", "exit", "quit", "__loader__", "__spec__"}
    safe_builtins = {name: value for name, value in vars(builtins).items() if name not in hidden}
    safe_builtins.update({name: unavailable(name) for name in ("open", "input", "breakpoint", "exec", "eval", "compile")})
    safe_builtins["__import__"] = guarded_import

    class Output(io.TextIOBase):
        """Keeps the first `room` characters and remembers whether more came."""

        def __init__(self, room):
            self.restart(room)

        def restart(self, room):
            self.parts, self.room, self.cut = [], room, False

        def writable(self):
            return True

        def write(self, text):
            if not isinstance(text, str):
                raise TypeError("write() argument must be str, not %s" % type(text).__name__)
            kept = text[: self.room]
            self.cut = self.cut or len(kept) < len(text)
            self.room -= len(kept)
            if kept:
                self.parts.append(kept)
                if on_print:
                    on_print(kept)
            return len(text)

        def text(self):
            return "".join(self.parts)

    def convert(value):
        """Values that JSON cannot express; duck-typed, so that libraries need not be installed."""
        if type(value).__name__ in ("NaTType", "NAType"):
            return None
        kind = getattr(getattr(value, "dtype", None), "kind", "")
        if type(value).__module__ == "numpy" and kind in ("M", "m"):
            # Dates and durations; those to the nanosecond would become plain numbers.
            value = value.astype(kind + "8[us]")
        for method in ("to_plotly_json", "tolist", "to_dict"):
            if hasattr(value, method):
                return getattr(value, method)()
        if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
            return value.isoformat()
        if isinstance(value, datetime.timedelta):
            return value.total_seconds()
        if isinstance(value, (decimal.Decimal, fractions.Fraction)):
            return float(value)
        if isinstance(value, collections.abc.Mapping):
            return dict(value)
        if isinstance(value, collections.abc.Iterable) and not isinstance(value, (bytes, bytearray)):
            return list(value)
        return str(value)

    def plain(value):
        """A copy with string keys, and null for what is not a finite number."""
        if value is None or isinstance(value, (bool, int, str)):
            return value
        if isinstance(value, float):
            return value if math.isfinite(value) else None
        if isinstance(value, dict):
            return {key if isinstance(key, str) else str(key): plain(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [plain(item) for item in value]
        return plain(convert(value))

    encode = json.JSONEncoder(allow_nan=False, default=convert).encode

    def to_json(value):
        try:
            return encode(value)
        except (ValueError, TypeError):
            return encode(plain(value))

    def records(name, rows):
        if hasattr(rows, "to_dict") and hasattr(rows, "reset_index"):
            # A data frame or a series; an index that means something is a column of the table.
            is_plain = hasattr(rows, "columns") and type(rows.index).__name__ == "RangeIndex"
            rows = (rows if is_plain else rows.reset_index()).to_dict("records")
        if not isinstance(rows, (list, tuple)) or not all(isinstance(row, dict) for row in rows):
            raise TypeError('result["tables"]["%s"] must be a list of dicts or a data frame' % name)
        return rows

    def describe(error):
        if isinstance(error, MemoryError):
            return "MemoryError: the analysis used more memory than allowed"
        if isinstance(error, SyntaxError) and error.filename == source_name:
            return "line %s: %s: %s" % (error.lineno, type(error).__name__, error.msg)
        summary = traceback.TracebackException.from_exception(error, limit=-64)
        lines = [frame.lineno for frame in summary.stack if frame.filename == source_name]
        text = "".join(summary.format_exception_only()).strip()[-2000:]
        return "line %d: %s" % (lines[-1], text) if lines else text

    def execute(code, data, output):
        namespace = {"__builtins__": dict(safe_builtins), "__name__": "__main__", "data": data}
        try:
            exec(compile(code, source_name, "exec", dont_inherit=True), namespace)
        except SystemExit as stop:
            if isinstance(stop.code, str):
                output.write(stop.code + "\n")
        return namespace.get("result")

    def text_of(value):
        try:
            return str(value or "")
        except ValueError:
            # A data frame, which is neither true nor false.
            return str(value)

    def answer(result, output, options):
        """Chart and tables as JSON texts by field of the reply; a result that is a dict replaces what was printed."""
        if not isinstance(result, dict):
            return {}
        fields = {}
        text = text_of(result.get("output"))
        output.restart(options["outputChars"])
        output.write(text)
        chart = to_json(result.get("chart"))
        if len(chart) > options["chartBytes"]:
            raise ValueError(
                "the chart is %.1f MB of JSON, at most %.1f MB are allowed; plot fewer points"
                % (len(chart) / 2**20, options["chartBytes"] / 2**20)
            )
        fields["chart"] = chart
        tables = result.get("tables")
        if tables is not None:
            if not isinstance(tables, dict):
                raise TypeError('result["tables"] must be a dict of row lists or data frames by name')
            tables = to_json({str(name): records(name, rows) for name, rows in tables.items()})
            room = options["replyBytes"] - len(chart) - len(encode(output.text())) - reply_frame
            if len(tables) > room:
                raise ValueError(
                    "the tables are %.1f MB of JSON, at most %.1f MB are allowed; keep fewer rows"
                    % (len(tables) / 2**20, room / 2**20)
                )
            fields["tables"] = tables
        return fields

    def run(code, data_json, options_json):
        import sys

        options = json.loads(options_json)
        random.seed(options["seed"])
        output = Output(options["outputChars"])
        fields, error = {}, None
        streams = sys.stdout, sys.stderr
        sys.stdout = sys.stderr = output
        try:
            fields = answer(execute(code, json.loads(data_json), output), output, options)
        except BaseException as raised:
            error = describe(raised)
        finally:
            sys.stdout, sys.stderr = streams
        fields["output"] = encode(output.text())
        fields["truncated"] = encode(output.cut)
        fields["error"] = encode(error)
        return "{" + ", ".join('"%s": %s' % field for field in fields.items()) + "}"

    return run
