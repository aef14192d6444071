/** One snapshot, 11 of 150 pairs disabled, values up to three months older than the snapshot. */
import {
  count,
  day,
  either,
  error,
  expects,
  inOrder,
  inUnit,
  misleading,
  naming,
  nothing,
  only,
  says,
  us,
  without,
} from '../scoring/expectation.ts';
import {
  ask,
  falling,
  leaving,
  meanBy,
  medianBy,
  otherEnd,
  pair,
  pairsOf,
  qubit,
  rising,
  type HeldOut,
} from '../held-out/held-out.ts';

const month = (at: Date): string => at.toISOString().slice(0, 7);

export const TORINO: readonly HeldOut[] = [
  ask('two-qubit gates', 'What error does the CZ between qubits 4 and 5 have?', ({ now }) =>
    expects(error('4-5', pair(now, '4-5').error)),
  ),
  ask('two-qubit gates', 'five best cz gates on this chip pls, best one first', ({ now }) => {
    const best = rising(now.working, (row) => row.error).slice(0, 5);
    return expects(inOrder(best), ...best.map((row) => error(row.id, row.error)));
  }),
  ask(
    'two-qubit gates',
    '2量子ビットゲートのエラーの中央値は？無効になっているものは除いてください',
    ({ now }) =>
      without(
        expects(
          error(
            null,
            medianBy(now.working, (row) => row.error),
          ),
        ),
        misleading(/T1|T2/u, 'T1 or T2'),
      ),
  ),
  ask('thresholds', 'Which CZ gates are worse than 2 % error?', ({ now }) => {
    const over = now.working.filter((row) => row.error > 0.02);
    return naming(expects(only(over)), ...now.disabled.map(({ id }) => id));
  }),
  ask('thresholds', 'any qubits with a readout error of 0.15 or more?', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.readout >= 0.15))),
  ),
  ask('thresholds', 'T1が50μs未満の量子ビットを全部挙げて', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t1 < 50))),
  ),
  ask('several conditions', 'Who has both T1 and T2 beyond 250 us?', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t1 > 250 && row.t2 > 250))),
  ),
  ask(
    'several conditions',
    'I need qubits whose T1 sits between 40 and 60 µs while readout error stays under 3 %.',
    ({ now }) => expects(only(now.qubits.filter((row) => row.t1 > 40 && row.t1 < 60 && row.readout < 0.03))),
  ),
  ask('several conditions', 'T2 > 2*T1 — which ones violate this?', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t2 > 2 * row.t1))),
  ),
  ask('disabled parts', 'Which two-qubit gates are disabled right now?', ({ now }) =>
    expects(only(now.disabled)),
  ),
  ask('disabled parts', 'Can I use the gate 86-87?', ({ now }) =>
    without(
      naming(
        expects(
          says(
            /disabled|switched off|not (?:be )?us(?:e|able)|cannot be used|out of service/iu,
            'that it is disabled',
          ),
        ),
        '86-87',
        ...now.disabled.map(({ id }) => id),
      ),
      misleading(/\byes\b/iu, 'yes'),
    ),
  ),
  ask('disabled parts', '無効化されているCZゲートは何個ありますか？', ({ now }) =>
    naming(expects(count(now.disabled.length, 2 * now.disabled.length)), ...now.disabled.map(({ id }) => id)),
  ),
  ask('disabled parts', 'Does Q86 have even one working two-qubit gate left?', ({ now }) =>
    naming(
      expects(
        says(/\bno\b|\bnone\b|\bnot\b|\ball\b/iu, 'no'),
        only([...pairsOf(now, 86), { id: '86' }].map(({ id }) => ({ id }))),
      ),
      ...pairsOf(now, 86).map((row) => otherEnd(row, 86)),
    ),
  ),
  ask(
    'periods',
    'Median of the T1 values taken in January 2025, and of those taken in February 2025?',
    ({ now }) => {
      const of = (name: string) =>
        medianBy(
          now.qubits.filter((row) => month(row.t1At) === name),
          (row) => row.t1,
        );
      return expects(us(null, of('2025-01')), us(null, of('2025-02')));
    },
  ),
  ask('what changed', 'what changed on torino compared with the previous snapshot?', () =>
    nothing(
      /only one|one snapshot|single|no (?:earlier|previous|other|older)|nothing (?:earlier|older|to compare)/iu,
    ),
  ),
  ask('plausibility', 'Is the T2 of Q86 believable?', ({ now }) =>
    without(
      expects(
        us('86', qubit(now, 86).t2),
        us('86', qubit(now, 86).t1),
        says(
          /implausib|not (?:plausible|believable|possible)|impossib|exceed|above|more than (?:twice|2)|doubt|longer than/iu,
          'that T2 exceeds 2·T1',
        ),
      ),
      misleading(/\bgood\b|\bexcellent\b/iu, 'a rating as good'),
    ),
  ),
  ask('plausibility', 'Q86 shows more than 50 % readout error. Can that be real?', ({ now }) =>
    expects(
      error('86', qubit(now, 86).readout),
      says(
        /coin|implausib|doubt|no better|not (?:plausible|real|usable)|random|worse than/iu,
        'that it is no better than chance',
      ),
    ),
  ),
  ask('plausibility', 'T1がたった3μsの量子ビットがあるらしいけど、どれ？値は妥当？', ({ now }) =>
    expects(
      only([{ id: '85' }]),
      us('85', qubit(now, 85).t1),
      says(/外れ|低|妥当|疑|極端|最小|最低|悪/u, 'a judgement'),
    ),
  ),
  ask('counts', 'How many CZ couplings does this device have and how many of them still work?', ({ now }) =>
    expects(
      either(
        [count(now.pairs.length), count(now.working.length)],
        [count(2 * now.pairs.length), count(2 * now.working.length)],
      ),
    ),
  ),
  ask('counts', 'number of qubits with T2 above 200 microseconds', ({ now }) =>
    expects(count(now.qubits.filter((row) => row.t2 > 200).length)),
  ),
  ask('counts', 'T1が300μs以上のqubitは何個？', ({ now }) =>
    expects(count(now.qubits.filter((row) => row.t1 >= 300).length)),
  ),
  ask('units', 'Give me T1 of Q12 in milliseconds.', ({ now }) =>
    expects(inUnit('ms', '12', qubit(now, 12).t1 / 1000)),
  ),
  ask('units', 'readout error of Q97, as a plain fraction and not in percent', ({ now }) =>
    expects(inUnit('fraction', '97', qubit(now, 97).readout)),
  ),
  ask('typos', 'whcih 3 cuplings hvae the worst cz eror?', ({ now }) => {
    const worst = falling(now.working, (row) => row.error).slice(0, 3);
    return naming(
      expects(inOrder(worst), ...worst.map((row) => error(row.id, row.error))),
      ...now.disabled.map(({ id }) => id),
    );
  }),
  ask('typos', 'medain T2 of teh chip', ({ now }) =>
    expects(
      us(
        null,
        medianBy(now.qubits, (row) => row.t2),
      ),
    ),
  ),
  ask('typos', 'redout eror of quibt 90', ({ now }) => expects(error('90', qubit(now, 90).readout))),
  ask('exclusions', 'mean T1 without Q85 and Q86', ({ now }) =>
    naming(
      expects(
        us(
          null,
          meanBy(leaving(now.qubits, 85, 86), (row) => row.t1),
        ),
      ),
      '85',
      '86',
    ),
  ),
  ask(
    'exclusions',
    'What is the average CZ error if you ignore the gates that are switched off?',
    ({ now }) =>
      expects(
        error(
          null,
          meanBy(now.working, (row) => row.error),
        ),
      ),
  ),
  ask(
    'exclusions',
    'Leave out everything above 10 % readout error; what is the mean readout error of the rest?',
    ({ now }) =>
      expects(
        error(
          null,
          meanBy(
            now.qubits.filter((row) => row.readout <= 0.1),
            (row) => row.readout,
          ),
        ),
      ),
  ),
  ask('negations', 'Of 15-19, 21-34, 4-5 and 57-58, which gate is not disabled?', ({ now }) =>
    naming(
      expects(
        only(['15-19', '21-34', '4-5', '57-58'].map((id) => pair(now, id)).filter((row) => !row.isDisabled)),
      ),
      '15-19',
      '21-34',
      '57-58',
    ),
  ),
  ask('negations', 'qubits whose T1 does not reach 45 us', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t1 < 45))),
  ),
  ask('change or level', "Which qubit's T1 dropped the most lately?", () =>
    nothing(
      /only one|one (?:value|snapshot|measurement)|single|no (?:earlier|previous|older|second)|nothing to compare|needs? two|too few|no (?:qubit|value)[^.]*measured/iu,
    ),
  ),
  ask('comparisons', 'Put Q84, Q85 and Q86 side by side: T1, T2 and readout error', ({ now }) =>
    expects(
      ...[84, 85, 86]
        .map((id) => qubit(now, id))
        .flatMap(({ id, t1, t2, readout }) => [us(id, t1), us(id, t2), error(id, readout)]),
    ),
  ),
  ask('comparisons', 'Q23とQ44、T2が長いのはどっち？', ({ now }) => {
    const better = falling([qubit(now, 23), qubit(now, 44)], (row) => row.t2);
    return expects(inOrder(better.slice(0, 1)), ...better.map((row) => us(row.id, row.t2)));
  }),
  ask('not there', 'What is the qubit frequency of Q5 here?', () => nothing(/frequency/iu)),
  ask('not there', 'T1 of Q133', () => nothing(/133/u)),
  ask('not there', "what's the ECR error on 0-1", () => nothing(/ecr|zx90/iu)),
  ask('past or current', 'When was the T1 of Q79 measured, and does it still count as current?', ({ now }) =>
    expects(
      day(qubit(now, 79).t1At),
      says(/old|stale|newest|latest|current|days|hours/iu, 'whether it is current'),
    ),
  ),
  ask('past or current', 'Which T1 values stem from before 2025?', ({ now }) =>
    expects(only(now.qubits.filter((row) => month(row.t1At) < '2025-01'))),
  ),
];
