import { v7 as newId } from 'uuid';
import {
  MAX_LINE_LENGTH,
  MAX_PREVIEW_LENGTH,
  MAX_THINKING_LENGTH,
  previewArguments,
  tokenPieces,
} from '../../domain/conversation/event-limits.ts';
import type { ArtifactProposal, FollowedEdit } from '../../domain/conversation/builder-session.ts';
import type { NewSessionEvent, ThinkingKind } from '../../domain/conversation/session-event.ts';
import type { StoredVisual, ToolCall, TurnError } from '../../domain/conversation/session.ts';
import type {
  ArtifactEdit,
  ToolCallEnd,
  ThinkingActivity,
  ToolCallStart,
  TurnActivity,
} from '../../domain/conversation/turn-activity.ts';
import { endsInsidePair, shorten, splitsPair, toStoredText } from '../../domain/text/stored-text.ts';
import { freshnessToJson } from '../../domain/values/freshness.ts';
import { isByRule, isModelMade } from '../../domain/visual-rules/model-chart.ts';
import type { Visual } from '../../domain/visuals.ts';
import { redactJson, redactSecrets, redactValue } from '../../base/redaction/redact.ts';
import type { ArtifactWrites, NewRevision } from '../../stores/pg/builder-artifacts.ts';
import type { EventBatch } from '../../stores/pg/event-batches.ts';

/** Collected events and bodies; the writer adds the turn that they belong to. */
export type GatheredEvents = Pick<EventBatch, 'events' | 'toolCalls' | 'charts' | 'tables' | 'artifacts'>;

/**
 * Turns the activities of one turn into events and the bodies that they reference: merges text, counts offsets,
 * assigns ids, redacts and shortens. No time and no I/O: the writer decides when to take a batch.
 */
export class EventGatherer {
  readonly #turn: { readonly sessionId: string; readonly turnId: string };
  /** The whole answer as stored, the unsent end included. */
  #answer = '';
  #sentLength = 0;
  /** First half of a surrogate pair; the second half comes with the next text. */
  #halfPair = '';
  /** The thought that is being streamed: its unsent end, and the length of all thinking of the turn. */
  readonly #thinking = { thought: 1, kind: 'THOUGHT' as ThinkingKind, text: '', offset: 0, length: 0 };
  readonly #openCalls = new Map<string, ToolCall>();
  #events: NewSessionEvent[] = [];
  /** By id: a call that starts and ends within one batch is one row. */
  #toolCalls = new Map<string, ToolCall>();
  #visuals: StoredVisual[] = [];
  /** Changes of a builder's turn: a revision for each call, or the newest state of a proposal. */
  #revisions: NewRevision[] = [];
  #proposal: ArtifactProposal | null = null;
  #edits: FollowedEdit[] = [];
  /** Ids of charts in the answer's text, newest last. */
  #answerCharts: string[] = [];
  /** Ids of all charts that the model made, including those in the answer. */
  #modelCharts: string[] = [];

  constructor(turn: { readonly sessionId: string; readonly turnId: string }) {
    this.#turn = turn;
  }

  /** Length of the text that is not in a batch yet. */
  get unsentLength(): number {
    return this.#answer.length - this.#sentLength;
  }

  /** Length of the thinking that is not in a batch yet. */
  get unsentThinkingLength(): number {
    return this.#thinking.text.length;
  }

  /** Whether any text came so far. */
  get hasText(): boolean {
    return this.#answer !== '';
  }

  /** Adds one activity. The end of a call that is not open, and a second start of an open one, are ignored. */
  add(activity: TurnActivity): void {
    if (activity.type === 'text') {
      this.#thinkingToEvents();
      this.#addText(activity.text);
      return;
    }
    this.#textToEvents();
    if (activity.type === 'thinking') {
      this.#addThinking(activity);
      return;
    }
    this.#thinkingToEvents();
    switch (activity.type) {
      case 'status': {
        const { phase, text, summaryId } = activity;
        const payload = { phase, text: line(text), ...(summaryId !== undefined && { summaryId }) };
        this.#push({ type: 'StatusEvent', payload });
        break;
      }
      case 'tool-started':
        this.#startCall(activity.call);
        break;
      case 'tool-finished':
        this.#finishCall(activity.call);
        break;
      case 'artifact':
        this.#addEdit(activity.edit);
        break;
      case 'source-fallback': {
        const { from, to, reason, text } = activity;
        this.#push({ type: 'SourceFallbackEvent', payload: { from, to, reason, text: line(text) } });
        break;
      }
      case 'chart':
        this.#answerCharts.push(this.#addVisual(redactJson(activity.chart), null));
        break;
      case 'reset':
        this.#reset(activity);
        break;
      case 'usage': {
        const { usage, budgetLeftTokens } = activity;
        this.#push({ type: 'UsageEvent', payload: { usage, budgetLeftTokens } });
        break;
      }
      default:
        activity satisfies never;
    }
  }

