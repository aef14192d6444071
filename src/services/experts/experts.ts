/**
 * Experts as a project sees them: the shipped ones, and those that were saved in it. Knows nothing of GraphQL, jobs or
 * models; an expert's configuration is data here.
 */
import type { Viewer } from '../../domain/conversation/session.ts';
import { buildExpert } from '../../experts/build-expert.ts';
import type { ExpertCatalog } from '../../experts/expert-catalog.ts';
import { DEFAULTS_ID } from '../../experts/expert-file.ts';
import { byName, type ExpertGeneration } from '../../experts/expert-generation.ts';
import { isExpertId } from '../../experts/expert-metadata.ts';
import type { Expert, ExpertListing } from '../../experts/expert.ts';
import type { Db } from '../../stores/pg/database.ts';
import {
  findSavedExperts,
  listSavedExperts,
  type SavedExpert,
  type SavedExpertRow,
} from '../../stores/pg/experts.ts';
import { deleteExpert, saveExpert, type DeleteExpertInput, type SaveExpertInput } from './save-expert.ts';

/** An expert of a list; `details` of the service make the whole of it, from the same reading of the files. */
export type ListedExpert = ExpertListing & {
  readonly generation: ExpertGeneration;
  /** Null: shipped. */
  readonly saved: Pick<SavedExpertRow, 'version' | 'authorId' | 'savedAt'> | null;
};

/** What a list is narrowed by; null: by nothing. */
export type ExpertFilter = { readonly search: string | null; readonly tag: string | null };

/** Experts of projects. Every call is made for a viewer; a foreign expert answers like an unknown one. */
export type ExpertsService = {
  /** By name. `search` is looked for in id, name, description and tags; `tag` is a whole tag. Case does not matter. */
  list(viewer: Viewer, filter: ExpertFilter): Promise<readonly ListedExpert[]>;
  /** In the order of `expertIds`, null for what is unknown. */
  byIds(viewer: Viewer, expertIds: readonly string[]): Promise<readonly (ListedExpert | null)[]>;
  /** The whole of experts of a list, in their order; null for saved ones that were deleted since. */
  details(viewer: Viewer, listed: readonly ListedExpert[]): Promise<readonly (Expert | null)[]>;
  /** The whole of one expert; null for an id that is unknown. The expert of no id has nothing but the defaults. */
  find(viewer: Viewer, expertId: string | null): Promise<Expert | null>;
  /** @throws InvalidInputError, NotFoundError, ConflictError when another save came first. */
  save(viewer: Viewer, input: SaveExpertInput): Promise<ListedExpert>;
  /** @throws InvalidInputError for a shipped one, NotFoundError, ConflictError. Jobs that ran with it keep their copy. */
  delete(viewer: Viewer, input: DeleteExpertInput): Promise<void>;
  /** Reads the shipped ones again; returns all that the viewer sees. */
  reload(viewer: Viewer): Promise<readonly ListedExpert[]>;
};

/** What the service needs. The caller keeps and closes what it passes. */
export type ExpertsDeps = { readonly db: Db; readonly catalog: ExpertCatalog };

/** Experts over a catalogue of files and Postgres. */
export function createExpertsService(deps: ExpertsDeps): ExpertsService {
  const { db, catalog } = deps;
  const all = async ({ projectId }: Viewer): Promise<ListedExpert[]> => {
    const generation = catalog.current;
    const saved = await listSavedExperts(db, projectId);
    return merge(generation, saved).toSorted(byName);
  };
  /** By id. What is no id is not asked for: not every text can be sent to Postgres. */
  const savedById = async ({ projectId }: Viewer, ids: readonly string[]) => {
    const found = await findSavedExperts(db, projectId, ids.filter(isExpertId));
    return new Map(found.map((expert) => [expert.expertId, expert]));
  };
  const byIds = async (viewer: Viewer, ids: readonly string[]) => {
    const generation = catalog.current;
    const saved = await savedById(viewer, ids);
    return ids.map((id) => listedOf(generation, id, saved.get(id) ?? null));
  };
  const details = async (viewer: Viewer, listed: readonly ListedExpert[]) => {
    const saved = await savedById(
      viewer,
      listed.flatMap((expert) => (expert.saved === null ? [] : [expert.expertId])),
    );
    return listed.map(({ expertId, generation, saved: isSaved }) => {
      if (isSaved === null) return generation.experts.get(expertId) ?? null;
      const row = saved.get(expertId);
      return row === undefined ? null : expertOf(generation, row);
    });
  };
  const toListed = (row: SavedExpert) => listedSaved(catalog.current, row);
  return {
    list: async (viewer, filter) => (await all(viewer)).filter((expert) => matches(expert, filter)),
    byIds,
    details,
    async find(viewer, expertId) {
      const id = expertId ?? DEFAULTS_ID;
      const [listed = null] = await byIds(viewer, [id]);
      const [expert = null] = listed === null ? [] : await details(viewer, [listed]);
      return expert;
    },
    save: async (viewer, input) => toListed(await saveExpert(deps, viewer, input)),
    delete: (viewer, input) => deleteExpert(deps, viewer, input),
    async reload(viewer) {
      await catalog.reload();
      return all(viewer);
    },
  };
}

function merge(generation: ExpertGeneration, saved: readonly SavedExpertRow[]): ListedExpert[] {
  const own = new Set(saved.map(({ expertId }) => expertId));
  const shipped = [...generation.experts.values()].filter(({ expertId }) => !own.has(expertId));
  return [
    ...shipped.map((expert) => ({ ...listingOf(expert), generation, saved: null })),
    ...saved.map((row) => listedSaved(generation, row)),
  ];
}

function listedOf(generation: ExpertGeneration, id: string, row: SavedExpert | null): ListedExpert | null {
  if (row !== null) return listedSaved(generation, row);
  const shipped = generation.experts.get(id);
  return shipped === undefined ? null : { ...listingOf(shipped), generation, saved: null };
}

function listedSaved(generation: ExpertGeneration, row: SavedExpertRow): ListedExpert {
  const { version, authorId, savedAt } = row;
  return {
    ...listingOf(expertOf(generation, { ...row, instructions: '' })),
    generation,
    saved: { version, authorId, savedAt },
  };
}

function expertOf(generation: ExpertGeneration, row: SavedExpert): Expert {
  const { defaults, template } = generation;
  const { displayName, description, icon, color, tags } = row;
  return buildExpert({
    expertId: row.expertId,
    metadata: {
      displayName,
      tags,
      ...(description !== null && { description }),
      ...(icon !== null && { icon }),
      ...(color !== null && { color }),
    },
    layers: [...(defaults === null ? [] : [defaults]), { name: row.expertId, config: row.config }],
    instructions: row.instructions,
    template,
    loadError: defaults === null ? 'the defaults of this server cannot be used' : null,
    version: row.version,
  });
}

const listingOf = ({
  expertId,
  displayName,
  description,
  icon,
  color,
  tags,
  isBuiltIn,
  loadError,
}: Expert): ExpertListing => ({
  expertId,
  displayName,
  description,
  icon,
  color,
  tags,
  isBuiltIn,
  loadError,
});

function matches(expert: ListedExpert, { search, tag }: ExpertFilter): boolean {
  const wanted = search?.trim().toLowerCase() ?? '';
  const texts = [expert.expertId, expert.displayName, expert.description, ...expert.tags];
  const hasTag = tag === null || expert.tags.some((each) => each.toLowerCase() === tag.trim().toLowerCase());
  return hasTag && texts.some((text) => text.toLowerCase().includes(wanted));
}
