import { details, entities, inOneWord, phrase, qubitsOf, type Phrase } from './phrase.ts';

/** Lines about a chip as a whole. */
export const CHIP_LINES: readonly Phrase[] = [
  phrase(
    '(\\S+): (\\d+) qubits?, health(?: by (.+))? (\\w+) \\(([\\d.]+) of 3: (\\d+) excellent, (\\d+) good, (\\d+) fair or bad of (\\d+) rated values\\)',
    ([chip, qubits, by = '', label = '', score, excellent, good, bad, rated]) =>
      `${chip}: ${qubits}量子ビット、健全度${by === '' ? '' : `（${details(by)}）`}は${inOneWord(label)}（3点満点で${score}点。評価値${rated}件のうち優秀${excellent}件、良好${good}件、可・不良${bad}件）。`,
  ),
  phrase(
    '(\\S+): (\\d+) qubits?; no value(?: of (.+))? is rated, so it has no health score',
    ([chip, qubits, of = '']) =>
      `${chip}: ${qubits}量子ビット。${of === '' ? '' : `${details(of)}は`}評価の対象ではないため、健全度はありません。`,
  ),
  phrase(
    '(.+): median (\\S+(?: \\S+)?), (-?\\S+(?: \\S+)?) to (-?\\S+(?: \\S+)?) \\((\\d+(?: of \\d+)? qubits?)\\)',
    ([title, median, min, max, of = '']) =>
      `${title}: 中央値 ${median}、最小 ${min}、最大 ${max}（${qubitsOf(of)}）。`,
  ),
  phrase(
    'Problems: (\\d+) of (\\d+) shown, worst first: (.+)',
    ([told, all, words = '']) => `問題のある値（${all}件中${told}件、悪い順）: ${details(words)}。`,
  ),
  phrase(
    'The (?:(\\d+) )?(best|worst|highest|lowest) (.+) of (\\d+) (qubits?|couplings?) on (\\S+): (.+)',
    ([count = '', order = '', title, all, noun = '', chip, words = '']) =>
      `${chip}の${all}${entities(noun)}のうち、${title}が${inOneWord(order)}に${count === '' ? '1' : count}個: ${details(words)}。`,
  ),
  phrase(
    '(\\d+) (qubits?|couplings?) without a result',
    ([count, noun = '']) => `${entities(noun)}${count}個は結果がありません。`,
  ),
  phrase(
    'No (qubit|coupling) of (\\S+) has a usable result for (.+)',
    ([noun = '', chip, title]) => `${chip}には${title}の使える結果を持つ${entities(noun)}がありません。`,
  ),
  phrase(
    '(.+) on (\\S+) \\((.+)\\): (\\d+) of (\\d+) qubits?, median (.+?), mean (.+?), lowest (.+?), highest (.+?)',
    ([title, chip, , some, all, median, mean, lowest, highest]) =>
      `${chip}の${title}: ${all}量子ビット中${some}、中央値 ${median}、平均 ${mean}、最小 ${lowest}、最大 ${highest}。`,
  ),
  phrase(
    '(.+) on (\\S+) \\((.+)\\): no qubit of (\\d+) has a usable result',
    ([title, chip, , all]) => `${chip}の${title}: ${all}量子ビットのどれにも使える結果がありません。`,
  ),
  phrase('Without a result: (.+)', ([labels = '']) => `結果なし: ${details(labels)}。`),
  phrase(
    'From (cool-down|task) (\\S+): (.+)',
    ([kind, name, labels = '']) =>
      `${kind === 'task' ? 'タスク' : 'クールダウン'}${name}の結果: ${details(labels)}。`,
  ),
  phrase(
    'A newer run failed, so the last good value stands: (.+)',
    ([labels = '']) => `その後の測定が失敗したため、直前の良好な値を使用: ${details(labels)}。`,
  ),
  phrase(
    'No outliers among (.+) on (\\S+)',
    ([titles = '', chip]) => `${chip}の${details(titles)}に外れ値はありません。`,
  ),
  phrase(
    '(\\d+) outliers? among (.+) on (\\S+): (.+)',
    ([count, titles = '', chip, words = '']) =>
      `${chip}の${details(titles)}の外れ値は${count}個: ${details(words)}。`,
  ),
  phrase(
    '(\\S+): (\\d+) qubits? and (\\d+) couplings?, (?:topology (\\S+) \\((.+)\\)|no topology of the catalogue, .+), drawn on a grid of side (\\d+)',
    ([chip, qubits, couplings, id = '']) =>
      `${chip}: 量子ビット数 ${qubits}、カップリング数 ${couplings}${id === '' ? '' : `、トポロジー ${id}`}。`,
  ),
  phrase(
    'Readout groups \\(MUX\\) of (\\d+) qubits?',
    ([size]) => `読み出しグループ（MUX）は${size}量子ビットずつです。`,
  ),
  phrase(
    '(\\S+) has (\\d+) parameters?: (.+?)\\. In the metrics catalogue: (.+)',
    ([where, count, names = '', rated = '']) =>
      `${where}のパラメータは${count}個: ${details(names)}。指標カタログにあるもの: ${details(rated)}。`,
  ),
];

/** Lines about single qubits and couplings. */
export const QUBIT_LINES: readonly Phrase[] = [
  phrase(
    '(\\S+) on (\\S+): (\\d+) parameters?',
    ([label, chip, count]) => `${label}（${chip}）: パラメータ${count}個。`,
  ),
  phrase(
    '(\\S+) on (\\S+) has no calibrated values',
    ([label, chip]) => `${label}（${chip}）には値がありません。`,
  ),
  phrase(
    '(?:Couplings of )?(\\S+) on (\\S+): (\\d+) couplings?',
    ([label, chip, count]) => `${label}（${chip}）: カップリング${count}個。`,
  ),
  phrase(
    'Values are stored for (\\S+); the direction that was asked for, (\\S+), has none',
    ([label, asked]) => `値は${label}の向きで保存されています。お尋ねの向き${asked}の値はありません。`,
  ),
];
