/**
 * Answers that their owners share alone. What others get is read as its owner would, after the share was found, and
 * picked by hand: nothing of it has rights of its own, so that no id in it leads to the rest of the conversation, and
 * all of it ends with the share.
 */
import { z } from 'zod';
import { InvalidInputError } from '../../base/errors.ts';
import { noticeOf, type TurnNotice } from '../../domain/conversation/session-event.ts';
import {
  backgroundViewer,
  type Block,
  type Message,
  type ToolCall,
  type Viewer,
} from '../../domain/conversation/session.ts';
import type { GroundedNumber } from '../../domain/grounding/grounded-number.ts';
import { VISIBILITIES, type SharedAnswer } from '../../domain/members/sharing.ts';
import type { WakeUps } from '../../events/wake-ups.ts';
import { type Db, transact } from '../../stores/pg/database.ts';
import { findNoticeEventsOfTurns } from '../../stores/pg/events.ts';
import { findImagesOfMessages } from '../../stores/pg/message-images.ts';
import { findMessages } from '../../stores/pg/messages.ts';
import { lockOwnSession } from '../../stores/pg/sessions.ts';
import {
  findAnswerShares,
  findSharedAnswer,
  listSharedAnswers,
  setAnswerVisibility,
} from '../../stores/pg/shared-answers.ts';
import { findToolCallsOfTurns } from '../../stores/pg/tool-calls.ts';
import { findCharts, findTables, type StoredChart, type StoredTable } from '../../stores/pg/visuals.ts';
import { checkInput } from '../copilot/copilot-input.ts';
import type { MessageNumbers } from '../copilot/message-numbers.ts';
import { ownMessage } from '../copilot/own-message.ts';
import { unknownSession } from '../copilot/start-turn.ts';
import { readAfterHints } from '../read-after-hints.ts';
import {
  decodeCursor,
  encodeCursor,
  rowsToRead,
  toPage,
  type Page,
  type PageRequest,
} from '../page-cursor.ts';

const shareInput = z.object({ messageId: z.string(), visibility: z.enum(VISIBILITIES) });
/** 128 bits in base64url. */
const IS_KEY = /^[\w-]{22}$/u;
const position = z.tuple([z.number(), z.uuid()]);

export type SharedAnswersDeps = { readonly db: Db; readonly wakeUps: Pick<WakeUps, 'onShares'> };

/** A tool call as readers of its answer see it: without its arguments and its whole result. */
export type SharedStep = Pick<
  ToolCall,
  'callId' | 'tool' | 'label' | 'status' | 'durationMs' | 'dataSource' | 'preview' | 'freshness'
>;

/** A piece of a shared answer; its charts and tables are part of it. */
export type SharedBlock =
  | Extract<Block, { type: 'text' }>
  | { readonly type: 'chart'; readonly chart: StoredChart }
  | { readonly type: 'table'; readonly table: StoredTable };

/** What a shared answer shows besides its words. */
export type SharedContent = {
  /** What the user added while it was written. */
  readonly added: readonly string[];
  /** Pictures that were sent with the question; they are not shared. */
  readonly imageCount: number;
  readonly blocks: readonly SharedBlock[];
  /** `callId` is null unless it is among the steps. */
  readonly numbers: readonly GroundedNumber[];
  readonly steps: readonly SharedStep[];
  readonly notices: readonly TurnNotice[];
};

