import type { Viewer } from '../../domain/conversation/session.ts';
import { labelFigures, type Figure, type FigureAddress } from '../../domain/records/figure.ts';
import type { TaskResult } from '../../domain/values/task-result.ts';
import type { FigureFile, FigureFiles } from '../../stores/figure-files.ts';
import type { TaskResultsService } from './record-services.ts';

/** Pictures of task results. */
export type FiguresService = {
  /** Those that can be asked for: none where no folder with calibration files is configured. No read. */
  list(result: TaskResult): readonly Figure[];
  /** A picture of the viewer's project; `MISSING` also for a result of another one. */
  read(viewer: Viewer, figure: Omit<FigureAddress, 'projectId'>): Promise<FigureFile>;
};

/** `files` is null where `CALIB_DATA_PATH` is not set. */
export function createFigures(deps: {
  readonly taskResults: TaskResultsService;
  readonly files: FigureFiles | null;
}): FiguresService {
  const { taskResults, files } = deps;
  return {
    list: ({ figurePaths }) => (files === null ? [] : labelFigures(figurePaths)),
    async read(viewer, { taskId, index }) {
      if (files === null) return { kind: 'MISSING' };
      const [result] = await taskResults.getMany(viewer, [taskId]);
      const path = result?.figurePaths[index];
      return path === undefined ? { kind: 'MISSING' } : files.read(path);
    },
  };
}
