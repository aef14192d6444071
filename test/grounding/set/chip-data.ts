/** The tool results that labelled sentences are about, and the values in them, read from the data and never typed. */
import { z } from 'zod';
import type { CallEnding } from '../../../src/agent/loop/tool-call.ts';
import type { ToolEvidence } from '../../../src/domain/grounding/read-facts.ts';
import { qidLabel } from '../../../src/domain/qid.ts';

/** When the sentences were asked for: in the night after the demo's last run. */
export const ASKED_AT = new Date('2026-05-20T01:00:00Z');

type Calls = Readonly<Record<string, readonly [tool: string, args: object]>>;

/** Calls that sentences may stand on. */
const CALLS = {
  params12: ['get_qubit_params', { qid: '12' }],
  params13: ['get_qubit_params', { qid: '13' }],
  params21: ['get_qubit_params', { qid: '21' }],
  params45: ['get_qubit_params', { qid: '45' }],
  compared: ['compare_qubits', { qids: ['12', '13', '21'] }],
  summary: ['get_chip_summary', {}],
  worstT1: ['rank_qubits', { metric_name: 't1', order: 'worst', count: 5 }],
  heatmapT1: ['generate_chip_heatmap', { metric_name: 't1' }],
  series12: ['get_parameter_timeseries', { parameter_name: 't1', qid: '12', last_n: 10 }],
  seriesBoth: ['get_chip_parameter_timeseries', { parameter_name: 't1', qids: ['12', '13'], last_n: 5 }],
  couplings12: ['get_coupling_params', { qubit_id: '12' }],
  topology: ['get_chip_topology', {}],
  history12: ['get_task_history', { task_name: 'CheckT1', qid: '12', last_n: 3 }],
  periods: [
    'compare_periods',
    { parameter_name: 't1', window_hours: 168, level: 'qubit', include_series: false },
  ],
  executions: ['get_execution_history', { last_n: 3 }],
  lab: ['get_lab_context', {}],
} as const satisfies Calls;

/** Calls of a chat with a live source, which also adds live values to what the usual tools say. */
const LIVE_CALLS = {
  freshened12: ['get_qubit_params', { qid: '12' }],
  freshened45: ['get_qubit_params', { qid: '45' }],
  live: ['get_live_parameters', { qids: ['12', '45'], param_names: ['t1', 't2_echo', 'qubit_frequency'] }],
  verified: ['verify_against_live', { qids: ['12', '21'], param_names: ['t1', 'average_readout_fidelity'] }],
} as const satisfies Calls;

/** Name of a call, which is also its call id. */
export type CallKey = keyof typeof CALLS | keyof typeof LIVE_CALLS;

/** Makes a tool call in a session about a chip; arguments left out are null. */
export type CallTool = (tool: string, args: object) => Promise<CallEnding>;

/** One value with its record. `value` and `error` are in `unit`, `stored` in `storedUnit`. */
export type Measured = {
  readonly label: string;
  readonly value: number;
  readonly unit: string;
  readonly stored: number;
  readonly error: number | null;
  readonly recordId: string;
  readonly at: Date;
};

/** Figures in display scale. */
export type Figures = Record<'mean' | 'median' | 'stdev' | 'min' | 'max' | 'count', number>;

/** A coupling of qubit 12 and its gate fidelity. */
export type MeasuredCoupling = Measured & { readonly couplingId: string };

/** What sentences about a chip take their numbers from. */
export type ChipData = {
  readonly chipId: string;
  readonly size: number;
  readonly calls: Readonly<Record<CallKey, ToolEvidence>>;
  label(qid: string): string;
  /** Of qubit 12, 13, 21 or 45. */
  value(qid: '12' | '13' | '21' | '45', parameter: string): Measured;
  figures(parameter: string): Figures;
  readonly couplings: readonly MeasuredCoupling[];
  /** T1 of qubit 12, oldest first. */
  readonly series: readonly Measured[];
  /** T1 of every qubit, in display scale. */
  readonly t1: readonly number[];
  /** The five shortest T1, worst first. */
  readonly worst: readonly Measured[];
};

