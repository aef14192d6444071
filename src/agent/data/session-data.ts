/**
 * Full results that a session's tools keep, so that Python analysis and charts can use them without passing them
 * through the model. Kept for the session; `stores/pg` holds the bodies.
 */
import { InvalidInputError } from '../../base/errors.ts';
import { redactSecrets, redactValue } from '../../base/redaction/redact.ts';
import { mergeFreshness, type Freshness } from '../../domain/values/freshness.ts';
import type { SessionDataEntry, SessionDataStore } from '../../stores/session-store.ts';

const SESSION_DATA_BYTES = 64 * 1024 * 1024;

export type DataStore = ReturnType<typeof createSessionData>;

/** The kept results of one session. */
export function createSessionData(store: SessionDataStore, sessionId: string, maxBytes = SESSION_DATA_BYTES) {
  return {
    /**
     * Stores JSON text under `key`, replacing an older result; past the session's size limit the oldest keys go first.
     * @throws InvalidInputError for a result that alone exceeds the limit.
     */
    async put(key: string, json: string, freshness: Freshness | null = null): Promise<void> {
      const bytes = Buffer.byteLength(json);
      if (bytes > maxBytes) {
        const message = `has ${megabytes(bytes)} MB, and a conversation keeps at most ${megabytes(maxBytes)} MB; ask for less`;
        throw new InvalidInputError([{ path: [key], message }]);
      }
      await store.put(sessionId, key, { json: withoutSecrets(json), freshness }, maxBytes);
    },
    /** JSON text of one result, null if there is none. */
    get: (key: string): Promise<string | null> => store.get(sessionId, key),
    list: (): Promise<readonly SessionDataEntry[]> => store.list(sessionId),
    /** JSON text of an object with every kept result by key: the `data` of a Python analysis. */
    async all(): Promise<string> {
      const kept = await store.all(sessionId);
      // The bodies are JSON text already: joining them saves a parse and a second copy of up to 64 MB.
      return `{${kept.map(({ key, json }) => `${JSON.stringify(key)}:${json}`).join(',')}}`;
    },
  };
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

/** Parses only a text that holds a secret. */
const withoutSecrets = (json: string): string =>
  redactSecrets(json) === json ? json : JSON.stringify(redactValue(JSON.parse(json)));

/**
 * Age of the kept rows that a program uses: of the results that it names, or of all if it names none and may iterate
 * over them. Null where they have no age.
 */
export function freshnessUsedBy(code: string, entries: readonly SessionDataEntry[]): Freshness | null {
  const named = entries.filter(({ key }) =>
    ["'", '"'].some((quote) => code.includes(`${quote}${key}${quote}`)),
  );
  const used = named.length > 0 || !/\bdata\b/u.test(code) ? named : entries;
  const ages = used.flatMap(({ freshness }) => freshness ?? []);
  const [first, ...others] = ages;
  return first === undefined ? null : others.reduce(mergeFreshness, first);
}
