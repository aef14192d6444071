/** The parts of a difference between two states of the artifacts, one after the other. */

/** Words or a line, and whether they are old, new or both. */
export type ShownPiece = { readonly kind: 'SAME' | 'REMOVED' | 'ADDED'; readonly text: string };

/** A difference as the server sends it, or as it is computed here. */
export type ShownDiff = {
  readonly instructions: readonly {
    readonly id: string;
    readonly toLine: number;
    readonly lines: readonly ShownPiece[];
    readonly words?: readonly ShownPiece[] | null;
  }[];
  readonly config: readonly {
    readonly id: string;
    readonly path: readonly string[];
    readonly before?: unknown;
    readonly after?: unknown;
  }[];
  readonly description?: { readonly id: string; readonly words: readonly ShownPiece[] } | null;
};

/** A part that can be decided about by its id. */
export type DiffPart =
  | ({ readonly type: 'DESCRIPTION' } & NonNullable<ShownDiff['description']>)
  | ({ readonly type: 'CONFIG' } & ShownDiff['config'][number])
  | ({ readonly type: 'INSTRUCTIONS' } & ShownDiff['instructions'][number]);

/** All parts, in the order of the form. */
export const partsOfDiff = ({ description, instructions, config }: ShownDiff): readonly DiffPart[] => [
  ...(description ? [{ type: 'DESCRIPTION', ...description } as const] : []),
  ...instructions.map((hunk) => ({ type: 'INSTRUCTIONS', ...hunk }) as const),
  ...config.map((change) => ({ type: 'CONFIG', ...change }) as const),
];
