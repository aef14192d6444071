/** Tool calls and their answers, as the offline programs read them: what language models are sent, but whole. */
import { z } from 'zod';
import type { ModelRequest } from '../../agent/model.ts';

/** A tool call to be made; two with the same text are one. */
export type PlannedCall = { readonly name: string; readonly arguments: string };

/** A call of `name`. */
export const planned = (name: string, args: object): PlannedCall => ({
  name,
  arguments: JSON.stringify(args),
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

/** The answers to all calls of an input, by call id. */
export const answersById = (input: ModelRequest['input']): ReadonlyMap<string, ToolAnswer> =>
  new Map(
    input.flatMap((entry) =>
      entry.type === 'tool-output' ? [[entry.callId, readAnswer(entry.output)] as const] : [],
    ),
  );
