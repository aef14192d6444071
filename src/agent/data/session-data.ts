import { InvalidInputError } from '../../base/errors.ts';
import { redactSecrets, redactValue } from '../../base/redaction/redact.ts';
import type { SessionDataStore } from '../../stores/session-store.ts';
import type { DataStore } from './data-store.ts';

/** Results that one session may keep. */
const SESSION_DATA_BYTES = 64 * 1024 * 1024;

/** The data store of one session. `put` rejects with InvalidInputError what alone is more than may be kept. */
export function createSessionData(
  store: SessionDataStore,
  sessionId: string,
  maxBytes = SESSION_DATA_BYTES,
): DataStore {
  return {
    async put(key, json, freshness = null) {
      const bytes = Buffer.byteLength(json);
      if (bytes > maxBytes) {
        const message = `has ${megabytes(bytes)} MB, and a conversation keeps at most ${megabytes(maxBytes)} MB; ask for less`;
        throw new InvalidInputError([{ path: [key], message }]);
      }
      await store.put(sessionId, key, { json: withoutSecrets(json), freshness }, maxBytes);
    },
    get: (key) => store.get(sessionId, key),
    list: () => store.list(sessionId),
    async all() {
      const kept = await store.all(sessionId);
      // The bodies are JSON text already: joining them spares a parse and a second copy of up to 64 MB.
      return `{${kept.map(({ key, json }) => `${JSON.stringify(key)}:${json}`).join(',')}}`;
    },
  };
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

/** Secrets are looked for in the text; only where there is one is it read as what it is. */
const withoutSecrets = (json: string): string =>
  redactSecrets(json) === json ? json : JSON.stringify(redactValue(JSON.parse(json)));
