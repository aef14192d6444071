/** What escapes are after: evidence that host code, files, the environment or the network were reached. */
export type Canaries = {
  /** In the text of a file and of an environment variable; an escape that has it put it into `loot`. */
  readonly secret: string;
  readonly file: string;
  readonly folder: string;
  /** Files that escapes make on the host are `${markers}-${name}`. */
  readonly markers: string;
  /** Of a listener on 127.0.0.1. */
  readonly port: number;
};

/** Name of the environment variable that holds the secret. */
export const CANARY_VARIABLE = 'QPILOT_CANARY';

/** One technique: Python that tries to make a marker, to connect, or to put the secret into `loot`. */
export type Escape = { readonly name: string; readonly code: string };

/** Techniques that end the interpreter where they are refused, so that nothing can be tried after them. */
export const FATAL_TECHNIQUES: readonly string[] = ['emscripten_run_script', 'a shared library'];

/** Gets past every import list: the real `__import__` as `load`, the module `sys`, the shell command that marks. */
const PRELUDE = `
importer = next(c for c in object.__subclasses__() if c.__name__ == 'BuiltinImporter')
sys = importer.load_module('sys')
load = sys.modules['builtins'].__import__
core = sys.modules['_pyodide_core']
to_js = core.to_js
`;

/**
 * Python of each technique by its name; `{…}` stands for a canary. Those that spoil what they do not reach come last.
 */
