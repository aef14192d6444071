import type { Chip } from '../../domain/chip/chip.ts';
import { provenanceGraph, withValidity } from '../../domain/records/provenance.ts';
import type {
  ParameterVersion,
  ProvenanceGraph,
  ProvenanceRelation,
} from '../../domain/records/provenance.ts';
import { InvalidInputError, NotFoundError } from '../../base/errors.ts';
import type { CalibrationStore } from '../../stores/calibration-store.ts';
import { scopeOf } from './chip-scope.ts';

const MAX_DEPTH = 20;
const MAX_LAST_N = 200;
/** Larger graphs are cut off, because they would be unreadable. */
const MAX_NODES = 500;

/** Which versions: the newest `lastN` (1 to 200) of each qid, given as stored ids. */
type VersionsRequest = {
  readonly parameter: string;
  readonly qids: readonly string[];
  readonly lastN?: number;
};

/** Versions of parameters and their origins, on one chip. */
export function createLineage(store: CalibrationStore) {
  return {
    /** By qid, newest first; qids without versions are left out. Two reads. */
    async versions(
      chip: Chip,
      { parameter, qids, lastN = 10 }: VersionsRequest,
    ): Promise<ReadonlyMap<string, readonly ParameterVersion[]>> {
      if (!Number.isInteger(lastN) || lastN < 1 || lastN > MAX_LAST_N) {
        throw InvalidInputError.at(['lastN'], `${lastN} is not a whole number from 1 to ${MAX_LAST_N}`);
      }
      if (qids.length === 0) return new Map();
      const rows = await store.parameterVersions({ ...scopeOf([chip]), parameter, qids, limit: lastN });
      const taskIds = [...new Set(rows.map(({ taskId }) => taskId))];
      const excluded = new Set(
        taskIds.length === 0 ? [] : await store.excludedTaskIds(chip.projectId, taskIds),
      );
      const byQid = Map.groupBy(rows, ({ qid }) => qid);
      return new Map([...byQid].map(([qid, each]) => [qid, withValidity(each, excluded)]));
    },
    /**
     * Origins of a version, breadth first; `maxDepth` is clamped to 1 to 20.
     * @throws InvalidInputError for text that is not an entity id; NotFoundError for a version that the chip does not
     * have
     */
    async graph(chip: Chip, entityId: string, maxDepth = 5): Promise<ProvenanceGraph> {
      if (entityId.split(':').length !== 4) {
        const message = `${JSON.stringify(entityId)} is not parameter:qid:execution:task`;
        throw InvalidInputError.at(['entityId'], message);
      }
      const scope = scopeOf([chip]);
      const [origin] = await store.versionsById(scope, [entityId]);
      if (!origin) {
        throw new NotFoundError(
          `there is no version ${entityId} on chip ${chip.chipId}; ask for the versions of the parameter first`,
        );
      }
      const depth = Math.min(Math.max(Math.trunc(maxDepth), 1), MAX_DEPTH);
      return followed(store, chip, entityId, depth);
    },
  };
}

/** Reads relations level by level, then all their ends at once: a few more reads than levels, whatever the width. */
async function followed(
  store: CalibrationStore,
  chip: Chip,
  origin: string,
  maxDepth: number,
): Promise<ProvenanceGraph> {
  const scope = scopeOf([chip]);
  const seen = new Set([origin]);
  const relations: ProvenanceRelation[] = [];
  let frontier: readonly string[] = [origin];
  for (let depth = 0; depth <= maxDepth && frontier.length > 0 && seen.size < MAX_NODES; depth += 1) {
    const found = await store.provenanceRelations(scope.projectId, frontier);
    relations.push(...found);
    frontier = [...new Set(found.map(({ targetId }) => targetId))].filter((id) => !seen.has(id));
    for (const id of frontier) seen.add(id);
  }
  const ids = [...seen];
  const [versions, activities] = await Promise.all([
    store.versionsById(scope, ids),
    store.activitiesById(scope, ids),
  ]);
  const [newest, excluded] = await Promise.all([
    store.newestVersions({
      ...scope,
      parameters: [...new Set(versions.map(({ parameter }) => parameter))],
      qids: [...new Set(versions.map(({ qid }) => qid))],
    }),
    store.excludedTaskIds(scope.projectId, [
      ...new Set([...versions, ...activities].map(({ taskId }) => taskId)),
    ]),
  ]);
  const records = { versions, activities, relations, newest, excludedTaskIds: new Set(excluded) };
  return provenanceGraph(origin, records, maxDepth);
}
