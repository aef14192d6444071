import type { Chip } from '../../domain/chip/chip.ts';
import { provenanceGraph, withValidity } from '../../domain/records/provenance.ts';
import type { ProvenanceGraph, ProvenanceRelation } from '../../domain/records/provenance.ts';
import { InvalidInputError, NotFoundError } from '../../base/errors.ts';
import type { CalibrationStore } from '../../stores/calibration-store.ts';
import { scopeOf } from './chip-scope.ts';
import type { LineageService } from './record-services.ts';

const MAX_DEPTH = 20;
const MAX_LAST_N = 200;
/** No graph is followed beyond so many things; nobody could read it. */
const MAX_NODES = 500;

/** Versions of parameters and where they came from, on one chip. */
export function createLineage(store: CalibrationStore): LineageService {
  return {
    async versions(chip, { parameter, qids, lastN = 10 }) {
      if (!Number.isInteger(lastN) || lastN < 1 || lastN > MAX_LAST_N) {
        const message = `${lastN} is not a whole number from 1 to ${MAX_LAST_N}`;
        throw new InvalidInputError([{ path: ['lastN'], message }]);
      }
      if (qids.length === 0) return new Map();
      const rows = await store.parameterVersions({ ...scopeOf([chip]), parameter, qids, limit: lastN });
      const byQid = Map.groupBy(rows, ({ qid }) => qid);
      return new Map([...byQid].map(([qid, each]) => [qid, withValidity(each)]));
    },
    async graph(chip, entityId, maxDepth = 5) {
      if (entityId.split(':').length !== 4) {
        const message = `${JSON.stringify(entityId)} is not parameter:qid:execution:task`;
        throw new InvalidInputError([{ path: ['entityId'], message }]);
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

/** Relations level by level, then everything that they lead to at once: a few more reads than levels, whatever the width. */
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
  const newest = await store.newestVersions({
    ...scope,
    parameters: [...new Set(versions.map(({ parameter }) => parameter))],
    qids: [...new Set(versions.map(({ qid }) => qid))],
  });
  return provenanceGraph(origin, { versions, activities, relations, newest }, maxDepth);
}
