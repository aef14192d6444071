/** `get_coupling_params`: what is set on one coupling, or on all couplings of a qubit. */
import { z } from 'zod';
import type { Chip, Coupling } from '../../domain/chip/chip.ts';
import { qidLabel } from '../../domain/qid.ts';
import { countOf, formatTime, joinWords } from '../../domain/text/display-text.ts';
import { freshnessOf } from '../../domain/values/freshness.ts';
import { strictestLimitSeconds } from '../../domain/values/metric.ts';
import type { ParameterValue } from '../../domain/values/parameter-value.ts';
import { parametersTable } from '../../domain/visual-rules/value-tables.ts';
import { noDataNote, numberColumn, textColumn } from '../../domain/visual-rules/table.ts';
import type { TableSpec } from '../../domain/visuals.ts';
import { InvalidInputError } from '../../base/errors.ts';
import { unknownParameter } from '../../services/calibration/parameter-names.ts';
import { currentValues } from '../live/current-values.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { chipIdArg, chipOf, chipWords, storedSentence } from './chip-argument.ts';
import { twinSentences, valueWords, stateData } from './words.ts';
import { fieldsOf } from './row-data.ts';

/** Couplings and parameters that the summary spells out. */
const SHOWN_COUPLINGS = 8;
const SHOWN_PARAMETERS = 6;

export const getCouplingParams = defineTool({
  name: 'get_coupling_params',
  category: 'calibration',
  rule: 'viewer: project',
  reads: 'DIRECT',
  label: 'Fetching coupling parameters',
  title: { en: 'Values of couplings', ja: '結合のパラメーター' },
  example: { qubit_id: '12' },
  description: 'Current values of one coupling (control-target), or of every coupling of a qubit.',
  args: z.object({
    chip_id: chipIdArg,
    coupling_id: z.string().nullable(),
    qubit_id: z.string().nullable().describe('all couplings of this qubit, such as 12'),
    param_names: z.array(z.string()).nullable().describe('null for all'),
  }),
  describe: ({ chip_id, coupling_id, qubit_id }) =>
    `${coupling_id ? `coupling ${coupling_id}` : `couplings of ${qubit_id ?? '?'}`} on ${chipWords(chip_id)}`,
  run: async ({ chip_id, coupling_id, qubit_id, param_names }, context) => {
    const chip = await chipOf(context, chip_id);
    const { couplings, remarks, who } = await wanted(context, chip, coupling_id, qubit_id);
    const loaded = await Promise.all(couplings.map((each) => context.loaders.couplingParameters.load(each)));
    const names = param_names?.length ? new Set(param_names) : null;
    if (names !== null) await requireNames(context, chip, [...names]);
    const rows = couplings.map((coupling, index): Row => {
      const values = (loaded[index] ?? []).filter(({ name }) => names === null || names.has(name));
      return { coupling, label: qidLabel(coupling.couplingId, chip.size), values };
    });
    const values = rows.flatMap((row) => row.values);
    const freshness = freshnessOf(
      'SNAPSHOT',
      values.map(({ calibratedAt }) => calibratedAt),
      strictestLimitSeconds(values.map(({ name }) => context.services.metrics.find(name, 'COUPLING'))),
    );
    const title = `${who} on ${chip.chipId}`;
    return {
      data: { chip_id: chip.chipId, couplings: rows.map(rowData) },
      formattedSummary: [
        `${title}: ${countOf(rows.length, 'coupling')}.`,
        ...remarks,
        ...rows.slice(0, SHOWN_COUPLINGS).map((row) => sentenceOf(row, names)),
        ...(values.length === 0 ? [] : [storedSentence(freshness)]),
      ].join('\n'),
      preview: `${countOf(rows.length, 'coupling')}, ${countOf(values.length, 'value')}`,
      freshness,
      current: {
        chip,
        scope: 'COUPLING',
        values: rows.flatMap((row) =>
          currentValues(
            { qid: row.coupling.couplingId, label: row.label },
            row.values,
            param_names?.length ? param_names : null,
          ),
        ),
      },
      source: 'SNAPSHOT',
      visuals: [values.length === 0 ? noDataNote(title, title) : tableOf(title, rows)],
    };
  },
});

