/**
 * Jest's runner, except that Node itself loads the tests and all that they import, as it loads the program: types are
 * stripped by Node, and a module is read, linked and run once per worker. Jest's own loader does so once per test file,
 * which costs two seconds of CPU for one that starts the program; what that buys, mocks of modules, is not for us.
 * Modules may therefore keep nothing from one test file that would change the next.
 */
import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import circus from 'jest-circus/runner';
import { useGlobals } from './native-globals.js';

const GLOBALS = new URL('./native-globals.js', import.meta.url).href;

// For the processes that tests start, which load the whole program: where `start.js` keeps what was compiled.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
  new URL('../../node_modules/.cache/node', import.meta.url),
);

/** Jest's own code stays in a realm of its own; these are what `expect` knows values of the tests by. */
const BUILT_INS = {
  AggregateError,
  Array,
  BigInt,
  Boolean,
  DataView,
  Date,
  Error,
  Function,
  Map,
  Number,
  Object,
  RegExp,
  Set,
  String,
  Symbol,
};

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : next(specifier, context),
});

/** Jest's entry: runs one test file. */
export default function runTestFile(globalConfig, config, environment, runtime, testPath, ...rest) {
  Object.assign(environment.global, BUILT_INS);
  runtime.unstable_shouldLoadAsEsm = () => true;
  runtime.unstable_importModule = (path) => {
    useGlobals(runtime.requireModuleOrMock(testPath, '@jest/globals'));
    const { href } = pathToFileURL(path);
    // What prepares a test file has to run again for each of them.
    return import(path === testPath ? href : `${href}?for=${encodeURIComponent(testPath)}`);
  };
  return circus.default(globalConfig, config, environment, runtime, testPath, ...rest);
}
