import type { Chip } from '../../domain/chip/chip.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { ForbiddenError, InvalidInputError, NotFoundError } from '../../base/errors.ts';
import { sharedNext } from '../../base/shared-next.ts';
import type { CalibrationStore, ChipRow } from '../../stores/calibration-store.ts';
import { knownNames } from './known-names.ts';

/** Chips of the viewer's project. */
export type ChipsService = ReturnType<typeof createChips>;

/** Chips of the viewer's project. */
export function createChips(store: Pick<CalibrationStore, 'chips'>) {
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
      return chip ?? noSuchChip(viewer, chipId, await list(viewer));
    },
    /** The newest active chip, else the newest; null in an empty project. */
    async defaultChip(viewer: Viewer): Promise<Chip | null> {
      const chips = await list(viewer);
      return chips.find(({ isActive }) => isActive) ?? chips[0] ?? null;
    },
  };
}

/** @throws NotFoundError naming the project's chips */
export function noSuchChip({ projectId }: Viewer, chipId: string, chips: readonly Chip[]): never {
  const known = knownNames(chips.map((each) => each.chipId));
  throw new NotFoundError(`there is no chip ${chipId} in project ${projectId}; chips here: ${known}`);
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
export function createProjects(store: Pick<CalibrationStore, 'projects'>, configured: string | null) {
  // Read for every request: those that come together share it.
  const readAll = sharedNext(() => store.projects());
  const all = async (): Promise<readonly Project[]> => {
    const projects = await readAll();
    const first = configured ?? (projects.length === 0 ? FIRST_PROJECT : null);
    if (first === null || projects.some(({ projectId }) => projectId === first)) return projects;
    return [...projects, { projectId: first, name: first }];
  };
  /** The one of `among` that is meant where none is named: the configured one, else the only one; null where there are several. */
  const usual = <Among extends Project>(among: readonly Among[]): Among | null => {
    const [only, ...others] = among;
    const first = among.find(({ projectId }) => projectId === configured);
    return first ?? (others.length === 0 ? (only ?? null) : null);
  };
  /**
   * One of `among`, which somebody may use: the requested one, else the usual one. Projects that exist beside them are
   * never mentioned.
   * @throws NotFoundError if the requested one is not among them, InvalidInputError where several are possible,
   * ForbiddenError where there is none
   */
  const pick = <Among extends Project>(among: readonly Among[], requested: string | null): Among => {
    const known = knownNames(among.map(({ projectId }) => projectId).toSorted());
    if (requested !== null) {
      const found = among.find(({ projectId }) => projectId === requested);
      if (found) return found;
      throw new NotFoundError(`you have no project ${requested}; yours: ${known}`);
    }
    const found = usual(among);
    if (found !== null) return found;
    if (among.length === 0) {
      throw new ForbiddenError('you are a member of no project here; an admin or owner of one can add you');
    }
    throw InvalidInputError.at(['x-project-id'], `you have several projects; name one of ${known}`);
  };
  return {
    /** Those in the calibration database. */
    list: () => readAll(),
    /** With the configured one, or the one of a first import, before it is in the database. */
    all,
    usual,
    pick,
    /** As {@link pick}, among all projects: for operators, never for requests. */
    resolve: async (requested: string | null): Promise<Project> => pick(await all(), requested),
  };
}
