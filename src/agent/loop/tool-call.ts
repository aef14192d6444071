/**
 * Runs one validated tool call within its time limit and writes its result as the text that the model reads. Never
 * throws: whatever goes wrong becomes an output that the model can act on.
 */
import type { ZodType } from 'zod';
import type { ToolCallStatus, TurnError } from '../../domain/conversation/session.ts';
import { CalibrationAwayError, CalibrationSlowError, LabServerError, UserError } from '../../base/errors.ts';
import { withinBudget } from '../../base/read-budget.ts';
import { redactJson, redactSecrets } from '../../base/redaction/redact.ts';
import { freshen } from '../tools/live-freshening.ts';
import type { Tool, ToolContext, ToolResult } from '../tool.ts';
import { abortable } from '../../base/abortable.ts';
import type { RunnableCall } from './prepare-call.ts';
import { errorText, modelText, resultJson, shortText } from './tool-text.ts';

/** How a call ended; `output` is what the model reads. */
export type CallEnding = {
  readonly status: Exclude<ToolCallStatus, 'RUNNING'>;
  readonly output: string;
  readonly error: TurnError | null;
  readonly result: ToolResult | null;
  readonly resultJson: string | null;
};

/** Bounds of a call; `onBug` receives unexpected errors of the tool. */
export type CallLimits = {
  readonly toolTimeoutMs: number;
  readonly resultCharacters: number;
  /** For programs of ours, which read results whole. */
  readonly readsWhole?: boolean;
  readonly onBug: (error: unknown, tool: string) => void;
};

/** Reason of a signal that stops tools because the turn's time is up; any other reason means it was cancelled. */
export class TurnTimeUp extends Error {
  constructor() {
    super('the time of this turn is up');
  }
}

/**
 * Runs a call. Ends as soon as `signal` fires or the time is up, even if the tool ignores both. Reading the live source
 * afterwards does not count against the tool's time.
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
    const run = () => call.tool.run(call.checked, { ...context, signal: either });
    const result = await abortable(withinBudget(either, limits.toolTimeoutMs, run), either);
    const { current } = result;
    const whole = current ? await abortable(freshen(result, current, context), signal) : result;
    return ended(call.tool, whole, limits, context.now);
  } catch (error) {
    if (signal.aborted) return stopped(signal.reason);
    if (timeout.aborted) {
      return timedOut(call.tool, limits.toolTimeoutMs);
    }
    if (error instanceof CalibrationSlowError) return timedOut(call.tool, limits.toolTimeoutMs);
    if (error instanceof UserError) {
      return failed('ERROR', { code: error.code, message: error.message, retryable: false });
    }
    if (error instanceof LabServerError) {
      const { code, message, retryable } = error;
      return failed(code === 'MCP_TIMEOUT' ? 'TIMEOUT' : 'ERROR', { code, message, retryable });
    }
    if (error instanceof CalibrationAwayError) {
      return failed('ERROR', { code: error.code, message: error.message, retryable: true });
    }
    limits.onBug(error, call.tool.name);
    return toolFailed(`${call.tool.name} failed; its result is not available`);
  }
}

/** Longest texts of results for language models. */
const SHORT = { STORED: 1_000, DIRECT: 1_500 } as const;

/** Of the arguments that may be left open, those that do not make a result smaller. */
const NOT_NARROWER = new Set([
  'chip_id',
  'unit',
  'figure',
  'percent',
  'window_hours',
  'from',
  'to',
  'previous_from',
  'previous_to',
]);

const narrowerOf = ({ args: { shape } }: Tool): readonly string[] =>
  Object.entries(shape).flatMap(([name, arg]) =>
    !NOT_NARROWER.has(name) && (arg as ZodType).safeParse(null).success ? [name] : [],
  );

/** The same call of a tool that reads would take as long again, unless it asks for less. */
function timedOut(tool: Tool, afterMs: number): CallEnding {
  const names = [...narrowerOf(tool), ...['from', 'to'].filter((name) => name in tool.args.shape)];
  const narrow = names.length > 0 ? `; ask for less with ${names.join(', ')}` : '';
  const message = `${tool.name} timed out after ${afterMs / 1000} s${narrow}`;
  return failed('TIMEOUT', { code: 'TOOL_TIMEOUT', message, retryable: names.length === 0 });
}

/** A program of ours reads lists of all parts of a large chip. */
const WHOLE_CHARACTERS = 250_000;

function ended(tool: Tool, found: ToolResult, limits: CallLimits, now: () => Date): CallEnding {
  try {
    const result = withoutSecrets(found);
    const { resultCharacters, readsWhole } = limits;
    const output =
      readsWhole || tool.reads === undefined
        ? modelText(result, readsWhole ? WHOLE_CHARACTERS : resultCharacters)
        : shortText(result, {
            maxCharacters: Math.min(SHORT[tool.reads], resultCharacters),
            now: now(),
            narrower: narrowerOf(tool),
          });
    return { status: 'OK', output, error: null, result, resultJson: resultJson(result) };
  } catch (error) {
    // A cycle, a summary that is too long, or whatever a toJSON of the result throws.
    limits.onBug(error, tool.name);
    return toolFailed(`the result of ${tool.name} cannot be written as JSON text`);
  }
}

/** Removes secrets that somebody wrote into a note, a file or a task's message. */
function withoutSecrets(result: ToolResult): ToolResult {
  const { data, modelData, shortData, formattedSummary, preview, visuals } = result;
  return {
    ...result,
    ...redactJson({
      data,
      ...(modelData && { modelData }),
      ...(shortData && { shortData }),
      formattedSummary,
      preview,
      visuals,
    }),
  };
}

const toolFailed = (message: string): CallEnding =>
  failed('ERROR', { code: 'TOOL_FAILED', message, retryable: false });

/** The ending of a call that its turn stopped. */
export function stopped(reason: unknown): CallEnding {
  return reason instanceof TurnTimeUp
    ? failed('TIMEOUT', { code: 'TURN_TIMEOUT', message: `stopped: ${reason.message}`, retryable: true })
    : failed('CANCELLED', { code: 'CANCELLED', message: 'cancelled', retryable: true });
}

/** The ending of a call that was not run. */
export function skipped(message: string): CallEnding {
  return failed('SKIPPED', { code: 'SKIPPED', message: `skipped: ${message}`, retryable: false });
}

/** The ending of a call without a result. */
export function failed(status: CallEnding['status'], error: TurnError): CallEnding {
  const message = redactSecrets(error.message);
  return { status, output: errorText(message), error: { ...error, message }, result: null, resultJson: null };
}
