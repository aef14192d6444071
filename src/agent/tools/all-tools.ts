import type { Tool } from '../tool.ts';
import { compareQubits } from './compare-qubits.ts';
import { executePythonAnalysis } from './execute-python-analysis.ts';
import { findOutliers } from './find-outliers.ts';
import { generateChipHeatmap } from './generate-chip-heatmap.ts';
import { getChipParameterTimeseries } from './get-chip-parameter-timeseries.ts';
import { getChipSummary } from './get-chip-summary.ts';
import { getChipTopology } from './get-chip-topology.ts';
import { getQubitParams } from './get-qubit-params.ts';
import { listAvailableParameters } from './list-available-parameters.ts';
import { rankQubits } from './rank-qubits.ts';

/** The tools of copilot chat, in the order in which a model reads of them. */
export const ALL_TOOLS: readonly Tool[] = [
  getChipSummary,
  rankQubits,
  findOutliers,
  getQubitParams,
  compareQubits,
  getChipParameterTimeseries,
  generateChipHeatmap,
  getChipTopology,
  listAvailableParameters,
  executePythonAnalysis,
];
