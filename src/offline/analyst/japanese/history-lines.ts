import { details, entities, phrase, times, type Phrase } from './phrase.ts';

/** Lines about values over time. */
export const OVER_TIME_LINES: readonly Phrase[] = [
  phrase(
    '(.+) on (\\S+): (\\d+) results? of (\\d+) (qubits?|couplings?)',
    ([title, chip, results, count, noun = '']) =>
      `${chip}の${title}: ${count}${entities(noun)}の結果${results}件。`,
  ),
  phrase(
    '(.+) of (.+) on (\\S+): no results',
    ([title, who, chip]) => `${chip}の${who}の${title}: 結果はありません。`,
  ),
  phrase(
    '(\\S+): newest (.+?), (-?\\S+(?: \\S+)?) to (-?\\S+(?: \\S+)?) over (\\d+) results?(?:, (.+))?',
    ([label, newest, min, max, count, course = '']) =>
      `${label}: 最新 ${newest}、${count}件で最小 ${min}、最大 ${max}${course === '' ? '' : `、${details(course)}`}。`,
  ),
  phrase(
    'Newest values: median (.+?), (.+?) to (.+?) over (\\d+) (qubits?|couplings?)',
    ([median, min, max, count, noun = '']) =>
      `最新の値: 中央値 ${median}、最小 ${min}、最大 ${max}（${count}${entities(noun)}）。`,
  ),
  phrase('Trends: (.+)', ([words = '']) => `傾向: ${details(words)}。`),
  phrase('It spans cool-downs (.+)', ([ids = '']) => `複数のクールダウンにまたがります: ${details(ids)}。`),
  phrase(
    'Its results are of several tasks: (.+)',
    ([names = '']) => `複数のタスクの結果です: ${details(names)}。`,
  ),
  phrase(
    '(.+) on (\\S+): (\\d{4}\\S+ .+?) against (.+)',
    ([title, chip, now = '', before = '']) => `${chip}の${title}: ${times(now)} と ${times(before)} の比較。`,
  ),
  phrase(
    '(?:Mean of (\\d+) (qubits?|couplings?|muxs?|muxes)|(\\S+)): (.+?), before (.+?); (.+)',
    ([count = '', noun = '', who = '', now, before, change = '']) =>
      `${who === '' ? `${count}${entities(noun)}の平均` : who}: ${now}、以前は ${before}、変化 ${details(change)}。`,
  ),
  phrase('Largest changes: (.+)', ([words = '']) => `変化の大きいもの: ${details(words)}。`),
  phrase(
    '(\\d+) of (\\d+) without a value in both windows',
    ([some, all]) => `${all}個中${some}個は両方の期間の値がそろっていません。`,
  ),
  phrase(
    'No (\\w+) was measured in both windows',
    ([noun = '']) => `両方の期間で測定された${entities(noun)}はありません。`,
  ),
  phrase(
    'The windows are of different cool-downs, (\\S+) and (\\S+)',
    ([a, b]) => `期間のクールダウンが異なります: ${a}と${b}。`,
  ),
];

/** `27 on demo-64`, `demo-64`. */
const placeOf = (where: string): string => where.replace(/^(\S+) on (\S+)$/u, '$2の量子ビット$1');

/** Lines about runs, executions, notes, versions and the laboratory. */
export const RECORD_LINES: readonly Phrase[] = [
  phrase(
    'Task results(.*) on (\\S+): (?:the newest )?(\\d+) runs?: (.+)',
    ([, chip, count, words = '']) => `${chip}のタスク結果 ${count}件: ${details(words)}。`,
  ),
  phrase('Task results(.*) on (\\S+): none', ([, chip]) => `${chip}に該当するタスク結果はありません。`),
  phrase(
    '(\\S+) of (\\S+) failed \\(([^)]+)\\)(?:: (.+?))?',
    ([task, label, at, message = '']) =>
      `${label}の${task}は失敗（${at}）${message === '' ? '' : `: ${message}`}。`,
  ),
  phrase(
    'Executions on (\\S+)(?: \\(.+?\\))?: (?:the newest )?(\\d+) executions?: (.+)',
    ([chip, count, words = '']) => `${chip}の実行 ${count}件: ${details(words)}。`,
  ),
  phrase('Executions on (\\S+)(?: \\(.+?\\))?: none', ([chip]) => `${chip}に該当する実行はありません。`),
  phrase(
    '(\\S+) of (\\d{4}\\S+ \\S+ UTC) failed(?:: (.+?))?',
    ([id, at, message = '']) => `${id}（${at}）は失敗${message === '' ? '' : `: ${message}`}。`,
  ),
  phrase(
    '(\\S+) of (\\S+) on (\\S+): no completed result',
    ([task, label, chip]) => `${chip}の${label}に${task}の完了した結果はありません。`,
  ),
  phrase(
    'A newer run of (.+? UTC) failed(?:: (.+?))?',
    ([at, message = '']) => `より新しい${at}の測定は失敗${message === '' ? '' : `: ${message}`}。`,
  ),
  phrase(
    'A newer result of (.+? UTC) was excluded: (.+?)',
    ([at, reason]) => `より新しい${at}の結果は除外: ${reason}。`,
  ),
  phrase('Nobody left a note on (.+)', ([where = '']) => `${placeOf(where)}にメモはありません。`),
  phrase(
    '(\\d+) notes? of people on (.+), newest first',
    ([count, where = '']) => `${placeOf(where)}のメモ ${count}件（新しい順）。`,
  ),
  phrase(
    'On (?:a result of )?(.+?): “(.+)”(?: \\((.+)\\))?',
    ([about, text, by = '']) => `${about}: “${text}”${by === '' ? '' : `（${by}）`}。`,
  ),
  phrase(
    'Versions of (\\S+) of (\\S+) on (\\S+): (\\d+) versions? shown',
    ([name, label, chip, count]) => `${chip}の${label}の${name}の来歴: ${count}版を表示。`,
  ),
  phrase(
    'Versions of (\\S+) of (\\S+) on (\\S+): none recorded',
    ([name, label, chip]) => `${chip}の${label}の${name}の来歴は記録されていません。`,
  ),
  phrase(
    'Current: version (\\d+), (.+?) as stored, by (\\S+) \\(execution (\\S+)\\) since (.+)',
    ([version, value, task, execution, since]) =>
      `現在: version ${version}、保存値 ${value}、${task}（実行 ${execution}）による、${since}から。`,
  ),
  phrase(
    '(\\S+): (\\d+) (\\w+): (.+)',
    ([where, count, noun = '', names = '']) => `${where}の${entities(noun)}は${count}個: ${details(names)}。`,
  ),
  phrase(
    'Tasks that were run on (\\S+): (.+)',
    ([chip, names = '']) => `${chip}で実行されたタスク: ${details(names)}。`,
  ),
  phrase(
    'Project (\\S+): (\\d+) chips? \\((.+)\\)',
    ([project, count, words = '']) =>
      `プロジェクト${project}のチップは${count}個: ${details(words.replaceAll(/(\d+) qubits/gu, '$1量子ビット').replaceAll('cool-down', 'クールダウン'))}。`,
  ),
  phrase('Calendar days are those of (\\S+); times are UTC', ([zone]) => `日付は${zone}、時刻はUTCです。`),
  phrase(
    '(\\d+) metrics? rated by thresholds in display units',
    ([count]) => `しきい値で評価する指標は${count}個です（表示単位）。`,
  ),
  phrase(
    '(\\S+) of (\\S+) on (\\S+): (.+)',
    ([task, label, chip, words]) => `${chip}の${label}の${task}: ${words}。`,
  ),
];
