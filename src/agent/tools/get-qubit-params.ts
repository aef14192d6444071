/** `get_qubit_params`: everything that is set on one qubit now. */
import { z } from 'zod';
import { countOf, formatError, formatTime, joinWords } from '../../domain/text/display-text.ts';
import { isOnlyOld } from '../../domain/values/current.ts';
import { freshnessOf } from '../../domain/values/freshness.ts';
import { strictestLimitSeconds } from '../../domain/values/metric.ts';
import type { ParameterValue } from '../../domain/values/parameter-value.ts';
import { parametersTable } from '../../domain/visual-rules/value-tables.ts';
import { noDataNote } from '../../domain/visual-rules/table.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import { InvalidInputError } from '../../base/errors.ts';
import { currentValues } from '../live/current-values.ts';
import { defineTool } from '../tool.ts';
import { chipIdArg, chipOf, chipWords, storedSentence } from './chip-argument.ts';
import { fieldsOf } from './row-data.ts';
import { valueWords, stateData } from './words.ts';

export const getQubitParams = defineTool({
  name: 'get_qubit_params',
  category: 'calibration',
  rule: 'viewer: project',
  reads: 'DIRECT',
  label: 'Fetching qubit parameters',
  title: { en: 'Values of a qubit', ja: '量子ビットのパラメーター' },
  example: { qid: 'Q12' },
  description:
    'All current calibrated values of one qubit with unit, error, time, producing task and rating. For several qubits use compare_qubits.',
  args: z.object({
    chip_id: chipIdArg,
    qid: z.string().describe('Qubit, for example 12 or Q12'),
    param_names: z.array(z.string()).nullable().describe('null for all'),
  }),
  describe: ({ chip_id, qid }) => `current values of ${qid} on ${chipWords(chip_id)}`,
  run: async ({ chip_id, qid: asked, param_names }, context) => {
    const chip = await chipOf(context, chip_id);
    const qubit = await context.services.qubits.get(chip, asked);
    const all = await context.loaders.qubitParameters.load(qubit);
    const wanted = param_names?.length ? param_names : null;
    const parameters = wanted === null ? all : all.filter(({ name }) => wanted.includes(name));
    if (wanted !== null && parameters.length === 0) {
      const message = `${qubit.label} has none of ${joinWords(wanted)}; it has ${joinWords(all.map(({ name }) => name))}`;
      throw InvalidInputError.at(['param_names'], message);
    }
    const metrics = parameters.map(({ name }) => context.services.metrics.find(name, 'QUBIT'));
    const freshness = freshnessOf(
      'SNAPSHOT',
      parameters.map(({ calibratedAt }) => calibratedAt),
      strictestLimitSeconds(metrics),
    );
    // A qubit of which nothing is stored is asked for everything that the catalogue knows.
    const missing = context.services.metrics.metrics.filter(({ scope }) => scope === 'QUBIT');
    const names = all.length === 0 ? missing.map(({ name }) => name) : wanted;
    const title = `${qubit.label} on ${chip.chipId}`;
    const words = parameters.map(sentenceOf);
    return {
      data: {
        chip_id: chip.chipId,
        qid: qubit.qid,
        label: qubit.label,
        parameters: parameters.map(parameterData),
      },
      formattedSummary:
        words.length === 0
          ? `${title} has no calibrated values.`
          : [
              `${title}: ${wanted === null ? '' : `${words.length} of `}${countOf(all.length, 'parameter')}.`,
              ...words,
              storedSentence(freshness),
            ].join('\n'),
      preview: `${qubit.label}: ${countOf(parameters.length, 'parameter')}`,
      freshness,
      current: { chip, scope: 'QUBIT', values: currentValues(qubit, parameters, names) },
      source: 'SNAPSHOT',
      visuals: [parameters.length === 0 ? noDataNote(title, title) : parametersTable(title, parameters)],
    };
  },
});

function sentenceOf(parameter: ParameterValue): string {
  const { title, displayError, displayUnit, rating, calibratedAt, isStale, state } = parameter;
  const notes = [
    ...(displayError ? [formatError(displayError, displayUnit)] : []),
    ...(state === 'DOUBTFUL' && !isOnlyOld(parameter)
      ? ['doubtful']
      : rating === 'UNKNOWN'
        ? []
        : [rating.toLowerCase()]),
    calibratedAt === null ? 'time unknown' : formatTime(calibratedAt),
    ...(isStale ? ['old'] : []),
  ];
  return `${title}: ${valueWords(parameter)} (${notes.join(', ')}).`;
}

/** As stored, with what is needed to show it. */
const parameterData = (parameter: ParameterValue): JsonObject => ({
  ...fieldsOf(parameter, 'name', 'title'),
  value: parameter.value ?? parameter.text,
  ...fieldsOf(parameter, 'unit', 'error', 'scale', 'displayUnit', 'calibratedAt'),
  ...fieldsOf(parameter, 'executionId', 'taskId', 'rating', 'isStale'),
  ...stateData(parameter),
});
