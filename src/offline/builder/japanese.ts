/** Requests in Japanese. */
import { switchOf } from './category-names.ts';
import type { Place, Topic } from './request.ts';
import {
  MODEL_NAME,
  placeIn,
  quoted,
  READ,
  rule,
  topicsIn,
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
  `(?:${named(name)}${CALLED}${SECTION}|${SECTION}${quoted(`${name}Other`)})`;

const SIDE = 'の(?<side>後ろ|後|あと|下|次|直後|前|上|直前)に?、?';
const PLACE = `(?:(?<line>\\d+)行目${SIDE}|${quoted('beside')}(?:の行)?${SIDE.replace('side', 'textSide')}|(?<edge>最後|末尾|一番下|先頭|冒頭|最初|一番上)に、?|${named('inside')}(?:の)?${SECTION}(?:の中)?に、?)`;

const placeOf = (groups: Groups): Place =>
  placeIn(groups, /^(?:前|上|直前)$/u, /^(?:先頭|冒頭|最初|一番上)$/u);

const RULES: readonly Rule[] = [
  rule(
    READ.temperature,
    `(?:モデルの)?(?:温度|temperature)(?:設定)?(?:の値)?(?:を|は|[:=])?\\s*${NUMBER}\\s*(?:に|へ|で|まで)?${DO}`,
  ),
  rule(
    READ.reasoning,
    `(?:推論|思考|reasoning)(?:レベル|の?強さ|の深さ)?(?:を|は|[:=])?\\s*${LEVEL}\\s*(?:に|へ|で)?${DO}`,
  ),
  rule(
    READ.model,
    `(?:モデル|model)(?:には|として|を|は|に|[:=])?\\s*「?(?<name>[\\w.:/-]*\\w)」?\\s*(?:に|へ|を|で)?${DO}`,
  ),
  rule(READ.model, `「?(?<name>${MODEL_NAME})」?\\s*(?:を|に|へ|で)${DO}`),
  rule(
    READ.describe,
    `(?:この)?(?:ジョブの?)?(?:説明文?|概要|ジョブ名|名前|タイトル|題名|名称)(?:を|は|[:=])?\\s*(?:${quoted('text')}|(?<plain>[^「」]+?))\\s*(?:に|と|へ)${DO}`,
  ),
  rule(READ.renameSection, `${section('title')}(?:の(?:名前|題|タイトル)|名)?を${named('to')}に${DO}`),
  rule(READ.rewriteSection, `${section('title')}の(?:内容|中身|本文|文)を${quoted('body')}に${DO}`),
  rule(READ.removeSection, `${section('title')}を${REMOVE}`),
  rule(READ.removeLines, `(?<from>\\d+)(?:行目?)?(?:(?:から|〜|～|-)(?<to>\\d+))?行目?(?:まで)?を${REMOVE}`),
  rule(
    ({ line, by = '' }) => ({ type: 'lines', from: Number(line), to: Number(line), by }),
    `(?<line>\\d+)行目を${quoted('by')}に${DO}`,
  ),
  rule(
    READ.replaceQuoted,
    `(?<all>すべての|全ての|全部の)?${quoted('old')}を(?<also>すべて|全て|全部)?${quoted('by')}に(?:すべて|全て|全部)?${DO}`,
  ),
  rule(READ.removeQuoted, `${quoted('old')}を${REMOVE}`),
  rule(
    ({ text = '', ...groups }) => ({ type: 'insert', text, place: placeOf(early(groups)) }),
    `(?:${PLACE})?${quoted('text')}(?:という行|という文)?を(?:${PLACE.replaceAll('(?<', '(?<late')})?${ADD}`,
  ),
  rule(READ.addSection, `${section('title')}を${ADD}`),
  rule(
    ({ way = '', name }) => switchOf(name, /^(?:オン|有効)$/u.test(way)),
    `(?<name>[^。、「」]+?)を(?<way>オン|有効|オフ|無効)(?:に|化)?${DO}`,
  ),
  {
    pattern:
      /^(?:(?:さっき|今|直前|前|最後)の)?(?:変更|編集|操作)?を?(?:元に戻|取り消|取消|キャンセル)(?:して|し|す|る)?(?:て)?(?:ください|下さい|ほしい)?$/u,
    read: () => ({ type: 'undo' }),
  },
];

/** A place named after the text is read like one before it. */
const early = (groups: Groups) =>
  Object.fromEntries(
    ['line', 'side', 'beside', 'textSide', 'edge', 'inside'].map((name) => [
      name,
      groups[name] ?? groups[`late${name}`],
    ]),
  );

const BODY_RULES: readonly BodyRule[] = [
  rule(
    READ.rewriteSection,
    `${section('title')}(?:の(?:内容|中身|本文))?を(?:次の?(?:内容|文|もの)?(?:に|で|へ)|以下(?:の内容)?(?:に|で|へ))${DO}`,
  ),
  rule(READ.addSection, `${section('title')}を${ADD}`),
  rule(
    (groups, body) => ({ type: 'insert', text: body, place: placeOf(groups) }),
    `(?:${PLACE})?(?:次の?(?:行|文|内容)?|以下(?:の(?:行|文|内容))?)?を?${ADD}`,
  ),
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
  return topicsIn(sentence, TOPIC_WORDS);
}

/** Japanese. */
export const JAPANESE: Grammar = {
  rules: RULES,
  bodyRules: BODY_RULES,
  fillers: [/^(?:(?:それから|そして|また|あと|次に|では|まず|さらに|じゃあ|すみません)[、\s]*)+/u],
  isWithheld: (sentence) => /ないで|なくて|ません|ないように|べき|たら|場合|なら(?!び)/u.test(sentence),
  asksAbout,
};
