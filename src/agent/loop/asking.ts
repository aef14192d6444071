/**
 * Who is asked in a turn, and what instead when that fails for good: the fallback, then, of a model that cannot call tools,
 * an answer without them.
 */
import type { Model, ModelError, ModelInput, ToolSchema } from '../model.ts';
import type { FittedInput, LoopOptions } from './loop-options.ts';
import { inputOf, tokensIn } from './sent-tokens.ts';

/** A model, and what it is sent before what the turn adds. */
export type Asked = FittedInput & { readonly model: Model; readonly tools: readonly ToolSchema[] };

/** What is asked next, and in words for people how it differs from what failed. */
export type AskedInstead = { readonly asked: Asked; readonly words: string };

/** The state of asking; `instead` changes what is `asked` from now on, or returns null where nothing is left to ask. */
export type Asking = {
  readonly asked: Asked;
  instead(error: ModelError, added: readonly ModelInput[]): AskedInstead | null;
};

/** Begins with the turn's own model and all of its tools. */
export function createAsking(options: LoopOptions): Asking {
  const { model, instructions, input, limits, tools, refit, withoutTools } = options;
  let asked: Asked = {
    model,
    instructions,
    input,
    contextTokens: limits.contextTokens,
    tools: tools.schemas,
  };
  let { fallback } = options;

  /** With what fits its window; null where there is none, or too much was found. */
  const takeFallback = (added: readonly ModelInput[]): AskedInstead | null => {
    const next = fallback;
    fallback = null;
    const fitted = next && (refit === undefined ? asked : refit(next));
    if (next === null || fitted === null) return null;
    const candidate = { ...fitted, model: next, tools: tools.schemas };
    if (tokensIn(sentTo(candidate, added)) > fitted.contextTokens) return null;
    asked = candidate;
    return { asked, words: `${next.name} is asked instead` };
  };
  const dropTools = (): AskedInstead | null => {
    if (withoutTools === undefined || asked.tools.length === 0) return null;
    asked = { ...asked, tools: [], instructions: `${asked.instructions}\n\n${withoutTools}` };
    return { asked, words: 'until then it answers from what it knows by itself' };
  };
  return {
    get asked() {
      return asked;
    },
    instead: (error, added) => takeFallback(added) ?? (error.code === 'NO_TOOLS' ? dropTools() : null),
  };
}

/** All that a model would be sent now. */
export const sentTo = ({ model, instructions, tools, input }: Asked, added: readonly ModelInput[]) =>
  inputOf(model, { instructions, tools, input: [...input, ...added] });
