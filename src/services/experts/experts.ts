/** The experts of a project: those shipped with QPilot and those saved in the project. */
import type { Viewer } from '../../domain/conversation/session.ts';
import { buildExpert } from '../../experts/build-expert.ts';
import type { ExpertCatalog } from '../../experts/expert-catalog.ts';
import { DEFAULTS_ID } from '../../experts/expert-file.ts';
import { byName, type ExpertGeneration } from '../../experts/expert-generation.ts';
import { isExpertId } from '../../experts/expert-metadata.ts';
import type { ConfigPreset } from '../../experts/config-presets.ts';
import type { Expert, ExpertListing, ResolvedConfig } from '../../experts/expert.ts';
import type { Db } from '../../stores/pg/database.ts';
import {
  findSavedExperts,
  listSavedExperts,
  type SavedExpert,
  type SavedExpertRow,
} from '../../stores/pg/experts.ts';
import type { ModelGroup } from './model-groups.ts';
import type { ToolCategoryView } from './tool-categories.ts';
import { deleteExpert, saveExpert, type DeleteExpertInput, type SaveExpertInput } from './save-expert.ts';

/** An expert in a list; `details` returns the rest of it, from the same generation of the files. */
export type ListedExpert = ExpertListing & {
  readonly generation: ExpertGeneration;
  /** Null for shipped experts. */
  readonly saved: Pick<SavedExpertRow, 'version' | 'authorId' | 'savedAt'> | null;
};

/** Narrows a list; null does not. `tag` is a whole tag; case does not matter. */
export type ExpertFilter = { readonly search: string | null; readonly tag: string | null };

/** Experts of projects. Every call is made for a viewer; a foreign expert looks like an unknown one. */
export type ExpertsService = ReturnType<typeof createExpertsService>;

/** Everything that a form needs to set up a job. */
export type ExpertServices = {
  readonly experts: ExpertsService;
  readonly configPresets: readonly ConfigPreset[];
  /** Current models, by provider. */
  modelGroups(): readonly ModelGroup[];
  /** All categories with the tools that `tools` enables, and what this server lacks for them. */
  toolCategories(tools: ResolvedConfig['tools']): readonly ToolCategoryView[];
};

/** The caller owns and closes what it passes. */
export type ExpertsDeps = { readonly db: Db; readonly catalog: ExpertCatalog };

/** Experts from a catalogue of files and from Postgres. */
export function createExpertsService(deps: ExpertsDeps) {
  const { db, catalog } = deps;
  const all = async ({ projectId }: Viewer): Promise<ListedExpert[]> => {
    const generation = catalog.current;
    const saved = await listSavedExperts(db, projectId);
    return merge(generation, saved).toSorted(byName);
  };
  /** By id. Text that is not an id is skipped: Postgres does not accept every text. */
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
    /** By name. `search` matches id, name, description and tags. */
    list: async (viewer: Viewer, filter: ExpertFilter) =>
      (await all(viewer)).filter((expert) => matches(expert, filter)),
    /** In the order of the ids; null for an unknown one. */
    byIds,
    /** Whole experts in the order of a list; null for a saved one that was deleted since. */
    details,
    /** A whole expert; null for an unknown id. Without an id: the expert that has nothing but the defaults. */
    async find(viewer: Viewer, expertId: string | null): Promise<Expert | null> {
      const id = expertId ?? DEFAULTS_ID;
      const [listed = null] = await byIds(viewer, [id]);
      const [expert = null] = listed === null ? [] : await details(viewer, [listed]);
      return expert;
    },
    save: async (viewer: Viewer, input: SaveExpertInput) => toListed(await saveExpert(deps, viewer, input)),
    delete: (viewer: Viewer, input: DeleteExpertInput) => deleteExpert(deps, viewer, input),
    /** Reads the shipped experts again; returns all that the viewer sees. */
    async reload(viewer: Viewer) {
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
