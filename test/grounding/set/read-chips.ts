import type { Viewer } from '../../../src/domain/conversation/session.ts';
import type { CalibrationServices } from '../../../src/services/calibration/calibration-services.ts';
import { argumentsOf, openToolBench, type ToolBench } from '../../support/tool-bench.ts';
import { ASKED_AT, readChipData, type CallTool, type ChipData } from './chip-data.ts';
import { REMEASURED, remeasured } from './remeasured.ts';

const VIEWER: Viewer = { id: 'local', name: 'local', projectId: 'demo', role: 'owner', isOperator: true };

/** The tool results that the labelled sentences are about: every tool is called once for each chip. */
export async function readChips(
  services: CalibrationServices,
  chipIds: readonly string[],
): Promise<readonly ChipData[]> {
  const chips: ChipData[] = [];
  for (const chipId of chipIds) {
    const chip = { services, viewer: VIEWER, chipId, now: ASKED_AT };
    const call = callerOf(openToolBench(chip));
    const stored = REMEASURED.map((qid) => call('get_qubit_params', { qid }));
    const live = remeasured(
      (await Promise.all(stored)).map(({ resultJson }) => JSON.parse(resultJson ?? '{}')),
    );
    chips.push(await readChipData(chipId, call, callerOf(openToolBench({ ...chip, live }))));
  }
  return chips;
}

const callerOf =
  (bench: ToolBench): CallTool =>
  (tool, args) =>
    bench.call(tool, argumentsOf(tool, args));
