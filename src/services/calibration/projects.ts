import { InvalidInputError, NotFoundError } from '../../base/errors.ts';
import type { CalibrationStore } from '../../stores/calibration-store.ts';
import type { ProjectsService } from './chip-services.ts';
import { knownNames } from './known-names.ts';

/** The project that importers make in a database without any. */
const FIRST_PROJECT = 'demo';

/** Projects of a deployment; `configured` is `QPILOT_PROJECT`, which may name a project before anything is imported into it. */
export function createProjects(store: CalibrationStore, configured: string | null): ProjectsService {
  return {
    list: () => store.projects(),
    async resolve(requested) {
      const projects = await store.projects();
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
      throw new InvalidInputError([
        { path: ['x-project-id'], message: `this deployment has several projects; name one of ${known}` },
      ]);
    },
  };
}
