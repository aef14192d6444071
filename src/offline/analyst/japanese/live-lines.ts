import { details, phrase, said, times, type Phrase } from './phrase.ts';

const CAUSES: Readonly<Record<string, string>> = {
  'they were asked for': 'ご依頼のため',
  'stored ones are older than they may be': '保存値が期限より古いため',
  'some that are needed are not stored': '必要な値の一部が保存されていないため',
  'stored ones were doubted': '保存値に疑いがあるため',
};

/** Why a live source gave nothing; a reason of another form stays in its own words. */
const causeOf = (reason: string): string => said(reason, OBSTACLES) ?? reason;

const OBSTACLES: readonly Phrase[] = [
  phrase('it answers HTTP (\\d+)', ([status]) => `HTTP ${status} が返されました`),
  phrase(
    'the limit of (\\d+) live calls a minute for a chip and (\\d+) for a project is reached(?:; the next is possible in (\\d+) s)?(?:, so this repeats what was read at (.+))?',
    ([chip, project, seconds = '', at = '']) =>
      `1分あたりの上限（チップ${chip}回、プロジェクト${project}回）に達しました${seconds === '' ? '' : `。次は${seconds}秒後に取得できます`}${at === '' ? '' : `。${at}に読んだ値を繰り返します`}`,
  ),
];

/** Lines about live values, alone and beside stored ones. */
export const LIVE_LINES: readonly Phrase[] = [
  phrase(
    'Live values were read (.+? UTC) because (.+?)(; the live source has nothing newer)?:?',
    ([at, cause = '', none = '']) =>
      `${CAUSES[cause] ?? cause}、${at}にライブ値を読みました${none === '' ? '' : '。新しい値はありません'}。`,
  ),
  phrase(
    'Live values of (\\d+) more parameters? are in the table',
    ([count]) => `ほか${count}個のパラメータのライブ値は表にあります。`,
  ),
  phrase(
    'Live (.+) of (\\d+): median (.+?), lowest (.+?), highest (.+?) \\(measured (.+)\\)',
    ([title, count, median, low, high, at = '']) =>
      `ライブ値 ${title}（${count}個）: 中央値 ${median}、最小 ${low}、最大 ${high}（${times(at)}に測定）。`,
  ),
  phrase('Live (.+): no usable value', ([title]) => `ライブ値 ${title}: 使える値はありません。`),
  phrase('Live (.+?): (.+)', ([title, words = '']) => `ライブ値 ${title}: ${details(words)}。`),
  phrase(
    'The live source was not asked again: (.+)',
    ([reason = '']) => `ライブ値は再取得していません: ${causeOf(reason)}。`,
  ),
  phrase(
    'The live source of (\\S+) was not used: (.+)',
    ([chip, reason = '']) => `${chip}のライブ値は使えませんでした: ${causeOf(reason)}。`,
  ),
  phrase(
    'What follows is stored, not live; measuring again would settle it',
    () => '以下はライブ値ではなく保存値です。再測定すれば確かめられます。',
  ),
  phrase(
    '(\\S+) (.+): stored (.+?), live (.+?)(?:, live minus stored (.+?)(?: \\((-?[\\d.]+) standard deviations\\))?)?: ([A-Z_]+), (.+)',
    ([label, title, stored = '', live = '', apart = '', sigma = '', verdict = '', reason]) =>
      `${label} ${title}: 保存値 ${details(stored)}、ライブ値 ${details(live)}${apart === '' ? '' : `、差（ライブ−保存）${apart}${sigma === '' ? '' : `（${sigma}σ）`}`}。判定 ${verdict}（${REASONS[reason ?? ''] ?? reason}）。`,
  ),
];

const REASONS: Readonly<Record<string, string>> = {
  'at most 3 standard deviations apart': '差は3σ以内',
  'more than 3 standard deviations apart': '差が3σを超える',
  'more than 3 standard deviations apart, and the stored value is old': '差が3σを超え、保存値が古い',
  'the live value is older than the stored one': 'ライブ値が保存値より古い',
  'the live source gives no value': 'ライブ値がない',
  'no value is stored': '保存値がない',
  'the same number': '同じ値',
};