  /** Ends the text: an unpaired half of a surrogate pair becomes U+FFFD. */
  endText(): void {
    this.#answer += toStoredText(this.#halfPair);
    this.#halfPair = '';
  }

  /** The batch so far, null if it is empty. */
  take(): GatheredEvents | null {
    this.#thinkingToEvents();
    this.#textToEvents();
    if (this.#events.length === 0) return null;
    const artifacts = this.#takeArtifacts();
    const gathered = {
      ...(artifacts && { artifacts }),
      events: this.#events,
      toolCalls: [...this.#toolCalls.values()],
      charts: this.#visuals.filter((visual) => visual.type === 'chart'),
      tables: this.#visuals.filter((visual) => visual.type === 'table'),
    };
    this.#events = [];
    this.#toolCalls = new Map();
    this.#visuals = [];
    return gathered;
  }

  #addEdit(edit: ArtifactEdit): void {
    const { callId, tool, kind, outcome, note, revisionBefore, revisionAfter, changed } = edit;
    if (changed?.isProposal) {
      this.#proposal = { ...this.#turn, artifacts: changed.to };
    } else if (changed) {
      const revision = { revision: revisionAfter, author: 'AI', callId, artifacts: changed.to } as const;
      this.#revisions.push({ ...this.#turn, ...revision });
    }
    if (changed) {
      const { isProposal, trace } = changed;
      const followed = { artifact: kind, trace, isProposal, decision: null, revision: revisionAfter };
      this.#edits.push({ ...this.#turn, callId, ...followed, ...(isProposal && { revision: null }) });
    }
    const payload = {
      callId,
      tool,
      arguments: previewArguments(redactValue(edit.arguments ?? null)),
      artifact: kind,
      outcome,
      revisionBefore,
      revisionAfter,
      isProposal: changed?.isProposal ?? false,
      note: note === null ? null : line(note),
    };
    this.#push({ type: 'ArtifactEvent', payload });
  }

  #takeArtifacts(): ArtifactWrites | null {
    if (this.#revisions.length === 0 && this.#proposal === null) return null;
    const artifacts = { revisions: this.#revisions, proposal: this.#proposal, edits: this.#edits };
    this.#edits = [];
    this.#revisions = [];
    this.#proposal = null;
    return artifacts;
  }

  #push(event: NewSessionEvent): void {
    this.#events.push(event);
  }

  #addText(text: string): void {
    const whole = this.#halfPair + text;
    const cut = endsInsidePair(whole) ? whole.length - 1 : whole.length;
    this.#halfPair = whole.slice(cut);
    this.#answer += toStoredText(whole.slice(0, cut));
  }

