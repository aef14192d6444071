import type { EmitActivity } from '../../domain/conversation/turn-activity.ts';

/**
 * The text of an answer as it grows; offsets count UTF-16 code units, as in the log. Text is emitted at once, except
 * empty lines: they wait for the words after them, so that neither a paragraph nor the answer ends in empty lines.
 */
export function createAnswerText(emit: EmitActivity) {
  let emitted = '';
  let stepText = '';
  let stepStart = 0;
  let isNewParagraph = true;
  /** Line ends and the space after them, until words follow. */
  let held = '';

  /** The next words start a new paragraph. */
  function breakParagraph(): void {
    isNewParagraph = true;
    held = '';
  }

  /** Marks the start of a step: its first words start a new paragraph. */
  function beginStep(): void {
    stepText = '';
    stepStart = emitted.length;
    breakParagraph();
  }

  return {
    beginStep,
    breakParagraph,
    add(text: string) {
      const whole = isNewParagraph ? (held + text).replace(/^(?:\r?\n)+/u, '') : held + text;
      const words = whole.slice(0, startOfBreak(whole));
      held = whole.slice(words.length);
      if (words === '') return;
      const separated = isNewParagraph && emitted !== '' ? `\n\n${words}` : words;
      isNewParagraph = false;
      stepText += words;
      emit({ type: 'text', text: separated });
      emitted += separated;
    },
    /** The text of the current step, without the paragraph break before it. */
    get stepText() {
      return stepText;
    },
    get stepStart() {
      return stepStart;
    },
    /** Forgets the text of the current step; the caller emits the reset. */
    takeBackStep() {
      emitted = emitted.slice(0, stepStart);
      beginStep();
    },
  };
}

/** Where the line breaks begin that nothing but blanks follow; the length of a text that has none at its end. */
function startOfBreak(text: string): number {
  const end = text.trimEnd().length;
  const at = text.indexOf('\n', end);
  if (at < 0) return text.length;
  return at > end && text[at - 1] === '\r' ? at - 1 : at;
}
