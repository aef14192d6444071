/**
 * A program that walks everything reachable from a sealed realm, over own properties, accessors and prototypes, and
 * prints how many objects it saw and the paths of those that belong to the host; then fills the stack in there and
 * counts the errors of the host that come of it. With `plant` as its argument it hides a function of the host in the
 * realm first, and fills the stack in a context that is not sealed, to show that both would be found.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { openRealm } from '../../src/pyodide/realm.ts';

type Found = { readonly object: object; readonly path: string };

const pyodideFolder = dirname(fileURLToPath(import.meta.resolve('pyodide/pyodide.asm.wasm')));
const ownFolder = join(import.meta.dirname, '../../src/pyodide');
const realm = await openRealm({ pyodideFolder, ownFolder }, { wasmPages: 4096 });
const { context, boot } = realm.internals;
const inner: object = runInContext('globalThis', context);
// The boot code keeps Pyodide to itself; Python hangs it where a walk from the global object comes by.
boot.python('from pyodide.ffi import to_js\nimport pyodide_js\nto_js([1]).constructor.pyodide = pyodide_js');
realm.seal();
if (process.argv[2] === 'plant') Reflect.set(inner, 'planted', { deep: { down: setTimeout } });

const host = new Set([...reachable([{ object: globalThis, path: 'host' }])].map(({ object }) => object));
const inside = [
  ...reachable([
    { object: inner, path: 'realm' },
    { object: boot, path: 'boot' },
  ]),
];
const leaks = inside.filter(({ object }) => host.has(object)).map(({ path }) => path);
// A contextified object would be a second global object, of the host.
if (context !== inner) leaks.push('the object behind the global one');
const opens = ['Memory', 'Module', 'Instance', 'instantiate', 'compile', 'validate'].filter((name) =>
  inside.some(({ path }) => path.endsWith(`.${name}`) && path.includes('WebAssembly')),
);
const errors = hostErrorsIn(
  process.argv[2] === 'plant' ? createContext(Object.create(null) as object) : context,
);
process.stdout.write(JSON.stringify({ visited: inside.length, leaks: leaks.slice(0, 20), opens, errors }));
process.exit(0);

/**
 * How many of the errors that code in there gets have a constructor of elsewhere, when it asks for stacks at every
 * depth.
 */
function hostErrorsIn(sealed: object): number {
  return runInContext(
    `(() => {
      const own = (() => {}).constructor;
      let foreign = 0;
      const judge = (error) => { if (error.constructor.constructor !== own) foreign++; };
      const deep = () => {
        try { deep(); } catch (error) { judge(error); }
        try { new Error('x').stack; } catch (error) { judge(error); }
      };
      for (let round = 0; round < 3; round++) try { deep(); } catch (error) { judge(error); }
      return foreign;
    })()`,
    sealed,
  ) as number;
}

function* reachable(queue: Found[]): Generator<Found> {
  const seen = new Set<object>();
  for (let next = queue.pop(); next; next = queue.pop()) {
    if (seen.has(next.object)) continue;
    seen.add(next.object);
    yield next;
    queue.push(...neighbours(next));
  }
}

function neighbours({ object, path }: Found): Found[] {
  const found: Found[] = [];
  const add = (value: unknown, step: string) => {
    if ((typeof value === 'object' && value !== null) || typeof value === 'function') {
      found.push({ object: value, path: `${path}.${step}` });
    }
  };
  if (ArrayBuffer.isView(object)) return [{ object: Reflect.getPrototypeOf(object) ?? {}, path }];
  add(Reflect.getPrototypeOf(object), '__proto__');
  for (const key of Reflect.ownKeys(object)) {
    const property = Reflect.getOwnPropertyDescriptor(object, key);
    add(property?.value, String(key));
    add(property?.get, `get ${String(key)}`);
    add(property?.set, `set ${String(key)}`);
    if (property?.get)
      add(
        attempt(() => Reflect.get(object, key)),
        `${String(key)}()`,
      );
  }
  return found;
}

function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}
