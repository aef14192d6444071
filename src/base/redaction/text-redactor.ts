import { BEGUN_SECRET, keptOf, REDACTED, SECRET } from './secret-patterns.ts';

/** Takes secrets out of a text that comes in pieces: what comes out is the same however it was cut. */
export type TextRedactor = {
  /** What can be shown; the beginning of what may be a secret is held back. */
  push(piece: string): string;
  /** What was held back; the text ends here, and a new one may begin. */
  end(): string;
};

/** What stands before a secret and tells that it is one is looked for this far back. */
const CONTEXT = 512;
/** More than this is looked at again only when it has grown by half, so that a long secret takes no longer than its length. */
const PATIENCE = 4_096;

/** A redactor of an empty text. */
export function createTextRedactor(): TextRedactor {
  /** The text from the last secret on, or less; what stands before `shownTo` was shown. */
  let text = '';
  let shownTo = 0;
  let lookAt = 0;

  /** Shows what stands before `end`; secrets behind it help to tell what stands before it. */
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

/** Where the part of a text begins that more text could make a secret; its length if there is none. */
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

/** Where the secrets of a text are; `kept` is the length of what stays of each. */
const secretsIn = (text: string) =>
  Array.from(text.matchAll(SECRET), (match) => ({
    index: match.index,
    kept: keptOf(match.slice(1)).length,
    to: match.index + match[0].length,
  }));
