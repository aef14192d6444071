/**
 * The answer of a turn, from a model's words to what a viewer gets: words → decoder (Markdown or JSON) → table stripper →
 * redactor → text and charts. It must know neither models nor the log.
 */
import type { Assessment } from '../../domain/conversation/assessment.ts';
import type { EmitActivity } from '../../domain/conversation/turn-activity.ts';
import { createTableStripper, type TableStripper } from '../../domain/markdown/table-stripper.ts';
import { answerChart } from '../../domain/visual-rules/answer-chart.ts';
import type { ChartSpec } from '../../domain/visuals.ts';
import { redactSecrets } from '../../base/redaction/redact.ts';
import { createTextRedactor } from '../../base/redaction/text-redactor.ts';
import type { TurnVisuals } from './turn-visuals.ts';
import { createAnswerDecoder, type AnswerDecoder } from './answer-decoder.ts';
import type { AnswerPiece } from './answer-piece.ts';
import { createAnswerText } from './answer-text.ts';

/** An answer as it grows, step by step: each response of a model is one. What can be shown leaves at once. */
export type Answer = {
  beginStep(): void;
  /** A model's words, as they come. */
  say(words: string): void;
  /** A model's refusal in its own words; shown as it is. */
  refuse(words: string): void;
  /** Lets go what is held back, for something else is about to be shown behind it. */
  letGo(): void;
  /** Says that no more words of this step come: lets go what was held back. Safe to repeat. */
  endStep(): void;
  /** Takes back what the current step has shown. */
  resetStep(reason: string): void;
  /** A remark by the server, in italics and in a paragraph of its own, so that nobody takes it for the model's. */
  remark(text: string): void;
  /** A paragraph in the server's own words, or in those of a tool. */
  tell(text: string): void;
  /** The model's own words of the current step, as they came. */
  readonly stepWords: string;
  /** Whether the current step has shown neither text nor a chart. */
  readonly isStepBlank: boolean;
  /** Tables of the current step that were left out because the turn shows its results itself. */
  readonly strippedInStep: number;
  readonly strippedTables: number;
  /** The judgement of the current step. */
  readonly assessment: Assessment | null;
};

/** What an answer needs. */
export type AnswerOptions = {
  readonly emit: EmitActivity;
  /** The charts and tables of the turn. */
  readonly visuals: TurnVisuals;
  /** Told in words what of the model's answer is not shown, and why. */
  readonly onDropped: (what: string) => void;
};

/** One response of a model. */
type Step = {
  readonly decoder: AnswerDecoder;
  readonly charts: ChartSpec[];
  stripper: TableStripper;
  words: string;
  stripped: number;
  assessment: Assessment | null;
  isRefusing: boolean;
};

const UNREADABLE = 'The rest of the answer could not be read.';

/** An empty answer. */
export function openAnswer({ emit, visuals, onDropped }: AnswerOptions): Answer {
  const text = createAnswerText(emit);
  const redactor = createTextRedactor();
  // A table that began before its turn had anything to show is no copy of what is shown: it stays.
  const openStripper = () => createTableStripper(() => visuals.showsResults);
  const openStep = (): Step => ({
    decoder: createAnswerDecoder(),
    charts: [],
    stripper: openStripper(),
    words: '',
    stripped: 0,
    assessment: null,
    isRefusing: false,
  });
  let step = openStep();
  let strippedBefore = 0;

  /** What stands before a break or a chart is complete: no table goes on behind it. */
  function endBlock(): void {
    text.say(redactor.push(step.stripper.end()) + redactor.end());
    step.stripped += step.stripper.stripped;
    step.stripper = openStripper();
  }

  function show(pieces: readonly AnswerPiece[]): void {
    for (const piece of pieces) {
      switch (piece.type) {
        case 'text':
          text.say(redactor.push(step.stripper.push(piece.text)));
          break;
        case 'break':
          endBlock();
          text.breakParagraph();
          break;
        case 'chart':
          endBlock();
          showChart(piece.figure);
          break;
        case 'assessment':
          step.assessment = piece.assessment;
          break;
        case 'unreadable':
          onDropped(piece.what);
          remark(UNREADABLE);
          break;
        case 'dropped':
          onDropped(piece.what);
          break;
        default:
          piece satisfies never;
      }
    }
  }

  function showChart(figure: unknown): void {
    const chart = answerChart(figure);
    if (typeof chart === 'string') {
      onDropped(chart);
      return;
    }
    if (!visuals.drawOfAnswer(chart)) return;
    step.charts.push(chart);
    emit({ type: 'chart', chart });
  }

  function tell(words: string): void {
    endBlock();
    text.breakParagraph();
    text.say(redactSecrets(words));
  }

  function remark(words: string): void {
    tell(`*${words}*`);
  }

  function endStep(): void {
    show(step.decoder.end());
    endBlock();
  }

  return {
    beginStep() {
      strippedBefore += step.stripped;
      step = openStep();
      text.beginStep();
    },
    say(words) {
      step.words += words;
      show(step.decoder.push(words));
    },
    refuse(words) {
      step.words += words;
      if (!step.isRefusing) {
        endStep();
        text.breakParagraph();
      }
      step.isRefusing = true;
      text.say(redactor.push(words));
    },
    letGo() {
      show(step.decoder.letGo());
      endBlock();
    },
    endStep,
    resetStep(reason) {
      for (const chart of step.charts) visuals.forget(chart);
      const dropCharts = step.charts.length;
      emit({ type: 'reset', keepUntilOffset: text.stepStart, ...(dropCharts > 0 && { dropCharts }), reason });
      text.takeBackStep();
      redactor.end();
      step = openStep();
    },
    remark,
    tell,
    get stepWords() {
      return step.words;
    },
    get isStepBlank() {
      return text.stepText.trim() === '' && step.charts.length === 0;
    },
    get strippedInStep() {
      return step.stripped;
    },
    get strippedTables() {
      return strippedBefore + step.stripped;
    },
    get assessment() {
      return step.assessment;
    },
  };
}
