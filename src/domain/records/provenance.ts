/**
 * Where a stored value came from, in the words of W3C PROV: an entity is a version of a parameter, an activity a run
 * of a task. Databases count versions over all chips of a project; what is newest here is newest on one chip.
 */
import type { TaskStatus } from '../values/task-result.ts';

/** One version of one parameter on one qubit or coupling; `value` and `error` in `unit`. */
export type ParameterVersion = {
  readonly projectId: string;
  readonly chipId: string;
  /** `parameter:qid:execution:task`. */
  readonly entityId: string;
  readonly parameter: string;
  readonly qid: string;
  readonly version: number;
  readonly value: number | null;
  readonly text: string | null;
  readonly unit: string;
  readonly error: number | null;
  readonly executionId: string;
  readonly taskId: string;
  readonly taskName: string;
  readonly validFrom: Date;
  /**
   * When a newer version of this chip replaced it; null for the current one. An excluded version holds for no time, so
   * it ends as it begins.
   */
  readonly validUntil: Date | null;
  /** Whether its task result was excluded. */
  readonly excluded: boolean;
};

/** A version as stored: what it is worth now follows from the other versions of its chip. */
export type StoredVersion = Omit<ParameterVersion, 'validUntil' | 'excluded'>;

/** The highest version number that a chip has of a parameter. */
export type NewestVersion = { readonly parameter: string; readonly qid: string; readonly version: number };

/** Kinds of provenance relations. */
export const PROVENANCE_RELATIONS = ['WAS_GENERATED_BY', 'USED', 'WAS_DERIVED_FROM'] as const;
export type ProvenanceRelationKind = (typeof PROVENANCE_RELATIONS)[number];

/** An arrow from something to what it came from. */
export type ProvenanceRelation = {
  readonly relation: ProvenanceRelationKind;
  readonly sourceId: string;
  readonly targetId: string;
};

/** One run of a task that used and generated versions. */
export type ProvenanceActivity = {
  /** `execution:task`. */
  readonly activityId: string;
  readonly qid: string;
  readonly taskName: string;
  readonly executionId: string;
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
};

/** A node of a graph of origins. `depth` is the least number of arrows from the origin. */
export type ProvenanceNode = {
  readonly id: string;
  readonly depth: number;
  /** Whether its task result was excluded. */
  readonly excluded: boolean;
} & (
  | {
      readonly kind: 'ENTITY';
      readonly entity: StoredVersion;
      /** Greater than the entity's own version where it is out of date. */
      readonly newestVersion: number;
    }
  | { readonly kind: 'ACTIVITY'; readonly activity: ProvenanceActivity }
);

/** Origins of one version, nearest first. Every edge joins two of the nodes. */
export type ProvenanceGraph = {
  readonly origin: string;
  readonly nodes: readonly ProvenanceNode[];
  readonly edges: readonly ProvenanceRelation[];
  /** Whether deeper origins than requested were left out. */
  readonly hasMore: boolean;
  /** Referenced ids that the chip's records lack. */
  readonly missing: readonly string[];
};

/** What was recorded about a graph, in any order; it may hold more than is reached. */
export type ProvenanceRecords = {
  readonly versions: readonly StoredVersion[];
  readonly activities: readonly ProvenanceActivity[];
  readonly relations: readonly ProvenanceRelation[];
  readonly newest: readonly NewestVersion[];
  /** Those of the runs whose results were excluded. */
  readonly excludedTaskIds: ReadonlySet<string>;
};

/**
 * Versions of one parameter on one qubit, newest first: each holds until the next newer one of the same chip that was
 * not excluded began.
 */
export function withValidity(
  newestFirst: readonly StoredVersion[],
  excludedTaskIds: ReadonlySet<string>,
): readonly ParameterVersion[] {
  let replacedAt: Date | null = null;
  return newestFirst.map((version) => {
    if (excludedTaskIds.has(version.taskId)) {
      return { ...version, validUntil: version.validFrom, excluded: true };
    }
    const validUntil = replacedAt;
    replacedAt = version.validFrom;
    return { ...version, validUntil, excluded: false };
  });
}

/** The graph that is reached from `origin` in at most `maxDepth` arrows, breadth first. */
export function provenanceGraph(
  origin: string,
  { versions, activities, relations, newest, excludedTaskIds }: ProvenanceRecords,
  maxDepth: number,
): ProvenanceGraph {
  const newestOf = new Map(newest.map((each) => [`${each.parameter}:${each.qid}`, each.version]));
  const entities = new Map(versions.map((entity) => [entity.entityId, entity]));
  const runs = new Map(activities.map((activity) => [activity.activityId, activity]));
  const arrows = uniqueEdges(relations);
  const bySource = Map.groupBy(arrows, ({ sourceId }) => sourceId);

  const nodeOf = (id: string, depth: number): ProvenanceNode | null => {
    const entity = entities.get(id);
    if (entity) {
      const newestVersion = newestOf.get(`${entity.parameter}:${entity.qid}`) ?? entity.version;
      const excluded = excludedTaskIds.has(entity.taskId);
      return {
        id,
        depth,
        excluded,
        kind: 'ENTITY',
        entity,
        newestVersion: Math.max(newestVersion, entity.version),
      };
    }
    const activity = runs.get(id);
    if (activity === undefined) return null;
    return { id, depth, excluded: excludedTaskIds.has(activity.taskId), kind: 'ACTIVITY', activity };
  };

  const nodes = new Map<string, ProvenanceNode>();
  const missing = new Set<string>();
  let hasMore = false;
  let frontier: readonly string[] = [origin];
  for (let depth = 0; frontier.length > 0; depth += 1) {
    if (depth > maxDepth) {
      hasMore = true;
      break;
    }
    for (const id of frontier) {
      const node = nodeOf(id, depth);
      if (node) nodes.set(id, node);
      else missing.add(id);
    }
    const reached = frontier.filter((id) => nodes.has(id));
    const next = reached.flatMap((id) => (bySource.get(id) ?? []).map(({ targetId }) => targetId));
    frontier = [...new Set(next)].filter((id) => !nodes.has(id) && !missing.has(id));
  }
  return {
    origin,
    nodes: [...nodes.values()],
    edges: arrows.filter((edge) => nodes.has(edge.sourceId) && nodes.has(edge.targetId)),
    hasMore,
    missing: [...missing],
  };
}

/** Each arrow once, in order of text, so that the order of reading changes nothing. */
function uniqueEdges(relations: readonly ProvenanceRelation[]): readonly ProvenanceRelation[] {
  const keyOf = ({ relation, sourceId, targetId }: ProvenanceRelation): string =>
    JSON.stringify([relation, sourceId, targetId]);
  return [...new Map(relations.map((each) => [keyOf(each), each])).values()].toSorted((a, b) =>
    keyOf(a) < keyOf(b) ? -1 : 1,
  );
}
