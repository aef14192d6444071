/** Rejects stored documents by their bytes, before decoding: most documents of a long scan go no further. */
import { ObjectId } from 'bson';
import { type Filter } from '../query/filter.ts';
import { encode, type Value } from '../query/values.ts';
import { findField } from './bson-elements.ts';
import { conjuncts } from './planner.ts';

/** A top-level field and the element, type byte and value, that it must be. */
type Wanted = { readonly name: Buffer; readonly type: number; readonly value: Buffer };

const ARRAY = 0x04;

/**
 * A check that fails only for documents that cannot match; those that pass must still be matched. It tests
 * equality with strings, booleans, dates and ObjectIds, whose equal values have equal bytes. `settled`: paths
 * that need no test.
 */
export function createQuickCheck(filter: Filter, settled: ReadonlySet<string>): (raw: Buffer) => boolean {
  const wanted = [...conjuncts(filter)].flatMap(([path, tests]): Wanted[] => {
    if (path.includes('.') || settled.has(path)) return [];
    return tests.flatMap((test) =>
      test.op === 'eq' && isExact(test.value) ? [wantedOf(path, test.value)] : [],
    );
  });
  return (raw) => wanted.every((each) => mayEqual(raw, each));
}

function isExact(value: Value): boolean {
  return (
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    value instanceof Date ||
    value instanceof ObjectId
  );
}

function wantedOf(path: string, value: Value): Wanted {
  const name = Buffer.from(path);
  const element = encode({ [path]: value });
  return { name, type: element[4] ?? 0, value: element.subarray(4 + 1 + name.length + 1, -1) };
}

/** An array may contain the value, so the filter decides. */
function mayEqual(raw: Buffer, { name, type, value }: Wanted): boolean {
  const found = findField(raw, name);
  if (!found) return false;
  if (found.type !== type) return found.type === ARRAY;
  return raw.compare(value, 0, value.length, found.valueStart, found.end) === 0;
}
