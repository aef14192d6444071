import { v4 as uuid } from 'uuid';
import { startRunner, type RunnerRoom } from '../../src/agent/runner/runner.ts';
import type { RunnerTimes, TurnRunner } from '../../src/agent/runner/runner.ts';
import type { AnswerTurn, TurnRun } from '../../src/agent/turn-run.ts';
import type { SessionEvent, SessionEventType } from '../../src/domain/conversation/session-event.ts';
import type { Turn, Viewer } from '../../src/domain/conversation/session.ts';
import type { TurnOutcome } from '../../src/domain/conversation/turn-activity.ts';
import { createEventLog } from '../../src/events/event-log.ts';
import type { EventLog } from '../../src/events/event-log.ts';
import { startWakeUps } from '../../src/events/wake-ups.ts';
import type { WakeUps } from '../../src/events/wake-ups.ts';
import { createLogger } from '../../src/base/log.ts';
import type { CopilotService } from '../../src/services/copilot/copilot.ts';
import type { SendMessageInput } from '../../src/services/copilot/send-message.ts';
import { createCopilotService, type CopilotDeps } from '../../src/services/copilot/copilot.ts';
import type { CopilotLimits } from '../../src/services/copilot/turn-limits.ts';
import { openDatabase } from '../../src/stores/pg/database.ts';
import type { OpenDatabase } from '../../src/stores/pg/database.ts';
import { noTracing } from '../../src/base/tracing/tracing.ts';
import { completed, text } from './activities.ts';
import { until } from '@qpilot/test-support';

/** A viewer of the demo project. */
export const viewer: Viewer = { id: 'ada', name: 'Ada', projectId: 'demo', role: 'owner', isOperator: true };

/** Conversations as one process serves them, without GraphQL and without a model. */
export type Chat = OpenDatabase & {
  readonly wakeUps: WakeUps;
  readonly eventLog: EventLog;
  readonly runner: TurnRunner;
  readonly copilot: CopilotService;
  stop(): Promise<void>;
};

/** What may differ from test to test. */
export type ChatOptions = Partial<Pick<CopilotDeps, 'checkContext' | 'checkModel' | 'uploads'>> & {
  readonly answerTurn?: AnswerTurn;
  readonly limits?: Partial<CopilotLimits & RunnerRoom>;
  readonly times?: Partial<RunnerTimes>;
  readonly logLevel?: string;
  readonly now?: () => Date;
  /** Time between the regular hints. */
  readonly hintMs?: number;
};

/** Starts everything that a process needs for conversations on the database of `url`; `stop` ends it. */
export async function startChat(url: string, options: ChatOptions = {}): Promise<Chat> {
  const log = createLogger(options.logLevel ?? 'silent');
  const database = openDatabase(url, { log });
  const wakeUps = startWakeUps({ url, log, ...(options.hintMs && { intervalMs: options.hintMs }) });
  await wakeUps.listening;
  const eventLog = createEventLog({ ...database, wakeUps });
  const limits = {
    messagesPerMinute: 1_000,
    turnsPerUser: 100,
    turnsAtOnce: 100,
    waitingPerUser: 100,
    sessionTokens: 1_000_000,
    userTokensPerDay: 2_000_000,
    projectTokensPerDay: 1_000_000_000,
    ...options.limits,
  };
  const runner = startRunner({
    tracing: noTracing,
    ...database,
    wakeUps,
    eventLog,
    log,
    budgets: limits,
    answerTurn: options.answerTurn ?? (async () => completed),
    leases: database.db,
    room: limits,
    now: options.now ?? (() => new Date()),
    ...(options.times && { times: options.times }),
  });
  const copilot = createCopilotService({
    tracing: noTracing,
    ...database,
    eventLog,
    runner,
    limits,
    checkContext: options.checkContext ?? (async () => undefined),
    checkModel: options.checkModel ?? (() => undefined),
    assertSeesImages: () => undefined,
    assertWritesDocuments: () => undefined,
    uploads: options.uploads ?? { removeOrphaned: async () => undefined },
  });
  const stop = async (): Promise<void> => {
    await runner.stop();
    await wakeUps.close();
    await database.close();
  };
  return { ...database, wakeUps, eventLog, runner, copilot, stop };
}

/** A message with an id of its own. */
export const ask = (content: string, more: Partial<SendMessageInput> = {}): SendMessageInput => ({
  content,
  clientMessageId: uuid(),
  ...more,
});

/** A running turn in the hands of a test. */
export type HeldTurn = {
  readonly run: TurnRun;
  readonly say: (words: string) => void;
  readonly finish: (outcome?: TurnOutcome) => void;
  readonly fail: (error: unknown) => void;
};

/** Turns that do what the test says, when it says it. Unless `stubborn`, they end when they are aborted. */
export function heldTurns({ stubborn = false } = {}): {
  readonly answerTurn: AnswerTurn;
  of(turn: { readonly id: string }): Promise<HeldTurn>;
} {
  const held = new Map<string, HeldTurn>();
  return {
    answerTurn: (run) => {
      const end = Promise.withResolvers<TurnOutcome>();
      if (!stubborn) run.signal.addEventListener('abort', () => end.reject(run.signal.reason));
      held.set(run.turn.id, {
        run,
        say: (words) => run.emit(text(words)),
        finish: (outcome = completed) => end.resolve(outcome),
        fail: end.reject,
      });
      return end.promise;
    },
    of: ({ id }) => until(() => held.get(id), { what: `turn ${id} to run` }),
  };
}

/** The turn once it has ended. */
export async function ended(
  { copilot }: Pick<Chat, 'copilot'>,
  { id }: { readonly id: string },
  who = viewer,
): Promise<Turn> {
  return until(
    async () => {
      const [turn] = await copilot.byId.turns(who, [id]);
      return turn?.finishedAt ? turn : null;
    },
    { what: `end of turn ${id}` },
  );
}

/** Events after `afterSeq` up to and with the first that ends a turn (of `turnId`, if given). */
export async function readToEnd(
  { copilot }: Pick<Chat, 'copilot'>,
  sessionId: string,
  { afterSeq = 0, turnId }: { readonly afterSeq?: number; readonly turnId?: string } = {},
): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  for await (const event of await copilot.follow(viewer, sessionId, afterSeq, AbortSignal.timeout(60_000))) {
    events.push(event);
    if (event.type === 'TurnFinishedEvent' && event.turnId === (turnId ?? event.turnId)) return events;
  }
  throw new Error(`no turn of session ${sessionId} ended; saw ${events.map(({ type }) => type).join(', ')}`);
}

/** The events of one type, with their payloads. */
export function ofType<Type extends SessionEventType>(
  events: readonly SessionEvent[],
  type: Type,
): readonly Extract<SessionEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<SessionEvent, { type: Type }> => event.type === type);
}

/** The answer and the tool calls of a turn. */
export async function leftBehind({ copilot }: Pick<Chat, 'copilot'>, turn: Turn) {
  const [message] = await copilot.byId.messages(viewer, [turn.answerId ?? '']);
  const [toolCalls] = await copilot.toolCallsOfTurns(viewer, [turn.id]);
  return { message, toolCalls };
}

/** The answer as a client puts it together, without step resets. */
export const textOf = (events: readonly SessionEvent[]): string =>
  ofType(events, 'TokenEvent')
    .map(({ payload }) => payload.text)
    .join('');
