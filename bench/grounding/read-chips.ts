import type { Viewer } from '../../src/domain/session.ts';
import type { JsonObject } from '../../src/domain/visuals.ts';
import type { CalibrationServices } from '../../src/services/calibration-services.ts';
import { allTools, openToolBench } from '../../test/support/tool-bench.ts';
import { ASKED_AT, readChipData, type ChipData } from './chip-data.ts';

const VIEWER: Viewer = { id: 'local', name: 'local', projectId: 'demo' };

/** The tool results that the labelled sentences are about: every tool is called once for each chip. */
export async function readChips(
  services: CalibrationServices,
  chipIds: readonly string[],
): Promise<readonly ChipData[]> {
  const argumentsOf = (tool: string): readonly string[] => {
    const schema = allTools.schemas.find(({ name }) => name === tool);
    return Object.keys((schema?.parameters['properties'] ?? {}) as JsonObject);
  };
  const chips: ChipData[] = [];
  for (const chipId of chipIds) {
    const bench = openToolBench({ services, viewer: VIEWER, chipId, now: ASKED_AT });
    chips.push(await readChipData(chipId, (tool, args) => bench.call(tool, args), argumentsOf));
  }
  return chips;
}
