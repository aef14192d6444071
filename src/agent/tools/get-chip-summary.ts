/**
 * `get_chip_summary`: current values of every qubit and coupling with statistics, health and states; kept whole in the session's data
 * store.
 */
import { z } from 'zod';
import type { ChipSummary } from '../../domain/chip/chip-summary.ts';
import type { Falls } from '../../domain/chip/part-falls.ts';
import type { LayerFidelity } from '../../domain/chip/layer-fidelity.ts';
import type { Chip } from '../../domain/chip/chip.ts';
import { extremes } from '../../domain/claims/ranked.ts';
import { qidLabel } from '../../domain/qid.ts';
import { compactNumber } from '../../domain/text/compact.ts';
import { countOf, formatMeasured, formatQuantity, joinWords } from '../../domain/text/display-text.ts';
import { statisticsTable } from '../../domain/visual-rules/value-tables.ts';
import { healthCard } from '../../domain/visual-rules/value-card.ts';
import { isRated, type MetricCatalog, type MetricScope } from '../../domain/values/metric.ts';
import type { ParameterStatistics } from '../../domain/values/statistics.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import { NotFoundError } from '../../base/errors.ts';
import { dataKey, summariseStored } from '../data/stored-result.ts';
import { currentValues } from '../live/current-values.ts';
import { defineTool } from '../tool.ts';
import {
  chipIdArg,
  chipOf,
  chipWords,
  SESSION_DATA,
  sessionChipOf,
  storedSentence,
} from './chip-argument.ts';
import { componentSentences, partSentences, problemSentences, stateCounts } from './chip-state-words.ts';
import { fieldsOf, statisticsData } from './row-data.ts';
import { stateData } from './words.ts';

/** Parameters that the summary spells out; tables and data have all. */
const SHOWN_PARAMETERS = 6;
const SHOWN_COUPLING_PARAMETERS = 3;

export const getChipSummary = defineTool({
  name: 'get_chip_summary',
  category: 'calibration',
  rule: 'viewer: project',
  reads: 'STORED',
  label: 'Fetching chip summary',
  title: { en: 'Summary and health of a chip', ja: 'チップの概要と健全性' },
  example: {},
  description:
    'Current values of all qubits and couplings: statistics, health, problems, disabled parts. Start here for a whole chip. The table is kept for execute_python_analysis.',
  args: z.object({
    chip_id: chipIdArg,
    param_names: z.array(z.string()).nullable().describe('null for all'),
  }),
  describe: ({ chip_id, param_names }) =>
    `${param_names?.length ? param_names.join(', ') : 'all parameters'} of ${chipWords(chip_id)}`,
  conflictKey: () => SESSION_DATA,
  run: async ({ chip_id, param_names }, context) => {
    const chip = await chipOf(context, chip_id);
    const parameters = param_names?.length ? param_names : null;
    const summary = await context.loaders.chipSummary.load({ chip, parameters });
    if (summary === null) throw new NotFoundError(`chip ${chip.chipId} has no qubits`);
    const [falls, layers] = await Promise.all([
      context.services.chipFalls.ofWeek(chip, summary),
      parameters === null ? context.services.layerFidelities.ofChip(chip) : [],
    ]);
    const overview = { ...summary, falls, layers };
    const data = dataOf(chip.chipId, overview);
    const key = dataKey({
      name: 'chip_summary',
      chipId: chip.chipId,
      sessionChipId: sessionChipOf(context, chip_id, chip),
      otherArguments: parameters === null ? {} : { param_names: parameters },
    });
    await context.dataStore.put(key, JSON.stringify(data), summary.freshness);
    const { label, score } = summary.health;
    const card = parameters === null ? healthCard(chip.chipId, summary.health) : null;
    const table = statisticsTable(`Parameters of ${chip.chipId}`, [
      ...summary.parameters,
      ...summary.couplingParameters,
    ]);
    return {
      data,
      modelData: summariseStored(dataOf(chip.chipId, overview, compactNumber), key),
      // The summary has figures and problems.
      shortData: summariseStored(
        {
          ...data,
          statistics: null,
          coupling_statistics: null,
          problems: null,
          falls: null,
          falls_not_judged: null,
          not_enabled: null,
          layer_fidelities: null,
          health: null,
        },
        key,
      ),
      formattedSummary: wordsOf(chip, overview, parameters, context.services.metrics),
      preview: `${countOf(summary.qubitCount, 'qubit')}, ${countOf(summary.parameters.length + summary.couplingParameters.length, 'parameter')}, health ${label.toLowerCase()}${score === null ? '' : ` (${score.toFixed(2)} of 3)`}`,
      freshness: summary.freshness,
      current: {
        chip,
        scope: 'QUBIT',
        values: summary.rows.flatMap(({ qid, parameters: values }) =>
          currentValues({ qid, label: qidLabel(qid, chip.size) }, values, parameters),
        ),
      },
      source: 'SNAPSHOT',
      visuals: card === null ? [table] : [card, table],
    };
  },
});

function isRatedOf(metrics: MetricCatalog, name: string, scope: MetricScope): boolean {
  const metric = metrics.find(name, scope);
  return metric !== null && isRated(metric);
}

/** A summary with all that the tool adds. */
type Overview = ChipSummary & { readonly falls: Falls; readonly layers: readonly LayerFidelity[] };

