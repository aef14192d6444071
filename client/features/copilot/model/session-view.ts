/**
 * What a page shows of a conversation: turns, each with its text, visuals and steps. It is made from stored
 * turns (`restore-session.ts`) and from events (`apply-event.ts`), and both lead to the same view. Pure;
 * independent of React, of connections and of the clock.
 */
import type {
  CopilotAnswerFragment,
  CopilotChartFragment,
  CopilotErrorFragment,
  CopilotEventsSubscription,
  CopilotQuestionFragment,
  CopilotRatingFragment,
  CopilotTableFragment,
  CopilotToolCallFragment,
  CopilotTurnFragment,
  CopilotTurnPlaceFragment,
  CopilotUsageFragment,
} from '../../../gql/graphql.ts';

/** An event as the pages ask for it. */
export type CopilotEvent = CopilotEventsSubscription['copilotEvents'];

type ApprovalEvent = Extract<CopilotEvent, { __typename: 'ToolApprovalEvent' }>;

/** Something besides the steps that a reader should know about how an answer came about. */
export type Notice = Pick<StoredTurn['notices'][number], 'kind' | 'text'>;

/** A turn as it is stored. */
export type StoredTurn = CopilotTurnFragment;

/** The place of a turn, from an event or a mutation. */
export type TurnPlace = CopilotTurnPlaceFragment;

/** A piece of an answer, in reading order. */
export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'chart'; readonly chart: CopilotChartFragment }
  | { readonly type: 'table'; readonly table: CopilotTableFragment }
  /** What the user added meanwhile. */
  | { readonly type: 'message'; readonly message: CopilotQuestionFragment };

/** What the model thought between two things that it said or did. */
export type Thought = {
  readonly number: number;
  /** Null where it is stored and was not read. */
  readonly text: string | null;
  /** Null while it lasts, and where it was broken off. */
  readonly durationMs: number | null;
};

/** What a person is asked before a call that changes something outside of the server, or decided. */
export type StepApproval = {
  readonly toolCallId: string;
  readonly state: ApprovalEvent['approval']['state'];
  readonly server: string;
  readonly serverTool: string;
  readonly arguments: unknown;
  /** ISO time. */
  readonly until: string;
};

/** Status of a step. */
export type StepStatus = CopilotToolCallFragment['toolStatus'];

/** Something that was done for an answer: a tool call. */
export type Step = {
  readonly callId: string;
  readonly tool: string;
  readonly label: string;
  readonly description: string;
  readonly status: StepStatus;
  /** ISO time; null once it has ended and {@link durationMs} is known. */
  readonly startedAt: string | null;
  readonly durationMs: number | null;
  readonly dataSource: CopilotToolCallFragment['dataSource'];
  /** One line about the result; empty while it runs. */
  readonly preview: string;
  readonly error: CopilotErrorFragment | null;
  /** Id of the ToolCall that has arguments and result; null until it has ended. */
  readonly recordId: string | null;
  /** While it runs, of a call that needs one. */
  readonly approval?: StepApproval;
};

/** What a running turn is busy with, in the server's words. */
export type Activity = { readonly phase: string | null; readonly text: string };

/** A question and its answer. */
export type TurnView = {
  readonly id: string;
  /** Cursor just before its first event. */
  readonly afterSeq: number;
  readonly parentId: string | null;
  /** Ids of the turns that follow the same one, itself among them, in the order of asking. */
  readonly siblingIds: readonly string[];
  /** Id of the answer that it compares with live values, where it is a dispute. */
  readonly disputedId: string | null;
  /** Id of the turn that its message is to join, or has joined. */
  readonly joinsId: string | null;
  readonly question: CopilotQuestionFragment;
  readonly status: StoredTurn['status'];
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly activity: Activity | null;
  readonly thoughts: readonly Thought[];
  readonly steps: readonly Step[];
  readonly notices: readonly Notice[];
  readonly parts: readonly Part[];
  /** What is known of the answer as a whole; null until it is stored. */
  readonly answer: Omit<CopilotAnswerFragment, 'blocks'> | null;
  readonly usage: CopilotUsageFragment | null;
  readonly error: CopilotErrorFragment | null;
  readonly rounds: number;
};

/** A conversation. */
export type SessionView = {
  /** Number of the last event in it. */
  readonly seq: number;
  /** Ids of the shown turns, oldest first. */
  readonly branch: readonly string[];
  readonly turns: Readonly<Record<string, TurnView>>;
  /** Cursor of what comes before {@link branch}; null when that is all. */
  readonly olderCursor: string | null;
  /** A turn began behind one that is not shown: the branch must be read again. */
  readonly isBehind: boolean;
};

/** A conversation without turns. */
export const EMPTY_SESSION: SessionView = {
  seq: 0,
  branch: [],
  turns: {},
  olderCursor: null,
  isBehind: false,
};

/** Whether a turn will change no more. */
export const isFinal = ({ status }: Pick<TurnView, 'status'>): boolean =>
  status !== 'RUNNING' && status !== 'QUEUED';

/** The shown turns, oldest first. One that joined another is shown within that one. */
export const shownTurns = ({ branch, turns }: SessionView): readonly TurnView[] =>
  branch.flatMap((id) => turns[id] ?? []).filter(({ status }) => status !== 'JOINED');

/** The turn that runs, else the first that waits; null when the conversation is idle. */
export function activeTurnOf({ turns }: SessionView): TurnView | null {
  const open = Object.values(turns).filter((turn) => !isFinal(turn));
  return open.find(({ status }) => status === 'RUNNING') ?? open[0] ?? null;
}

/** Text of an answer without charts and tables. */
export const textOf = (parts: readonly Part[]): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

/** The view after the viewer rated an answer; null: without a rating. */
export function withRating(
  view: SessionView,
  messageId: string,
  rating: CopilotRatingFragment | null,
): SessionView {
  const turn = Object.values(view.turns).find(({ answer }) => answer?.id === messageId);
  if (!turn?.answer) return view;
  const rated = { ...turn, answer: { ...turn.answer, rating } };
  return { ...view, turns: { ...view.turns, [turn.id]: rated } };
}

/** A message from the key that sends it until its turn is shown. */
export type Pending = {
  readonly content: string;
  /** The conversation that it was sent in; null where it begins one. */
  readonly from: string | null;
  /** The newest turn that was known before it; null for none. */
  readonly after: string | null;
  /** What it became; null until the server has taken it. */
  readonly sent: { readonly sessionId: string; readonly turnId: string } | null;
};

/** Whether a message is on its way in the conversation that is open. */
export const isOnItsWayIn = ({ from, sent }: Pending, sessionId: string | null): boolean =>
  sessionId === from || (sent !== null && sessionId === sent.sessionId);

/**
 * Whether its turn is there. Its event may arrive before the mutation's result: it is then the newest one
 * that has its words.
 */
export function isShownAsTurn({ content, after, sent }: Pending, view: SessionView | null): boolean {
  if (view === null) return false;
  if (sent !== null) return view.turns[sent.turnId] !== undefined;
  const newest = shownTurns(view).at(-1);
  return newest !== undefined && newest.id !== after && newest.question.text === content;
}
