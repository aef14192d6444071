import { DEFAULT_LIMITS } from '../../src/limits.ts';
import { messages } from '../../src/messages.ts';
import type { PythonResult } from '../../src/python-result.ts';
import type { Arena } from './arena.ts';
import type { Canaries } from './canaries.ts';
import { JAVASCRIPT } from './javascript.ts';
import { KERNEL } from './kernel.ts';
import { PYTHON_TRICKS } from './python-tricks.ts';
import { REACHING_OUT } from './reaching-out.ts';
import { WEARING_OUT } from './wearing-out.ts';
import type { Ending, Technique } from './technique.ts';

/** All there are. */
export const CORPUS: readonly Technique[] = [
  ...PYTHON_TRICKS,
  ...REACHING_OUT,
  ...KERNEL,
  ...JAVASCRIPT,
  ...WEARING_OUT,
];

/** A busy machine delays timers and kills. */
const GRACE_MS = 1_500;

/** What came of one attack. */
export type Outcome = {
  readonly technique: Technique;
  readonly ending: Ending;
  /** Traces of success, which are to be none. */
  readonly traces: readonly string[];
  /** The error, or else the beginning of the output. */
  readonly said: string;
};

/** Runs one technique and looks what it brought. Files, connections and processes are looked for when all have run. */
export async function attack(arena: Arena, technique: Technique, canaries: Canaries): Promise<Outcome> {
  const { sandbox, timeoutMs } = arena.of(technique);
  let told = 0;
  const onPrinted = (text: string) => {
    told += text.length;
  };
  const run = (code: string, user: string): Promise<PythonResult> =>
    sandbox.run(code, '{}', { signal: new AbortController().signal, user, onPrinted });
  const result = await run(canaries.program(technique), technique.name);
  const traces = [...tracesIn(result, timeoutMs, canaries)];
  if (told > DEFAULT_LIMITS.outputChars) traces.push(`it told ${told} characters while it ran`);
  if (technique.marker === 'state' || technique.marker === 'host') {
    const later = await run(probe(canaries), technique.name);
    if (later.output !== PROBED) traces.push(`the next run said ${later.error ?? later.output}`);
  }
  return {
    technique,
    ending: endingOf(result),
    traces,
    said: result.error ?? result.output?.slice(0, 80) ?? '',
  };
}

const PROBED = '2 4\n';

/** An ordinary analysis, with a look for what may have been left behind. */
const probe = ({ token }: Canaries): string => `
import statistics, json
modules = statistics.sys.modules
try: left = modules['builtins'].open('/tmp/left-${token}').read()
except OSError: left = ''
if 'left_${token}' in modules or data or left: raise SystemError('something was left')
print(json.dumps(statistics.fmean([1, 3])).rstrip('.0'), len('four'))`;

function* tracesIn(result: PythonResult, timeoutMs: number, { secret }: Canaries): Generator<string> {
  const { output, error, charts, durationMs } = result;
  if (JSON.stringify(result).includes(secret)) yield 'it has the secret';
  if (durationMs > timeoutMs + GRACE_MS) yield `it ran for ${Math.round(durationMs)} ms`;
  const outputLimit = DEFAULT_LIMITS.outputChars + messages.truncated(DEFAULT_LIMITS.outputChars).length;
  if ((output?.length ?? 0) > outputLimit) yield `its output has ${output?.length} characters`;
  if ((error?.length ?? 0) > 8_192) yield `its error has ${error?.length} characters`;
  const chartLength = JSON.stringify(charts).length;
  if (chartLength > DEFAULT_LIMITS.chartBytes) yield `its charts have ${chartLength} characters`;
}

function endingOf({ error }: PythonResult): Ending {
  if (error === null) return 'answered';
  if (error.startsWith('MemoryError: ')) return 'out of memory';
  if (error.startsWith('Analysis stopped: it ran longer than')) return 'stopped for time';
  switch (error) {
    case messages.tooMuchMemory:
      return 'stopped for memory';
    case messages.broken:
      return 'crashed';
    case messages.badReply:
      return 'unreadable';
    default:
      return 'refused';
  }
}