export const createSharedAnswers = ({ db, wakeUps }: SharedAnswersDeps) => ({
  /** Shares an answer of a conversation of the viewer alone, or makes it private again. @throws NotFoundError, InvalidInputError */
  share: (viewer: Viewer, input: z.input<typeof shareInput>): Promise<Message> => {
    const { messageId, visibility } = checkInput(shareInput, input);
    return transact(db, async (tx) => {
      const { message } = await ownMessage(tx, viewer, messageId);
      const session = await lockOwnSession(tx, viewer, message.sessionId);
      if (session?.kind !== 'COPILOT') throw unknownSession(message.sessionId);
      if (message.role !== 'ASSISTANT')
        throw InvalidInputError.at(['input', 'messageId'], 'is a question; give the id of its answer');
      await setAnswerVisibility(tx, viewer, message, visibility);
      return message;
    });
  },

  /** How each of the viewer's own answers is shared; null for others. */
  sharesOf: (viewer: Viewer, messageIds: readonly string[]) => findAnswerShares(db, viewer, messageIds),

  /** An answer by the key of its link; null where the link is not valid in the viewer's project, or not any more. */
  byKey: async (viewer: Viewer, key: string): Promise<SharedAnswer | null> =>
    IS_KEY.test(key) ? findSharedAnswer(db, viewer, key) : null,

  /** Whether the key of a link leads to an answer, now and when that ends, until `signal` fires. A key that ended stays so. */
  async *isShared(viewer: Viewer, key: string, signal: AbortSignal): AsyncGenerator<boolean, void> {
    const find = () => (IS_KEY.test(key) ? findSharedAnswer(db, viewer, key) : null);
    const sessionId = (await find())?.answer.sessionId;
    const watch = (hint: () => void) =>
      wakeUps.onShares((changed) => {
        if (changed === null || changed === sessionId) hint();
      });
    let isKnown = false;
    for await (const found of readAfterHints(watch, async () => find(), signal)) {
      if (found === null || !isKnown) yield found !== null;
      if (found === null) return;
      isKnown = true;
    }
  },

  /** Answers that others share with the project, the one shared last first. @throws InvalidInputError */
  async page(viewer: Viewer, { first, after }: PageRequest): Promise<Page<SharedAnswer>> {
    const from = decodeCursor(after, position);
    const rows = await listSharedAnswers(db, viewer, {
      limit: rowsToRead(first),
      after: from && { sharedAt: new Date(from[0]), id: from[1] },
    });
    return toPage(rows, first, (item) => ({
      item,
      cursor: encodeCursor([item.sharedAt.getTime(), item.answer.id]),
    }));
  },

  /** The rest of an answer that was found by {@link byKey} or {@link page}. */
  async content(
    { answer, question, viewerId, projectId }: SharedAnswer,
    messageNumbers: MessageNumbers,
  ): Promise<SharedContent> {
    const owner = backgroundViewer(viewerId, projectId, 'COPILOT');
    const turnIds = answer.turnId === null ? [] : [answer.turnId];
    const [blocks, [numbers = []], [calls = []], [events = []], [images = []]] = await Promise.all([
      blocksOf(db, owner, answer),
      messageNumbers.ofMessages(owner, [answer]),
      findToolCallsOfTurns(db, owner, turnIds),
      findNoticeEventsOfTurns(db, owner, turnIds),
      findImagesOfMessages(db, owner, [question.id]),
    ]);
    const own = new Set(calls.map(({ callId }) => callId));
    return {
      ...blocks,
      imageCount: images.length,
      numbers: numbers.map((number) =>
        number.callId === null || own.has(number.callId) ? number : { ...number, callId: null },
      ),
      steps: calls.map(stepOf),
      notices: events.flatMap((event) => noticeOf(event) ?? []),
    };
  },
});

/** By name: what a call gets one day is not shared by itself. */
const stepOf = ({ callId, tool, label, status, durationMs, dataSource, preview, freshness }: ToolCall) => ({
  callId,
  tool,
  label,
  status,
  durationMs,
  dataSource,
  preview,
  freshness,
});

async function blocksOf(
  db: Db,
  owner: Viewer,
  { blocks }: Message,
): Promise<Pick<SharedContent, 'blocks' | 'added'>> {
  const [charts, tables, messages] = await Promise.all([
    findCharts(
      db,
      owner,
      blocks.flatMap((block) => (block.type === 'chart' ? block.chartId : [])),
    ),
    findTables(
      db,
      owner,
      blocks.flatMap((block) => (block.type === 'table' ? block.tableId : [])),
    ),
    findMessages(
      db,
      owner,
      blocks.flatMap((block) => (block.type === 'message' ? block.messageId : [])),
    ),
  ]);
  return {
    added: messages.flatMap((message) => message?.text ?? []),
    blocks: blocks.flatMap((block): readonly SharedBlock[] => {
      if (block.type === 'text') return [block];
      if (block.type === 'chart') {
        const chart = charts.find((each) => each?.id === block.chartId);
        return chart ? [{ type: 'chart', chart }] : [];
      }
      const table = block.type === 'table' && tables.find((each) => each?.id === block.tableId);
      return table ? [{ type: 'table', table }] : [];
    }),
  };
}
