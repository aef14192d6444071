/**
 * `cite_record`, `cite_web`: numbered references. Only what exists can be cited: a stored record, a page that was
 * read.
 */
import { z } from 'zod';
import type { Chip } from '../../../domain/chip/chip.ts';
import { isCouplingId, qidLabel } from '../../../domain/qid.ts';
import { formatQuantity, formatTime } from '../../../domain/text/display-text.ts';
import type { ParameterValue } from '../../../domain/values/parameter-value.ts';
import { InvalidInputError, NotFoundError } from '../../../base/errors.ts';
import type { Citation, Workspace } from '../../../workspace/workspace.ts';
import type { Tool, ToolContext, ToolResult } from '../../tool.ts';
import { chipIdArg, chipOf } from '../chip-argument.ts';
import { sentenceResult, workspaceTool } from './workspace-tool.ts';

/** The tools of category `citation`. */
export const citationTools = (workspace: Workspace): readonly Tool[] => [
  workspaceTool({
    name: 'cite_record',
    category: 'citation',
    rule: 'editor: own',
    label: 'Citing a record',
    title: { en: 'Cite a stored record', ja: '保存された記録の引用' },
    example: { kind: 'current_value', qid: '12', parameter: 't1' },
    description:
      'Gives a stored record a reference number, for [1] in the text. task_result and execution take their id; current_value takes parameter and qid and cites the result that the value is from.',
    args: z.object({
      kind: z.enum(['task_result', 'execution', 'current_value']),
      record_id: z.string().nullable().describe('Id of the task result or execution; null for current_value'),
      chip_id: chipIdArg,
      qid: z.string().nullable(),
      parameter: z.string().nullable(),
    }),
    describe: ({ kind, record_id, parameter, qid }) =>
      kind === 'current_value'
        ? `${parameter ?? '?'} of ${qid ?? '?'}`
        : `${kind.replace('_', ' ')} ${record_id ?? '?'}`,
    run: async (args, context) => {
      const found =
        args.kind === 'current_value'
          ? await currentValue(context, args)
          : await recordOf(context, args.kind, required(args.record_id, 'record_id'));
      return cited(await workspace.cite({ kind: 'RECORD', ...found }));
    },
  }),
  workspaceTool({
    name: 'cite_web',
    category: 'citation',
    rule: 'editor: own',
    label: 'Citing a web page',
    title: { en: 'Cite a web page', ja: 'ウェブページの引用' },
    example: { url: 'https://example.org/t1' },
    description:
      'Gives a web page that this job found by web_search or read by extract_webpage a reference number, for [1] in the text.',
    args: z.object({ url: z.string().min(1) }),
    describe: ({ url }) => url,
    run: async ({ url }) => {
      const pages = await workspace.pages();
      const page = pages.find((each) => each.url === url);
      if (page === undefined) {
        const known = pages.map((each) => each.url).join(', ');
        throw new NotFoundError(
          known === ''
            ? 'this job has found no web page yet, and only those that it found can be cited'
            : `this job has not found ${url}; it found ${known}`,
        );
      }
      return cited(await workspace.cite({ kind: 'WEB', source: url, title: page.title, at: page.readAt }));
    },
  }),
];

type Source = Omit<Citation, 'number' | 'kind'>;

async function recordOf(
  { loaders }: ToolContext,
  kind: 'task_result' | 'execution',
  id: string,
): Promise<Source> {
  if (kind === 'execution') {
    const execution = await loaders.execution.load(id);
    if (execution === null) throw new NotFoundError(`this project has no execution ${id}`);
    const { name, status, startAt } = execution;
    return { source: id, title: `Execution ${id}, ${name}, ${status.toLowerCase()}`, at: iso(startAt) };
  }
  const result = await loaders.taskResult.load(id);
  if (result === null) throw new NotFoundError(`this project has no task result ${id}`);
  const { name, qid, status, endAt, startAt, excluded } = result;
  const left = excluded ? ', excluded' : '';
  return {
    source: id,
    title: `${name}${qid === '' ? '' : ` on ${qid}`}, ${status.toLowerCase()}${left}`,
    at: iso(endAt ?? startAt),
  };
}

async function currentValue(
  context: ToolContext,
  args: { readonly chip_id: string | null; readonly qid: string | null; readonly parameter: string | null },
): Promise<Source> {
  const [qid, parameter] = [required(args.qid, 'qid'), required(args.parameter, 'parameter')];
  const chip = await chipOf(context, args.chip_id);
  const { label, values } = isCouplingId(qid)
    ? await ofCoupling(context, chip, qid)
    : await ofQubit(context, chip, qid);
  const value = values.find(({ name }) => name === parameter);
  if (value === undefined) {
    const names = values.map(({ name }) => name).join(', ');
    throw new NotFoundError(`${label} has no stored ${parameter}; it has ${names || 'no values'}`);
  }
  const shown = value.text ?? formatQuantity(value.displayValue, value.displayUnit);
  return {
    source: value.taskId ?? `${chip.chipId}/${qid}/${parameter}`,
    title: `${value.title} of ${label} on ${chip.chipId}: ${shown}`,
    at: iso(value.calibratedAt),
  };
}

type CitedEntity = { readonly label: string; readonly values: readonly ParameterValue[] };

async function ofQubit({ services, loaders }: ToolContext, chip: Chip, qid: string): Promise<CitedEntity> {
  const qubit = await services.qubits.get(chip, qid);
  return { label: qubit.label, values: await loaders.qubitParameters.load(qubit) };
}

async function ofCoupling({ services, loaders }: ToolContext, chip: Chip, id: string): Promise<CitedEntity> {
  const { coupling } = await services.couplings.get(chip, id);
  return {
    label: qidLabel(coupling.couplingId, chip.size),
    values: await loaders.couplingParameters.load(coupling),
  };
}

const cited = ({ number, title, source, at, kind }: Citation): ToolResult =>
  sentenceResult(
    `[${number}] ${title}${at === null ? '' : `, ${formatTime(new Date(at))}`}${kind === 'WEB' ? `, ${source}` : `, record ${source}`}`,
    { number, title, source, at },
    kind === 'WEB' ? 'WEB' : 'SNAPSHOT',
  );

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

function required(value: string | null, argument: string): string {
  if (value !== null && value !== '') return value;
  throw new InvalidInputError([{ path: [argument], message: 'is needed for this kind of record' }]);
}
