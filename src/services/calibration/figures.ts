import type { Viewer } from '../../domain/conversation/session.ts';
import { labelFigures, type Figure, type FigureAddress } from '../../domain/records/figure.ts';
import type { TaskResult } from '../../domain/values/task-result.ts';
import type { FigureFile, FigureFiles } from '../../stores/figure-files.ts';
import type { TaskResultsService } from './runs.ts';

/** Pictures of task results. */
export type FiguresService = ReturnType<typeof createFigures>;

/** `files` is null if `CALIB_DATA_PATH` is not set. */
export function createFigures(deps: {
  readonly taskResults: TaskResultsService;
  readonly files: FigureFiles | null;
}) {
  const { taskResults, files } = deps;
  return {
    /** The figures that can be requested: none without a folder of calibration files. No read. */
    list: ({ figurePaths }: Pick<TaskResult, 'figurePaths'>): readonly Figure[] =>
      files === null ? [] : labelFigures(figurePaths),
    /** A figure of the viewer's project; `MISSING` also for a result of another project. */
    async read(viewer: Viewer, { taskId, index }: Omit<FigureAddress, 'projectId'>): Promise<FigureFile> {
      if (files === null) return { kind: 'MISSING' };
      const [result] = await taskResults.getMany(viewer, [taskId]);
      const path = result?.figurePaths[index];
      return path === undefined ? { kind: 'MISSING' } : files.read(path);
    },
  };
}
