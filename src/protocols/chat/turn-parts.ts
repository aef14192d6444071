/**
 * A turn as the parts that chat protocols know: texts, thoughts and calls that begin, grow and end. Made from the log alone, so that
 * the same turn gives the same parts whenever it is read.
 */
import { encodeNodeId } from '../../../schema/node-ids.ts';
import { approvalWords } from '../approval-words.ts';
import type { GroundedNumber } from '../../domain/grounding/grounded-number.ts';
import type {
  SessionEvent,
  SessionEventPayloads,
  TurnPhase,
} from '../../domain/conversation/session-event.ts';
import type { Message, ToolCall, Turn, Viewer } from '../../domain/conversation/session.ts';
import type { JsonObject, Visual } from '../../domain/visuals.ts';
import type { CopilotService } from '../../services/copilot/copilot.ts';
import type { MessageNumbers } from '../../services/copilot/message-numbers.ts';

export type TurnPartsDeps = {
  readonly copilot: Pick<CopilotService, 'byId' | 'toolCallsOfTurns'>;
  readonly messageNumbers: MessageNumbers;
};

/** A chart or table with its id. */
export type ShownVisual = Visual & { readonly id: string };

/** How a turn ended, with the numbers of its answer and the calls that they come from. */
export type TurnEnd = SessionEventPayloads['TurnFinishedEvent'] & {
  readonly answer: Message | null;
  readonly numbers: readonly GroundedNumber[];
  readonly calls: readonly ToolCall[];
};

export type TurnPart =
  | { readonly type: 'status'; readonly phase: TurnPhase; readonly text: string }
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'thought-start' | 'thought-end' | 'text-start' | 'text-end'; readonly id: string }
  | { readonly type: 'thought-delta' | 'text-delta'; readonly id: string; readonly text: string }
  | ({ readonly type: 'call-start' } & SessionEventPayloads['ToolCallStartedEvent'])
  | ({ readonly type: 'call-end' } & SessionEventPayloads['ToolCallFinishedEvent'])
  | { readonly type: 'visual'; readonly visual: ShownVisual }
  /** The answer so far is only `kept`, and these visuals are no part of it; ids of texts up to here are never used again. */
  | {
      readonly type: 'taken-back';
      readonly kept: string;
      readonly visualIds: readonly string[];
      readonly reason: string;
    }
  | { readonly type: 'end'; readonly end: TurnEnd };

/** A part with the place in the log of the event that it was made from. */
export type PlacedPart = { readonly seq: number; readonly part: TurnPart };

/** The parts of `turn`, from `events` of its session that begin before it; ends with it. */
export async function* turnParts(
  deps: TurnPartsDeps,
  viewer: Viewer,
  turn: Turn,
  events: AsyncIterable<SessionEvent>,
): AsyncGenerator<PlacedPart> {
  const writer = createPartWriter(encodeNodeId('Turn', turn.id));
  for await (const event of events) {
    if (event.turnId !== turn.id) continue;
    const parts =
      event.type === 'ChartEvent' || event.type === 'TableEvent'
        ? await visualPart(deps, viewer, event)
        : event.type === 'TurnFinishedEvent'
          ? [...writer.close(), { type: 'end', end: await endOf(deps, viewer, turn, event.payload) } as const]
          : writer.partsOf(event);
    for (const part of parts) yield { seq: event.seq, part };
    if (event.type === 'TurnFinishedEvent') return;
  }
}

/** Keeps which text or thought is open. */
function createPartWriter(turnId: string) {
  let answer = '';
  let open: { readonly kind: 'text' | 'thought'; readonly id: string; readonly thought: number } | null =
    null;
  let texts = 0;

  const close = (): TurnPart[] => {
    if (open === null) return [];
    const { kind, id } = open;
    open = null;
    return [{ type: `${kind}-end`, id }];
  };
  const grow = (kind: 'text' | 'thought', thought: number, text: string): TurnPart[] => {
    if (open?.kind === kind && open.thought === thought)
      return [{ type: `${kind}-delta`, id: open.id, text }];
    const ended = close();
    const id = kind === 'text' ? `${turnId}.text${(texts += 1)}` : `${turnId}.thought${thought}`;
    open = { kind, id, thought };
    return [...ended, { type: `${kind}-start`, id }, { type: `${kind}-delta`, id, text }];
  };

  const partsOf = ({ type, payload }: SessionEvent): readonly TurnPart[] => {
    if (type === 'StatusEvent') return [{ type: 'status', phase: payload.phase, text: payload.text }];
    if (type === 'TokenEvent') {
      answer += payload.text;
      return grow('text', 0, payload.text);
    }
    if (type === 'ThinkingEvent') {
      const grown = payload.text === '' ? [] : grow('thought', payload.thought, payload.text);
      return payload.durationMs === null || open?.kind !== 'thought' ? grown : [...grown, ...close()];
    }
    if (type === 'ToolCallStartedEvent') return [...close(), { type: 'call-start', ...payload }];
    if (type === 'ToolCallFinishedEvent') return [{ type: 'call-end', ...payload }];
    if (type === 'ToolApprovalEvent')
      return [{ type: 'status', phase: 'CALLING_TOOLS', text: approvalWords(payload) }];
    if (type === 'SourceFallbackEvent') return [{ type: 'notice', text: payload.text }];
    if (type !== 'StepResetEvent') return [];
    answer = answer.slice(0, payload.keepUntilOffset);
    const visualIds = (payload.droppedChartIds ?? []).map((id) => encodeNodeId('Chart', id));
    return [...close(), { type: 'taken-back', kept: answer, visualIds, reason: payload.reason }];
  };
  return { partsOf, close };
}

async function visualPart(
  { copilot }: TurnPartsDeps,
  viewer: Viewer,
  event: Extract<SessionEvent, { type: 'ChartEvent' | 'TableEvent' }>,
): Promise<readonly TurnPart[]> {
  if (event.type === 'ChartEvent') {
    const [chart] = await copilot.byId.charts(viewer, [event.payload.chartId]);
    if (!chart) return [];
    const { type, title, kind, data, layout } = chart;
    return [
      { type: 'visual', visual: { type, id: encodeNodeId('Chart', chart.id), title, kind, data, layout } },
    ];
  }
  const [table] = await copilot.byId.tables(viewer, [event.payload.tableId]);
  if (!table) return [];
  const { type, title, columns, rows } = table;
  return [
    { type: 'visual', visual: { type, id: encodeNodeId('DataTable', table.id), title, columns, rows } },
  ];
}

async function endOf(
  { copilot, messageNumbers }: TurnPartsDeps,
  viewer: Viewer,
  turn: Turn,
  finished: SessionEventPayloads['TurnFinishedEvent'],
): Promise<TurnEnd> {
  const { messageId } = finished;
  const [answer = null] = messageId === null ? [] : await copilot.byId.messages(viewer, [messageId]);
  const [[calls = []], [numbers = []]] = await Promise.all([
    copilot.toolCallsOfTurns(viewer, [turn.id]),
    messageNumbers.ofMessages(viewer, answer ? [answer] : []),
  ]);
  return { ...finished, answer, numbers, calls };
}

/** The numbers of an answer as protocols carry them: what is written, and the record that it was read from. */
export const numbersOf = ({ numbers, calls }: Pick<TurnEnd, 'numbers' | 'calls'>): readonly JsonObject[] =>
  numbers.map(({ text, unit, status, callId, recordId, measuredAt }) => ({
    text,
    unit,
    status,
    tool: calls.find((call) => call.callId === callId)?.tool ?? null,
    record: recordId,
    measured_at: measuredAt?.toISOString() ?? null,
  }));
