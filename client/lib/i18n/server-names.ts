import type { Sentences } from './sentences.ts';

/**
 * English names come from the server: of tools, and of what a turn is doing. Another language has its own by their
 * ids, and shows the server's where it has none, for example for an expert of the lab's own.
 */

/** Names of one language by the server's ids. */
export type ServerNames = {
  /** Tools by what they do: names of an answer's steps, and of a job's choices. */
  readonly tools: Readonly<Record<string, string>>;
  readonly toolCategories: Readonly<Record<string, { readonly title: string; readonly purpose: string }>>;
  /** Of metrics, by their titles; a lab may have others of its own. */
  readonly metrics: Readonly<Record<string, string>>;
  /** Of experts, presets and tools, by their English. */
  readonly texts: Readonly<Record<string, string>>;
  /** Why a value is in doubt, and why something was refused. */
  readonly sentences: Sentences;
  /** How sentences are joined. */
  readonly joined: Sentences;
  /** By `TurnPhase`. */
  readonly activities: Readonly<Record<string, string>>;
};
