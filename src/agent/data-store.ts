/**
 * Full results that a session's tools put aside, so that Python analysis and charts can use them without their passing
 * through the model. Kept for the session; `stores/pg` holds the bodies.
 */

/** What is known of a kept result without reading it. */
export type DataEntry = { readonly key: string; readonly bytes: number; readonly updatedAt: Date };

/** The kept results of one session. */
export type DataStore = {
  /** Stores JSON text under `key`, replacing an older result; oldest keys go first past the session's size limit. */
  put(key: string, json: string): Promise<void>;
  /** JSON text of one result, null if there is none. */
  get(key: string): Promise<string | null>;
  list(): Promise<readonly DataEntry[]>;
  /** JSON text of an object with every kept result by key: the `data` of a Python analysis. */
  all(): Promise<string>;
};
