/**
 * Full results that a session's tools put aside, so that Python analysis and charts can use them without their passing
 * through the model. Kept for the session; `stores/pg` holds the bodies.
 */
import { mergeFreshness, type Freshness } from '../../domain/values/freshness.ts';

/** What is known of a kept result without reading it. `freshness` is that of its rows, null where they have no age. */
export type DataEntry = {
  readonly key: string;
  readonly bytes: number;
  readonly updatedAt: Date;
  readonly freshness: Freshness | null;
};

/** The kept results of one session. */
export type DataStore = {
  /** Stores JSON text under `key`, replacing an older result; oldest keys go first past the session's size limit. */
  put(key: string, json: string, freshness?: Freshness | null): Promise<void>;
  /** JSON text of one result, null if there is none. */
  get(key: string): Promise<string | null>;
  list(): Promise<readonly DataEntry[]>;
  /** JSON text of an object with every kept result by key: the `data` of a Python analysis. */
  all(): Promise<string>;
};

/**
 * How old the kept rows are that a program works on: of the results that it names, or of all of them where it names none
 * and so may have walked through them. Null where they have no age.
 */
export function freshnessUsedBy(code: string, entries: readonly DataEntry[]): Freshness | null {
  const named = entries.filter(({ key }) =>
    ["'", '"'].some((quote) => code.includes(`${quote}${key}${quote}`)),
  );
  const used = named.length > 0 || !/\bdata\b/u.test(code) ? named : entries;
  const ages = used.flatMap(({ freshness }) => freshness ?? []);
  const [first, ...others] = ages;
  return first === undefined ? null : others.reduce(mergeFreshness, first);
}
