/**
 * Owns the running turns of this process: starts them, keeps their leases, learns of cancels, and ends them on shutdown.
 * It also closes turns whose owner is gone and starts what waits in line. What an answer is, it does not know.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { v4 as newOwner } from 'uuid';
import type { Viewer } from '../../domain/conversation/session.ts';
import type { WakeUps } from '../../events/wake-ups.ts';
import { findAbandonedTurns, readOwnTurns, renewLeases } from '../../stores/pg/leases.ts';
import type { AbandonedTurn } from '../../stores/pg/leases.ts';
import { NOTHING_KNOWN, finishTurn } from '../../stores/pg/turn-finish.ts';
import type { SuccessionRight } from '../../stores/pg/turn-finish.ts';
import { sessionsWaiting, startNextTurn } from '../../stores/pg/turn-start.ts';
import type { Lease, StartedTurn } from '../../stores/pg/turn-start.ts';
import { isUnavailable } from '../../stores/pg/unavailable.ts';
import { TurnLostError } from './event-writer.ts';
import { INTERRUPTED, TurnStoppedError, runTurn } from './run-turn.ts';
import type { RunTurnDeps } from './run-turn.ts';

/** Times of the runner, in milliseconds; the defaults are those of the design. */
export type RunnerTimes = {
  readonly leaseMs: number;
  /** Between renewals of the leases, and between looks for what others left. */
  readonly sweepMs: number;
  readonly graceMs: number;
  readonly drainMs: number;
  readonly retryForMs: number;
};

const DEFAULT_TIMES: RunnerTimes = {
  leaseMs: 15_000,
  sweepMs: 5_000,
  graceMs: 50,
  drainMs: 20_000,
  retryForMs: 10_000,
};

/** The running turns of one process. */
export type TurnRunner = {
  /** What a turn is to be stored with to run here at once; null while shutting down: such a turn is left in line. */
  lease(): Lease | null;
  /**
   * Runs a turn that was stored with {@link lease}. Returns at once; the run depends on no caller. `agent` is who answers,
   * as a trace names it; absent: the kind of the session.
   */
  start(started: StartedTurn, viewer: Viewer, agent?: string): void;
  /** Starts the first turn in line of a session that is idle. */
  startNext(sessionId: string): Promise<void>;
  /** Ends a turn that runs here as if the process stopped; nothing for one that does not run here. */
  interrupt(turnId: string): void;
  /** Resolves once a turn does not run here any more, at once for one that never did. */
  ended(turnId: string): Promise<void>;
  /** Turns that run now. */
  readonly running: number;
  /** Starts nothing more, waits for running turns for the drain time, then interrupts the rest and closes them. */
  stop(): Promise<void>;
};

/** What a runner needs. The caller keeps and closes what it passes. */
export type RunnerDeps = Omit<RunTurnDeps, 'owner' | 'graceMs' | 'retryForMs'> & {
  readonly wakeUps: WakeUps;
  readonly times?: Partial<RunnerTimes>;
  /** The clock that answers tell ages by; leases go by that of the database. */
  readonly now: () => Date;
  /** True for the owner of the stores: then nobody else can be running a turn, and those found running are closed. */
  readonly isOnlyServer: boolean;
};

/** Starts a runner; it has then closed what an earlier process left behind and started what waited in line. */
export async function startRunner({ wakeUps, isOnlyServer, now, ...deps }: RunnerDeps): Promise<TurnRunner> {
  const times = { ...DEFAULT_TIMES, ...deps.times };
  const runner = new Runner({ ...deps, owner: newOwner(), ...times }, times, now);
  await runner.takeOver(isOnlyServer);
  runner.watch(wakeUps);
  return runner;
}

type RunningTurn = {
  readonly sessionId: string;
  readonly control: AbortController;
  readonly done: Promise<void>;
};

class Runner implements TurnRunner {
  readonly #deps: RunTurnDeps;
  readonly #times: RunnerTimes;
  readonly #now: () => Date;
  readonly #running = new Map<string, RunningTurn>();
  readonly #stopped = new AbortController();
  #isDraining = false;
  #sweeps: Promise<void> = Promise.resolve();
  #checking: Promise<void> = Promise.resolve();
  #checksWaiting = 0;
  #unwatch: () => void = () => undefined;

  constructor(deps: RunTurnDeps, times: RunnerTimes, now: () => Date) {
    this.#deps = deps;
    this.#times = times;
    this.#now = now;
  }

  get running(): number {
    return this.#running.size;
  }

  lease(): Lease | null {
    return this.#isDraining ? null : this.#lease;
  }

  get #lease(): Lease {
    return { owner: this.#deps.owner, leaseMs: this.#times.leaseMs, asOf: this.#now() };
  }

  start(started: StartedTurn, viewer: Viewer, agent = started.session.kind.toLowerCase()): void {
    const { id, sessionId } = started.turn;
    const control = new AbortController();
    const done = this.#run({ ...started, viewer }, control, agent);
    this.#running.set(id, { sessionId, control, done });
  }

