/** Calls of tools and what came back, as the analyst reads them: only what every model is sent. */
import { z } from 'zod';

/** A tool call to be made; two with the same text are one. */
export type PlannedCall = { readonly name: string; readonly arguments: string };

/** A call of `name`. */
export const planned = (name: string, args: object): PlannedCall => ({
  name,
  arguments: JSON.stringify(args),
});

const freshness = z.object({
  newestAt: z.iso.datetime().nullable(),
  oldestAt: z.iso.datetime().nullable(),
  staleAfterSeconds: z.number().nullable(),
});

const toolAnswer = z.union([
  z.object({ error: z.string() }),
  z.object({ data: z.unknown(), formattedSummary: z.string(), freshness: freshness.nullable() }),
]);

/** A tool's answer as the analyst reads it. */
export type ToolAnswer = z.infer<typeof toolAnswer>;

/** An answer that is no error. */
export type Found = Exclude<ToolAnswer, { error: string }>;

/** Whether a tool found what it was asked for. */
export const isFound = (answer: ToolAnswer): answer is Found => !('error' in answer);

/** What a tool answered, by {@link keyOf} its call; unreadable and failed answers hold an error. */
export type Answers = ReadonlyMap<string, ToolAnswer>;

/** Key of a call in {@link Answers}. */
export const keyOf = (call: PlannedCall): string => `${call.name} ${call.arguments}`;

/** Reads the text that the loop gives back for a call. */
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
