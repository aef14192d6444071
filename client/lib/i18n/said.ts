/**
 * What the server says in English of things that have ids: tools and what a turn is busy with. Another language names them
 * itself, by their ids; for what it has no name, such as an expert of the lab's own, the server's words stand.
 */

/** Names of one language by the server's ids. */
export type Said = {
  /** Tools, as what they do: they name steps of an answer and choices of a job. */
  readonly tools: Readonly<Record<string, string>>;
  readonly toolCategories: Readonly<Record<string, { readonly title: string; readonly purpose: string }>>;
  /** By `TurnPhase`. */
  readonly activities: Readonly<Record<string, string>>;
};
