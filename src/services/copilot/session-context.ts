import type { Viewer } from '../../domain/conversation/session.ts';
import { InvalidInputError, NotFoundError } from '../../base/errors.ts';
import type { CalibrationServices } from '../calibration/calibration-services.ts';
import type { SessionContext } from './send-message.ts';

/**
 * Makes the check that what a session is to be about exists in the viewer's project.
 * @throws NotFoundError, InvalidInputError for a qubit without its chip and for a task result of another chip.
 */
export function createContextCheck(
  services: Pick<CalibrationServices, 'chips' | 'qubits' | 'taskResults'>,
): (viewer: Viewer, context: SessionContext) => Promise<void> {
  return async (viewer, { chipId, qid, taskId }) => {
    const chip = chipId === null ? null : await services.chips.get(viewer, chipId);
    if (qid !== null) {
      if (chip === null) {
        throw new InvalidInputError([{ path: ['input', 'qid'], message: 'needs chipId beside it' }]);
      }
      await services.qubits.get(chip, qid);
    }
    if (taskId === null) return;
    const [result] = await services.taskResults.getMany(viewer, [taskId]);
    if (!result) {
      throw new NotFoundError(`there is no task result ${taskId} in project ${viewer.projectId}`);
    }
    if (chipId !== null && result.chipId !== chipId) {
      const message = `is of chip ${result.chipId}: give that as chipId, or leave chipId out`;
      throw new InvalidInputError([{ path: ['input', 'taskId'], message }]);
    }
  };
}
