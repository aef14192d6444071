import { BEGUN_SECRET, keptOf, REDACTED, SECRET } from './secret-patterns.ts';

/** Redacts a streamed text; the output does not depend on how the text was split. */
export type TextRedactor = {
  /** Returns text that is safe to show; a possible start of a secret is held back. */
  push(piece: string): string;
  /** Ends the text and returns what was held back; a new text may follow. */
  end(): string;
};

/** How far back to look for the words that mark a secret. */
const CONTEXT = 512;
/** Longer texts are searched again only after growing by half, so that long secrets take linear time. */
const PATIENCE = 4_096;

export function createTextRedactor(): TextRedactor {
  /** Recent text, at most from the last secret on; everything before `shownTo` was shown. */
  let text = '';
  let shownTo = 0;
  let lookAt = 0;

  /** Shows text up to `end`; what follows serves as context only. */
  function showTo(end: number): string {
    let shown = '';
    let contextFrom = 0;
    for (const { index, kept, to } of secretsIn(text)) {
      if (to <= shownTo || index + kept >= end) continue;
      shown += `${text.slice(shownTo, index + kept)}${REDACTED}`;
      shownTo = to;
      contextFrom = to;
    }
    shown += text.slice(shownTo, end);
    contextFrom = Math.max(contextFrom, end - CONTEXT);
    text = text.slice(contextFrom);
    shownTo = end - contextFrom;
    return shown;
  }

  return {
    push(piece) {
      text += piece;
      if (text.length < lookAt) return '';
      const shown = showTo(Math.max(shownTo, heldFrom(text)));
      lookAt = text.length > PATIENCE ? text.length * 1.5 : 0;
      return shown;
    },
    end() {
      const shown = showTo(text.length);
      text = '';
      shownTo = 0;
      lookAt = 0;
      return shown;
    },
  };
}

/** Start of a tail that more text could turn into a secret; the text's length if there is none. */
function heldFrom(text: string): number {
  BEGUN_SECRET.lastIndex = 0;
  for (;;) {
    const begun = BEGUN_SECRET.exec(text);
    if (begun === null) return text.length;
    const around = secretsIn(text).find(({ index, to }) => index < begun.index && begun.index < to);
    if (around === undefined) return begun.index + keptOf(begun.slice(1)).length;
    BEGUN_SECRET.lastIndex = around.to;
  }
}

/** Positions of the secrets in a text; `kept` is the length of the prefix to keep. */
const secretsIn = (text: string) =>
  Array.from(text.matchAll(SECRET), (match) => ({
    index: match.index,
    kept: keptOf(match.slice(1)).length,
    to: match.index + match[0].length,
  }));
