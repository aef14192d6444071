/**
 * The answer of a turn, from a model's words to what a viewer gets: words → decoder (Markdown or JSON) → table
 * stripper → redactor → text and charts. It must know neither models nor the log.
 */
import type { Assessment } from '../../domain/conversation/session.ts';
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

/** The answer as it grows, step by step: each response of a model is one step. What can be shown is emitted at once. */
export type Answer = ReturnType<typeof openAnswer>;

type AnswerOptions = {
  readonly emit: EmitActivity;
  /** The charts and tables of the turn. */
  readonly visuals: TurnVisuals;
  /** Receives a description of each part of the model's answer that is not shown. */
  readonly onDropped: (what: string) => void;
  /** Whether the answer is a document, of which nothing is shown before it is whole and checked. Absent: it is not. */
  readonly isDocument?: boolean;
};

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

export function openAnswer({ emit, visuals, onDropped, isDocument = false }: AnswerOptions) {
  const text = createAnswerText(emit);
  const redactor = createTextRedactor();
  // A table that began before the turn showed any result cannot repeat one, so it stays.
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

  /** No table continues after a break or a chart. */
  function endBlock(): void {
    text.add(redactor.push(step.stripper.end()) + redactor.end());
    step.stripped += step.stripper.stripped;
    step.stripper = openStripper();
  }

  function show(pieces: readonly AnswerPiece[]): void {
    for (const piece of pieces) {
      switch (piece.type) {
        case 'text':
          text.add(redactor.push(step.stripper.push(piece.text)));
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

  /** Adds a paragraph of the server's own, or of a tool's. */
  function addParagraph(words: string): void {
    endBlock();
    text.breakParagraph();
    text.add(redactSecrets(words));
  }

  /** Adds a remark by the server, in italics to set it apart from the model's text. */
  const remark = (words: string): void => addParagraph(`*${words}*`);

  /** Ends the words of this step: emits what was held back. Safe to repeat. */
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
    /** Adds a model's words, as they come. */
    add(words: string) {
      step.words += words;
      if (!isDocument) show(step.decoder.push(words));
    },
    /** Adds a model's refusal, verbatim. */
    refuse(words: string) {
      step.words += words;
      if (isDocument) return;
      if (!step.isRefusing) {
        endStep();
        text.breakParagraph();
      }
      step.isRefusing = true;
      text.add(redactor.push(words));
    },
    /** Emits what is held back, because something else is about to be shown after it. */
    flush() {
      show(step.decoder.flush());
      endBlock();
    },
    endStep,
    /** Takes back what the current step has shown. */
    resetStep(reason: string) {
      for (const chart of step.charts) visuals.forget(chart);
      const dropCharts = step.charts.length;
      emit({ type: 'reset', keepUntilOffset: text.stepStart, ...(dropCharts > 0 && { dropCharts }), reason });
      text.takeBackStep();
      redactor.end();
      step = openStep();
    },
    remark,
    addParagraph,
    /** The model's words of the current step, as they came. */
    get stepWords() {
      return step.words;
    },
    /** Whether the current step has shown neither text nor a chart. */
    get isStepBlank() {
      return text.stepText.trim() === '' && step.charts.length === 0;
    },
    /** Tables of the current step that were left out because the turn shows its results itself. */
    get strippedInStep() {
      return step.stripped;
    },
    get strippedTables() {
      return strippedBefore + step.stripped;
    },
    /** The model's assessment in the current step. */
    get assessment() {
      return step.assessment;
    },
  };
}
