/** Charts of names, and figures of analysis code, that hold what must never become more than text. */
import { qubitValue } from '../../src/domain/chip/chip-metric.ts';
import { describeParameter } from '../../src/domain/values/parameter-value.ts';
import { readStoredParameter } from '../../src/domain/values/stored-parameter.ts';
import { metricHeatmap } from '../../src/domain/visual-rules/heatmap.ts';
import { modelChart } from '../../src/domain/visual-rules/model-chart.ts';
import { rankingVisuals } from '../../src/domain/visual-rules/ranking.ts';
import { sandboxVisuals } from '../../src/domain/visual-rules/analysis-figures.ts';
import { topologyGraph } from '../../src/domain/visual-rules/topology-graph.ts';
import { valueCard } from '../../src/domain/visual-rules/value-card.ts';
import type { ChartSpec, Visual } from '../../src/domain/visuals.ts';
import { shippedMetrics, shippedTopologies } from '../support/catalogue.ts';

/** By what made them; `text` stands everywhere where it can. */
export function hostileCharts(text: string): readonly (readonly [string, ChartSpec])[] {
  const topology = shippedTopologies.get('square-lattice-mux-16')!;
  const metric = { ...shippedMetrics.find('t1', 'QUBIT')!, title: text };
  const qubits = ['0', '1'].map((qid) => ({ qid, label: text }));
  const row = { label: text, error: 1, rating: 'GOOD', measuredAt: null } as const;
  const ranking = { title: text, metricTitle: text, unit: text, entity: 'Qubit' } as const;
  const values = qubits.map((qubit) => qubitValue(qubit, undefined, metric));
  return [
    ['heatmap', metricHeatmap(metric, values, topology)],
    ['topology', topologyGraph(text, topology, qubits)],
    ['bars', chartIn(rankingVisuals({ ...ranking, rows: [1, 5].map((value) => ({ ...row, value })) }))],
    [
      'distribution',
      chartIn(
        rankingVisuals({ ...ranking, rows: Array.from({ length: 40 }, (_, value) => ({ ...row, value })) }),
      ),
    ],
    [
      'card',
      valueCard(
        text,
        describeParameter(readStoredParameter(text, { value: 1, unit: text }), null, new Date()),
      )!,
    ],
    [
      'model',
      modelChart({
        type: 'scatter',
        rows: [{ label: text, a: text, b: 1 }],
        xField: 'a',
        series: [{ name: text, yField: 'b' }],
        title: text,
        xLabel: text,
        yLabel: text,
        note: text,
        source: text,
      }),
    ],
    ['analysis', figure(text)],
  ];
}

const chartIn = (visuals: readonly Visual[]): ChartSpec => {
  const [chart] = visuals.filter((visual) => visual.type === 'chart');
  return chart!;
};

function figure(text: string): ChartSpec {
  const { visuals } = sandboxVisuals(
    [
      {
        data: [
          {
            x: [text, 'b'],
            y: [1, 2],
            name: text,
            text: [text, text],
            mode: 'markers+text',
            hovertemplate: text,
          },
          { type: 'bar', x: ['b'], y: [1], name: text, hovertext: [text], customdata: [text] },
        ],
        layout: {
          title: text,
          images: [{ source: 'https://evil.invalid/pixel.png', x: 0, y: 1, sizex: 1, sizey: 1 }],
          updatemenus: [{ buttons: [{ label: text, method: 'relayout', args: [] }] }],
          annotations: [{ text, hovertext: text, x: 'b', y: 1 }],
          xaxis: { title: text },
          legend: { title: text },
        },
      },
    ],
    {},
  );
  return chartIn(visuals);
}
