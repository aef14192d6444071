import type { EmitActivity } from '../domain/turn-activity.ts';

/** The answer as it grows. What is said leaves at once; offsets count UTF-16 code units, as in the log. */
export type AnswerText = {
  /** Marks where a step begins: its first words start a new paragraph. */
  beginStep(): void;
  say(text: string): void;
  /** What the current step has said, without the paragraph break before it. */
  readonly stepText: string;
  /** Takes back what the current step has said. */
  resetStep(reason: string): void;
  /** A remark by the server, in italics and in a paragraph of its own, so that nobody takes it for the model's. */
  remark(text: string): void;
};

/** An empty answer. */
export function createAnswerText(emit: EmitActivity): AnswerText {
  let said = '';
  let stepText = '';
  let atParagraph = true;
  let stepStart = 0;

  function say(text: string): void {
    if (text === '') return;
    const separated = atParagraph ? text : `\n\n${text}`;
    atParagraph = true;
    stepText += text;
    emit({ type: 'text', text: separated });
    said += separated;
  }

  function beginStep(): void {
    stepText = '';
    stepStart = said.length;
    atParagraph = endsParagraph(said);
  }

  return {
    beginStep,
    say,
    get stepText() {
      return stepText;
    },
    resetStep(reason) {
      emit({ type: 'reset', keepUntilOffset: stepStart, reason });
      said = said.slice(0, stepStart);
      beginStep();
    },
    remark(text) {
      atParagraph = endsParagraph(said);
      say(`*${text}*`);
    },
  };
}

const endsParagraph = (text: string): boolean => text === '' || text.endsWith('\n\n');
