import type { Tool } from '../tool.ts';
import { comparePeriods } from './compare-periods.ts';
import { compareQubits } from './compare-qubits.ts';
import { compareSnapshots } from './compare-snapshots.ts';
import { executePythonAnalysis } from './execute-python-analysis.ts';
import { findOutliers } from './find-outliers.ts';
import { generateChipHeatmap } from './generate-chip-heatmap.ts';
import { getCalibrationNotes } from './get-calibration-notes.ts';
import { getChipParameterTimeseries } from './get-chip-parameter-timeseries.ts';
import { getChipSummary } from './get-chip-summary.ts';
import { getChipTopology } from './get-chip-topology.ts';
import { getCouplingParams } from './get-coupling-params.ts';
import { getExecutionHistory } from './get-execution-history.ts';
import { getLabContext } from './get-lab-context.ts';
import { getLatestTaskResult } from './get-latest-task-result.ts';
import { getParameterLineage } from './get-parameter-lineage.ts';
import { getParameterTimeseries } from './get-parameter-timeseries.ts';
import { getProvenanceLineageGraph } from './get-provenance-lineage-graph.ts';
import { getQubitParams } from './get-qubit-params.ts';
import { getTaskHistory } from './get-task-history.ts';
import { listAvailableParameters } from './list-available-parameters.ts';
import { listEntities } from './list-entities.ts';
import { makeChart } from './make-chart.ts';
import { queryDataset } from './query-dataset.ts';
import { queryValues } from './query-values.ts';
import { rankQubits } from './rank-qubits.ts';
import { searchTaskResults } from './search-task-results.ts';

/** The tools of copilot chat, in the order in which a model reads of them. */
export const ALL_TOOLS: readonly Tool[] = [
  getChipSummary,
  rankQubits,
  queryValues,
  findOutliers,
  comparePeriods,
  compareSnapshots,
  getQubitParams,
  compareQubits,
  getCouplingParams,
  getChipParameterTimeseries,
  getParameterTimeseries,
  generateChipHeatmap,
  getChipTopology,
  listAvailableParameters,
  listEntities,
  getLabContext,
  getLatestTaskResult,
  getTaskHistory,
  searchTaskResults,
  getExecutionHistory,
  getCalibrationNotes,
  getParameterLineage,
  getProvenanceLineageGraph,
  queryDataset,
  executePythonAnalysis,
  makeChart,
];