/**
 * Nothing found must mean that nothing was set. @throws InvalidInputError for a name that the chip and the catalogue
 * do not have.
 */
async function requireNames(
  { services: { metrics, parameterNames } }: ToolContext,
  chip: Chip,
  names: readonly string[],
): Promise<void> {
  const strange = names.filter((name) => metrics.find(name, 'COUPLING') === null);
  if (strange.length === 0) return;
  const onChip = await parameterNames.list(chip);
  const unknown = strange.find((name) => !onChip.includes(name));
  if (unknown !== undefined) throw unknownParameter(unknown, ['param_names'], chip, { onChip, metrics });
}

type Row = {
  readonly coupling: Coupling;
  readonly label: string;
  readonly values: readonly ParameterValue[];
};
type Wanted = {
  readonly couplings: readonly Coupling[];
  readonly remarks: readonly string[];
  readonly who: string;
};

async function wanted(
  { services, loaders }: ToolContext,
  chip: Chip,
  couplingId: string | null,
  qubitId: string | null,
): Promise<Wanted> {
  if (couplingId) {
    const { coupling, reversed } = await services.couplings.get(chip, couplingId);
    const label = qidLabel(coupling.couplingId, chip.size);
    const remarks = reversed ? twinSentences([{ asked: couplingId, label }]) : [];
    return { couplings: [coupling], remarks, who: label };
  }
  if (!qubitId) {
    const message = 'give coupling_id, for example 4-1, or qubit_id';
    throw new InvalidInputError([{ path: ['coupling_id'], message }]);
  }
  const { qid, label } = await services.qubits.get(chip, qubitId);
  const couplings = (await loaders.couplingsOfChip.load(chip)).filter(
    ({ controlQid, targetQid }) => controlQid === qid || targetQid === qid,
  );
  return { couplings, remarks: [], who: `Couplings of ${label}` };
}

const rowData = ({ coupling, values }: Row) => ({
  coupling_id: coupling.couplingId,
  control: coupling.controlQid,
  target: coupling.targetQid,
  parameters: values.map((parameter) => ({
    name: parameter.name,
    value: parameter.value ?? parameter.text,
    ...fieldsOf(parameter, 'unit', 'error', 'scale', 'displayUnit', 'calibratedAt', 'taskId', 'rating'),
    ...stateData(parameter),
  })),
});

function sentenceOf({ label, values }: Row, names: ReadonlySet<string> | null): string {
  if (values.length === 0) {
    return names === null
      ? `${label}: no calibrated values.`
      : `${label}: no value of ${joinWords([...names])}.`;
  }
  const words = values.slice(0, SHOWN_PARAMETERS).map((value) => {
    const { title, rating, calibratedAt } = value;
    const notes = [
      ...(rating === 'UNKNOWN' ? [] : [rating.toLowerCase()]),
      ...(calibratedAt === null ? [] : [formatTime(calibratedAt)]),
    ];
    return `${title} ${valueWords(value)}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
  });
  return `${label}: ${words.join(', ')}.`;
}

/** One coupling: a row for each parameter; several: a row for each coupling. */
function tableOf(title: string, rows: readonly Row[]): TableSpec {
  const [only, ...others] = rows;
  if (only !== undefined && others.length === 0) return parametersTable(title, only.values);
  const parameters = new Map(
    rows.flatMap(({ values }) => values.map((value) => [value.name, value] as const)),
  );
  return {
    type: 'table',
    title,
    columns: [
      textColumn('label', 'Coupling'),
      ...[...parameters.values()].map(({ name, title: header, displayUnit }) =>
        numberColumn(`value:${name}`, header, displayUnit),
      ),
    ],
    rows: rows.map(({ label, values }) => ({
      label,
      ...Object.fromEntries(
        [...parameters.keys()].map((name) => [
          `value:${name}`,
          values.find((value) => value.name === name)?.displayValue ?? null,
        ]),
      ),
    })),
  };
}
