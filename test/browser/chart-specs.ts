/** Every kind of chart that the visual rules make, from real tool calls where the data has an example of it. */
import { qubitValue } from '../../src/domain/chip/chip-metric.ts';
import { metricHeatmap } from '../../src/domain/visual-rules/heatmap.ts';
import { topologyGraph } from '../../src/domain/visual-rules/topology-graph.ts';
import type { Visual } from '../../src/domain/visuals.ts';
import { shippedMetrics, shippedTopologies } from '../support/catalogue.ts';
import { DEMO_NOW, demoViewer, openDemoDatabase } from '../support/demo-database.ts';
import { hasSharedData } from '../support/shared-data.ts';
import { allTools, openToolBench, sandboxAnswering } from '../support/tool-bench.ts';

/** Tool calls that draw, by the name of what they draw. Arguments left out are null. */
const CALLS: Readonly<Record<string, readonly [tool: string, args: object]>> = {
  'heatmap-64': ['generate_chip_heatmap', { metric_name: 't1' }],
  'heatmap-64-lower': ['generate_chip_heatmap', { metric_name: 'anharmonicity' }],
  'heatmap-64-neutral': ['generate_chip_heatmap', { metric_name: 'qubit_frequency' }],
  'heatmap-64-fidelity': ['generate_chip_heatmap', { metric_name: 'average_readout_fidelity' }],
  'trend-1': ['get_parameter_timeseries', { parameter_name: 't1', qid: '27', last_n: 60 }],
  'trend-1-frequency': [
    'get_parameter_timeseries',
    { parameter_name: 'qubit_frequency', qid: '27', last_n: 60 },
  ],
  'trend-2': ['get_chip_parameter_timeseries', { parameter_name: 't1', qids: ['12', '13'], last_n: 30 }],
  'trend-8': [
    'get_chip_parameter_timeseries',
    { parameter_name: 't1', qids: ['0', '1', '2', '3', '4', '5', '6', '27'], last_n: 30 },
  ],
  'distribution-64': ['get_chip_parameter_timeseries', { parameter_name: 't1', last_n: 10 }],
  'ranking-5': ['rank_qubits', { metric_name: 't1', order: 'worst', count: 5 }],
  'ranking-32': ['rank_qubits', { metric_name: 't1', order: 'best', count: 32 }],
  'ranking-fidelity': ['rank_qubits', { metric_name: 'x90_gate_fidelity', order: 'worst', count: 10 }],
  'ranking-couplings': ['rank_qubits', { metric_name: 'zx90_gate_fidelity', order: 'worst', count: 10 }],
  'periods-series': [
    'compare_periods',
    { parameter_name: 't1', window_hours: 168, level: 'chip', include_series: true },
  ],
  'periods-qubits': [
    'compare_periods',
    {
      parameter_name: 't1',
      window_hours: 168,
      level: 'qubit',
      qids: ['0', '1', '2', '3', '12', '27'],
      include_series: false,
    },
  ],
  'periods-mux': [
    'compare_periods',
    { parameter_name: 't1', window_hours: 168, level: 'mux', include_series: false },
  ],
  'periods-64': [
    'compare_periods',
    { parameter_name: 't1', window_hours: 168, level: 'qubit', include_series: false },
  ],
  'health-card': ['get_chip_summary', {}],
  'value-card': ['get_latest_task_result', { task_name: 'CheckT1', qid: '12' }],
  'topology-64': ['get_chip_topology', {}],
  'model-scatter': [
    'make_chart',
    {
      df_name: 'chip_summary',
      logical_name: 'qubits',
      chart_type: 'scatter',
      x_field: 't1',
      x_label: 'T1 in μs',
      y_label: 'T2 Echo in μs',
      series: [{ name: 'T2 Echo', y_field: 't2_echo' }],
      title: 'T2 echo against T1',
      note: 'T2 should stay below twice T1',
    },
  ],
  'model-bar': [
    'make_chart',
    {
      df_name: 'chip_summary',
      logical_name: 'qubits',
      chart_type: 'column',
      x_field: 'qid',
      x_label: '',
      y_label: 'μs',
      series: [
        { name: 'T1', y_field: 't1' },
        { name: 'T2 Echo', y_field: 't2_echo' },
      ],
      title: 'Coherence of all qubits',
      note: '',
    },
  ],
  sandbox: ['execute_python_analysis', { code: 'charts' }],
  'no-data': ['generate_chip_heatmap', { metric_name: 't1', within_hours: 1 }],
};

