/** The ground truth of a run: every message and job that a server acknowledged, and what must have become of it. */
import type { Question } from './words.ts';

/** Something that a server was asked to do; acknowledged once it has a place. */
export type Entry = {
  readonly question: Question;
  /** Given by the client, the same with each try. */
  readonly key: string;
  /** The fault during which it was sent. */
  readonly fault: string;
  readonly sentAt: number;
  ackedAt: number | null;
  /** Rows' ids: of the session and the turn, or of the job. */
  place: { readonly sessionId: string; readonly id: string } | null;
  isCancelled: boolean;
  /** When a client saw it end, and how; null until then. */
  endedAt: number | null;
  status: string | null;
};

/** What a run knows to be wrong, each with a sentence for people. */
export type Wrong = {
  readonly kind: 'lost' | 'doubled' | 'stuck' | 'dishonest' | 'view';
  readonly fault: string;
  readonly what: string;
};

/** The name of no fault. */
export const NONE = 'none';

/** While a fault lasted, until its undoing. */
type Spell = { readonly name: string; readonly spares: boolean; readonly from: number; to: number };

/** All entries, and what was found wrong while the run went on. */
export class Ledger {
  readonly entries: Entry[] = [];
  readonly wrong: Wrong[] = [];
  /** Codes with which a server refused, by how often. Clients try again. */
  readonly refusals = new Map<string, number>();
  readonly #spells: Spell[] = [];
  /** The fault that is going on. */
  #fault = NONE;

  /** A fault begins; the function ends it. Faults do not overlap. */
  begin({ name, spares = false }: { readonly name: string; readonly spares?: boolean }): () => void {
    const spell = { name, spares, from: performance.now(), to: Infinity };
    if (name !== NONE) this.#spells.push(spell);
    this.#fault = name;
    return () => {
      spell.to = performance.now();
      this.#fault = NONE;
    };
  }

  /** The fault that met an entry on its way and had to spare it; null if there is none, or another one met it as well. */
  sparedBy({ sentAt, endedAt }: Entry): string | null {
    const met = this.#spells.filter(({ from, to }) => from <= (endedAt ?? Infinity) && sentAt <= to);
    return met.every(({ spares }) => spares) ? (met[0]?.name ?? null) : null;
  }

  add(question: Question): Entry {
    const entry: Entry = {
      question,
      key: crypto.randomUUID(),
      fault: this.#fault,
      sentAt: performance.now(),
      ackedAt: null,
      place: null,
      isCancelled: false,
      endedAt: null,
      status: null,
    };
    this.entries.push(entry);
    return entry;
  }

  /** Notes the place of an entry; a second, other one is a double. */
  acknowledged(entry: Entry, place: NonNullable<Entry['place']>): void {
    if (entry.place !== null && entry.place.id !== place.id)
      this.report('doubled', entry, `was given ${place.id} after ${entry.place.id}`);
    entry.place ??= place;
    entry.ackedAt ??= performance.now();
  }

  /** A refusal with the code of a bug of ours is wrong in itself. */
  refused({ fault, question }: Entry, code: string | null, message: string): void {
    const name = code ?? 'no answer';
    this.refusals.set(name, (this.refusals.get(name) ?? 0) + 1);
    if (!BUG_CODES.has(name)) return;
    this.wrong.push({
      kind: 'dishonest',
      fault,
      what: `${question.id} was refused with ${name}: ${message}`,
    });
  }

  report(kind: Wrong['kind'], { fault, question }: Entry, what: string): void {
    this.wrong.push({ kind, fault, what: `${question.kind} ${question.id} ${what}` });
  }
}

/** Codes that say neither whose the fault is nor whether to try again. */
export const BUG_CODES: ReadonlySet<string> = new Set(['INTERNAL_SERVER_ERROR', 'INTERNAL', 'NONE']);
