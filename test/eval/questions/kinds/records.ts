/** Questions about runs, executions, remarks and versions, which only the demo has. */
import type { ChipRecord, RunRecord } from '../../data/chip-record.ts';
import { QUBIT_PARAMETERS } from '../../data/parameters.ts';
import type { Check } from '../question.ts';
import type { Template } from '../template.ts';

const newestFirst = <Item extends { readonly at: Date }>(items: readonly Item[]): readonly Item[] =>
  items.toSorted((a, b) => b.at.getTime() - a.at.getTime());

const failed = ({ runs }: ChipRecord): readonly RunRecord[] =>
  newestFirst(runs.filter(({ status }) => status === 'failed'));

const quoted = (text: string): RegExp => new RegExp(text.replaceAll(/[^\w\s]/gu, '.'), 'iu');

/** A remark may be quoted in part. */
const quotes = (text: string): Check => ({
  type: 'says',
  pattern: quoted(text.split(/[.;:]/u)[0] ?? text),
  what: `the remark “${text}”`,
});

const HISTORY: readonly Template[] = [
  {
    kind: 'history',
    name: 'newest failures',
    chips: 'demo',
    times: 3,
    make: (draw, record) => {
      const count = draw.number(2, 4);
      const runs = failed(record).slice(0, count);
      return {
        messages: [draw.say({ n: count })],
        checks: [
          { type: 'names', subjects: [...new Set(runs.map(({ qid }) => qid))], how: 'in order' },
          ...runs.map(({ task }): Check => ({ type: 'says', pattern: quoted(task), what: task })),
        ],
      };
    },
  },
  {
    kind: 'history',
    name: 'failures of a task',
    chips: 'demo',
    times: 2,
    make: (draw, record) => {
      const { task, qid, at } = draw.pick(failed(record).slice(0, 40));
      const newest = failed(record).find((run) => run.task === task && run.qid === qid)?.at ?? at;
      return {
        messages: [draw.say({ t: task, q: draw.label(qid) })],
        checks: [{ type: 'day', at: newest }],
      };
    },
  },
  {
    kind: 'history',
    name: 'failed execution',
    chips: 'demo',
    times: 2,
    make: (draw, record) => {
      const [execution] = newestFirst(record.executions.filter(({ status }) => status === 'failed'));
      if (execution === undefined) throw new Error('a failed execution is wanted');
      return {
        messages: [draw.say()],
        checks: [
          { type: 'says', pattern: quoted(execution.executionId), what: execution.executionId },
          { type: 'says', pattern: quoted(execution.message), what: execution.message },
        ],
      };
    },
  },
  {
    kind: 'history',
    name: 'a newer run',
    chips: 'demo',
    times: 2,
    make: (draw, record) => {
      const run = newestFirst(record.runs).find(
        ({ task, status }) => task === 'CheckT1' && status === 'failed',
      );
      if (run === undefined) throw new Error('a failed run is wanted');
      return {
        messages: [draw.say({ q: draw.label(run.qid) })],
        checks: [{ type: 'says', pattern: /\bfail|失敗/iu, what: 'that the newest run failed' }],
      };
    },
  },
];

const NOTES: readonly Template[] = [
  {
    kind: 'notes',
    name: 'on a qubit',
    chips: 'demo',
    times: 3,
    make: (draw, record) => {
      const remark = draw.pick(record.remarks.filter(({ about }) => about !== null));
      return {
        messages: [draw.say({ q: draw.label(remark.about ?? '') })],
        checks: [quotes(remark.text)],
      };
    },
  },
  {
    kind: 'notes',
    name: 'on a qubit without any',
    chips: 'demo',
    times: 1,
    make: (draw, record) => {
      const noted = new Set([
        ...record.remarks.map(({ about }) => about),
        ...record.runs.flatMap(({ qid, excludedReason }) => (excludedReason === null ? [] : [qid])),
      ]);
      const qid = draw.pick(record.qids.filter((each) => !noted.has(each)));
      return {
        messages: [
          draw.say({
            q: draw.label(qid),
          }),
        ],
        checks: [
          {
            type: 'says',
            pattern: /\b(?:no(?! language)|nobody|none|not)\b|ありません|ない/iu,
            what: 'that there are none',
          },
        ],
      };
    },
  },
  {
    kind: 'notes',
    name: 'why excluded',
    chips: 'demo',
    times: 2,
    make: (draw, record) => {
      const run = draw.pick(record.runs.filter(({ excludedReason }) => excludedReason !== null));
      return {
        messages: [draw.say({ t: run.task, q: draw.label(run.qid) })],
        checks: [quotes(run.excludedReason ?? '')],
      };
    },
  },
  {
    kind: 'notes',
    name: 'lineage',
    chips: 'demo',
    times: 3,
    make: (draw, record) => {
      const parameter = draw.pick(QUBIT_PARAMETERS.slice(0, 3));
      const versions = record.versions.filter(({ parameter: name }) => name === parameter.name);
      const qid = draw.pick(versions).qid;
      const current = versions
        .filter((each) => each.qid === qid)
        .toSorted((a, b) => b.version - a.version)[0];
      if (current === undefined) throw new Error('a version is wanted');
      return {
        messages: [draw.say({ p: draw.call(parameter), q: draw.label(qid) })],
        checks: [
          { type: 'count', value: current.version },
          { type: 'says', pattern: quoted(current.executionId), what: `execution ${current.executionId}` },
        ],
      };
    },
  },
];

/** History and notes. */
export const RECORDS: readonly Template[] = [...HISTORY, ...NOTES];
