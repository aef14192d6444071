/** The `$setWindowFields` stage with the rank functions: `$documentNumber`, `$rank`, `$denseRank`. */
import { MongoError } from '../errors.ts';
import { PAUSE } from '../steps.ts';
import { namedArguments } from './expressions/operator.ts';
import { identityKey, orderKey } from './order-key.ts';
import { parsePath, withValueAt } from './paths.ts';
import { parseSort, sortByKey, sortKey, type SortField } from './sort.ts';
import { type Stage, type StageContext } from './stage.ts';
import { type Doc, integer, isDoc, type Value } from './values.ts';

const RANKS = ['$documentNumber', '$rank', '$denseRank'] as const;
type Rank = (typeof RANKS)[number];

/** Compiles `$setWindowFields`; partitions come in order of their keys, documents in the order of `sortBy`. */
export function compileWindow(spec: Value, { compiler }: StageContext, name: string): Stage {
  const parts = namedArguments(spec, name, ['output', 'sortBy'], ['partitionBy']);
  const { output, sortBy } = parts;
  if (!isDoc(sortBy) || !isDoc(output))
    throw new MongoError('TypeMismatch', `'sortBy' and 'output' of ${name} must be objects`);
  const sort = parseSort(sortBy, compiler.needs);
  const partition = compiler.compile(parts['partitionBy'] ?? null);
  const outputs = Object.entries(output).map(([field, value]) => ({
    path: parsePath(field),
    rank: parseRank(value),
  }));
  return {
    closes: false,
    *run(documents, variables) {
      const partitions = new Map<string, { readonly id: Value; readonly members: Doc[] }>();
      for (const document of documents) {
        if (document === PAUSE) {
          yield document;
          continue;
        }
        const id = partition(document, variables) ?? null;
        const members = partitions.get(identityKey(id))?.members;
        if (members) members.push(document);
        else partitions.set(identityKey(id), { id, members: [document] });
      }
      for (const { item } of sortByKey(partitions.values(), ({ id }) => orderKey(id))) {
        yield* ranked(item.members, sort, outputs);
      }
    },
  };
}

function* ranked(
  members: readonly Doc[],
  sort: readonly SortField[],
  outputs: readonly { readonly path: readonly string[]; readonly rank: Rank }[],
): Generator<Doc> {
  let previous: Buffer | undefined;
  const ranks: Record<Rank, number> = { $documentNumber: 0, $rank: 0, $denseRank: 0 };
  for (const { key, item } of sortByKey(members, (document) => sortKey(document, sort))) {
    ranks.$documentNumber++;
    if (!previous?.equals(key)) {
      ranks.$rank = ranks.$documentNumber;
      ranks.$denseRank++;
    }
    previous = key;
    yield outputs.reduce(
      (document, { path, rank }) => withValueAt(document, path, integer(ranks[rank])),
      item,
    );
  }
}

function parseRank(value: Value): Rank {
  const [name, extra] = isDoc(value) ? Object.keys(value) : [];
  const rank = RANKS.find((known) => known === name);
  if (rank && extra === undefined) return rank;
  throw new MongoError(
    'FailedToParse',
    `Unrecognized window function, ${String(name)}; supported are ${RANKS.join(', ')}`,
  );
}
