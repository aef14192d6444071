/**
 * Test mode: every query also runs without indexes and without partial decoding, and the results must agree. Two
 * reference runs, over the collection forwards and backwards, show what the query itself leaves open: the order,
 * or which documents a limit takes. Only what both references agree on is compared.
 */
import { allOf, atOnce, type Flow } from './steps.ts';
import { type Needs } from './query/needs.ts';
import { parseStage } from './query/stages.ts';
import { decode, type Value } from './query/values.ts';
import { type AccessPath } from './store/select.ts';

type Run = (path: AccessPath) => Flow<Buffer>;

/** What a query settles: its documents in order, the documents without their order, or only how many there are. */
export type Settled = 'order' | 'documents' | 'count';

/** What a pipeline settles, by its stages: `$group` leaves the order of its groups open. */
export function settledBy(pipeline: readonly Value[]): Settled {
  let settled: Settled = 'order';
  for (const { name } of pipeline.map(parseStage)) {
    if (name === '$group' && settled === 'order') settled = 'documents';
    if ((name === '$sort' || name === '$sortByCount') && settled === 'documents') settled = 'order';
    if ((name === '$limit' || name === '$skip' || name === '$facet') && settled === 'documents')
      settled = 'count';
  }
  return settled;
}

/** Runs the query both ways; throws an internal error that names the collection if the answers differ. */
export function checkQuery(
  needs: Needs,
  path: AccessPath,
  run: Run,
  namespace: string,
  settled: Settled,
): void {
  const read = (way: AccessPath): string[] => atOnce(allOf(run(way))).map(fingerprint);
  const answer = read(path);
  const { all } = needs;
  needs.all = true;
  const forward = read({ kind: 'natural', plain: true });
  const backward = read({ kind: 'natural', backward: true, plain: true });
  needs.all = all;
  if (settled === 'order' && same(forward, backward)) return requireSame(answer, forward, namespace, path);
  if (settled !== 'count' && same(forward.toSorted(), backward.toSorted())) {
    return requireSame(answer.toSorted(), forward.toSorted(), namespace, path);
  }
  if (answer.length !== forward.length) {
    throw new Error(
      `${namespace}: ${describe(path)} gave ${answer.length} documents, the plain scan ${forward.length}`,
    );
  }
}

/**
 * The content of a document; the last digits of a sum depend on the order of its terms and are ignored. A decimal is
 * `{$numberDecimal: text}` in JSON.
 */
function fingerprint(document: Buffer): string {
  return JSON.stringify(decode(document), (key, value: unknown) => {
    const number = key === '$numberDecimal' ? Number(value) : value;
    return typeof number === 'number' && !Number.isInteger(number) ? number.toPrecision(12) : value;
  });
}

function same(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((item, i) => item === right[i]);
}

function requireSame(
  answer: readonly string[],
  reference: readonly string[],
  namespace: string,
  path: AccessPath,
): void {
  if (same(answer, reference)) return;
  throw new Error(`${namespace}: ${describe(path)} and the plain scan give different documents`);
}

function describe(path: AccessPath): string {
  switch (path.kind) {
    case 'natural':
      return 'the partial scan';
    case 'index':
      return `index ${path.plan.index.spec.name}`;
    case 'distinct':
      return `the distinct scan of index ${path.distinctPlan.plan.index.spec.name}`;
    default: {
      const unknown: never = path;
      return String(unknown);
    }
  }
}
