/** Lines of job tools and of the analyst's own script, in Japanese; the forms of all other tools stand with the analyst. */
import { details, phrase, said, type Phrase } from '../../analyst/japanese/phrase.ts';

/** Lines that only tools of jobs give: references, and the course of one value. */
const LINES: readonly Phrase[] = [
  phrase(
    '\\[(\\d+)\\] (.+) of (\\S+) on (\\S+): (.+), (\\S+ \\S+ UTC), record (\\S+)',
    ([number, title, label, chip, value, time, record]) =>
      `[${number}] ${chip}の${label}の${title}: ${value}、${time}、記録 ${record}`,
  ),
  phrase(
    '(.+) of (\\S+) on (\\S+): newest (.+?)(?: \\((\\S+ \\S+ UTC)\\))?',
    ([title, label, chip, newest, time = '']) =>
      `${chip}の${label}の${title}: 最新 ${newest}${time === '' ? '' : `（${time}）`}。`,
  ),
  phrase(
    '(\\d+) results?, (.+?) to (.+?)(?:, ([a-z ()]+))?',
    ([count, min, max, way = '']) =>
      `${count}件の結果、最小 ${min}、最大 ${max}${way === '' ? '' : `、${details(way)}`}。`,
  ),
];

/** Such a line in Japanese; null for any other. */
export const jobLineInJapanese = (line: string): string | null => said(line, LINES);

const PRINTED: readonly Phrase[] = [
  phrase(
    '(\\d+) parameters? of (\\d+) qubits?: (\\d+) values? far from the rest(?:; the strongest relation is (\\S+) with (\\S+), r = (\\S+) \\(95 % (\\S+) to (\\S+)\\) over (\\d+) qubits)?',
    ([parameters, qubits, far, a = '', b, r, low, high, over]) =>
      `${qubits}量子ビットのパラメータ${parameters}個のうち、大きく外れた値は${far}個です。${a === '' ? '' : `最も強い関係は${a}と${b}で、r = ${r}（95 % ${low} から ${high}、${over}量子ビット）です。`}`,
  ),
  phrase(
    '(\\S+): median (.+?) \\(95 % (\\S+) to (\\S+)\\), middle half (\\S+) to (\\S+) (\\S*), (\\d+) of (\\d+) qubits',
    ([name, median, low, high, q1, q3, unit = '', some, all]) =>
      `${name}: 中央値 ${median}（95 % ${low} から ${high}）、四分位範囲 ${q1} から ${q3}${unit === '' ? '' : ` ${unit}`}、${all}量子ビット中${some}。`,
  ),
  phrase(
    'Far off: (\\S+) of (\\S+), (.+), score (\\S+)',
    ([name, label, value, score]) => `外れ値: ${label}の${name} ${value}、スコア ${score}。`,
  ),
  phrase(
    'Relation: (\\S+) with (\\S+), r = (\\S+) \\(95 % (\\S+) to (\\S+)\\), (\\d+) qubits',
    ([a, b, r, low, high, count]) =>
      `関係: ${a}と${b}、r = ${r}（95 % ${low} から ${high}）、${count}量子ビット。`,
  ),
  phrase(
    '(\\d+) pairs were compared, so single weak relations arise by chance; (\\d+) with 0.98 and more are left out as one quantity twice',
    ([pairs, same]) =>
      `${pairs}組を比較したため、弱い関係は偶然にも現れます。0.98以上の${same}組は同じ量とみなして除きました。`,
  ),
  phrase(
    'Check: (\\d+) of (\\d+) medians agree with those of the chip summary',
    ([some, all]) => `検算: 中央値${all}個のうち${some}個がチップの要約と一致しました。`,
  ),
];

/** A line that the script printed, in Japanese; one of another form as it is. */
export const printedInJapanese = (line: string): string => said(line, PRINTED) ?? line;