const BRISBANE: typeof CALLS = {
  'brisbane-heatmap': ['generate_chip_heatmap', { metric_name: 't1' }],
  'brisbane-readout': ['generate_chip_heatmap', { metric_name: 'average_readout_fidelity' }],
  'brisbane-topology': ['get_chip_topology', {}],
  'brisbane-distribution': ['get_chip_parameter_timeseries', { parameter_name: 't1', last_n: 1 }],
};

/** What analysis code may hand over: figures as Plotly's Python library writes them. */
const SANDBOX_FIGURES = [
  {
    data: [{ type: 'scatter', mode: 'markers', x: [40, 60, 80, 90], y: [50, 70, 120, 110], name: 'Qubits' }],
    layout: { title: 'T2 against T1', xaxis: { title: 'T1 (μs)' }, yaxis: { title: 'T2 (μs)' } },
  },
  {
    data: [
      { type: 'box', name: 'MUX 0', y: [40, 50, 60, 45] },
      { type: 'box', name: 'MUX 1', y: [30, 52, 66, 41] },
    ],
    layout: { title: { text: 'T1 by MUX' }, yaxis: { title: { text: 'T1 (μs)' } } },
  },
];

/** A chart or table with its name. */
export type NamedVisual = { readonly name: string; readonly visual: Visual };

/** Asks the tools, over the demo and, where the real inputs are here, `brisbane`. */
export async function collectVisuals(): Promise<readonly NamedVisual[]> {
  const demo = await openDemoDatabase();
  try {
    return [
      ...(await collectFrom(demo, 'demo-64', CALLS)),
      ...(await originsFrom(demo)),
      ...(hasSharedData ? await collectFrom(demo, 'brisbane', BRISBANE) : []),
      ...[144, 1024].flatMap(largeChip),
    ];
  } finally {
    await demo.close();
  }
}

type Demo = Awaited<ReturnType<typeof openDemoDatabase>>;

const openBench = (demo: Demo, chipId: string) =>
  openToolBench({
    ...demo,
    viewer: demoViewer,
    chipId,
    now: DEMO_NOW,
    sandbox: sandboxAnswering(() => ({ charts: SANDBOX_FIGURES })),
  });

async function collectFrom(demo: Demo, chipId: string, calls: typeof CALLS): Promise<readonly NamedVisual[]> {
  const bench = openBench(demo, chipId);
  const found: NamedVisual[] = [];
  for (const [name, [tool, args]] of Object.entries(calls)) {
    const { visuals } = await bench.result(tool, withNulls(tool, args));
    found.push(
      ...visuals.map((visual, index) => ({ name: index === 0 ? name : `${name}-${index}`, visual })),
    );
  }
  return found;
}

async function originsFrom(demo: Demo): Promise<readonly NamedVisual[]> {
  const chip = await demo.services.chips.get(demoViewer, 'demo-64');
  const versions = await demo.services.lineage.versions(chip, { parameter: 't1', qids: ['12'], lastN: 1 });
  const entity_id = versions.get('12')?.[0]?.entityId ?? '';
  return collectFrom(demo, 'demo-64', {
    origins: ['get_provenance_lineage_graph', { entity_id, max_depth: 5 }],
  });
}

function withNulls(tool: string, args: object): object {
  const properties = allTools.schemas.find(({ name }) => name === tool)?.parameters['properties'] ?? {};
  return { ...Object.fromEntries(Object.keys(properties).map((key) => [key, null])), ...args };
}

/** Sizes that neither data set has; every ninth qubit has no value. */
function largeChip(size: number): readonly NamedVisual[] {
  const topology = shippedTopologies.get(`square-lattice-mux-${size}`)!;
  const metric = shippedMetrics.find('t1', 'QUBIT')!;
  const qubits = [...topology.positions.keys()].map((qid) => ({
    qid,
    label: `Q${qid.padStart(String(size).length, '0')}`,
  }));
  const values = qubits.map((qubit, index) => {
    const reduced = {
      value: 60 + 30 * Math.sin(index / 5),
      unit: 'μs',
      error: 2,
      measuredAt: DEMO_NOW,
      taskId: 't',
      taskName: 'CheckT1',
      cooldownId: null,
      runs: 1,
      newerFailure: null,
    };
    return qubitValue(qubit, index % 9 === 4 ? undefined : reduced, metric);
  });
  return [
    { name: `heatmap-${size}`, visual: metricHeatmap(metric, values, topology) },
    { name: `topology-${size}`, visual: topologyGraph('large', topology, qubits) },
  ];
}