/** `Layer fidelity of 97 chains: 98.67 % on 4 qubits, 57.30 % on 100 qubits, measured …`. */
function layerSentences(layers: readonly LayerFidelity[]): readonly string[] {
  const [first, ...others] = layers;
  if (first === undefined) return [];
  const words = ({ value, qids }: LayerFidelity) =>
    `${formatQuantity(100 * value, '%')} on ${countOf(qids.length, 'qubit')}`;
  const end = others.at(-1);
  const times = layers.map(({ measuredAt }) => measuredAt.getTime());
  const measured = formatMeasured(new Date(Math.min(...times)), new Date(Math.max(...times)));
  return [
    `Layer fidelity of ${countOf(layers.length, 'chain')}: ${words(first)}${end ? `, ${words(end)}` : ''}, ${measured}.`,
  ];
}

/** Values as stored; problems in display scale, as their unit shows. */
function dataOf(chipId: string, summary: Overview, round?: (value: number) => number): JsonObject {
  const { health, parameters, couplingParameters, rows, couplingRows, qubitCount, parts, falls, layers } =
    summary;
  const statistics = (of: readonly ParameterStatistics[]): JsonObject =>
    Object.fromEntries(of.map((each) => [each.name, statisticsData(each, round)]));
  return {
    chip_id: chipId,
    num_qubits: qubitCount,
    num_couplings: summary.couplingCount,
    statistics: statistics(parameters),
    coupling_statistics: statistics(couplingParameters),
    health: {
      ...fieldsOf(health, 'score', 'label', 'excellent', 'good', 'poor', 'fair', 'bad'),
      best_score: 3,
      components: health.components.map(({ name, count, contribution }) => ({
        component: name.toLowerCase(),
        count,
        contribution,
      })),
    },
    problems: health.problems.map((problem) => ({ ...problem })),
    falls: falls.falls.map((fall) => ({ ...fall })),
    falls_not_judged: [...falls.notJudged],
    num_parts_with_problems: new Set(health.problems.map(({ kind, qid }) => `${kind} ${qid}`)).size,
    ...(layers.length === 0
      ? {}
      : {
          layer_fidelities: layers.map(({ qids, value, measuredAt }) => ({
            num_qubits: qids.length,
            parameter: 'layer_fidelity',
            value: round ? round(100 * value) : 100 * value,
            unit: '%',
            qids: qids.join('-'),
            measured_at: measuredAt.toISOString(),
          })),
        }),
    state_counts: stateCounts(parts),
    not_enabled: parts.flatMap(({ qid, parameters: values }) =>
      values.map((value) => ({ qid, parameter: value.name, ...stateData(value) })),
    ),
    qubits: tableRows(rows, parameters),
    couplings: tableRows(couplingRows, couplingParameters),
  };
}

const tableRows = (rows: ChipSummary['rows'], parameters: readonly ParameterStatistics[]): JsonObject[] =>
  rows.map(({ qid, parameters: values }) => {
    const byName = new Map(values.map((value) => [value.name, value.value ?? value.text]));
    return { qid, ...Object.fromEntries(parameters.map(({ name }) => [name, byName.get(name) ?? null])) };
  });

function wordsOf(
  chip: Chip,
  summary: Overview,
  asked: readonly string[] | null,
  metrics: MetricCatalog,
): string {
  const { health, parameters, couplingParameters, parts, falls, layers, freshness } = summary;
  const titles = [...parameters, ...couplingParameters].map(({ title }) => title);
  const by = asked === null ? null : joinWords(titles);
  const { score, label } = health;
  const size = `${countOf(summary.qubitCount, 'qubit')}, ${countOf(summary.couplingCount, 'coupling')}`;
  const headline =
    score === null
      ? `${chip.chipId}: ${size}; no value${by === null ? '' : ` of ${by}`} is rated, so it has no health score.`
      : `${chip.chipId}: ${size}, health${by === null ? '' : ` by ${by}`} ${label.toLowerCase()} (${score.toFixed(2)} of 3).`;
  return [
    headline,
    ...componentSentences(health),
    ...partSentences(parts, chip),
    ...problemSentences(health, falls, chip),
    ...figureLines({ chip, rows: summary.rows, noun: 'qubits' }, parameters, SHOWN_PARAMETERS),
    ...figureLines(
      { chip, rows: summary.couplingRows, noun: 'couplings' },
      couplingParameters.filter(({ name }) => asked !== null || isRatedOf(metrics, name, 'COUPLING')),
      SHOWN_COUPLING_PARAMETERS,
    ),
    ...layerSentences(layers),
    storedSentence(freshness),
  ].join('\n');
}

/** The ends of each parameter name the part that has them, unless several have. */
const figureLines = (
  {
    chip,
    rows,
    noun,
  }: { readonly chip: Chip; readonly rows: ChipSummary['rows']; readonly noun: 'qubits' | 'couplings' },
  parameters: readonly ParameterStatistics[],
  most: number,
): readonly string[] =>
  parameters
    .filter(({ stored }) => stored.count > 0)
    .slice(0, most)
    .map(({ name, title, display, displayUnit, missing }) => {
      const values = rows.flatMap(({ qid, parameters: own }) => {
        const displayValue = own.find((each) => each.name === name)?.displayValue ?? null;
        return displayValue === null ? [] : [{ qid, displayValue }];
      });
      const ends = extremes(values, ({ displayValue }) => displayValue);
      const end = (value: number | null, at: readonly { readonly qid: string }[] = []): string => {
        const [only, ...others] = at;
        const whose = only === undefined || others.length > 0 ? '' : `${qidLabel(only.qid, chip.size)} `;
        return `${whose}${formatQuantity(value, displayUnit)}`;
      };
      const of = `${display.count}${missing > 0 ? ` of ${display.count + missing}` : ''} ${noun}`;
      return `${title}: median ${formatQuantity(display.median, displayUnit)}, ${end(display.min, ends?.lowest)} to ${end(display.max, ends?.highest)} (${of}).`;
    });
