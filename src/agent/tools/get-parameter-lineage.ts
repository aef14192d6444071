/** `get_parameter_lineage`: the versions that one parameter had. */
import { z } from 'zod';
import type { ParameterVersion } from '../../domain/records/provenance.ts';
import { newestOf, sinceText } from '../../domain/claims/timed.ts';
import { compactNumber, compactTimestamp } from '../../domain/text/compact.ts';
import { countOf, formatQuantity, joinWords } from '../../domain/text/display-text.ts';
import { freshnessOf } from '../../domain/values/freshness.ts';
import { versionsTable } from '../../domain/visual-rules/record-tables.ts';
import { noDataNote } from '../../domain/visual-rules/table.ts';
import { defineTool } from '../tool.ts';
import { chipIdArg, chipOf, chipWords, storedSentence } from './chip-argument.ts';
import { entityOf, lastNArg, qidArg } from './list-arguments.ts';
import { fieldsOf } from './row-data.ts';

const DEFAULT_LAST_N = 10;

export const getParameterLineage = defineTool({
  name: 'get_parameter_lineage',
  category: 'provenance',
  rule: 'viewer: project',
  reads: 'DIRECT',
  label: 'Fetching parameter lineage',
  title: { en: 'Versions of a parameter', ja: 'パラメーターの版の履歴' },
  example: { parameter_name: 't1', qid: '12', last_n: 3 },
  description: 'Versions of one parameter of a qubit, newest first, with entity_id.',
  args: z.object({
    chip_id: chipIdArg,
    parameter_name: z.string(),
    qid: qidArg,
    last_n: lastNArg(DEFAULT_LAST_N, 200),
  }),
  describe: ({ chip_id, parameter_name, qid }) =>
    `versions of ${parameter_name} of ${qid} on ${chipWords(chip_id)}`,
  run: async ({ chip_id, parameter_name, qid: asked, last_n }, context) => {
    const chip = await chipOf(context, chip_id);
    const { qid, label, remark } = await entityOf(context, chip, asked);
    const lastN = last_n ?? DEFAULT_LAST_N;
    const found = await context.services.lineage.versions(chip, {
      parameter: parameter_name,
      qids: [qid],
      lastN,
    });
    const versions = found.get(qid) ?? [];
    const title = `Versions of ${parameter_name} of ${label} on ${chip.chipId}`;
    const freshness = freshnessOf(
      'SNAPSHOT',
      versions.map(({ validFrom }) => validFrom),
      null,
    );
    return {
      data: {
        chip_id: chip.chipId,
        parameter_name,
        qid,
        versions: versions.map((version) => versionData(version, context.now())),
      },
      formattedSummary: [
        ...(versions.length === 0 ? [`${title}: none recorded.`] : sentences(title, versions)),
        ...(remark === null ? [] : [remark]),
        ...(versions.length === 0 ? [] : [storedSentence(freshness)]),
      ].join('\n'),
      preview: countOf(versions.length, 'version'),
      freshness,
      source: 'SNAPSHOT',
      visuals: [versions.length === 0 ? noDataNote(title, title) : versionsTable(title, versions)],
    };
  },
});

const versionData = (version: ParameterVersion, now: Date) => ({
  ...fieldsOf(version, 'entityId', 'version'),
  value: version.value === null ? version.text : compactNumber(version.value),
  unit: version.unit,
  error: version.error === null ? null : compactNumber(version.error),
  ...fieldsOf(version, 'executionId', 'taskId', 'taskName'),
  valid_from: compactTimestamp(version.validFrom, now),
  valid_until: compactTimestamp(version.validUntil, now),
  ...(version.excluded ? { excluded: true } : {}),
});

function sentences(title: string, versions: readonly ParameterVersion[]): readonly string[] {
  const counted = versions.filter(({ excluded }) => !excluded);
  const current = newestOf(counted.toReversed(), ({ validFrom }) => validFrom)?.row ?? null;
  const isSince = ({ validFrom }: ParameterVersion) => current === null || validFrom > current.validFrom;
  const numbers = versions
    .filter((each) => each.excluded && isSince(each))
    .map(({ version }) => `${version}`);
  return [
    `${title}: ${countOf(versions.length, 'version')} shown.`,
    currentSentence(current),
    ...(numbers.length === 0
      ? []
      : numbers.length === 1
        ? [`Not current: version ${joinWords(numbers)}; its result was excluded.`]
        : [`Not current: versions ${joinWords(numbers)}; their results were excluded.`]),
  ];
}

function currentSentence(version: ParameterVersion | null): string {
  if (version === null) return 'Current: none of these; the results behind all of them were excluded.';
  const value = version.value === null ? (version.text ?? '–') : formatQuantity(version.value, version.unit);
  return `Current: version ${version.version}, ${value} as stored, by ${version.taskName} (execution ${version.executionId}) ${sinceText(version.validFrom)}.`;
}
