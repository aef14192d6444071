/** DataLoaders over copilot conversations, with the same rules as `loaders.ts`: for one operation or one event. */
import DataLoader from 'dataloader';
import type { HistorySummary } from '../../domain/conversation/history-summary.ts';
import type { MessageImage } from '../../domain/conversation/message-image.ts';
import type { MessageRating } from '../../domain/conversation/message-rating.ts';
import type {
  Message,
  Session,
  StoredVisual,
  TokenTotals,
  ToolCall,
  Turn,
  Viewer,
} from '../../domain/conversation/session.ts';
import type { TurnNotice } from '../../domain/conversation/turn-notice.ts';
import type { GroundedNumber } from '../../domain/grounding/grounded-number.ts';
import type { CopilotService } from '../copilot/copilot-service.ts';
import type { MessageImages } from '../copilot/message-images.ts';
import type { MessageNumbers } from '../copilot/message-numbers.ts';

/** By domain id unless said otherwise; null for what is unknown or another viewer's. */
export type CopilotLoaders = {
  readonly session: DataLoader<string, Session | null>;
  readonly turn: DataLoader<string, Turn | null>;
  readonly message: DataLoader<string, Message | null>;
  readonly toolCall: DataLoader<string, ToolCall | null>;
  readonly summary: DataLoader<string, HistorySummary | null>;
  readonly chart: DataLoader<string, Extract<StoredVisual, { type: 'chart' }> | null>;
  readonly table: DataLoader<string, Extract<StoredVisual, { type: 'table' }> | null>;
  /** By session id. */
  readonly activeTurn: DataLoader<string, Turn | null>;
  /** By session id. */
  readonly usageOfSession: DataLoader<string, TokenTotals>;
  /** By turn id. */
  readonly toolCallsOfTurn: DataLoader<string, readonly ToolCall[]>;
  /** By turn id. */
  readonly noticesOfTurn: DataLoader<string, readonly TurnNotice[]>;
  /** By message. */
  readonly messageNumbers: DataLoader<Message, readonly GroundedNumber[], string>;
  /** By message id, in the order in which they were sent. */
  readonly imagesOfMessage: DataLoader<string, readonly MessageImage[]>;
  /** The viewer's own, by message id. */
  readonly ratingOfMessage: DataLoader<string, MessageRating | null>;
  /** By turn id. */
  readonly siblingsOfTurn: DataLoader<string, readonly Turn[]>;
};

/** Fresh loaders for `viewer`. */
export function createCopilotLoaders(
  copilot: CopilotService,
  messageNumbers: MessageNumbers,
  messageImages: MessageImages,
  viewer: Viewer,
): CopilotLoaders {
  const { byId } = copilot;
  return {
    session: new DataLoader((ids) => byId.sessions(viewer, ids)),
    turn: new DataLoader((ids) => byId.turns(viewer, ids)),
    message: new DataLoader((ids) => byId.messages(viewer, ids)),
    toolCall: new DataLoader((ids) => byId.toolCalls(viewer, ids)),
    summary: new DataLoader((ids) => byId.summaries(viewer, ids)),
    chart: new DataLoader((ids) => byId.charts(viewer, ids)),
    table: new DataLoader((ids) => byId.tables(viewer, ids)),
    activeTurn: new DataLoader((ids) => copilot.activeTurns(viewer, ids)),
    usageOfSession: new DataLoader((ids) => copilot.usageOfSessions(viewer, ids)),
    toolCallsOfTurn: new DataLoader((ids) => copilot.toolCallsOfTurns(viewer, ids)),
    noticesOfTurn: new DataLoader((ids) => copilot.noticesOfTurns(viewer, ids)),
    messageNumbers: new DataLoader((messages) => messageNumbers.ofMessages(viewer, messages), {
      cacheKeyFn: ({ id }) => id,
    }),
    imagesOfMessage: new DataLoader((ids) => messageImages.ofMessages(viewer, ids)),
    ratingOfMessage: new DataLoader((ids) => copilot.ratingsOfMessages(viewer, ids)),
    siblingsOfTurn: new DataLoader((ids) => copilot.siblingsOfTurns(viewer, ids)),
  };
}
