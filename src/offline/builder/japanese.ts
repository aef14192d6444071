/** How requests are put in Japanese. */
import { switchOf } from './category-names.ts';
import type { Place, Topic } from './request.ts';
import {
  bare,
  MODEL_NAME,
  numberOf,
  quoted,
  reasoningOf,
  whole,
  type BodyRule,
  type Grammar,
  type Groups,
  type Rule,
} from './grammar.ts';

const POLITE =
  '(?:ください|下さい|くれ|ほしい(?:です)?|欲しい(?:です)?|お願い(?:します|いたします)?|もらえますか|くれますか|いただけますか|頂けますか)?';
/** 〜に: して, 設定して, 変更してください, … */
const DO = `(?:(?:設定|変更|指定|切り?替え?|置換|修正|リネーム|改名)?(?:して|し|する|します|を)?|変えて|変え|変える|直して|直す|上げて|下げて|切り替えて|置き換えて|置き換え|置き換える|使って|使う|使用して|よろしく)?${POLITE}`;
const ADD = `(?:追加|挿入|追記|作成)?(?:して|し|する)?(?:加えて|加える|入れて|入れる|書いて|作って|足して|足す)?${POLITE}`;
const REMOVE = `(?:削除|消去)?(?:して|し|する)?(?:消して|消す|取り除いて|外して|なくして)?${POLITE}`;
const NUMBER = '(?<number>-?\\d*[.,]?\\d+)';
const LEVEL = '(?<level>なし|無し|オフ|低|中|高|none|off|low|medium|high)(?:く|め|程度|レベル)?';
const SECTION = '(?:節|セクション|章|見出し|項目)';
const CALLED = '(?:という名前の|という|についての|に関する|の)?';

/** A name with or without quotes. */
const named = (name: string): string => `[「『"“]?(?<${name}>[^「」『』"“”、]+?)[」』"”]?`;
/** A section by its title, on either side of the word. */
const section = (name: string): string =>
  `(?:${named(name)}${CALLED}${SECTION}|${SECTION}${quoted(`${name}After`)})`;
const titled = (groups: Groups, name: string): string => bare(groups[name] ?? groups[`${name}After`]);

const SIDE = 'の(?<side>後ろ|後|あと|下|次|直後|前|上|直前)に?、?';
const PLACE = `(?:(?<line>\\d+)行目${SIDE}|${quoted('beside')}(?:の行)?${SIDE.replace('side', 'textSide')}|(?<edge>最後|末尾|一番下|先頭|冒頭|最初|一番上)に、?|${named('inside')}(?:の)?${SECTION}(?:の中)?に、?)`;

function placeOf({ line, side, beside, textSide, edge, inside }: Groups): Place {
  const where = /^(?:前|上|直前)$/u.test(side ?? textSide ?? '') ? 'BEFORE' : 'AFTER';
  if (line !== undefined) return { at: 'LINE', line: Number(line), side: where };
  if (beside !== undefined) return { at: 'TEXT', text: beside, side: where };
  if (edge !== undefined) return { at: /^(?:先頭|冒頭|最初|一番上)$/u.test(edge) ? 'START' : 'END' };
  return inside === undefined ? { at: 'END' } : { at: 'SECTION', title: inside };
}