  async startNext(sessionId: string): Promise<void> {
    const lease = this.lease();
    if (lease === null) return;
    const started = await startNextTurn(this.#deps.db, sessionId, lease);
    if (started === null) return;
    const { viewerId: id, projectId } = started.session;
    this.start(started, { id, name: id, projectId });
  }

  interrupt(turnId: string): void {
    this.#running.get(turnId)?.control.abort(new TurnStoppedError('SHUTDOWN'));
  }

  async ended(turnId: string): Promise<void> {
    await this.#running.get(turnId)?.done;
  }

  /** Closes what is left of others and starts what waits. */
  async takeOver(isOnlyServer: boolean): Promise<void> {
    await this.#closeAbandoned(isOnlyServer ? { as: 'heir', owner: this.#deps.owner } : { as: 'successor' });
    for (const sessionId of await sessionsWaiting(this.#deps.db)) {
      await this.startNext(sessionId).catch((error: unknown) => this.#complain(error));
    }
  }

  watch(wakeUps: WakeUps): void {
    this.#unwatch = wakeUps.onTurns((sessionId) => this.#checkSoon(sessionId));
    this.#sweeps = this.#sweepRegularly();
  }

  async stop(): Promise<void> {
    this.#isDraining = true;
    const allDone = async (): Promise<void> => {
      while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ done }) => done));
    };
    const drained = new AbortController();
    const late = sleep(this.#times.drainMs, undefined, { signal: drained.signal }).catch(() => undefined);
    await Promise.race([allDone(), late]);
    drained.abort();
    for (const { control } of this.#running.values()) control.abort(new TurnStoppedError('SHUTDOWN'));
    await allDone();
    this.#unwatch();
    this.#stopped.abort();
    await Promise.all([this.#sweeps, this.#checking]);
  }

  async #run(
    started: StartedTurn & { readonly viewer: Viewer },
    control: AbortController,
    agent: string,
  ): Promise<void> {
    const { id, sessionId } = started.turn;
    await runTurn(this.#deps, started, control, agent).catch((error: unknown) => {
      this.#deps.log.error({ err: error, turnId: id }, 'a turn could not be closed; a successor will');
    });
    await this.startNext(sessionId).catch((error: unknown) => this.#complain(error));
    this.#running.delete(id); // last, so that whoever waits for all turns also waits for one that was in line
  }

  /** Looks at the own turns again, unless a look that has not begun yet is already planned. */
  #checkSoon(sessionId: string | null): void {
    const isConcerned = [...this.#running.values()].some(
      (one) => one.sessionId === (sessionId ?? one.sessionId),
    );
    if (!isConcerned || this.#checksWaiting > 0) return;
    this.#checksWaiting += 1;
    this.#checking = this.#checking.then(async () => {
      this.#checksWaiting -= 1;
      await this.#check().catch((error: unknown) => this.#complain(error));
    });
  }

  async #check(): Promise<void> {
    const asked = [...this.#running]; // a turn that is started meanwhile may be missing from the answer
    const own = await readOwnTurns(this.#deps.db, this.#deps.owner);
    for (const [turnId, { control }] of asked) {
      const cancelRequested = own.get(turnId);
      if (cancelRequested === undefined)
        control.abort(new TurnLostError(`turn ${turnId} was closed elsewhere`));
      else if (cancelRequested) control.abort(new TurnStoppedError('CANCELLED'));
    }
  }

  async #sweepRegularly(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      await sleep(this.#times.sweepMs, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await this.#sweep().catch((error: unknown) => this.#complain(error));
    }
  }

  /** The own leases come first: after an outage of the database they are all old. */
  async #sweep(): Promise<void> {
    if (this.#running.size > 0) await renewLeases(this.#deps.db, this.#lease, [...this.#running.keys()]);
    if (!this.#isDraining) await this.takeOver(false);
  }

  async #closeAbandoned(right: SuccessionRight): Promise<void> {
    for (const turn of await findAbandonedTurns(this.#deps.db, right)) {
      await this.#close(turn, right).catch((error: unknown) => this.#complain(error)); // the others must not wait for it
    }
  }

  async #close(turn: AbandonedTurn, right: SuccessionRight): Promise<void> {
    const closed = await finishTurn(
      this.#deps.db,
      turn,
      right,
      turn.cancelRequested
        ? { ...NOTHING_KNOWN, status: 'CANCELLED', error: null }
        : { ...NOTHING_KNOWN, status: 'INTERRUPTED', error: INTERRUPTED },
    );
    if (closed)
      this.#deps.log.warn({ turnId: turn.id, status: closed.status }, 'closed a turn whose process is gone');
  }

  #complain(error: unknown): void {
    if (isUnavailable(error)) this.#deps.log.warn({ err: error }, 'Postgres is away; trying again');
    else this.#deps.log.error({ err: error }, 'the runner could not do its rounds');
  }
}