  /** Thinking beyond the limit is left out, and that it was. */
  #addThinking({ kind, text, durationMs }: ThinkingActivity): void {
    const thinking = this.#thinking;
    if (thinking.kind !== kind) this.#thinkingToEvents();
    thinking.kind = kind;
    const left = MAX_THINKING_LENGTH - thinking.length;
    if (left > 0) thinking.text += text.length > left ? shorten(text, left) : text;
    thinking.length += text.length;
    if (durationMs !== undefined) this.#thinkingToEvents(durationMs);
  }

  #thinkingToEvents(durationMs: number | null = null): void {
    const thinking = this.#thinking;
    const stored = thinking.text.slice(0, endsInsidePair(thinking.text) ? -1 : undefined);
    const pieces = tokenPieces(toStoredText(durationMs === null ? stored : thinking.text));
    thinking.text = durationMs === null ? thinking.text.slice(stored.length) : '';
    if (durationMs !== null && pieces.length === 0) pieces.push('');
    for (const [index, text] of pieces.entries()) {
      const { thought, kind, offset } = thinking;
      const isLast = index === pieces.length - 1;
      const payload = { thought, kind, text, offset, durationMs: isLast ? durationMs : null };
      this.#push({ type: 'ThinkingEvent', payload });
      thinking.offset += text.length;
    }
    if (durationMs === null) return;
    thinking.thought += 1;
    thinking.offset = 0;
  }

  #textToEvents(): void {
    let offset = this.#sentLength;
    for (const text of tokenPieces(this.#answer.slice(offset))) {
      this.#push({ type: 'TokenEvent', payload: { text, offset } });
      offset += text.length;
    }
    this.#sentLength = offset;
  }

  /** The sender's offsets include the half pair that is held back here. */
  #reset({ keepUntilOffset, dropCharts = 0, reason }: Extract<TurnActivity, { type: 'reset' }>): void {
    const length = this.#answer.length;
    if (keepUntilOffset <= length) this.#halfPair = '';
    const wanted = Math.max(0, Math.min(keepUntilOffset, length));
    const keep = splitsPair(this.#answer, wanted) ? wanted - 1 : wanted;
    this.#answer = this.#answer.slice(0, keep);
    this.#sentLength = keep;
    const dropped = this.#answerCharts.slice(Math.max(0, this.#answerCharts.length - dropCharts));
    this.#pushReset(keep, dropped, line(reason));
  }

  /** Withdraws the model's charts only; text and other charts stay. */
  #withdrawModelCharts(): void {
    if (this.#modelCharts.length === 0) return;
    const reason = "Charts of stored results replace the model's own";
    this.#pushReset(this.#answer.length, this.#modelCharts, reason);
  }

  #pushReset(keepUntilOffset: number, droppedChartIds: readonly string[], reason: string): void {
    const isKept = (id: string): boolean => !droppedChartIds.includes(id);
    this.#answerCharts = this.#answerCharts.filter(isKept);
    this.#modelCharts = this.#modelCharts.filter(isKept);
    this.#push({
      type: 'StepResetEvent',
      payload: { keepUntilOffset, ...(droppedChartIds.length > 0 && { droppedChartIds }), reason },
    });
  }

  #startCall({ callId, tool, label, description, arguments: given, round }: ToolCallStart): void {
    if (this.#openCalls.has(callId)) return;
    const call: ToolCall = {
      id: newId(),
      ...this.#turn,
      callId,
      tool,
      label: line(label),
      description: line(description),
      arguments: redactValue(given ?? null),
      status: 'RUNNING',
      durationMs: null,
      dataSource: null,
      preview: null,
      freshness: null,
      resultJson: null,
      error: null,
    };
    this.#openCalls.set(callId, call);
    this.#toolCalls.set(call.id, call);
    const preview = previewArguments(call.arguments);
    const shown = { callId, tool, label: call.label, description: call.description };
    this.#push({ type: 'ToolCallStartedEvent', payload: { ...shown, arguments: preview, round } });
  }

  #finishCall(end: ToolCallEnd): void {
    const open = this.#openCalls.get(end.callId);
    if (open === undefined) return;
    this.#openCalls.delete(end.callId);
    const outcome = {
      status: end.status,
      durationMs: Math.round(end.durationMs),
      dataSource: end.dataSource,
      preview: shorten(redactSecrets(end.preview), MAX_PREVIEW_LENGTH),
      error: end.error && cleanError(end.error),
    };
    this.#toolCalls.set(open.id, {
      ...open,
      ...outcome,
      freshness: end.freshness,
      resultJson: end.resultJson,
    });
    this.#push({
      type: 'ToolCallFinishedEvent',
      payload: {
        callId: open.callId,
        tool: open.tool,
        ...outcome,
        freshness: end.freshness && freshnessToJson(end.freshness),
        ...(end.liveFreshness && { liveFreshness: freshnessToJson(end.liveFreshness) }),
        resultId: open.id,
      },
    });
    if (end.visuals.some((visual) => isByRule(visual, end.dataSource))) this.#withdrawModelCharts();
    for (const visual of end.visuals) this.#addVisual(visual, open.callId);
  }

  #addVisual(visual: Visual, callId: string | null): string {
    const id = newId();
    this.#visuals.push({ ...visual, id, ...this.#turn, callId });
    if (isModelMade(visual)) this.#modelCharts.push(id);
    this.#push(
      visual.type === 'chart'
        ? { type: 'ChartEvent', payload: { chartId: id } }
        : { type: 'TableEvent', payload: { tableId: id } },
    );
    return id;
  }
}

/** An error, redacted and shortened for storage. */
export function cleanError({ code, message, retryable }: TurnError): TurnError {
  return { code, message: shorten(redactSecrets(message), MAX_LINE_LENGTH * 2), retryable };
}

const line = (text: string): string => shorten(redactSecrets(text), MAX_LINE_LENGTH);