const RULES: readonly Rule[] = [
  {
    pattern: whole(
      `(?:モデルの)?(?:温度|temperature)(?:設定)?(?:の値)?(?:を|は|[:=])?\\s*${NUMBER}\\s*(?:に|へ|で|まで)?${DO}`,
    ),
    read: ({ number }) => ({ type: 'temperature', value: numberOf(number) }),
  },
  {
    pattern: whole(
      `(?:推論|思考|reasoning)(?:レベル|の?強さ|の深さ)?(?:を|は|[:=])?\\s*${LEVEL}\\s*(?:に|へ|で)?${DO}`,
    ),
    read: ({ level }) => reasoningOf(level),
  },
  {
    pattern: whole(
      `(?:モデル|model)(?:には|として|を|は|に|[:=])?\\s*「?(?<name>[\\w.:/-]*\\w)」?\\s*(?:に|へ|を|で)?${DO}`,
    ),
    read: ({ name = '' }) => ({ type: 'model', name }),
  },
  {
    pattern: whole(`「?(?<name>${MODEL_NAME})」?\\s*(?:を|に|へ|で)${DO}`),
    read: ({ name = '' }) => ({ type: 'model', name }),
  },
  {
    pattern: whole(
      `(?:この)?(?:ジョブの?)?(?:説明文?|概要|ジョブ名|名前|タイトル|題名|名称)(?:を|は|[:=])?\\s*(?:${quoted('text')}|(?<plain>[^「」]+?))\\s*(?:に|と|へ)${DO}`,
    ),
    read: ({ text, plain }) => ({ type: 'describe', text: bare(text ?? plain) }),
  },
  {
    pattern: whole(`${section('title')}(?:の(?:名前|題|タイトル)|名)?を${named('to')}に${DO}`),
    read: (groups) => ({ type: 'rename-section', title: titled(groups, 'title'), to: bare(groups['to']) }),
  },
  {
    pattern: whole(`${section('title')}の(?:内容|中身|本文|文)を${quoted('body')}に${DO}`),
    read: (groups) => ({
      type: 'rewrite-section',
      title: titled(groups, 'title'),
      body: groups['body'] ?? '',
    }),
  },
  {
    pattern: whole(`${section('title')}を${REMOVE}`),
    read: (groups) => ({ type: 'remove-section', title: titled(groups, 'title') }),
  },
  {
    pattern: whole(`(?<from>\\d+)(?:行目?)?(?:(?:から|〜|～|-)(?<to>\\d+))?行目?(?:まで)?を${REMOVE}`),
    read: ({ from, to = from }) => ({ type: 'lines', from: Number(from), to: Number(to), by: null }),
  },
  {
    pattern: whole(`(?<line>\\d+)行目を${quoted('by')}に${DO}`),
    read: ({ line, by = '' }) => ({ type: 'lines', from: Number(line), to: Number(line), by }),
  },
  {
    pattern: whole(
      `(?<all>すべての|全ての|全部の)?${quoted('old')}を(?<also>すべて|全て|全部)?${quoted('by')}に(?:すべて|全て|全部)?${DO}`,
    ),
    read: ({ old = '', by = '', all, also }) => ({
      type: 'replace',
      old,
      by,
      everywhere: (all ?? also) !== undefined,
    }),
  },
  {
    pattern: whole(`${quoted('old')}を${REMOVE}`),
    read: ({ old = '' }) => ({ type: 'replace', old, by: '', everywhere: false }),
  },
  {
    pattern: whole(
      `(?:${PLACE})?${quoted('text')}(?:という行|という文)?を(?:${PLACE.replaceAll('(?<', '(?<late')})?${ADD}`,
    ),
    read: ({ text = '', ...groups }) => ({ type: 'insert', text, place: placeOf(early(groups)) }),
  },
  {
    pattern: whole(`${section('title')}を${ADD}`),
    read: (groups) => ({ type: 'add-section', title: titled(groups, 'title'), body: '' }),
  },
  {
    pattern: whole(`(?<name>[^。、「」]+?)を(?<way>オン|有効|オフ|無効)(?:に|化)?${DO}`),
    read: ({ way = '', name }) => switchOf(name, /^(?:オン|有効)$/u.test(way)),
  },
  {
    pattern:
      /^(?:(?:さっき|今|直前|前|最後)の)?(?:変更|編集|操作)?を?(?:元に戻|取り消|取消|キャンセル)(?:して|し|す|る)?(?:て)?(?:ください|下さい|ほしい)?$/u,
    read: () => ({ type: 'undo' }),
  },
];

/** A place that was named behind the text counts as one before it. */
const early = (groups: Groups) =>
  Object.fromEntries(
    ['line', 'side', 'beside', 'textSide', 'edge', 'inside'].map((name) => [
      name,
      groups[name] ?? groups[`late${name}`],
    ]),
  );

const BODY_RULES: readonly BodyRule[] = [
  {
    pattern: whole(
      `${section('title')}(?:の(?:内容|中身|本文))?を(?:次の?(?:内容|文|もの)?(?:に|で|へ)|以下(?:の内容)?(?:に|で|へ))${DO}`,
    ),
    read: (groups, body) => ({ type: 'rewrite-section', title: titled(groups, 'title'), body }),
  },
  {
    pattern: whole(`${section('title')}を${ADD}`),
    read: (groups, body) => ({ type: 'add-section', title: titled(groups, 'title'), body }),
  },
  {
    pattern: whole(`(?:${PLACE})?(?:次の?(?:行|文|内容)?|以下(?:の(?:行|文|内容))?)?を?${ADD}`),
    read: (groups, body) => ({ type: 'insert', text: body, place: placeOf(groups) }),
  },
];

const TOPIC_WORDS: readonly (readonly [RegExp, readonly Topic[]])[] = [
  [/温度/u, ['TEMPERATURE']],
  [/推論|思考/u, ['REASONING']],
  [/モデル/u, ['MODEL']],
  [/ツール|カテゴリ/u, ['TOOLS']],
  [/説明|ジョブ名|タイトル/u, ['DESCRIPTION']],
  [/指示|手順書|セクション|見出し/u, ['INSTRUCTIONS']],
  [/設定/u, ['TEMPERATURE', 'REASONING', 'MODEL', 'TOOLS']],
];

function asksAbout(sentence: string): readonly Topic[] {
  const isQuestion = /いくつ|何|なに|どれ|どの|どう|教えて|見せて|ですか|でしょうか|[?？]$/u.test(sentence);
  const isAdvice = /べき|良い|よい|いい|おすすめ|なぜ|どうして|たら|なら/u.test(sentence);
  if (!isQuestion || isAdvice || sentence.length > 60) return [];
  return [...new Set(TOPIC_WORDS.flatMap(([word, topics]) => (word.test(sentence) ? topics : [])))];
}

/** Japanese. */
export const JAPANESE: Grammar = {
  rules: RULES,
  bodyRules: BODY_RULES,
  fillers: [/^(?:(?:それから|そして|また|あと|次に|では|まず|さらに|じゃあ|すみません)[、\s]*)+/u],
  isWithheld: (sentence) => /ないで|なくて|ません|ないように|べき|たら|場合|なら(?!び)/u.test(sentence),
  asksAbout,
};
