/**
 * One call of a tool, from the model's text to the text the model gets back: find the tool, check the arguments, run it
 * within its time, put the result into words. Never throws: whatever goes wrong becomes an answer that the model can
 * act on, and a tool never runs on arguments that were not checked.
 */
import type { z } from 'zod';
import type { ToolCallStatus, TurnError } from '../../domain/session.ts';
import { UserError } from '../../errors.ts';
import { abortable } from './abortable.ts';
import { freshen } from '../live/live-freshening.ts';
import { redactJson, redactSecrets } from '../../redaction/redact.ts';
import type { ModelCall } from '../model.ts';
import type { ToolRegistry } from '../tool-registry.ts';
import { strictSchema } from '../tool-schema.ts';
import { errorText, modelText, resultJson } from './tool-text.ts';
import type { Tool, ToolContext, ToolResult } from '../tool.ts';

/** What a call is about, known before it runs; `arguments` as in an activity. */
type CallWords = { readonly label: string; readonly description: string; readonly arguments: unknown };

/** A call that may run. Calls that share a `conflictKey` run one after another. */
export type RunnableCall = CallWords & {
  readonly tool: Tool;
  readonly checked: Record<string, unknown>;
  readonly conflictKey: string | null;
};

/** A call, checked: it may run, or there is an error to answer it with. */
export type PreparedCall =
  | ({ readonly runnable: true } & RunnableCall)
  | ({ readonly runnable: false; readonly error: TurnError } & CallWords);

/** How a call ended; `output` is what the model reads. */
export type CallEnding = {
  readonly status: Exclude<ToolCallStatus, 'RUNNING'>;
  readonly output: string;
  readonly error: TurnError | null;
  readonly result: ToolResult | null;
  readonly resultJson: string | null;
};

/** Bounds of a call, and where a bug in a tool is told. */
export type CallLimits = {
  readonly toolTimeoutMs: number;
  readonly resultCharacters: number;
  readonly onBug: (error: unknown, tool: string) => void;
};

/** Reason of a signal that stops tools because the turn's time is up; any other reason means it was cancelled. */
export class TurnTimeUp extends Error {
  constructor() {
    super('the time of this turn is up');
  }
}

/** Longest and deepest arguments that are read at all; deeper ones would overflow the stack of whoever walks them. */
const MAX_ARGUMENT_CHARACTERS = 100_000;
const MAX_ARGUMENT_DEPTH = 200;
/** Characters that are kept of arguments that are too long. */
const SHOWN_OF_LONG_ARGUMENTS = 1_000;

/** Finds the tool and checks the arguments. */
export function prepareCall(
  call: ModelCall,
  registry: ToolRegistry,
  onBug: CallLimits['onBug'],
): PreparedCall {
  const tool = registry.get(call.name);
  const parsed = parseArguments(call.arguments);
  const words = { label: tool?.label ?? call.name, description: '', arguments: parsed.value };
  const refuse = (code: string, message: string): PreparedCall => ({
    ...words,
    runnable: false,
    error: { code, message, retryable: false },
  });
  if (tool === null) {
    return refuse('UNKNOWN_TOOL', `there is no tool ${call.name}; there are ${registry.names.join(', ')}`);
  }
  if (parsed.problem !== null) {
    return refuse('INVALID_ARGUMENTS', `${parsed.problem}; expected ${expectedShape(tool)}`);
  }
  const checked = tool.args.strict().safeParse(withNulls(tool.args, parsed.value));
  if (!checked.success) {
    return refuse('INVALID_ARGUMENTS', `${issueText(checked.error)}; expected ${expectedShape(tool)}`);
  }
  const args = checked.data;
  try {
    const description = tool.describe(args);
    const conflictKey = tool.conflictKey?.(args) ?? null;
    return { ...words, runnable: true, tool, checked: args, description, conflictKey };
  } catch (error) {
    onBug(error, tool.name);
    return refuse('TOOL_FAILED', `${tool.name} failed before it ran`);
  }
}

type ParsedArguments = { readonly value: unknown; readonly problem: string | null };

/**
 * Models send an empty text or `null` for no arguments. Lone surrogates would be refused by every store behind the tools.
 */
function parseArguments(text: string): ParsedArguments {
  if (text.length > MAX_ARGUMENT_CHARACTERS) {
    const beginning = `${text.slice(0, SHOWN_OF_LONG_ARGUMENTS)}…`;
    return {
      value: beginning,
      problem: `the arguments are longer than ${MAX_ARGUMENT_CHARACTERS} characters`,
    };
  }
  if (/^\s*(null\s*)?$/.test(text)) return { value: {}, problem: null };
  if (depth(text) > MAX_ARGUMENT_DEPTH) {
    return { value: text, problem: `the arguments are nested more than ${MAX_ARGUMENT_DEPTH} deep` };
  }
  try {
    const value: unknown = JSON.parse(text, (_key, item: unknown) =>
      typeof item === 'string' ? item.toWellFormed() : item,
    );
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return { value, problem: isObject ? null : 'the arguments are not a JSON object' };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { value: text, problem: `the arguments are not valid JSON (${error.message})` };
  }
}