const TECHNIQUES: Readonly<Record<string, string>> = {
  'os.system': `load('os').system('echo > {marker}')`,
  'posix.system by class walk': `importer.load_module('posix').system('echo > {marker}')`,
  subprocess: `load('subprocess').run(['/bin/sh', '-c', 'echo > {marker}'])`,
  'os.popen': `loot = load('os').popen('cat {file}').read()`,
  posix_spawn: `load('os').posix_spawn('/bin/sh', ['sh', '-c', 'echo > {marker}'], {})`,
  'fork and exec': `os = load('os')\nif os.fork() == 0: os.execv('/bin/sh', ['sh', '-c', 'echo > {marker}'])`,
  'a thread': `t = load('threading').Thread(target=lambda: load('os').system('echo > {marker}'))\nt.start()\nt.join()`,
  multiprocessing: `load('multiprocessing').Process(target=lambda: load('os').system('echo > {marker}')).start()`,
  'a pickle': `load('pickle').loads(b"cposix\\nsystem\\n(S'echo > {marker}'\\ntR.")`,
  'hand-made code': `sys.modules['builtins'].exec(sys.modules['builtins'].compile("import os\\nos.system('echo > {marker}')", 'x', 'exec'))`,
  'a destructor at the end': `class End:\n  def __del__(self): load('os').system('echo > {marker}')\nend = End()`,
  atexit: `load('atexit').register(lambda: load('os').system('echo > {marker}'))`,
  'work after the answer': `import time\nload('asyncio').get_event_loop().call_later(0, lambda: load('os').system('echo > {marker}'))`,
  'writing a file': `load('io').open('{marker}', 'w').write('x')`,
  'reading a file': `loot = load('io').open('{file}').read()`,
  'a path object': `loot = load('pathlib').Path('{file}').read_text()`,
  'a symbolic link': `load('os').symlink('{file}', '/tmp/link')\nloot = load('io').open('/tmp/link').read()`,
  'the root of a process': `loot = load('io').open('/proc/self/root{file}').read()`,
  'mounting a host folder': `load('pyodide_js').mountNodeFS('/mnt', '{folder}')\nloot = load('io').open('/mnt/secret').read()`,
  'the file system of Emscripten': `fs = load('pyodide_js').FS\nfs.mkdir('/m2')\nfs.mount(fs.filesystems.NODEFS, to_js({'root': '{folder}'}, dict_converter=load('js').Object.fromEntries), '/m2')\nloot = load('io').open('/m2/secret').read()`,
  'os.environ': `loot = load('os').environ.get('{variable}')`,
  'the environment in /proc': `loot = load('io').open('/proc/self/environ').read()`,
  'process of JavaScript': `loot = load('js').process.env.{variable}`,
  'eval of JavaScript': `loot = load('js').eval('process.env.{variable}')`,
  run_js: `loot = load('pyodide.code', fromlist=['x']).run_js('process.env.{variable}')`,
  'a constructor chain': `loot = to_js([1]).constructor.constructor('return process.env.{variable}')()`,
  'a constructor chain of the API': `loot = load('pyodide_js').runPython.constructor('return process.env.{variable}')()`,
  'an async constructor chain': `load('pyodide_js').loadPackage.constructor('return process.env.{variable}')`,
  'a JavaScript error': `try: load('pyodide_js').FS.readFile('/none')\nexcept BaseException as e: loot = e.js_error.constructor.constructor('return process.env.{variable}')()`,
  emscripten_run_script: `c = load('ctypes')\nf = c.CDLL(None).emscripten_run_script_string\nf.restype = c.c_char_p\nloot = f(b'process.env.{variable}')`,
  'a shared library': `load('ctypes').CDLL('{file}')`,
  'modules inside allowed modules': `import statistics\nloot = statistics.sys.modules['os'].popen('cat {file}').read()`,
  'a format string': `import statistics\nloot = '{0.sys.modules[os].environ}'.format(statistics)`,
  'frames of the caller': `f = sys._getframe()\nwhile f.f_back: f = f.f_back\nloot = f.f_builtins['open']('{file}').read()`,
  'a look-alike name': `loot = ｏｐｅｎ('{file}').read()`,
  'a socket': `load('socket').create_connection(('127.0.0.1', {port}), 1).send(b'x')`,
  http: `load('urllib.request', fromlist=['x']).urlopen('http://127.0.0.1:{port}/', timeout=1)`,
  'a web socket': `load('js').WebSocket.new('ws://127.0.0.1:{port}/')`,
  fetch: `load('js').fetch('http://127.0.0.1:{port}/')`,
  pyfetch: `load('pyodide.http', fromlist=['x']).pyfetch('http://127.0.0.1:{port}/').send(None)`,
  asyncio: `load('asyncio').open_connection('127.0.0.1', {port}).send(None)`,
  'importing a host module': `load('pyodide_js')._api.loadBinaryFile('{file}').then(core.create_proxy(lambda x: 1))\nloot = load('js').require('fs').readFileSync('{file}', 'utf8')`,
  'killing the parent': `os = load('os')\nos.kill(os.getppid(), 9)`,
  'stack frames of the host': `frames = []\ntry: load('pyodide_js').FS.readFile('/none')\nexcept BaseException as e:\n  error = e.js_error.constructor\n  error.prepareStackTrace = core.create_proxy(lambda err, trace: frames.extend(trace) or '')\n  load('pyodide_js').FS.readFile('/none')\nloot = [f.getFunction().constructor('return process.env.{variable}')() for f in frames]`,
  'polluting prototypes': `proto = to_js([1]).constructor.prototype.__proto__\nproto.env = core.create_proxy(lambda *a: 1)\nproto.shell = '/bin/sh'\nload('os').system('echo > {marker}')`,
};

/** The techniques, with the canaries filled in. */
export function escapesFor(canaries: Canaries): Escape[] {
  return Object.entries(TECHNIQUES).map(([name, technique], index) => {
    const values: Record<string, string | number> = {
      marker: `${canaries.markers}-${index}`,
      file: canaries.file,
      folder: canaries.folder,
      port: canaries.port,
      variable: CANARY_VARIABLE,
    };
    const body = technique.replace(/\{(\w+)\}/g, (whole, key: string) => String(values[key] ?? whole));
    const code = `loot = None\ntry:\n${indent(PRELUDE + body)}\nexcept BaseException: pass\n`;
    return { name, code };
  });
}

function indent(code: string): string {
  return code.replace(/^/gm, '  ');
}
