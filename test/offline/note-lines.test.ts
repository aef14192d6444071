import { expect, test } from '@jest/globals';
import { toolLineInJapanese } from '../../src/offline/shared/japanese-lines.ts';

test.each([
  ['Nobody left a note on Q01 on demo-64.', 'demo-64の量子ビットQ01にメモはありません。'],
  [
    '12 notes of people on demo-64, newest first; 1 to 5 here.',
    'demo-64のメモ 12件（新しい順、うち1〜5件目）。',
  ],
  ['3 notes of people on Q45 on demo-64, newest first.', 'demo-64の量子ビットQ45のメモ 3件（新しい順）。'],
  [
    'On Q45: “Two-level defect” (aoki, 2026-05-19 00:00 UTC).',
    'Q45: “Two-level defect”（aoki, 2026-05-19 00:00 UTC）。',
  ],
  [
    'On a result of Q18: “It fell (twice)” (weber, 2026-05-19 23:48 UTC; issue “T1 of Q18 fell”; resolved).',
    'Q18の結果: “It fell (twice)”（weber, 2026-05-19 23:48 UTC、課題“T1 of Q18 fell”、解決済み）。',
  ],
  [
    'On Q27: “減衰器” (aoki, 2026-05-17 05:00 UTC; comment; since 2026-04-12 00:00 UTC).',
    'Q27: “減衰器”（aoki, 2026-05-17 05:00 UTC、コメント、2026-04-12 00:00 UTCから）。',
  ],
  [
    'On the chip: “Leak” (aoki, 2026-05-17 05:00 UTC; on the cool-down; held until 2026-04-12 00:00 UTC).',
    'チップ全体: “Leak”（aoki, 2026-05-17 05:00 UTC、クールダウン、2026-04-12 00:00 UTCまで（終了））。',
  ],
  [
    'On Q45: “Route around it” (aoki, 2026-05-11 02:00 UTC; forum “What to do about Q45”; open).',
    'Q45: “Route around it”（aoki, 2026-05-11 02:00 UTC、フォーラム“What to do about Q45”、未解決）。',
  ],
  [
    '16 notes of people on demo-64, those that stand first, then newest first; 1 to 5 here.',
    'demo-64のメモ 16件（有効なメモを先に、新しい順、うち1〜5件目）。',
  ],
  [
    'Not current: versions 4 and 3; their results were excluded.',
    '現在の版ではない: 4、3（結果が除外されたため）。',
  ],
  [
    'Cool-down demo-2 of fridge-a runs since 2026-04-12 00:00 UTC with demo-64.',
    'クールダウンdemo-2（fridge-a）は継続中、2026-04-12 00:00 UTCから。チップ: demo-64。',
  ],
  ['2 forum posts of the project name no chip.', 'チップを指定していないプロジェクトのフォーラム投稿 2件。'],
  [
    'On the project: “Warm-up” (aoki, 2026-05-17 05:00 UTC).',
    'プロジェクト: “Warm-up”（aoki, 2026-05-17 05:00 UTC）。',
  ],
  ['2 remarks of language models.', 'AIによる所見 2件。'],
  ['Versions of t1 of Q27 on demo-64: 3 versions shown.', 'demo-64のQ27のt1の来歴: 3版を表示。'],
  [
    'Searched, of any age: notes, comments, remarks on task results, cool-downs and AI reviews.',
    '検索した範囲（全期間）: メモ、コメント、タスク結果への注記、クールダウン、AIレビュー。',
  ],
  [
    'Searched, the newest only: 500 issues and 200 forum posts on the chip.',
    '検索した範囲（新しいもののみ）: 課題500件、チップについてのフォーラム投稿200件。',
  ],
  [
    'This database has no issues and cases learnt from issues.',
    'このデータベースにないもの: 課題、課題から得た事例。',
  ],
  [
    '2 machine notes; the newest, of execution 20260519-002 (2026-05-19 23:55 UTC), holds rabi_params (64).',
    '制御ソフトの記録 2件。最新は実行 20260519-002（2026-05-19 23:55 UTC）で、内容はrabi_params (64)。',
  ],
])('a line about notes reads in Japanese: %s', (english, japanese) => {
  expect(toolLineInJapanese(english)).toBe(japanese);
});