/** Deepest nesting; brackets inside strings count, which no real text has enough of to matter. */
function depth(text: string): number {
  let open = 0;
  let deepest = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    open += bracket === '[' || bracket === '{' ? 1 : -1;
    deepest = Math.max(deepest, open);
  }
  return deepest;
}

/** Models that know no strict mode leave out what may be null. */
function withNulls(args: z.ZodObject, value: unknown): unknown {
  const given = value as Record<string, unknown>;
  const absent = Object.entries(args.shape)
    .filter(([name]) => !Object.hasOwn(given, name))
    .filter(([, schema]) => (schema as z.ZodType).safeParse(null).success)
    .map(([name]) => [name, null]);
  return absent.length === 0 ? given : { ...given, ...Object.fromEntries(absent) };
}

const expectedShape = (tool: Tool): string =>
  `arguments like ${JSON.stringify(strictSchema(tool)['properties'])}`;

const issueText = (error: z.ZodError): string =>
  error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`).join('; ');

/**
 * Runs a checked call. Answers as soon as `signal` fires or the time is up, even when the tool heeds neither; what it
 * does after that is ignored. Asking the live source beside it takes none of the tool's time and loses no result.
 */
export async function runCall(
  call: RunnableCall,
  context: Omit<ToolContext, 'signal'>,
  limits: CallLimits,
  signal: AbortSignal,
): Promise<CallEnding> {
  const timeout = AbortSignal.timeout(limits.toolTimeoutMs);
  const either = AbortSignal.any([signal, timeout]);
  try {
    either.throwIfAborted();
    const result = await abortable(call.tool.run(call.checked, { ...context, signal: either }), either);
    const { current } = result;
    const whole = current ? await abortable(freshen(result, current, context), signal) : result;
    return ended(call.tool, whole, limits);
  } catch (error) {
    if (signal.aborted) return stopped(signal.reason);
    if (timeout.aborted) {
      const message = `${call.tool.name} timed out after ${limits.toolTimeoutMs / 1000} s`;
      return failed('TIMEOUT', { code: 'TOOL_TIMEOUT', message, retryable: true });
    }
    if (error instanceof UserError) {
      return failed('ERROR', { code: error.code, message: error.message, retryable: false });
    }
    limits.onBug(error, call.tool.name);
    return toolFailed(`${call.tool.name} failed; its result is not available`);
  }
}

function ended(tool: Tool, found: ToolResult, limits: CallLimits): CallEnding {
  try {
    const result = withoutSecrets(found);
    const output = modelText(result, limits.resultCharacters);
    return { status: 'OK', output, error: null, result, resultJson: resultJson(result) };
  } catch (error) {
    // A cycle, a summary that is too long, or whatever a toJSON of the result throws.
    limits.onBug(error, tool.name);
    return toolFailed(`the result of ${tool.name} cannot be written as JSON text`);
  }
}

/** Neither a model nor a viewer is shown a secret that somebody wrote into a note, a file or a task's message. */
function withoutSecrets(result: ToolResult): ToolResult {
  const { data, modelData, formattedSummary, preview, visuals } = result;
  return {
    ...result,
    ...redactJson({ data, ...(modelData && { modelData }), formattedSummary, preview, visuals }),
  };
}

const toolFailed = (message: string): CallEnding =>
  failed('ERROR', { code: 'TOOL_FAILED', message, retryable: false });

/** How a call ends that its turn stopped. */
export function stopped(reason: unknown): CallEnding {
  return reason instanceof TurnTimeUp
    ? failed('TIMEOUT', { code: 'TURN_TIMEOUT', message: `stopped: ${reason.message}`, retryable: true })
    : failed('CANCELLED', { code: 'CANCELLED', message: 'cancelled', retryable: true });
}

/** How a call ends that was not run. */
export function skipped(message: string): CallEnding {
  return failed('SKIPPED', { code: 'SKIPPED', message: `skipped: ${message}`, retryable: false });
}

/** How a call ends that gave no result. */
export function failed(status: CallEnding['status'], error: TurnError): CallEnding {
  const message = redactSecrets(error.message);
  return { status, output: errorText(message), error: { ...error, message }, result: null, resultJson: null };
}
