import type { EmitActivity } from '../../domain/conversation/turn-activity.ts';

/** The text of an answer as it grows. What is said leaves at once; offsets count UTF-16 code units, as in the log. */
export type AnswerText = {
  /** Marks where a step begins: its first words start a new paragraph. */
  beginStep(): void;
  say(text: string): void;
  /** The next words start a new paragraph. */
  breakParagraph(): void;
  /** What the current step has said, without the paragraph break before it. */
  readonly stepText: string;
  /** Where the current step began. */
  readonly stepStart: number;
  /** Forgets what the current step has said; telling so is the caller's. */
  takeBackStep(): void;
};

/**
 * An empty text. Empty lines leave with the words behind them, so that a paragraph never ends in more of them than the
 * break that follows it, and an answer in none.
 */
export function createAnswerText(emit: EmitActivity): AnswerText {
  let said = '';
  let stepText = '';
  let stepStart = 0;
  let isNewParagraph = true;
  /** Line ends, and the space behind them, that no words have followed. */
  let held = '';

  function breakParagraph(): void {
    isNewParagraph = true;
    held = '';
  }

  function beginStep(): void {
    stepText = '';
    stepStart = said.length;
    breakParagraph();
  }

  return {
    beginStep,
    breakParagraph,
    say(text) {
      const whole = isNewParagraph ? (held + text).replace(/^(?:\r?\n)+/u, '') : held + text;
      const words = whole.replace(/\r?\n\s*$/u, '');
      held = whole.slice(words.length);
      if (words === '') return;
      const separated = isNewParagraph && said !== '' ? `\n\n${words}` : words;
      isNewParagraph = false;
      stepText += words;
      emit({ type: 'text', text: separated });
      said += separated;
    },
    get stepText() {
      return stepText;
    },
    get stepStart() {
      return stepStart;
    },
    takeBackStep() {
      said = said.slice(0, stepStart);
      beginStep();
    },
  };
}