const parameter = z.object({
  name: z.string(),
  value: z.number(),
  unit: z.string(),
  error: z.number().nullable(),
  scale: z.number(),
  display_unit: z.string(),
  calibrated_at: z.coerce.date(),
  task_id: z.string(),
});
const qubitResult = z.object({ data: z.object({ label: z.string(), parameters: z.array(parameter) }) });
const couplingResult = z.object({
  data: z.object({
    couplings: z.array(z.object({ coupling_id: z.string(), parameters: z.array(parameter) })),
  }),
});
const statistics = z.object({
  scale: z.number(),
  count: z.number(),
  mean: z.number(),
  median: z.number(),
  stdev: z.number(),
  min: z.number(),
  max: z.number(),
});
const summaryResult = z.object({
  data: z.object({
    num_qubits: z.number(),
    statistics: z.record(z.string(), statistics),
    qubits: z.array(z.object({ t1: z.number() })),
  }),
});
const seriesResult = z.object({
  data: z.object({
    values: z.array(
      z.object({ t: z.coerce.date(), v: z.number(), error: z.number().nullable(), task_id: z.string() }),
    ),
  }),
});
const rankResult = z.object({
  data: z.object({
    rows: z.array(
      z.object({
        qid: z.string(),
        label: z.string(),
        value: z.number(),
        unit: z.string(),
        measured_at: z.coerce.date(),
      }),
    ),
  }),
  records: z.object({ t1: z.record(z.string(), z.tuple([z.string(), z.string()])) }),
});

/** Calls the tools. @throws Error naming a call that failed. */
export async function readChipData(
  chipId: string,
  call: CallTool,
  callWithLive: CallTool,
): Promise<ChipData> {
  const evidence: [string, ToolEvidence][] = [];
  const collect = async (calls: Calls, make: CallTool): Promise<void> => {
    for (const [key, [tool, args]] of Object.entries(calls)) {
      const { resultJson, error } = await make(tool, args);
      if (resultJson === null) throw new Error(`${tool} on ${chipId} failed: ${error?.message}`);
      evidence.push([key, { callId: key, arguments: args, result: JSON.parse(resultJson) as unknown }]);
    }
  };
  await collect(CALLS, call);
  await collect(LIVE_CALLS, callWithLive);
  return dataOf(chipId, Object.fromEntries(evidence) as Record<CallKey, ToolEvidence>);
}

function dataOf(chipId: string, calls: Readonly<Record<CallKey, ToolEvidence>>): ChipData {
  const { data: summary } = summaryResult.parse(calls.summary.result);
  const label = (qid: string): string => qidLabel(qid, summary.num_qubits);
  const { records, data: ranked } = rankResult.parse(calls.worstT1.result);
  return {
    chipId,
    size: summary.num_qubits,
    calls,
    label,
    value(qid, name) {
      const { data } = qubitResult.parse(calls[`params${qid}`].result);
      return measured(data.label, find(data.parameters, name));
    },
    figures(name) {
      const found = summary.statistics[name];
      if (found === undefined) throw new Error(`${chipId} has no ${name}`);
      const { scale, count, ...figures } = found;
      return {
        ...(Object.fromEntries(
          Object.entries(figures).map(([key, value]) => [key, value * scale]),
        ) as Figures),
        count,
      };
    },
    couplings: couplingResult
      .parse(calls.couplings12.result)
      .data.couplings.map(({ coupling_id: id, parameters }) => ({
        couplingId: id,
        ...measured(label(id), find(parameters, 'zx90_gate_fidelity')),
      })),
    series: seriesResult
      .parse(calls.series12.result)
      .data.values.map(({ t, v, error, task_id: recordId }) => ({
        label: label('12'),
        value: v,
        unit: 'μs',
        stored: v,
        error,
        recordId,
        at: t,
      })),
    t1: summary.qubits.map(({ t1 }) => t1),
    worst: ranked.rows.map(({ qid, label: own, value, unit, measured_at: at }) => ({
      label: own,
      value,
      unit,
      stored: value,
      error: null,
      at,
      recordId: records.t1[qid]?.[0] ?? '',
    })),
  };
}

function find(parameters: readonly z.infer<typeof parameter>[], name: string): z.infer<typeof parameter> {
  const found = parameters.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no ${name} among the parameters`);
  return found;
}

const measured = (
  label: string,
  { value, error, scale, display_unit: unit, task_id, calibrated_at }: z.infer<typeof parameter>,
): Measured => ({
  label,
  value: value * scale,
  unit,
  stored: value,
  error: error === null ? null : error * scale,
  recordId: task_id,
  at: calibrated_at,
});
