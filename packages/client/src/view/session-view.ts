/**
 * What a page shows of a conversation: turns, each with its text, visuals and steps. It is made from events
 * (`apply-event.ts`), and may begin with turns that were read as they are stored; both lead to the same view. Pure;
 * independent of connections and of the clock.
 */
import type { SessionEvent } from '../events.ts';
import type {
  CopilotAnswerFragment,
  CopilotChartFragment,
  CopilotErrorFragment,
  CopilotQuestionFragment,
  CopilotTableFragment,
  CopilotTurnPlaceFragment,
  CopilotUsageFragment,
} from '../gql/graphql.ts';

/** An event of one kind. */
export type EventOf<Name extends SessionEvent['__typename']> = Extract<SessionEvent, { __typename: Name }>;

type ApprovalEvent = EventOf<'ToolApprovalEvent'>;

/** Something besides the steps that a reader should know about how an answer came about. */
export type Notice = { readonly kind: 'SOURCE_FALLBACK' | 'STEP_RESET'; readonly text: string };

/** The place of a turn, from an event or a mutation. */
export type TurnPlace = CopilotTurnPlaceFragment;

type JsonObject = Readonly<Record<string, unknown>>;

/** A chart; `data` and `layout` are Plotly's, except for the kind `INDICATOR`, whose `data` has one number each. */
export type Chart = Omit<CopilotChartFragment, 'data' | 'layout'> & {
  readonly data: readonly JsonObject[];
  readonly layout: JsonObject;
};

/** A piece of an answer, in reading order. */
export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'chart'; readonly chart: Chart }
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
export type StepStatus = EventOf<'ToolCallFinishedEvent'>['toolStatus'];

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
  readonly dataSource: EventOf<'ToolCallFinishedEvent'>['dataSource'];
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
  readonly status: EventOf<'TurnFinishedEvent'>['turnStatus'];
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

/** A turn of which only the place is known, without an answer yet. */
export function newTurn(place: TurnPlace, status: 'QUEUED' | 'RUNNING'): TurnView {
  return {
    id: place.id,
    afterSeq: place.afterSeq,
    parentId: place.parent?.id ?? null,
    siblingIds: place.siblings.map(({ id }) => id),
    disputedId: place.disputed?.id ?? null,
    joinsId: place.joins?.id ?? null,
    question: place.question,
    status,
    startedAt: place.startedAt ?? null,
    finishedAt: null,
    activity: null,
    thoughts: [],
    steps: [],
    notices: [],
    parts: [],
    answer: null,
    usage: null,
    error: null,
    rounds: 0,
  };
}

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
