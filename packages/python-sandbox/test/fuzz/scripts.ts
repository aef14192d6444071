import fc from 'fast-check';
import { PRELUDE } from '../corpus/technique.ts';
import { CANARY_VARIABLE } from '../support/escapes.ts';

/** What generated scripts are told of, so that they can try to reach it. */
export type Targets = { readonly file: string; readonly marker: string; readonly port: number };

const MODULES =
  'os sys io ctypes socket subprocess threading signal gc mmap marshal pickle resource json statistics'.split(
    ' ',
  );
const ATTRIBUTES =
  '__class__ __mro__ __subclasses__() __globals__ __dict__ __builtins__ f_back sys modules environ'.split(
    ' ',
  );

/**
 * Scripts that are never twice the same: statements of all the families, within blocks that keep them from ending
 * early.
 */
export function hostileScripts({ file, marker, port }: Targets): fc.Arbitrary<string> {
  const text = fc.constantFrom(file, marker, '/proc/self/environ', '/tmp/x', CANARY_VARIABLE, 'echo', '');
  const number = fc.constantFrom(0, 1, -1, 9, 64, 255, 4096, 10 ** 6, 10 ** 9, 2 ** 63, port);
  const { statement } = fc.letrec<{ expression: string; statement: string }>((tie) => ({
    expression: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      text.map((value) => JSON.stringify(value)),
      number.map(String),
      fc.constantFrom('data', 'sys', 'builtins', 'statistics', 'load', '()', '[]', 'None', '1.5'),
      fc.constantFrom(...MODULES).map((name) => `load(${JSON.stringify(name)})`),
      fc.tuple(tie('expression'), fc.constantFrom(...ATTRIBUTES)).map(([of, name]) => `(${of}).${name}`),
      fc.tuple(tie('expression'), number).map(([what, times]) => `[${what}] * ${times % 1000}`),
      fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a}, ${b})[0]`),
      fc
        .tuple(tie('expression'), fc.constantFrom(...ATTRIBUTES))
        .map(([of, name]) => `'{0.${name}}'.format(${of})`),
    ),
    statement: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      tie('expression').map((value) => `print(str(${value})[:500])`),
      text.map((path) => `print(builtins.open(${JSON.stringify(path)}).read())`),
      text.map((path) => `builtins.open(${JSON.stringify(path)}, 'w').write('x' * 5000)`),
      text.map((word) => `load('os').system(${JSON.stringify(`echo > ${marker}; ${word}`)})`),
      fc.constant(`load('socket').create_connection(('127.0.0.1', ${port}), 0.1)`),
      fc
        .constantFrom('os.fork()', 'os.abort()', 'os._exit(3)', 'os.closerange(0, 9)', 'os.kill(0, 9)')
        .map((call) => `load(${JSON.stringify('os')}).${call.slice(3)}`),
      fc
        .tuple(number, tie('expression'))
        .map(([fd, value]) => `load('os').write(${fd % 64}, str(${value}).encode() + b'\\n')`),
      number.map(
        (fd) => `load('os').write(${fd % 8}, b'{"output":"forged","truncated":false,"error":null}\\n')`,
      ),
      number.map((size) => `kept = bytearray(${size})`),
      number.map((at) => `load('ctypes').string_at(${at}, 8)`),
      number.map((signal) => `load('signal').signal(${signal % 65}, lambda *a: None)`),
      tie('statement').map(
        (body) =>
          `t = load('threading').Thread(target=lambda: ${body.includes('\n') ? 'None' : `[${inline(body)}]`})\nt.start()`,
      ),
      tie('expression').map(
        (value) => `result = {'output': ${value}, 'chart': {'data': ${value}}, 'tables': {'t': ${value}}}`,
      ),
      tie('statement').map((body) => `for _ in range(1000):\n${indent(body)}`),
      tie('statement').map((body) => `def f():\n${indent(body)}\n  f()\nf()`),
      tie('expression').map((value) => `raise ValueError(${value})`),
      fc.constantFrom(
        'while True: pass',
        'sys.setrecursionlimit(10**9)',
        'load("time").sleep(9)',
        'sys.modules.clear()',
        'vars(builtins).clear()',
      ),
    ),
  }));
  const guarded = statement.map((body) => `try:\n${indent(body)}\nexcept BaseException as e: print(type(e))`);
  return fc.array(guarded, { minLength: 1, maxLength: 6 }).map((bodies) => [PRELUDE, ...bodies].join('\n'));
}

const inline = (statement: string): string =>
  /^(raise|kept|result|while|for|def|t =)/.test(statement) ? 'None' : statement;

const indent = (code: string): string => code.replaceAll(/^/gm, '  ');
