/**
 * Stores a turn: busy rule, limits, and starting it once it is stored. Everything that starts turns goes through
 * here.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Message, Session, Turn, TurnExtra, Viewer } from '../../domain/conversation/session.ts';
import { ConflictError, InvalidInputError, NotFoundError, SessionBusyError } from '../../base/errors.ts';
import type { Db, Tx } from '../../stores/pg/database.ts';
import { TURNS_CHANNEL, notify } from '../../stores/pg/events.ts';
import { findMessages } from '../../stores/pg/messages.ts';
import { findSessions, lockOwnSession } from '../../stores/pg/sessions.ts';
import { insertTurn } from '../../stores/pg/turn-start.ts';
import type { Lease, NewTurn, Question, StartedTurn, TurnPlace } from '../../stores/pg/turn-start.ts';
import { findStartedTurn, requestCancel } from '../../stores/pg/turns.ts';
import { readActivity, type Activity } from '../../stores/pg/usage.ts';
import { viewerTransaction } from '../../stores/pg/viewer-transaction.ts';
import type { Tracing } from '../../base/tracing/tracing.ts';
import { assertNotLinked } from '../linked-session.ts';
import { assertMayWait, assertWithinLimits } from './turn-limits.ts';
import type { CopilotLimits } from './turn-limits.ts';

/**
 * What to do with a message when its session is busy: refuse it, queue it, cancel the running turn for it, or have that
 * turn read it at its next round.
 */
export const WHEN_BUSY = ['REJECT', 'QUEUE', 'SUPERSEDE', 'STEER'] as const;
export type WhenBusy = (typeof WHEN_BUSY)[number];

/** An accepted message. Following the session after `lastSeq` shows the turn from its first event. */
export type SentMessage = {
  readonly session: Session;
  readonly turn: Turn;
  readonly message: Message;
  readonly lastSeq: number;
};

/** The part of the runner that starting a turn needs. */
export type TurnStarter = {
  /** The lease for a turn that starts here at once; null when this process is full or shutting down. */
  lease(): Lease | null;
  start(started: StartedTurn, viewer: Viewer): void;
  /** Starts turns that wait in line, as far as there is room. Never rejects. */
  startWaiting(): Promise<void>;
};

export type StartTurnDeps = {
  readonly tracing: Tracing;
  readonly db: Db;
  readonly runner: TurnStarter;
  readonly limits: CopilotLimits;
};

/** A stored turn, and what to do after the transaction. */
export type StoredTurn = {
  readonly sent: SentMessage;
  readonly next: 'run' | 'start-next' | 'wait';
  /** Of a turn that runs now: what it need not look for. */
  readonly lacks?: readonly TurnExtra[];
};

/** Most queued turns of one session. */
const MAX_QUEUED = 5;

/** The kind of session whose mutations ask again. */
export type AskedAs = { readonly askedAs: 'COPILOT' | 'BUILDER' };

/**
 * Starts the turn that `prepare` returns, unless the client id started the same one before. A busy session refuses it.
 * @throws ConflictError, NotFoundError, SessionBusyError, SessionLinkedError, RateLimitedError, BudgetExceededError
 */
export async function startTurnOnce(
  deps: StartTurnDeps,
  viewer: Viewer,
  prepare: (tx: Tx) => Promise<NewTurn & AskedAs & { readonly sessionId: string }>,
): Promise<SentMessage> {
  const stored = await viewerTransaction(deps.db, viewer, async (tx) => {
    const { sessionId, askedAs, ...turn } = await prepare(tx);
    const earlier = await findStarted(tx, viewer, turn.clientMessageId, (started) => isTurn(turn, started));
    if (earlier?.sent.session.kind === askedAs) return earlier;
    const session = await holdSession(tx, viewer, sessionId);
    await assertMayAskAgain(tx, viewer, session, { ...turn, askedAs });
    return storeTurn(tx, deps, viewer, session, { ...turn, whenBusy: 'REJECT' });
  });
  return afterStoring(deps, viewer, stored);
}

/** Whether an earlier turn is the requested one. */
function isTurn(
  { question, replaces, disputedId, model, effort, answerSchema }: NewTurn,
  { turn, message }: SentMessage,
): boolean {
  const isQuestion =
    question.type === 'again'
      ? message.id === question.message.id
      : message.turnId === turn.id && message.text === question.text;
  return (
    isQuestion &&
    turn.replacesId === (replaces?.id ?? null) &&
    turn.disputedId === disputedId &&
    turn.model === model &&
    turn.effort === effort &&
    isDeepStrictEqual(turn.answerSchema, answerSchema)
  );
}

/**
 * Stores a turn in a session of the viewer; its row must be locked. `known`: what was read since then.
 * @throws SessionBusyError, RateLimitedError, BudgetExceededError
 */
