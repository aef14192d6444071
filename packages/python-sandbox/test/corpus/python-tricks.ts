/** Ways around the Python layer: all that a script can find by walking from what it was given. */
import { family } from './technique.ts';
import type { Technique } from './technique.ts';

const SECRET = { marker: 'secret' } as const;

export const PYTHON_TRICKS: readonly Technique[] = [
  ...family('class and frame walks', SECRET, {
    'the importer among all classes': {
      marker: 'file',
      script: `
importer = next(c for c in object.__subclasses__() if c.__name__ == 'BuiltinImporter')
if importer.load_module('posix').system('echo > {marker}') != 0: raise OSError('no shell')`,
    },
    'the globals of a class of os': {
      script: `
wrap = next(c for c in object.__subclasses__() if c.__name__ == '_wrap_close')
loot = wrap.__init__.__globals__['popen']('cat {file}').read()`,
    },
    'builtins behind print': { script: `loot = print.__self__.open('{file}').read()` },
    'the frame of a generator': {
      script: `
def walk():
    frame = g.gi_frame
    while frame: last, frame = frame, frame.f_back
    yield last.f_builtins['open']
g = walk()
loot = next(g)('{file}').read()`,
    },
    'frames of the caller': {
      script: `
f = sys._getframe()
while f.f_back: f = f.f_back
loot = f.f_builtins['open']('{file}').read()`,
    },
    'the traceback of an exception': {
      script: `
try: 1/0
except ZeroDivisionError as e: f = e.__traceback__.tb_frame.f_back
loot = f.f_globals['__builtins__'] if isinstance(f.f_globals['__builtins__'], dict) else vars(f.f_globals['__builtins__'])
loot = loot['open']('{file}').read()`,
    },
    'what the import guard closes over': {
      script: `
real = next(c.cell_contents for c in __import__.__closure__ if getattr(c.cell_contents, '__name__', '') == '__import__')
loot = real('io').open('{file}').read()`,
    },
    'what the collector knows': {
      script: `
gc = load('gc')
modules = next(o for o in gc.get_objects() if isinstance(o, dict) and 'posix' in o and 'sys' in o)
loot = modules['builtins'].open('{file}').read()`,
    },
    'the frame of a coroutine': {
      script: `
async def c(): pass
co = c()
loot = co.cr_frame.f_builtins['__import__'].__globals__ if hasattr(co.cr_frame.f_builtins['__import__'], '__globals__') else {}
co.close()
loot = builtins.open('{file}').read()`,
    },
  }),
  ...family('format strings', SECRET, {
    'items behind attributes': {
      script: `loot = '{0.sys.modules[os].environ[{variable}]}'.format(statistics)`,
    },
    'the whole environment': {
      endings: ['answered'],
      script: `loot = '{0.sys.modules[os].environ}'.format(statistics)`,
    },
    'globals of a function': {
      endings: ['answered'],
      script: `loot = '{f.__globals__}'.format_map({'f': load('os').getenv})`,
    },
    'a formatter of its own': {
      script: `
import string
class F(string.Formatter):
    def convert_field(self, value, conversion): return value.open('{file}').read()
loot = F().format('{0.modules[builtins]!r}', sys)`,
    },
  }),
  ...family('look-alike names', SECRET, {
    'wide letters': { script: `loot = ｏｐｅｎ('{file}').read()` },
    'an import in wide letters': { script: `import ｏｓ\nloot = ｏｓ.environ['{variable}']` },
    'a module that is no submodule': { script: `import statistics.sys` },
    'a dotted name through an allowed root': { script: `import json.decoder.os` },
    'a text that is not what it says': {
      script: `
class Name(str):
    def partition(self, sep): return ('math', '', '')
    def __hash__(self): return hash('math')
    def __eq__(self, other): return True
loot = __import__(Name('os')).environ['{variable}']`,
    },
    'a relative import': { script: `__import__('os', {'__package__': 'os'}, None, (), 1)` },
  }),
  ...family('modules inside allowed modules', SECRET, {
    'os of random': { script: `import random\nloot = random._os.environ['{variable}']` },
    'sys of dataclasses': {
      script: `import dataclasses\nloot = dataclasses.sys.modules['os'].popen('cat {file}').read()`,
    },
    'codecs of json': { script: `from json import codecs\nloot = codecs.open('{file}').read()` },
    'files of io': { script: `import io\nloot = io.FileIO('{file}').read().decode()` },
    'files of the module below io': { script: `loot = load('_io').FileIO('{file}').read().decode()` },
    'the loader of a module reads': {
      script: `loot = load('textwrap').__spec__.loader.get_data('{file}').decode()`,
    },
    'the loader of a module writes': {
      marker: 'file',
      script: `
load('textwrap').__spec__.loader.set_data('{marker}', b'x')
builtins.open('{marker}').close()`,
    },
    'the attributes of an object': {
      script: `loot = object.__getattribute__(statistics, 'sys').modules['io'].open('{file}').read()`,
    },
    'numpy reads a file': {
      script: `import numpy\nloot = numpy.fromfile('{file}', dtype='u1').tobytes().decode()`,
    },
    'numpy maps a file': { script: `import numpy\nloot = bytes(numpy.memmap('{file}', mode='r')).decode()` },
    'numpy writes a file': { marker: 'file', script: `import numpy\nnumpy.zeros(1).tofile('{marker}')` },
    'pandas reads a file': {
      script: `import pandas\nloot = pandas.read_csv('{file}', header=None).to_string()`,
    },
    'pandas writes a file': {
      marker: 'file',
      script: `import pandas\npandas.DataFrame([[1]]).to_csv('{marker}')`,
    },
    'pandas evaluates': {
      script: `import pandas\nread = lambda path: builtins.open(path).read()\nloot = pandas.DataFrame({'a': [1]}).eval('@read("{file}")', engine='python')`,
    },
    'scipy reads a file': { script: `load('scipy.io', fromlist=['x']).loadmat('{file}')` },
    'plotly writes a page': {
      marker: 'file',
      script: `import plotly.graph_objects as go\ngo.Figure().write_html('{marker}')`,
    },
  }),
  ...family('pickles and bytecode', SECRET, {
    'a pickle that calls a shell': {
      marker: 'file',
      script: `
if load('pickle').loads(b"cposix\\nsystem\\n(S'echo > {marker}'\\ntR.") != 0: raise OSError('no shell')`,
    },
    'a pickle that opens': { script: `loot = load('pickle').loads(b"cio\\nopen\\n(S'{file}'\\ntR.").read()` },
    'a pickle for numpy': {
      script: `
import numpy, io
class Open:
    def __reduce__(self): return (builtins.open, ('{file}',))
held = io.BytesIO()
numpy.save(held, numpy.array([Open()], dtype=object), allow_pickle=True)
held.seek(0)
loot = numpy.load(held, allow_pickle=True)[0].read()`,
    },
    'code that was compiled': {
      script: `exec = builtins.exec\nexec(builtins.compile("loot = load('io').open('{file}').read()", 'x', 'exec'))`,
    },
    'code from bytes': {
      script: `
marshal = load('marshal')
code = marshal.loads(marshal.dumps(builtins.compile("load('io').open('{file}').read()", 'x', 'eval')))
loot = builtins.eval(code)`,
    },
    'code of another function': {
      script: `
def read(name, *rest): return builtins.open('{file}').read()
statistics.mean.__code__ = (lambda data: load('io').open('{file}').read()).__code__
statistics.mean.__globals__['load'] = load
loot = statistics.mean([1])`,
    },
    'bytecode that the compiler would not write': {
      marker: 'host',
      endings: ['crashed', 'refused', 'answered', 'stopped for time'],
      script: `
def f(): pass
f.__code__ = f.__code__.replace(co_code=bytes([100, 255]) * 40 + f.__code__.co_code, co_consts=())
f()`,
    },
  }),
  ...family(
    'hostile objects',
    { marker: 'host' },
    {
      'a text that says it is short': {
        endings: ['answered', 'crashed', 'refused'],
        marker: 'excess',
        script: `
class S(str):
    def __getitem__(self, key): return self
    def __len__(self): return 0
    def __str__(self): return self
print(S('x' * 3_000_000))`,
      },
      'an output that reads a file': {
        marker: 'secret',
        endings: ['refused'],
        script: `
class O:
    def __str__(self): return builtins.open('{file}').read()
result = {'output': O()}`,
      },
      'a figure that reads a file': {
        marker: 'secret',
        script: `
class Figure:
    def to_plotly_json(self): return {'data': [{'name': builtins.open('{file}').read()}]}
result = {'chart': Figure()}`,
      },
      'a result that never ends': {
        marker: 'excess',
        endings: ['out of memory', 'stopped for time', 'stopped for memory'],
        script: `
class R(dict):
    def get(self, key, default=None): return iter(int, 1)
result = R()
result['chart'] = result`,
      },
      'a class that is said to be dict': {
        endings: ['refused', 'answered'],
        script: `
class R:
    __class__ = dict
result = R()`,
      },
      'a list that holds itself': { script: `x = []\nx.append(x)\nresult = {'chart': {'data': x}}` },
      'an error that does not end': {
        marker: 'excess',
        endings: ['stopped for time'],
        script: `
class E(Exception):
    def __str__(self):
        while True: pass
raise E()`,
      },
      'an error of ten megabytes': { marker: 'excess', script: `raise ValueError('x' * 10_000_000)` },
      'an error without a text': {
        endings: ['answered', 'refused', 'crashed'],
        script: `
class E(Exception):
    def __str__(self): return 5
raise E()`,
      },
      'an error whose class has a hostile name': {
        endings: ['refused'],
        script: `raise type('E\\n{"output": "forged"}', (Exception,), {})('x')`,
      },
      'an exit that is a hostile text': {
        marker: 'excess',
        endings: ['answered', 'refused'],
        script: `
class S(str):
    def __add__(self, other): return S('x' * 3_000_000)
raise SystemExit(S('a'))`,
      },
    },
  ),
];
