/** Questions about values of one, two or three qubits or couplings. */
import { newestOf, pairsOf } from '../../data/chip-record.ts';
import { COUPLING_PARAMETERS, QUBIT_PARAMETERS } from '../../data/parameters.ts';
import { twinOf } from '../../../../src/domain/qid.ts';
import { ascending, firstOf, measuredOf, ranked, valueOf, wanted, type Template } from '../template.ts';

const LOOKUPS: readonly Template[] = [
  {
    kind: 'lookup',
    name: 'one value',
    chips: 'any',
    times: 7,
    make: (draw, record) => {
      const parameter = draw.parameter(record, QUBIT_PARAMETERS);
      const qid = draw.pick(measuredOf(record, parameter));
      const words = { p: draw.call(parameter), q: draw.label(qid) };
      return {
        messages: [draw.say(words)],
        checks: [{ type: 'values', values: [wanted(valueOf(record, parameter, qid), parameter)] }],
      };
    },
  },
  {
    kind: 'lookup',
    name: 'two values',
    chips: 'any',
    times: 3,
    make: (draw, record) => {
      const [first, second] = draw.some(QUBIT_PARAMETERS.slice(0, 4), 2);
      if (first === undefined || second === undefined) throw new Error('two parameters are wanted');
      const qid = draw.pick(measuredOf(record, first, second));
      return {
        messages: [draw.say({ a: draw.call(first), b: draw.call(second), q: draw.label(qid) })],
        checks: [
          { type: 'values', values: [first, second].map((each) => wanted(valueOf(record, each, qid), each)) },
        ],
      };
    },
  },
  {
    kind: 'lookup',
    name: 'behind a failed or excluded run',
    chips: 'demo',
    times: 2,
    make: (draw, record) => {
      const [t1] = QUBIT_PARAMETERS;
      const spoilt = record.runs.filter(
        ({ task, status, excludedReason, at }) =>
          task === 'CheckT1' &&
          (status === 'failed' || excludedReason !== null) &&
          at.getTime() > Math.max(...record.runs.map((run) => run.at.getTime())) - 86_400_000,
      );
      if (t1 === undefined) throw new Error('T1 is wanted');
      const { qid } = draw.pick(spoilt);
      return {
        messages: [
          draw.say({
            q: draw.label(qid),
          }),
        ],
        checks: [{ type: 'values', values: [wanted(valueOf(record, t1, qid), t1)] }],
      };
    },
  },
];

/** The qubit beside a word for being ahead, in either order and language. */
function namesAsBetter(qid: string): RegExp {
  const qubit = `(?:\\bQ(?:ubit )?0*${qid}\\b)`;
  const ahead = String.raw`\b(?:better|best|higher|highest|longer|longest|larger|wins|winner)`;
  const moreInJapanese = `${qubit}(?:のほう|の方)?が[^。]{0,30}(?:良|高|長|大き|優)`;
  return new RegExp(`${qubit}[^.;]{0,60}${ahead}|${ahead}[^.;]{0,40}${qubit}|${moreInJapanese}`, 'iu');
}

const COMPARISONS: readonly Template[] = [
  {
    kind: 'comparison',
    name: 'side by side',
    chips: 'any',
    times: 4,
    make: (draw, record) => {
      const parameter = draw.parameter(record, QUBIT_PARAMETERS);
      const [a = '', b = ''] = draw.some(measuredOf(record, parameter), 2);
      return {
        messages: [draw.say({ p: draw.call(parameter), a: draw.label(a), b: draw.label(b) })],
        checks: [
          { type: 'values', values: [a, b].map((qid) => wanted(valueOf(record, parameter, qid), parameter)) },
        ],
      };
    },
  },
  {
    kind: 'comparison',
    name: 'the better one',
    chips: 'any',
    times: 4,
    make: (draw, record) => {
      const parameter = draw.pick(QUBIT_PARAMETERS.slice(0, 4));
      const qids = draw.some(measuredOf(record, parameter), 2);
      const [worse, better] = ascending(qids.map((qid) => valueOf(record, parameter, qid)));
      const [a = '', b = ''] = qids;
      if (worse === undefined || better === undefined) throw new Error('two qubits are wanted');
      return {
        messages: [draw.say({ p: draw.call(parameter), a: draw.label(a), b: draw.label(b) })],
        checks: [
          { type: 'says', pattern: namesAsBetter(better.qid), what: `Q${better.qid} is the better one` },
        ],
      };
    },
  },
];

const COUPLINGS: readonly Template[] = [
  {
    kind: 'couplings',
    name: 'one coupling',
    chips: 'any',
    times: 4,
    make: (draw, record) => {
      const parameter = draw.parameter(record, COUPLING_PARAMETERS);
      const qid = draw.pick(measuredOf(record, parameter));
      // Only one direction has values; people ask in either.
      const asked = draw.pick([qid, qid, record.chipId.startsWith('demo') ? twinOf(qid) : qid]);
      return {
        messages: [draw.say({ p: draw.call(parameter), c: draw.label(asked) })],
        checks: [{ type: 'values', values: [wanted(valueOf(record, parameter, qid), parameter)] }],
      };
    },
  },
  {
    kind: 'couplings',
    name: 'the worst',
    chips: 'any',
    times: 2,
    make: (draw, record) => {
      const parameter = draw.parameter(record, COUPLING_PARAMETERS);
      const worst = firstOf(ascending(newestOf(record, parameter.name)), draw.number(2, 4));
      return {
        messages: [draw.say({ p: draw.call(parameter), n: worst.length })],
        checks: ranked(worst, parameter),
      };
    },
  },
  {
    kind: 'couplings',
    name: 'around a qubit',
    chips: 'demo',
    times: 2,
    make: (draw, record) => {
      const [parameter] = COUPLING_PARAMETERS;
      const [qid] = draw.pick(pairsOf(record));
      if (parameter === undefined) throw new Error('a parameter is wanted');
      const around = newestOf(record, parameter.name).filter((each) => each.qid.split('-').includes(qid));
      return {
        messages: [draw.say({ p: draw.call(parameter), q: draw.label(qid) })],
        checks: [{ type: 'values', values: around.map((each) => wanted(each, parameter)) }],
      };
    },
  },
];

/** Lookups, comparisons and couplings. */
export const SINGLE_VALUES: readonly Template[] = [...LOOKUPS, ...COMPARISONS, ...COUPLINGS];
