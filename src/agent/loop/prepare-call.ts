/**
 * Turns the text of a model's call into a call that may run: finds the tool and validates the arguments. Never
 * throws: a problem becomes an error that shows the expected form.
 */
import type { z } from 'zod';
import type { TurnError } from '../../domain/conversation/session.ts';
import type { ModelCall } from '../model.ts';
import { MAX_ARGUMENT_CHARACTERS, MAX_ARGUMENT_DEPTH, nesting } from '../models/shared/call-arguments.ts';
import type { ToolRegistry } from '../tool-registry.ts';
import { strictSchema } from '../tool-schema.ts';
import type { Tool } from '../tool.ts';
import { noSuchTool } from './called-tools.ts';

/** Description of a call before it runs; `arguments` as in an activity. */
type CallWords = { readonly label: string; readonly description: string; readonly arguments: unknown };

/** A call that may run. Calls that share a `conflictKey` run one after another. */
export type RunnableCall = CallWords & {
  readonly tool: Tool;
  readonly checked: Record<string, unknown>;
  readonly conflictKey: string | null;
};

/** A validated call, or the error to answer it with. */
export type PreparedCall =
  | ({ readonly runnable: true } & RunnableCall)
  | ({ readonly runnable: false; readonly error: TurnError } & CallWords);

/** Characters that are kept of arguments that are too long. */
const SHOWN_OF_LONG_ARGUMENTS = 1_000;

/** Prepares a call; `onBug` receives the error of a tool that fails to describe it. */
export function prepareCall(
  call: ModelCall,
  registry: ToolRegistry,
  onBug: (error: unknown, tool: string) => void,
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
    return refuse('UNKNOWN_TOOL', noSuchTool(call.name, registry));
  }
  if (parsed.problem !== null) {
    return refuse('INVALID_ARGUMENTS', `${parsed.problem}; expected ${expectedShape(tool)}`);
  }
  const checked = checkedArguments(tool, parsed.value);
  if (typeof checked === 'string') {
    return refuse('INVALID_ARGUMENTS', `${checked}; expected ${expectedShape(tool)}`);
  }
  const args = checked;
  try {
    const description = tool.describe(args);
    const conflictKey = tool.conflictKey?.(args) ?? null;
    return { ...words, runnable: true, tool, checked: args, description, conflictKey };
  } catch (error) {
    onBug(error, tool.name);
    return refuse('TOOL_FAILED', `${tool.name} failed before it ran`);
  }
}

/** The arguments, or the problem with them. */
function checkedArguments(tool: Tool, value: unknown): Record<string, unknown> | string {
  if (tool.outside) return tool.outside.problemWith(value) ?? (value as Record<string, unknown>);
  const checked = tool.args.strict().safeParse(withNulls(tool.args, value));
  return checked.success ? checked.data : issueText(checked.error);
}

type ParsedArguments = { readonly value: unknown; readonly problem: string | null };

/** Models send an empty text or `null` for no arguments. Lone surrogates would be refused by every store. */
function parseArguments(text: string): ParsedArguments {
  if (text.length > MAX_ARGUMENT_CHARACTERS) {
    const beginning = `${text.slice(0, SHOWN_OF_LONG_ARGUMENTS)}…`;
    return {
      value: beginning,
      problem: `the arguments are longer than ${MAX_ARGUMENT_CHARACTERS} characters`,
    };
  }
  if (/^\s*(null\s*)?$/.test(text)) return { value: {}, problem: null };
  if (nesting(text) > MAX_ARGUMENT_DEPTH) {
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

/** Adds nulls for arguments that models without strict mode leave out. */
function withNulls(args: z.ZodObject, value: unknown): unknown {
  const given = value as Record<string, unknown>;
  const absent = Object.entries(args.shape)
    .filter(([name]) => !Object.hasOwn(given, name))
    .filter(([, schema]) => (schema as z.ZodType).safeParse(null).success)
    .map(([name]) => [name, null]);
  return absent.length === 0 ? given : { ...given, ...Object.fromEntries(absent) };
}

const expectedShape = (tool: Tool): string =>
  `arguments like ${JSON.stringify((tool.outside?.parameters ?? strictSchema(tool))['properties'])}`;

const issueText = (error: z.ZodError): string =>
  error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`).join('; ');
