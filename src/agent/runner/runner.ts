/**
 * Owns the running turns of this process: starts them, renews their leases, applies cancels, and ends them on
 * shutdown. It also closes turns that nobody runs any more and starts queued ones. It is independent of how a turn is
 * answered.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { backgroundViewer, type Viewer } from '../../domain/conversation/session.ts';
import { isProcessGone, newProcessId } from '../../base/process-identity.ts';
import type { WakeUps } from '../../events/wake-ups.ts';
import type { Db } from '../../stores/pg/database.ts';
import { findRunningTurns, readOwnTurns, renewLeases, type RunningTurn } from '../../stores/pg/leases.ts';
import { NOTHING_KNOWN, finishTurn, type SuccessionRight } from '../../stores/pg/turn-finish.ts';
import { nextInLine } from '../../stores/pg/turn-line.ts';
import { startNextTurn, type Lease, type StartedTurn } from '../../stores/pg/turn-start.ts';
import { isOutage, isUnavailable } from '../../stores/pg/unavailable.ts';
import { TurnLostError } from './event-writer.ts';
import { INTERRUPTED, TurnStoppedError, runTurn, type RunTurnDeps } from './run-turn.ts';

/** Times of the runner, in milliseconds. */
export type RunnerTimes = {
  readonly leaseMs: number;
  readonly renewMs: number;
  /** Between checks for abandoned turns. */
  readonly sweepMs: number;
  /** Others get this long to renew their leases after Postgres was away, or this process stood still. */
  readonly othersMs: number;
  readonly graceMs: number;
  readonly drainMs: number;
  readonly retryForMs: number;
  /** How long a call waits for a person to approve it. */
  readonly approvalMs: number;
};

const DEFAULT_TIMES: RunnerTimes = {
  leaseMs: 3_500,
  renewMs: 800,
  sweepMs: 700,
  othersMs: 3_000,
  graceMs: 50,
  drainMs: 20_000,
  retryForMs: 10_000,
  approvalMs: 600_000,
};

/** The caller owns and closes what it passes. */
export type RunnerDeps = Omit<RunTurnDeps, 'owner' | 'graceMs' | 'retryForMs' | 'approvalMs' | 'stopping'> & {
  readonly wakeUps: WakeUps;
  readonly times?: Partial<RunnerTimes>;
  /** Clock for the ages of data in answers; leases use the clock of the database. */
  readonly now: () => Date;
  /** A connection of its own for the leases, so that they are renewed when all others are in use. */
  readonly leases: Db;
  readonly room: RunnerRoom;
  /** Done with each sweep. `couldRenew`: others had the time to renew their leases. */
  readonly alsoSweep?: ((couldRenew: boolean) => Promise<void>) | undefined;
};

/**
 * How many conversations are answered at once: by this process, which messages that arrive together may exceed by a few,
 * and of one user. Phases of jobs are not counted.
 */
export type RunnerRoom = { readonly turnsAtOnce: number; readonly turnsPerUser: number };

/** Starts a runner, which begins at once to close abandoned turns and to start queued ones. */
export function startRunner({ wakeUps, leases, now, room, alsoSweep, ...deps }: RunnerDeps): TurnRunner {
  const times = { ...DEFAULT_TIMES, ...deps.times };
  const owner = newProcessId();
  const runner = new TurnRunner({ ...deps, owner, ...times }, times, { leases, now, room, alsoSweep });
  runner.watch(wakeUps);
  return runner;
}

/** How many abandoned turns are closed at the same time. */
const CLOSED_AT_ONCE = 4;

type Run = {
  readonly sessionId: string;
  readonly control: AbortController;
  readonly done: Promise<void>;
};

/** The running turns of one process. */
export class TurnRunner {
  readonly #deps: RunTurnDeps;
  readonly #times: RunnerTimes;
  readonly #leases: Db;
  readonly #now: () => Date;
  readonly #room: RunnerRoom;
  readonly #alsoSweep: RunnerDeps['alsoSweep'];
  readonly #running = new Map<string, Run>();
  /** Fires when the drain time is over, and when all turns have ended. */
  readonly #interrupted = new AbortController();
  readonly #stopped = new AbortController();
  /** Running turns of conversations whose answer has not ended. */
  #answering = 0;
  #looking: Promise<void> = Promise.resolve();
  #nextLook: Promise<void> | null = null;
  #isDraining = false;
  #loops: Promise<unknown> = Promise.resolve();
  /** Abandoned turns that are being closed. */
  readonly #closing = new Map<string, Promise<void>>();
  /** Since when others could renew their leases, as far as this process knows. */
  #othersSince = Number.NEGATIVE_INFINITY;
  #checking: Promise<void> = Promise.resolve();
  #checksWaiting = 0;
  #unwatch: () => void = () => undefined;

