/** Tool calls and their answers, as the offline programs read them: what language models are sent, but whole. */
import { z } from 'zod';
import { SERVER } from '../../agent/loop/preflight-calls.ts';
import type { ModelRequest } from '../../agent/model.ts';

/** A tool call to be made; two with the same text are one. */
export type PlannedCall = { readonly name: string; readonly arguments: string };

/** A call of `name`; arguments that are null are left out, as for any model. */
export const planned = (name: string, args: object): PlannedCall => ({
  name,
  arguments: JSON.stringify(Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null))),
});

const freshness = z.object({
  source: z.string(),
  newestAt: z.iso.datetime().nullable(),
  oldestAt: z.iso.datetime().nullable(),
  staleAfterSeconds: z.number().nullable(),
});

const toolAnswer = z.union([
  z.object({ error: z.string() }),
  z.object({ data: z.unknown(), formattedSummary: z.string(), freshness: freshness.nullable() }),
]);

/** A tool's answer. */
export type ToolAnswer = z.infer<typeof toolAnswer>;

/** An answer that is not an error. */
export type Found = Exclude<ToolAnswer, { error: string }>;

/** Whether a tool succeeded. */
export const isFound = (answer: ToolAnswer): answer is Found => !('error' in answer);

/** Answers by {@link keyOf} their calls; failed and unreadable ones hold an error. */
export type Answers = ReadonlyMap<string, ToolAnswer>;

/** Key of a call in {@link Answers}. */
export const keyOf = (call: PlannedCall): string => `${call.name} ${call.arguments}`;

/** The answer to a call; null where there is none or it failed. */
export function foundIn(answers: Answers, call: PlannedCall): Found | null {
  const answer = answers.get(keyOf(call));
  return answer !== undefined && isFound(answer) ? answer : null;
}

/** The data of a call's answer; null where there is none, or in another form. */
export const dataIn = <Data>(answers: Answers, call: PlannedCall, form: z.ZodType<Data>): Data | null =>
  form.safeParse(foundIn(answers, call)?.data).data ?? null;

const named = z.object({ entities: z.array(z.object({ name: z.string() })) });

/** The names that `list_entities` found; null where it was not called, or failed. */
export const namesIn = (answers: Answers, call: PlannedCall): readonly string[] | null =>
  dataIn(answers, call, named)?.entities.map(({ name }) => name) ?? null;

/** The chip that data are of. */
export const chipIdIn = (data: unknown): string =>
  z.object({ chip_id: z.string() }).safeParse(data).data?.chip_id ?? '';

/** Under which data are kept for Python; null where they are not. */
export const keyIn = (data: unknown): string | null =>
  z.object({ data_key: z.string() }).safeParse(data).data?.data_key ?? null;

/** Calls that have no answer yet, each once. */
export function pendingCalls(answers: Answers, calls: readonly PlannedCall[]): readonly PlannedCall[] {
  const distinct = new Map(calls.map((call) => [keyOf(call), call]));
  return [...distinct].flatMap(([key, call]) => (answers.has(key) ? [] : [call]));
}

/** Reads the text that the loop returns for a call. */
export function readAnswer(output: string): ToolAnswer {
  try {
    return toolAnswer.parse(JSON.parse(output));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) {
      return { error: 'the tool answered in a form that I cannot read' };
    }
    throw error;
  }
}

/** A call that was made, by the server if not by the program, and its answer. */
export type MadeCall = {
  readonly call: PlannedCall;
  readonly isServers: boolean;
  readonly answer: ToolAnswer;
};

/** All calls of an input, oldest first. */
export function callsMade(input: ModelRequest['input']): readonly MadeCall[] {
  const outputs = new Map(
    input.flatMap((entry) => (entry.type === 'tool-output' ? [[entry.callId, entry.output]] : [])),
  );
  return input.flatMap((entry) =>
    entry.type !== 'round'
      ? []
      : entry.calls.map((call) => ({
          call,
          isServers: entry.provider === SERVER,
          answer: readAnswer(outputs.get(call.callId) ?? ''),
        })),
  );
}

/** The answers to calls. */
export const answersTo = (calls: readonly MadeCall[]): Answers =>
  new Map(calls.map(({ call, answer }) => [keyOf(call), answer]));
