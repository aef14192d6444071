import type { Chip } from '../../domain/chip/chip.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { InvalidInputError, NotFoundError } from '../../base/errors.ts';
import { sharedNext } from '../../base/shared-next.ts';
import type { CalibrationStore, ChipRow } from '../../stores/calibration-store.ts';
import { knownNames } from './known-names.ts';

/** Chips of the viewer's project. */
export type ChipsService = ReturnType<typeof createChips>;

/** Chips of the viewer's project. */
export function createChips(store: CalibrationStore) {
  const list = async ({ projectId }: Viewer): Promise<readonly Chip[]> =>
    oneOfEach(await store.chips(projectId, null)).toSorted(newestFirst);
  const getMany = async ({ projectId }: Viewer, chipIds: readonly string[]) => {
    const chips = oneOfEach(await store.chips(projectId, chipIds));
    const byId = new Map(chips.map((chip) => [chip.chipId, chip]));
    return chipIds.map((chipId) => byId.get(chipId) ?? null);
  };
  return {
    /** Newest installation first. */
    list,
    /** In the order of the ids; null for a chip that the project does not have. One read. */
    getMany,
    /** @throws NotFoundError naming the project's chips */
    async get(viewer: Viewer, chipId: string): Promise<Chip> {
      const [chip] = await getMany(viewer, [chipId]);
      if (chip) return chip;
      const known = knownNames((await list(viewer)).map((each) => each.chipId));
      throw new NotFoundError(
        `there is no chip ${chipId} in project ${viewer.projectId}; chips here: ${known}`,
      );
    },
    /** The newest active chip, else the newest; null in an empty project. */
    async defaultChip(viewer: Viewer): Promise<Chip | null> {
      const chips = await list(viewer);
      return chips.find(({ isActive }) => isActive) ?? chips[0] ?? null;
    },
  };
}

/** Several users may have registered a chip: the newest installation counts, of equals the greater document id. */
function oneOfEach(rows: readonly ChipRow[]): readonly Chip[] {
  const byChip = new Map<string, ChipRow>();
  for (const row of rows.toSorted((a, b) => (a.documentId < b.documentId ? -1 : 1))) {
    const held = byChip.get(row.chipId);
    if (!held || installedMs(row) >= installedMs(held)) byChip.set(row.chipId, row);
  }
  return [...byChip.values()].map(chipOf);
}

function chipOf({ documentId: _documentId, ...chip }: ChipRow): Chip {
  return chip;
}

const installedMs = ({ installedAt }: Chip): number => installedAt?.getTime() ?? Number.NEGATIVE_INFINITY;

function newestFirst(a: Chip, b: Chip): number {
  const [timeA, timeB] = [installedMs(a), installedMs(b)];
  if (timeA !== timeB) return timeA > timeB ? -1 : 1;
  return a.chipId < b.chipId ? -1 : 1;
}

/** A project of the deployment. */
export type Project = { readonly projectId: string; readonly name: string };

/** The project that importers create in an empty database. */
const FIRST_PROJECT = 'demo';

/** Projects of a deployment. */
export type ProjectsService = ReturnType<typeof createProjects>;

/** Projects of a deployment; `configured` is `QPILOT_PROJECT`, which may name a project before its first import. */
export function createProjects(store: CalibrationStore, configured: string | null) {
  // Read for every request: those that come together share it.
  const readAll = sharedNext(() => store.projects());
  return {
    list: () => readAll(),
    /**
     * The project of a request: the requested one, else the configured one, else the only one.
     * @throws InvalidInputError if none of these applies; NotFoundError if the requested one does not exist
     */
    async resolve(requested: string | null): Promise<Project> {
      const projects = await readAll();
      const byId = (projectId: string) => projects.find((project) => project.projectId === projectId);
      if (requested !== null && requested !== configured) {
        const found = byId(requested);
        if (found) return found;
        const known = knownNames(projects.map(({ projectId }) => projectId));
        throw new NotFoundError(`there is no project ${requested}; projects here: ${known}`);
      }
      if (configured !== null) return byId(configured) ?? { projectId: configured, name: configured };
      const [only, ...others] = projects;
      if (only === undefined) return { projectId: FIRST_PROJECT, name: FIRST_PROJECT };
      if (others.length === 0) return only;
      const known = knownNames(projects.map(({ projectId }) => projectId));
      const message = `this deployment has several projects; name one of ${known}`;
      throw InvalidInputError.at(['x-project-id'], message);
    },
  };
}
