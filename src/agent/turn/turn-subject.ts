/** The task result, chip and qubit that a turn is about, from its session or by default. */
import type { Session, Viewer } from '../../domain/conversation/session.ts';
import { isCouplingId, qidLabel } from '../../domain/qid.ts';
import type { TaskResult } from '../../domain/values/task-result.ts';
import type { Loaders } from '../../services/loaders/loaders.ts';
import type { CalibrationServices } from '../../services/calibration/calibration-services.ts';
import type { PromptChip } from '../prompt/chat-sections.ts';

export type TurnSubject = {
  /** Null in plain chat, and if the result no longer exists. */
  readonly result: TaskResult | null;
  /** The selected chip, by name or by a result of it; null if none is. */
  readonly selectedChipId: string | null;
  /** The selected chip, else the project's newest one; null if it does not exist. */
  readonly chip: PromptChip | null;
  /** The selected qubit, by name or by a result of it. */
  readonly qubit: { readonly qid: string; readonly label: string } | null;
};

/** A chip that is gone is not replaced by another: tools then report it as unknown. */
export async function findTurnSubject(
  services: Pick<CalibrationServices, 'chips'>,
  loaders: Loaders,
  viewer: Viewer,
  session: Pick<Session, 'chipId' | 'qid' | 'taskId'>,
): Promise<TurnSubject> {
  const result = session.taskId === null ? null : await loaders.taskResult.load(session.taskId);
  const selectedChipId = session.chipId ?? result?.chipId ?? null;
  const chip =
    selectedChipId === null
      ? await services.chips.defaultChip(viewer)
      : await loaders.chip.load(selectedChipId);
  const measured = result === null || result.qid === '' || isCouplingId(result.qid) ? null : result.qid;
  const qid = session.qid ?? measured;
  const topology = chip === null ? null : await loaders.topology.load(chip);
  return {
    result,
    selectedChipId,
    chip: chip && {
      chipId: chip.chipId,
      size: chip.size,
      topologyId: topology?.topologyId ?? null,
      layoutType: topology?.layoutType ?? null,
    },
    qubit: qid === null ? null : { qid, label: qidLabel(qid, chip?.size ?? 0) },
  };
}
