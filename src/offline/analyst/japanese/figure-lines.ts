import { details, phrase, type Phrase } from './phrase.ts';

/** What the analyst's own Python prints. */
export const FIGURE_LINES: readonly Phrase[] = [
  phrase(
    'Mean of (\\S+) over (\\d+) qubits: (.+)',
    ([name, count, value]) => `${name}の平均（${count}量子ビット）: ${value}。`,
  ),
  phrase(
    'Median of (\\S+) over (\\d+) qubits: (.+)',
    ([name, count, value]) => `${name}の中央値（${count}量子ビット）: ${value}。`,
  ),
  phrase(
    'Sample standard deviation of (\\S+) over (\\d+) qubits: (.+)',
    ([name, count, value]) => `${name}の標準偏差（${count}量子ビット）: ${value}。`,
  ),
  phrase(
    'Percentile (\\S+) of (\\S+) over (\\d+) qubits: (.+)',
    ([percent, name, count, value]) => `${name}の${percent}パーセンタイル（${count}量子ビット）: ${value}。`,
  ),
  phrase(
    '(\\d+) of (\\d+) qubits have (\\S+) (above|below) (.+?)(?:: (.+?)( and more)?)?',
    ([some, all, name, side, limit, words = '', more = '']) =>
      `${all}量子ビットのうち、${name}が${limit}を${side === 'above' ? '超える' : '下回る'}ものは${some}個${words === '' ? '' : `: ${details(words)}${more === '' ? '' : ' など'}`}。`,
  ),
  phrase(
    'Distribution of (\\S+) over (\\d+) qubits: minimum (.+?), lower quartile (.+?), median (.+?), upper quartile (.+?), maximum (.+)',
    ([name, count, min, low, median, high, max]) =>
      `${name}の分布（${count}量子ビット）: 最小 ${min}、第1四分位 ${low}、中央値 ${median}、第3四分位 ${high}、最大 ${max}。`,
  ),
  phrase(
    'Pearson correlation of (\\S+) and (\\S+) over (\\d+) qubits: r = (\\S+), (.+) relation',
    ([a, b, count, r, strength = '']) =>
      `${a}と${b}のピアソン相関（${count}量子ビット）: r = ${r}、${STRENGTHS[strength] ?? strength}。`,
  ),
  phrase('No values of (\\S+)', ([name]) => `${name}の値はありません。`),
];

const STRENGTHS: Readonly<Record<string, string>> = {
  'no clear': '明確な関係は見られません',
  'a weak positive': '弱い正の関係',
  'a weak negative': '弱い負の関係',
  'a moderate positive': '中程度の正の関係',
  'a moderate negative': '中程度の負の関係',
  'a strong positive': '強い正の関係',
  'a strong negative': '強い負の関係',
};
