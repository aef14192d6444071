import type { HistorySummary, Message } from '../../src/domain/conversation/session.ts';
import type { EarlierTurn } from '../../src/stores/session-store.ts';

const message = (role: Message['role'], text: string, model: string | null): Message => ({
  id: `${role} ${text}`,
  sessionId: 'session-1',
  turnId: null,
  role,
  text,
  blocks: [
    { type: 'text', text },
    { type: 'chart', chartId: 'c' },
  ],
  freshness: [],
  assessment: null,
  strippedTables: 0,
  unverifiedTable: false,
  model,
  createdAt: new Date(0),
});

/** An earlier turn; its answer has a chart beside the text. */
export const earlierTurn = (
  turnId: string,
  question: string,
  answer: string | null,
  more: Partial<EarlierTurn> & { readonly model?: string } = {},
): EarlierTurn => ({
  turnId,
  question: message('USER', question, null),
  answer: answer === null ? null : message('ASSISTANT', answer, more.model ?? null),
  summary: null,
  tokensPerEstimate: null,
  ...more,
});

/** A summary through a turn. */
export const summaryThrough = (throughTurnId: string, text: string, messageCount = 2): HistorySummary => ({
  id: `summary ${throughTurnId}`,
  sessionId: 'session-1',
  throughTurnId,
  messageCount,
  text,
  model: 'm',
  createdAt: new Date(0),
});
