import type { Collection, Document } from 'mongodb';
import type { TaskResultFilter } from '../../domain/values/task-result.ts';
import type { ChipScope } from '../calibration-store.ts';
import { unionOf } from './newest-of-each.ts';
import { ONE_REPLY, oneOf } from './read-helpers.ts';
import { storedStatus } from './task-status.ts';

/** The condition of a filter. */
export function matching({
  taskName,
  qid,
  status,
  executionId,
  tags,
  from,
  to,
  includeExcluded,
}: TaskResultFilter): Document {
  return {
    ...(taskName ? { name: taskName } : {}),
    ...(qid ? { qid } : {}),
    ...(status ? { status: oneOf(status.map(storedStatus)) } : {}),
    ...(executionId ? { execution_id: executionId } : {}),
    ...(tags?.length ? { tags: { $all: tags } } : {}),
    ...(from || to ? { start_at: { ...(from ? { $gte: from } : {}), ...(to ? { $lt: to } : {}) } } : {}),
    ...(includeExcluded === false ? { excluded: { $ne: true } } : {}),
  };
}

/** The most scans that one page may take. */
const MOST_PARTS = 60;

/**
 * Filters that together select what a filter of qubit or status does, each over an index that has its rows in order of
 * start: (project_id, chip_id, task_type, qid, start_at desc), or (chip_id, username, task_type, status, start_at desc).
 * The fields between are filled in with every value that they have on the chips. Null if another index serves better.
 */
export async function partsOf(
  results: Collection,
  { projectId, chipIds }: ChipScope,
  filter: TaskResultFilter,
): Promise<readonly Document[] | null> {
  const { qid, status, executionId, tags } = filter;
  if ((!qid && !status?.length) || executionId || tags?.length) return null;
  const chips = chipIds.map((chip_id) => ({ project_id: projectId, chip_id }));
  const rest = matching(filter);
  const typesOf = chips.map((chip) => valuesOf(chip, 'task_type'));
  const usersOf = qid ? [] : chipIds.map((chip_id) => valuesOf({ chip_id }, 'username'));
  const [first = [], ...others] = [...typesOf, ...usersOf];
  const rows = await results.aggregate([...first, ...unionOf(results, others)], ONE_REPLY).toArray();
  const found = (field: string): Document[] => {
    const values = rows.filter((row) => row['field'] === field).map(({ _id }): unknown => _id ?? null);
    return [...new Set(values)].map((value) => ({ [field]: value }));
  };
  const [types, users] = [found('task_type'), qid ? [{}] : found('username')];
  const statuses = qid ? [{}] : (status ?? []).map((each) => ({ status: storedStatus(each) }));
  const parts = chips.flatMap((chip) =>
    users.flatMap((user) =>
      types.flatMap((type) => statuses.map((one) => ({ ...chip, ...user, ...type, ...rest, ...one }))),
    ),
  );
  // A list or an object as a type is an accident; its rows would be in several parts.
  const isPlain = rows.every(({ _id }) => typeof (_id ?? '') === 'string');
  return isPlain && parts.length > 0 && parts.length <= MOST_PARTS ? parts : null;
}

/** The values of a field, one index entry each. */
const valuesOf = (chip: Document, field: string): Document[] => [
  { $match: chip },
  { $group: { _id: `$${field}` } },
  { $set: { field } },
];
