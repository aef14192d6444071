import { details, phrase, times, type Phrase } from './phrase.ts';

const STATES: Readonly<Record<string, string>> = { completed: '完了', failed: '失敗', running: '実行中' };

/** Lines by which the instructions tell of a task result and of runs around it. */
export const RESULT_LINES: readonly Phrase[] = [
  phrase(
    'Status: (\\w+)\\. (?:Measured (.+? UTC), (.+?) (hours|days) ago|No time is stored)',
    ([state = '', at = '', age, unit]) =>
      `状態: ${STATES[state] ?? state}${at === '' ? '' : `（${at}、${age}${unit === 'hours' ? '時間' : '日'}前）`}。`,
  ),
  phrase('Excluded from all statistics: (.+)', ([reason]) => `統計から除外: ${reason}。`),
  phrase('Not excluded', () => '除外されていません。'),
  phrase('Cool-down: (.+)', ([id]) => `クールダウン: ${id}。`),
  phrase(
    'Execution (\\S+) \\((.+)\\): (\\w+)(.*)',
    ([id, name, state = '', more]) => `実行 ${id}（${name}）: ${STATES[state] ?? state}${more}。`,
  ),
  phrase('Message: (.+)', ([text]) => `メッセージ: ${text}。`),
  phrase(
    'Metrics of the fit: (.+)',
    ([text = '']) => `フィットの指標: ${text.replace('none stored', 'なし')}。`,
  ),
  phrase('Run parameters: (.+)', ([text = '']) => `実行パラメータ: ${text.replace('none stored', 'なし')}。`),
  phrase('Note of a person: (.+)', ([text]) => `メモ: ${text}`),
  phrase(
    '(Outputs|Inputs):( none)?',
    ([kind, none = '']) => `${kind === 'Outputs' ? '出力' : '入力'}:${none === '' ? '' : ' なし'}`,
  ),
  phrase(
    'Spread of (\\S+) over the (.+?): median (.+?), mean (.+?)(?:, standard deviation (.+?))?, (-?\\S+(?: \\S+)?) to (-?\\S+(?: \\S+)?)\\.(?: This result lies ([\\d.]+) standard deviations (below|above) the mean)?',
    ([name, over = '', median, mean, stdev = '', min, max, distance = '', side]) =>
      `${name}のばらつき（${overWords(over)}）: 中央値 ${median}、平均 ${mean}${stdev === '' ? '' : `、標準偏差 ${stdev}`}、最小 ${min}、最大 ${max}。${distance === '' ? '' : `この結果は平均より標準偏差${distance}個分${side === 'below' ? '低い' : '高い'}値です。`}`,
  ),
  phrase(
    '(\\d{4}\\S+ \\S+ UTC): (\\w+)(?:; (.+))?',
    ([at, state = '', more = '']) =>
      `${at}: ${STATES[state] ?? state}${more === '' ? '' : `、${details(times(more.replace('this result', 'この結果')))}`}`,
  ),
  phrase('(.+ \\(\\S+\\) -?[\\d.].*)', ([value = '']) => details(value)),
];

const overWords = (over: string): string =>
  over
    .replace(/^(\d+) other valid runs?(?: of this cool-down)?$/u, '有効な他の$1回')
    .replace(/^chip as set now \((\d+) have it, (\d+) do not\)$/u, 'チップ全体の現在値、$1個');
