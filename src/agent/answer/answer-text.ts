import type { EmitActivity } from '../../domain/turn-activity.ts';

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

/** An empty text. */
export function createAnswerText(emit: EmitActivity): AnswerText {
  let said = '';
  let stepText = '';
  let atParagraph = true;
  let stepStart = 0;

  function breakParagraph(): void {
    atParagraph = said === '' || said.endsWith('\n\n');
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
      if (text === '') return;
      const separated = atParagraph ? text : `\n\n${text}`;
      atParagraph = true;
      stepText += text;
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
