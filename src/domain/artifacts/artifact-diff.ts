import type { Artifacts } from './artifacts.ts';
import { applyConfigChanges, diffConfig, type ConfigChange } from './config-diff.ts';
import { applyHunks, diffText, diffWords, type DiffPiece, type TextHunk } from './text-diff.ts';

/** A description that differs; null where there was or is none. */
export type DescriptionChange = {
  readonly id: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly words: readonly DiffPiece[];
};

/** What differs between two states of the artifacts; every part has an id of its own. */
export type ArtifactDiff = {
  readonly instructions: readonly TextHunk[];
  readonly config: readonly ConfigChange[];
  readonly description: DescriptionChange | null;
};

/** What differs from `from` to `to`. */
export function diffArtifacts(from: Artifacts, to: Artifacts): ArtifactDiff {
  const [before, after] = [from.description, to.description];
  const change = { id: `description:${after}`, before, after, words: diffWords(before ?? '', after ?? '') };
  return {
    instructions: diffText(from.instructions, to.instructions),
    config: diffConfig(from.config, to.config),
    description: before === after ? null : change,
  };
}

/** Ids of all parts of a diff. */
export const partsOf = ({ instructions, config, description }: ArtifactDiff): readonly string[] =>
  [...instructions, ...config, ...(description ? [description] : [])].map(({ id }) => id);

/** `from` with the parts of `accepted` as they are in `to`; with all of them it is `to`. */
export function applyParts(from: Artifacts, to: Artifacts, accepted: ReadonlySet<string>): Artifacts {
  const { description } = diffArtifacts(from, to);
  const takesDescription = description !== null && accepted.has(description.id);
  return {
    instructions: applyHunks(from.instructions, to.instructions, accepted),
    config: applyConfigChanges(from.config, to.config, accepted),
    description: takesDescription ? to.description : from.description,
  };
}
