import { expect, test } from '@jest/globals';
import {
  excerptOf,
  findTerms,
  markTerms,
  searchTerms,
  toTsquery,
} from '../../src/domain/text/search-words.ts';

const marked = (search: string, text: string): readonly string[] | null =>
  findTerms(searchTerms(search), text)?.map(({ from, to }) => text.slice(from, to)) ?? null;

test('words are found whole, names of qubits with any zeros, and long words by their beginning', () => {
  expect(marked('q27', 'Q27 and Q027, not Q270 or XQ27')).toEqual(['Q27', 'Q027']);
  expect(marked('T1', 'T1, T10, t2_echo')).toEqual(['T1']);
  expect(marked('calibrat', 'Calibrated in the last calibration')).toEqual(['Calibrated', 'calibration']);
  expect(marked('qubits', 'one qubit')).toEqual(['qubit']);
  expect(marked('Q00-Q01', 'the pair Q0–Q1, not Q00 beside Q01')).toEqual(['Q0–Q1']);
  expect(marked('t2_echo', 'T2 echo of all')).toEqual(['T2 echo']);
  expect(marked('"T1 of Q3"', 'T1 of all, T1 of Q03')).toEqual(['T1 of Q03']);
  expect(marked('T1 missing', 'T1 only')).toBeNull();
});

test('Japanese is found by any of its characters, in either width', () => {
  expect(marked('緩和', 'Q27の緩和時間')).toEqual(['緩和']);
  expect(marked('Ｑ２７の緩和', 'Q27の緩和時間')).toEqual(['Q27の緩和']);
  expect(marked('間', '緩和時間')).toEqual(['間']);
  expect(marked('キャリブレーション', 'ｷｬﾘﾌﾞﾚｰｼｮﾝ。')).toBeNull(); // a mark of its own is no part of its letter
  expect(marked('T1', '量子T1の値')).toEqual(['T1']);
});

test('nothing but words makes a query, whatever is typed', () => {
  expect(searchTerms(' --- "" (&|!) <-> \' : * \\ ')).toEqual([]);
  expect(toTsquery(searchTerms(`a'b:*|!c & "d`))).toBe("('a' <-> 'b' <-> 'c') & ('d')");
  expect(toTsquery(searchTerms('緩和Q07 間'))).toBe("('緩和' <-> '和' <-> 'q7') & ('間':*)");
});

test('an excerpt is one line around the first word, and says where words are', () => {
  const text = `# Long\n\n${'before '.repeat(60)}the **fidelity** of Q3 ${'after '.repeat(60)}`;
  const { text: excerpt, matches } = excerptOf(searchTerms('fidelity q3'), text);
  expect(excerpt).toMatch(/^…before .*the \*\*fidelity\*\* of Q3 after .*…$/u);
  expect(excerpt.length).toBeLessThan(250);
  expect(matches.map(({ from, to }) => excerpt.slice(from, to))).toEqual(['fidelity', 'Q3']);
  expect(excerptOf(searchTerms('x'), 'short')).toEqual({ text: 'short', matches: [] });
  expect(markTerms(searchTerms('T1 T1'), 'T1')).toEqual([{ from: 0, to: 2 }]);
});