export async function storeTurn(
  tx: Tx,
  deps: StartTurnDeps,
  viewer: Viewer,
  session: Session,
  given: NewTurn & { readonly whenBusy: WhenBusy },
  known: Activity | null = null,
): Promise<StoredTurn> {
  const activity =
    known ??
    (await readActivity(
      tx,
      { viewerId: viewer.id, projectId: viewer.projectId, sessionId: session.id },
      deps.limits.budgets,
    ));
  assertWithinLimits(activity, deps.limits);
  const { open } = activity;
  const hasRoom = activity.otherRunningSessions < deps.limits.turnsPerUser;
  const place = placeFor(open, given.whenBusy, hasRoom ? deps.runner.lease() : null);
  if (open.length === 0 && place.type === 'queue') assertMayWait(activity, deps.limits);
  const running = open.find(({ status }) => status === 'RUNNING');
  if (running && given.whenBusy === 'SUPERSEDE') {
    await requestCancel(tx, running.id, 'A newer message took its place.');
    await notify(tx, TURNS_CHANNEL, session.id);
  }
  const { turn, question, lastSeq } = await insertTurn(tx, viewer, session, {
    ...given,
    place,
    traceparent: deps.tracing.traceparent(),
  });
  const touched = { ...session, lastSeq: lastSeq + 1, updatedAt: turn.createdAt };
  const sent = { session: touched, turn, message: question, lastSeq };
  const lacks = hasPictures(given.question) ? activity.lacks : ([...activity.lacks, 'PICTURES'] as const);
  return { sent, next: place.type === 'run' ? 'run' : running ? 'wait' : 'start-next', lacks };
}

/**
 * What the client id started before; null if it is new.
 * @throws ConflictError unless `isSame`
 */
export async function findStarted(
  tx: Tx,
  viewer: Viewer,
  clientMessageId: string,
  isSame: (started: SentMessage) => boolean,
): Promise<StoredTurn | null> {
  const started = await findStartedTurn(tx, viewer, clientMessageId);
  if (started === null) return null;
  const { turn, lastSeq } = started;
  const [session] = await findSessions(tx, viewer, [turn.sessionId]);
  const [message] = await findMessages(tx, viewer, [turn.questionId]);
  if (session && message && isSame({ session, turn, message, lastSeq })) {
    return { sent: { session, turn, message, lastSeq }, next: 'wait' };
  }
  throw new ConflictError(
    `clientMessageId ${clientMessageId} was used for another message; make a new one for each message`,
  );
}

/** After the transaction: runs the turn here, or makes sure that some process does. */
export async function afterStoring(
  { runner, tracing }: StartTurnDeps,
  viewer: Viewer,
  { sent, next, lacks = [] }: StoredTurn,
): Promise<SentMessage> {
  const { session, turn, message: question } = sent;
  if (next === 'run') {
    runner.start({ session, turn, question, traceparent: tracing.traceparent(), lacks }, viewer);
  }
  if (next === 'start-next') void runner.startWaiting(); // the message is stored, whenever it begins
  return sent;
}

/**
 * A session of the viewer, its row locked until the transaction ends.
 * @throws NotFoundError, the same for a foreign session
 */
export async function holdSession(tx: Tx, viewer: Viewer, sessionId: string): Promise<Session> {
  const session = await lockOwnSession(tx, viewer, sessionId);
  if (!session) throw unknownSession(sessionId);
  return session;
}

/** For a session that does not exist or belongs to somebody else. */
export const unknownSession = (sessionId: string): NotFoundError =>
  new NotFoundError(
    `you have no conversation ${sessionId}; start one by sending a message without sessionId`,
  );

/** Whether a question has pictures, or may have: one that is asked again keeps those it was sent with. */
const hasPictures = (question: Question): boolean =>
  question.type === 'again' || question.keepsImagesOf !== undefined || (question.images ?? []).length > 0;

function placeFor(open: Activity['open'], whenBusy: WhenBusy, lease: Lease | null): TurnPlace {
  const [first] = open;
  if (first === undefined) {
    return lease ? { type: 'run', lease } : { type: 'queue', first: false, inLine: true };
  }
  if (whenBusy === 'REJECT') {
    throw new SessionBusyError(
      first.id,
      'this conversation is still being answered: wait for it, cancel it, or send with whenBusy QUEUE, STEER or SUPERSEDE',
    );
  }
  const queued = open.filter(({ status }) => status === 'QUEUED').length;
  if (queued >= MAX_QUEUED) {
    throw new SessionBusyError(
      first.id,
      `${queued} messages of this conversation are queued already; ${MAX_QUEUED} is the limit`,
    );
  }
  if (whenBusy === 'STEER') return { type: 'queue', first: true, joinsId: first.id };
  return { type: 'queue', first: whenBusy === 'SUPERSEDE' };
}

/** Turns are asked again by the mutations of their own kind of session. */
async function assertMayAskAgain(
  tx: Tx,
  viewer: Viewer,
  session: Session,
  { askedAs, disputedId, replaces }: Pick<NewTurn, 'disputedId' | 'replaces'> & AskedAs,
): Promise<void> {
  switch (session.kind) {
    case 'COPILOT':
      if (askedAs === 'COPILOT') return;
      throw new ConflictError('this turn belongs to a conversation: use retryTurn or editMessage');
    case 'BUILDER':
      if (disputedId !== null && replaces === null) {
        throw InvalidInputError.at(
          ['input', 'messageId'],
          'belongs to the instruction builder, which reads no values; ask about them in a conversation',
        );
      }
      if (askedAs === 'COPILOT') {
        throw new ConflictError(
          'this turn belongs to the instruction builder: use retryBuilderTurn or editBuilderMessage',
        );
      }
      return assertNotLinked(tx, viewer, session.id);
    case 'JOB':
      throw new ConflictError(
        'this turn is a phase of a job, which only its worker continues: use retryJob or reviewJob',
      );
    default:
      session.kind satisfies never;
  }
}