  constructor(
    deps: Omit<RunTurnDeps, 'stopping'>,
    times: RunnerTimes,
    own: Pick<RunnerDeps, 'leases' | 'now' | 'room' | 'alsoSweep'>,
  ) {
    const { leases, now, room, alsoSweep } = own;
    this.#deps = { ...deps, stopping: this.#interrupted.signal };
    this.#times = times;
    this.#leases = leases;
    this.#now = now;
    this.#room = room;
    this.#alsoSweep = alsoSweep;
  }

  /** The id of this process, as it stands beside its turns. */
  get owner(): string {
    return this.#deps.owner;
  }

  /** Number of turns that run now. */
  get running(): number {
    return this.#running.size;
  }

  /** Lease to store with a turn so that it runs here at once; null while full or shutting down: it then waits. */
  lease(): Lease | null {
    return this.#free <= 0 ? null : this.phaseLease();
  }

  /** As {@link lease}, for a phase of a job, which takes no place of a conversation; null only while shutting down. */
  phaseLease(): Lease | null {
    return this.#isDraining ? null : this.#lease;
  }

  get #free(): number {
    return this.#room.turnsAtOnce - this.#answering;
  }

  get #lease(): Lease {
    return { owner: this.#deps.owner, leaseMs: this.#times.leaseMs, asOf: this.#now() };
  }

  /**
   * Runs a turn that was stored with {@link lease}. Returns at once; the run depends on no caller. `agent` names who
   * answers in traces.
   */
  start(started: StartedTurn, viewer: Viewer, agent = started.session.kind.toLowerCase()): void {
    const { id, sessionId } = started.turn;
    const control = new AbortController();
    const done = this.#run({ ...started, viewer }, control, agent);
    this.#running.set(id, { sessionId, control, done });
  }

  /**
   * Starts turns that wait in line, as far as there is room. Calls before it looks share one look. Never rejects: what
   * could not be started is looked for again when a turn ends, and regularly.
   */
  startWaiting(): Promise<void> {
    if (this.#nextLook === null) {
      const look = this.#looking
        .then(() => {
          this.#nextLook = null;
          return this.#startInLine();
        })
        .catch((error: unknown) => this.#logError(error));
      this.#nextLook = look;
      this.#looking = look;
    }
    return this.#nextLook;
  }

  async #startInLine(): Promise<void> {
    if (this.lease() === null) return;
    const { turnsPerUser } = this.#room;
    const line = await nextInLine(this.#deps.db, { turnsPerUser, most: this.#free });
    // One that cannot be started now holds up none of the others.
    await Promise.all(
      line.map((next) =>
        this.#startNext({ ...next, turnsPerUser }).catch((error: unknown) => this.#logError(error)),
      ),
    );
  }

  async #startNext(next: Parameters<typeof startNextTurn>[1]): Promise<void> {
    const lease = this.lease();
    const started = lease && (await startNextTurn(this.#deps.db, next, lease));
    if (!started) return;
    const { viewerId, projectId, kind } = started.session;
    this.start(started, backgroundViewer(viewerId, projectId, kind));
  }

  /** Ends a turn that runs here as if the process stopped; ignores others. */
  interrupt(turnId: string): void {
    this.#running.get(turnId)?.control.abort(new TurnStoppedError('SHUTDOWN'));
  }

  /** Resolves once a turn no longer runs here. */
  async ended(turnId: string): Promise<void> {
    await this.#running.get(turnId)?.done;
  }

  watch(wakeUps: WakeUps): void {
    this.#unwatch = wakeUps.onTurns((sessionId) => this.#checkSoon(sessionId));
    this.#loops = Promise.all([
      this.#regularly(this.#times.renewMs, () => this.#renew()),
      this.#regularly(this.#times.sweepMs, (late) => this.#sweep(late)),
    ]);
  }

  /** Starts nothing more, gives running turns the drain time to end, then interrupts and closes the rest. */
  async stop(): Promise<void> {
    this.#isDraining = true;
    const allDone = async (): Promise<void> => {
      while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ done }) => done));
    };
    const drained = new AbortController();
    const late = sleep(this.#times.drainMs, undefined, { signal: drained.signal }).catch(() => undefined);
    await Promise.race([allDone(), late]);
    drained.abort();
    this.#interrupted.abort();
    for (const { control } of this.#running.values()) control.abort(new TurnStoppedError('SHUTDOWN'));
    await allDone();
    this.#unwatch();
    this.#stopped.abort();
    await Promise.all([this.#loops, ...this.#closing.values(), this.#checking]);
    await this.#looking;
  }

  async #run(
    started: StartedTurn & { readonly viewer: Viewer },
    control: AbortController,
    agent: string,
  ): Promise<void> {
    const { id } = started.turn;
    const isCounted = started.session.kind !== 'JOB';
    if (isCounted) this.#answering += 1;
    await runTurn(this.#deps, started, control, agent).catch((error: unknown) => {
      this.#deps.log.error(
        { err: error, turnId: id },
        'a turn could not be closed; it will be once its lease has run out',
      );
    });
    if (isCounted) {
      this.#answering -= 1;
      await this.startWaiting();
    }
    this.#running.delete(id); // last, so that waiting for all turns includes a queued one
  }

  /** Schedules a check of this process's turns, unless one is already scheduled. */
  #checkSoon(sessionId: string | null): void {
    const isConcerned = [...this.#running.values()].some(
      (one) => one.sessionId === (sessionId ?? one.sessionId),
    );
    if (!isConcerned || this.#checksWaiting > 0) return;
    this.#checksWaiting += 1;
    this.#checking = this.#checking.then(async () => {
      this.#checksWaiting -= 1;
      await this.#check().catch((error: unknown) => this.#logError(error));
    });
  }

  async #check(): Promise<void> {
    const checked = [...this.#running]; // a turn that starts meanwhile may be missing from the query's result
    const own = await readOwnTurns(this.#deps.db, this.#deps.owner);
    for (const [turnId, { control }] of checked) {
      const cancelRequested = own.get(turnId);
      if (cancelRequested === undefined)
        control.abort(new TurnLostError(`turn ${turnId} was closed elsewhere`));
      else if (cancelRequested) control.abort(new TurnStoppedError('CANCELLED'));
    }
  }

  /** Does `work` at once, then after each pause, however it ended; `late` is how much longer than that the pause was. */
  async #regularly(pauseMs: number, work: (late: number) => Promise<void>): Promise<void> {
    const { signal } = this.#stopped;
    let due = performance.now();
    while (!signal.aborted) {
      await work(performance.now() - due).catch((error: unknown) => this.#logError(error));
      due = performance.now() + pauseMs;
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #renew(): Promise<void> {
    if (this.#running.size === 0) return;
    await renewLeases(this.#leases, this.#lease, [...this.#running.keys()]);
  }

  /**
   * Closes abandoned turns, none waiting for another, and starts queued ones. A turn of this process that does not run
   * here is abandoned, too: its end, or the answer that it was stored, got lost.
   */
  async #sweep(late: number): Promise<void> {
    if (this.#isDraining) return;
    const { db } = this.#deps;
    if (late > this.#times.leaseMs / 2) this.#othersSince = performance.now();
    const turns = await this.#meetOutages(findRunningTurns(db, this.#times.othersMs));
    const couldRenew = performance.now() - this.#othersSince > this.#times.othersMs;
    for (const turn of turns) {
      if (this.#running.has(turn.id)) continue;
      if (isProcessGone(turn.owner)) this.#close(turn, { as: 'heir', of: turn.owner });
      else if (turn.isExpired && couldRenew) this.#close(turn, { as: 'successor' });
    }
    await this.startWaiting();
    await this.#meetOutages(this.#alsoSweep?.(couldRenew));
  }

  /** What cannot be read or stored now, others could not renew either. */
  async #meetOutages<T>(work: T | Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (isOutage(error)) this.#othersSince = performance.now();
      throw error;
    }
  }

  /** Closes a turn that nobody runs, unless that is going on; if it cannot be closed now, the next sweep tries again. */
  #close(turn: RunningTurn, right: SuccessionRight): void {
    if (this.#closing.has(turn.id) || this.#closing.size >= CLOSED_AT_ONCE) return;
    const closing = this.#meetOutages(this.#takeOver(turn, right))
      .catch((error: unknown) => this.#logError(error))
      .finally(() => this.#closing.delete(turn.id));
    this.#closing.set(turn.id, closing);
  }

  async #takeOver(turn: RunningTurn, right: SuccessionRight): Promise<void> {
    const closed = await finishTurn(
      this.#deps.db,
      turn,
      right,
      turn.cancelRequested
        ? { ...NOTHING_KNOWN, status: 'CANCELLED', error: null }
        : { ...NOTHING_KNOWN, status: 'INTERRUPTED', error: INTERRUPTED },
    );
    if (!closed) return;
    const line = { turnId: turn.id, status: closed.status };
    this.#deps.log.warn(line, 'closed a turn that nobody ran');
    await this.startWaiting();
  }

  #logError(error: unknown): void {
    if (isUnavailable(error)) this.#deps.log.warn({ err: error }, 'Postgres is unavailable; trying again');
    else this.#deps.log.error({ err: error }, 'the runner could not check its turns');
  }
}
