/**
 * Makes room in a request whose model cannot read it whole: outputs of earlier rounds give way to their summaries, then
 * earlier turns are left out. Each time costs the provider's cache, so it is done in large steps. Pure.
 */
import type { ModelInput } from '../model.ts';
import { summaryText } from './tool-text.ts';

/** `added` with summaries in place of outputs, but for those of the newest round unless `all`; null if nothing is shorter. */
export function shortened(added: readonly ModelInput[], all: boolean): readonly ModelInput[] | null {
  const newest = added.findLastIndex(({ type }) => type === 'round');
  const short = added.map((entry, at): ModelInput =>
    entry.type === 'tool-output' && (all || at < newest)
      ? { ...entry, output: summaryText(entry.output) }
      : entry,
  );
  const saved = short.some((entry, at) => outputOf(entry) !== outputOf(added[at]));
  return saved ? short : null;
}

const outputOf = (entry: ModelInput | undefined): string | null =>
  entry?.type === 'tool-output' ? entry.output : null;
