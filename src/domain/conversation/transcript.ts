/**
 * Folds a turn's events. The final message is made from this alone, so it cannot differ from what was streamed; whoever
 * closes the turn of a dead process learns which calls are still open.
 */
import { stripTables } from '../markdown/table-stripper.ts';
import {
  type DataSource,
  freshnessFromJson,
  type FreshnessJson,
  mergeFreshness,
  type Freshness,
} from '../values/freshness.ts';
import type { NewSessionEvent } from './session-event.ts';
import type { Block, Usage } from './session.ts';

/** A tool call that was started and not finished. */
export type OpenCall = { readonly callId: string; readonly tool: string };

/** The state of a turn after some of its events. */
export type Transcript = {
  /** Every `TokenEvent` in a row, minus what step resets removed. */
  readonly text: string;
  /** Whether the text holds a table: the model's own, not backed by a tool result. */
  readonly unverifiedTable: boolean;
  /** The text, split at charts, tables and joined messages; its text blocks joined are `text`. */
  readonly blocks: readonly Block[];
  /** In the order in which they were started. */
  readonly openCalls: readonly OpenCall[];
  /** Of the results of successful calls, one entry a source. */
  readonly freshness: readonly Freshness[];
  /** The last reported sum, null if none was. */
  readonly usage: Usage | null;
  /** The highest round in which a tool was called, 0 without tools. */
  readonly rounds: number;
};

/** Folds the events of one turn, in the order of the log. Events of other turns must not be among them. */
export function foldTurn(events: Iterable<NewSessionEvent>): Transcript {
  let blocks: Block[] = [];
  const open = new Map<string, OpenCall>();
  const freshness = new Map<DataSource, Freshness>();
  let usage: Usage | null = null;
  let rounds = 0;
  for (const event of events) {
    switch (event.type) {
      case 'TokenEvent':
        appendText(blocks, event.payload.text);
        break;
      case 'StepResetEvent':
        blocks = keepText(
          withoutCharts(blocks, event.payload.droppedChartIds),
          event.payload.keepUntilOffset,
        );
        break;
      case 'ChartEvent':
        blocks.push({ type: 'chart', chartId: event.payload.chartId });
        break;
      case 'TableEvent':
        blocks.push({ type: 'table', tableId: event.payload.tableId });
        break;
      case 'MessageJoinedEvent':
        blocks.push({ type: 'message', messageId: event.payload.messageId });
        break;
      case 'ToolCallStartedEvent':
        open.set(event.payload.callId, { callId: event.payload.callId, tool: event.payload.tool });
        rounds = Math.max(rounds, event.payload.round);
        break;
      case 'ToolCallFinishedEvent':
        open.delete(event.payload.callId);
        if (event.payload.status === 'OK') {
          addFreshness(freshness, event.payload.freshness);
          addFreshness(freshness, event.payload.liveFreshness);
        }
        break;
      case 'UsageEvent':
        usage = event.payload.usage;
        break;
      case 'TurnStartedEvent':
      case 'ThinkingEvent':
      case 'ToolApprovalEvent':
      case 'StatusEvent':
      case 'ArtifactEvent':
      case 'SourceFallbackEvent':
      case 'TurnFinishedEvent':
        break;
      default:
        event satisfies never;
    }
  }
  const text = blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
  return {
    text,
    unverifiedTable: stripTables(text).stripped > 0,
    blocks,
    openCalls: [...open.values()],
    freshness: [...freshness.values()],
    usage,
    rounds,
  };
}

function addFreshness(found: Map<DataSource, Freshness>, json: FreshnessJson | null | undefined): void {
  if (!json) return;
  const one = freshnessFromJson(json);
  const before = found.get(one.source);
  found.set(one.source, before ? mergeFreshness(before, one) : one);
}

function appendText(blocks: Block[], text: string): void {
  const last = blocks.at(-1);
  if (last?.type === 'text') blocks[blocks.length - 1] = { type: 'text', text: last.text + text };
  else if (text !== '') blocks.push({ type: 'text', text });
}

const withoutCharts = (blocks: readonly Block[], dropped: readonly string[] = []): readonly Block[] =>
  blocks.filter((block) => block.type !== 'chart' || !dropped.includes(block.chartId));

/** Cuts the text to its first `length` UTF-16 code units; charts and tables stay, their tools did run. */
function keepText(blocks: readonly Block[], length: number): Block[] {
  const kept: Block[] = [];
  let left = length;
  for (const block of blocks) {
    if (block.type !== 'text') {
      kept.push(block);
      continue;
    }
    appendText(kept, block.text.slice(0, left));
    left = Math.max(0, left - block.text.length);
  }
  return kept;
}
