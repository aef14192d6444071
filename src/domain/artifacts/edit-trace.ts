/** Follows one edit of the builder: how much of what it changed is in a later state of the artifacts. */
import type { Json, JsonObject } from '../visuals.ts';
import type { ArtifactKind, Artifacts } from './artifacts.ts';
import { diffConfig } from './config-diff.ts';
import { isSameJson } from './config-merge.ts';

/**
 * What an edit changed, piece by piece. For the instructions a piece is a line, or where no line is new or gone two
 * lines that follow each other, with how often it stood in the text; for the others it is a value.
 */
export type EditTrace = readonly EditPiece[];

type EditPiece = { readonly key: string; readonly from: Json; readonly to: Json };

/** How many pieces of an edit are in a state of the artifacts, of all of its pieces. */
export type EditLeft = { readonly left: number; readonly of: number };

/** The pieces that an edit of one artifact changed. */
export function traceEdit(kind: ArtifactKind, before: Artifacts, after: Artifacts): EditTrace {
  const lines = piecesBetween(valuesOf(kind, before), valuesOf(kind, after));
  if (kind !== 'INSTRUCTIONS' || lines.length > 0) return lines;
  return piecesBetween(countPairs(before.instructions), countPairs(after.instructions));
}

/** How much of the edit of `trace` is in `now`. */
export function leftOfEdit(kind: ArtifactKind, trace: EditTrace, now: Artifacts): EditLeft {
  const isOfPairs = kind === 'INSTRUCTIONS' && trace.some(({ key }) => key.includes('\n'));
  const values = isOfPairs ? countPairs(now.instructions) : valuesOf(kind, now);
  return {
    left: trace.filter((piece) => isLeft(kind, piece, values.get(piece.key))).length,
    of: trace.length,
  };
}

type Values = ReadonlyMap<string, Json>;

function valuesOf(kind: ArtifactKind, { instructions, config, description }: Artifacts): Values {
  switch (kind) {
    case 'INSTRUCTIONS':
      return countOf((instructions ?? '').split('\n').filter((line) => line.trim() !== ''));
    case 'CONFIG':
      return settingsOf(config);
    case 'DESCRIPTION':
      return new Map([['', description]]);
    default:
      return kind satisfies never;
  }
}

const settingsOf = (config: JsonObject | null): Values =>
  new Map(diffConfig(null, config).map(({ path, after }) => [JSON.stringify(path), after]));

function countPairs(text: string | null): Values {
  const lines = (text ?? '').split('\n');
  return countOf(lines.map((line, index) => `${line}\n${lines[index + 1] ?? ''}`));
}

function countOf(lines: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

function piecesBetween(before: Values, after: Values): EditTrace {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key): EditTrace => {
    const [from, to] = [before.get(key) ?? null, after.get(key) ?? null];
    return isSameJson(from, to) ? [] : [{ key, from, to }];
  });
}

/** A line is left where it stands more often, or less often, than before the edit; a value where it is the same. */
function isLeft(kind: ArtifactKind, { from, to }: EditPiece, value: Json | undefined): boolean {
  if (kind !== 'INSTRUCTIONS') return isSameJson(value ?? null, to);
  const [was, made, is] = [from, to, value ?? null].map((count) => Number(count ?? 0)) as [
    number,
    number,
    number,
  ];
  return made > was ? is > was : is < was;
}
