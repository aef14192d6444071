/** Asks a running QPilot over GraphQL, as any client does, and keeps what came of it. */
import { createQPilot, RefusedError, untilAnswered, type Asked, type QPilot } from '@qpilot/client';
import { z } from 'zod';
import { EVENTS, type AskEvent } from '../../client/terminal/operations.ts';
import type { Answer } from './scoring/read-answer.ts';

/** An answer and what it took. */
export type Asking = Answer & {
  /** Of tool calls, in the order of their start. */
  readonly tools: readonly string[];
  /** Tables that stood beside the text, a line a row. */
  readonly tables: readonly string[];
  /** What went wrong; null for an answer that was completed. */
  readonly failure: string | null;
  readonly rounds: number;
  readonly tokens: number;
  /** Null where the model has no price. */
  readonly costUsd: number | null;
  readonly durationMs: number;
};

/** Sends the messages of a conversation one after another; returns the answer to the last, and the cost of all. */
export async function askInTurn(
  url: string,
  {
    messages,
    chipId,
    model,
  }: { readonly messages: readonly string[]; readonly chipId: string; readonly model: string | null },
): Promise<Asking> {
  const startedAt = performance.now();
  const qpilot = createQPilot({ url });
  let sessionId: string | null = null;
  let answer = NOTHING;
  for (const content of messages) {
    let asked: Asked;
    try {
      asked = await qpilot.ask({ content, chipId, sessionId, model });
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      return { ...answer, failure: `${error.code}: ${error.message}` };
    }
    ({ sessionId } = asked);
    const next = await follow(qpilot, asked);
    answer = {
      ...next,
      tokens: answer.tokens + next.tokens,
      costUsd: next.costUsd === null ? answer.costUsd : (answer.costUsd ?? 0) + next.costUsd,
    };
    if (answer.failure !== null) break;
  }
  return { ...answer, durationMs: performance.now() - startedAt };
}

const NOTHING: Asking = {
  text: '',
  visuals: [],
  tools: [],
  tables: [],
  failure: 'nothing was asked',
  rounds: 0,
  tokens: 0,
  costUsd: null,
  durationMs: 0,
};

async function follow(qpilot: QPilot, asked: Asked): Promise<Asking> {
  let answer = NOTHING;
  const { sessionId, lastSeq } = asked;
  const events = qpilot.followEvents(EVENTS, { sessionId }, { after: lastSeq });
  for await (const event of untilAnswered(asked, events, statusOf)) answer = after(answer, event);
  return answer;
}

const statusOf = (event: AskEvent) => (event.__typename === 'TurnFinishedEvent' ? event.status : null);

function after(answer: Asking, event: AskEvent): Asking {
  if (event.__typename === 'TokenEvent') {
    return { ...answer, text: answer.text.slice(0, event.offset) + event.text };
  }
  if (event.__typename === 'StepResetEvent') {
    return { ...answer, text: answer.text.slice(0, event.keepUntilOffset) };
  }
  if (event.__typename === 'ToolCallStartedEvent') {
    return { ...answer, tools: [...answer.tools, event.tool] };
  }
  if (event.__typename === 'ChartEvent') {
    return { ...answer, visuals: [...answer.visuals, event.chart.kind] };
  }
  if (event.__typename === 'TableEvent') {
    return {
      ...answer,
      visuals: [...answer.visuals, 'TABLE'],
      tables: [...answer.tables, linesOf(event.table)],
    };
  }
  if (event.__typename !== 'TurnFinishedEvent') return answer;
  return {
    ...answer,
    failure:
      event.status === 'COMPLETED' ? null : `${event.status}: ${event.error?.message ?? 'no reason given'}`,
    rounds: event.rounds,
    tokens: event.usage?.totalTokens ?? 0,
    costUsd: event.usage?.costUsd ?? null,
  };
}

/** Title, then a line a row: `Qubit Q07, T1 59.53 μs`. */
function linesOf({ title, columns, rows }: Extract<AskEvent, { __typename: 'TableEvent' }>['table']): string {
  const lines = z
    .array(z.record(z.string(), z.unknown()))
    .parse(rows)
    .map((row) =>
      columns
        .map(({ key, label, unit }) => `${label} ${cellText(row[key])}${unit === null ? '' : ` ${unit}`}`)
        .join(', '),
    );
  return [title, ...lines].join('\n');
}

const cellText = (cell: unknown): string => (typeof cell === 'string' ? cell : JSON.stringify(cell ?? null));
