/**
 * Ways to the host through the JavaScript that the Pyodide engine lives in. Natively there is none, so all are
 * refused.
 */
import { family } from './technique.ts';
import type { Technique } from './technique.ts';

/**
 * Constructors are reached through objects, since no global name is. `look` tries whatever it is given for a way to the
 * environment of the host.
 */
const JS = `
core = load('_pyodide_core')
api = load('pyodide_js')
call = core.create_proxy
Array = core.to_js([1]).constructor
Object = api.FS.constructor
Function = Array.constructor
Bytes = core.to_js(b'x').constructor
Promise = Array.of('x').map(api.loadPackage).map(Object.getPrototypeOf).map(Object.getOwnPropertyDescriptors)[0].constructor.value
seen = []
looks = [0]
def look(*values):
    looks[0] += 1
    for value in values:
        try:
            if value.constructor.constructor != Function: seen.append('a constructor of elsewhere')
            seen.append(str(value.constructor.constructor('return process')().env.{variable}))
        except BaseException: pass
def an_error():
    try: api.FS.readFile('/none')
    except BaseException as error: return error.js_error
`;
const javaScript = (body: string) => `${JS}${body.trim()}`;
const looking = (body: string) =>
  javaScript(
    `${body.trim()}\nif seen: loot = seen[0]\nelse: raise OSError('looked at %d things' % looks[0])`,
  );
const FILE = `lambda *a: load('os').system('echo > {marker}')`;

export const JAVASCRIPT: readonly Technique[] = [
  ...family(
    'objects of JavaScript',
    { marker: 'secret', endings: ['refused', 'crashed'] },
    {
      'traps on every array': {
        script: looking(`
class Traps:
    def __getattr__(self, name): look(name)
    def __setattr__(self, name, value): look(value)
    def __contains__(self, name): look(name)
Object.setPrototypeOf(Array.prototype, call(Traps()))
Array.of(1).nothing
api.runPython('1')`),
      },
      'setters on every object': {
        script: looking(`
for name in ('then', 'message', 'stack', 'code', 'value', 'get', 'type', 'cause'):
    Object.prototype.__defineSetter__(name, call(lambda *a: look(*a)))
    Object.prototype.__defineGetter__(name, call(lambda *a: look(*a)))
an_error()`),
      },
      'frames behind an error': {
        script: looking(`
def frames(error, sites):
    for site in sites: look(site, site.getThis(), site.getFunction(), site.getEvalOrigin())
Object.getPrototypeOf(an_error().constructor).prepareStackTrace = call(frames)
Object.getPrototypeOf(Object.getPrototypeOf(an_error())).constructor.prepareStackTrace = call(frames)
look(an_error().stack)
Array.of(1).reduce()`),
      },
      'errors when the stack is full': {
        script: looking(`
sys.setrecursionlimit(10**6)
def deep(*a):
    try: Array.of(1).map(down)
    except BaseException as error: look(getattr(error, 'js_error', None))
    try: look(an_error().stack)
    except BaseException as error: look(getattr(error, 'js_error', None))
down = call(deep)
deep()`),
      },
      'stacks as long as one likes': {
        script: looking(`
Error = Object.getPrototypeOf(Object.getPrototypeOf(an_error())).constructor
for kind in (Error, Object, an_error().constructor):
    try: kind.stackTraceLimit = 1000
    except BaseException: pass
    kind.prepareStackTrace = call(lambda error, sites: look(error, sites, *sites))
look(an_error().stack, Array.of(1).reduce)`),
      },
      'the species of arrays': {
        script: looking(`
species = Object.getOwnPropertySymbols(Array)
for kind in (Array, Promise, Bytes):
    Object.defineProperty(kind, species[0], Object.getOwnPropertyDescriptor(Array.prototype, 'map'))
    kind.constructor = call(lambda *a: look(*a))
Array.of(1, 2).map(call(lambda *a: look(*a)))`),
      },
      'methods that others call': {
        script: looking(`
spy = call(lambda *a: look(*a))
for prototype, name in ((Array.prototype, 'push'), (Array.prototype, 'join'), (Array.prototype, 'slice'), (Promise.prototype, 'then'), (Function.prototype, 'apply')):
    setattr(prototype, name, spy)
Object.keys = Object.entries = Object.assign = spy
an_error()`),
      },
      'the caller of a function': {
        script: looking(`
caller = Object.getOwnPropertyDescriptor(Function.prototype, 'caller')
look(caller.get, caller.get.call(Object.keys), api.runPython.caller)`),
      },
      'code of every kind of function': {
        script: looking(`
for kind in (Function, api.loadPackage.constructor, an_error().constructor.constructor, Promise.constructor):
    try: loot = str(kind('return process.env.{variable}')())
    except BaseException: looks[0] += 1`),
      },
    },
  ),
  ...family(
    'memory of WebAssembly',
    { marker: 'excess', endings: ['refused', 'out of memory', 'crashed', 'stopped for memory'] },
    {
      'growing beyond the cap': {
        script: javaScript(`
if api._module._emscripten_resize_heap(3 * 10**9) == 0: raise MemoryError('refused')
print(api._module.HEAPU8.length)`),
      },
      'growing while it is read': {
        script: javaScript(`
view = api._module.HEAPU8
kept = []
for _ in range(100):
    kept.append(bytearray(2**24))
    view.set(core.to_js(b'x' * 1000), view.length - 1000)`),
      },
      'buffers beside the memory': {
        script: javaScript(`kept = []\nwhile True: kept.append(Bytes.new(10**8).fill(1))`),
      },
      'texts beside the memory': {
        endings: ['refused', 'out of memory', 'crashed', 'stopped for memory', 'stopped for time'],
        script: javaScript(`
kept = []
while True: kept.append(Array.new(10**5).fill('x' * 1000).join(str(len(kept))))`),
      },
    },
  ),
  ...family(
    'work of JavaScript after the answer',
    { marker: 'file', endings: ['answered'] },
    {
      'a promise': {
        native: ['refused'],
        script: javaScript(`Array.of('x').map(api.loadPackage)[0].then(${FILE}, ${FILE})`),
        pyodide: ['answered', 'refused'],
      },
      'then of every promise': {
        native: ['refused'],
        script: javaScript(
          `Object.defineProperty(Promise.prototype, 'then', Object.getOwnPropertyDescriptor(Object.assign(Object.new(), core.to_js({'value': call(${FILE})}, dict_converter=Object.fromEntries)), 'value'))`,
        ),
        pyodide: ['answered', 'refused'],
      },
      'a task of asyncio': {
        native: ['refused'],
        script: `
asyncio = load('asyncio')
async def later(): load('os').system('echo > {marker}')
asyncio.ensure_future(later(), loop=asyncio.get_event_loop_policy().get_event_loop())`,
      },
      'a promise that is broken': {
        native: ['refused'],
        pyodide: ['answered', 'refused'],
        script: javaScript(`Array.of('x').map(api.loadPackage)\nPromise.reject(call(${FILE}))`),
      },
    },
  ),
];
