/**
 * Which model a turn asks, and what replaces it when it fails for good: the fallback model first; then, for a model
 * that cannot call tools, the same model without them.
 */
import type { Model, ModelError, ModelInput, ToolSchema } from '../model.ts';
import type { FittedInput, LoopOptions } from './loop-options.ts';
import { inputOf, tokensIn } from './sent-tokens.ts';

/** A model, and what it is sent before what the turn adds. */
export type SelectedModel = FittedInput & { readonly model: Model; readonly tools: readonly ToolSchema[] };

/** The next model, and how it differs from the one that failed, in words for the user. */
export type Replacement = { readonly selected: SelectedModel; readonly words: string };

/** Begins with the turn's own model and all of its tools. */
export function createModelSelection(options: LoopOptions) {
  const { model, instructions, input, limits, tools, refit, withoutTools } = options;
  const { contextTokens } = limits;
  let current: SelectedModel = { model, instructions, input, contextTokens, tools: tools.schemas };
  let { fallback } = options;

  /** Null where there is no fallback, or its window is too small for what the turn has found. */
  const takeFallback = (added: readonly ModelInput[]): Replacement | null => {
    const next = fallback;
    fallback = null;
    const fitted = next && (refit === undefined ? current : refit(next));
    if (next === null || fitted === null) return null;
    const candidate = { ...fitted, model: next, tools: tools.schemas };
    if (tokensIn(sentTo(candidate, added)) > fitted.contextTokens) return null;
    current = candidate;
    return { selected: current, words: `${next.name} is asked instead` };
  };
  const saidWithoutTools = <Input extends FittedInput>(input: Input): Input => ({
    ...input,
    instructions: `${input.instructions}\n\n${withoutTools}`,
  });
  const dropTools = (): Replacement | null => {
    if (withoutTools === undefined || current.tools.length === 0) return null;
    current = saidWithoutTools({ ...current, tools: [] });
    return { selected: current, words: 'until then it answers from what it knows by itself' };
  };
  return {
    get current() {
      return current;
    },
    get hasFallback() {
      return fallback !== null;
    },
    /** Fits the conversation before this turn into a window of this size; whether that made it smaller. */
    shrinkHistory(window: number): boolean {
      const fitted = refit?.(current.model, window) ?? null;
      if (fitted === null || fitted.input.length >= current.input.length) return false;
      const told = current.tools.length < tools.schemas.length ? saidWithoutTools(fitted) : fitted;
      current = { ...current, ...told, contextTokens: current.contextTokens };
      return true;
    },
    /** Replaces the current model after it failed; null where nothing is left to ask. */
    replace: (error: ModelError, added: readonly ModelInput[]): Replacement | null =>
      takeFallback(added) ?? (error.code === 'NO_TOOLS' ? dropTools() : null),
  };
}

/** Everything that a model would be sent now. */
export const sentTo = ({ model, instructions, tools, input }: SelectedModel, added: readonly ModelInput[]) =>
  inputOf(model, { instructions, tools, input: [...input, ...added] });
