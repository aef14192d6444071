/** All questions of a run. */
import type { ChipRecord } from '../data/chip-record.ts';
import type { LiveValue } from '../data/live-values.ts';
import { createDraw } from './draw.ts';
import { BEYOND } from './kinds/beyond.ts';
import { CHIP_FIGURES } from './kinds/chip-figures.ts';
import { CHIP_LAYOUT } from './kinds/chip-layout.ts';
import { FOLLOW_UPS } from './kinds/follow-ups.ts';
import { JAPANESE } from './kinds/japanese.ts';
import { liveTemplates } from './kinds/live.ts';
import { OVER_TIME } from './kinds/over-time.ts';
import { RECORDS } from './kinds/records.ts';
import { SINGLE_VALUES } from './kinds/single-values.ts';
import { phrasesOf, type Phrasing } from './phrases.ts';
import type { Kind, Question } from './question.ts';
import type { Template } from './template.ts';

/** What questions are made from. */
export type QuestionSource = {
  readonly demo: ChipRecord;
  /** Chips that have values and a layout but no history. */
  readonly devices: readonly ChipRecord[];
  readonly live: readonly LiveValue[];
};

/** Questions of every kind; live ones first, because the source of live values may be asked only so often. */
export function makeQuestions(source: QuestionSource, seed: number, phrasing: Phrasing): readonly Question[] {
  const { demo, devices, live } = source;
  const templates = [
    ...liveTemplates(live),
    ...SINGLE_VALUES,
    ...CHIP_FIGURES,
    ...OVER_TIME,
    ...RECORDS,
    ...CHIP_LAYOUT,
    ...BEYOND,
    ...FOLLOW_UPS,
    ...JAPANESE,
  ];
  return templates.flatMap((template) => {
    const { kind, name, chips, make } = template;
    return phraseChoices(template, phrasing).map((phrases, index) => {
      const id = `${kind}/${name}/${index + 1}`;
      const draw = createDraw({ seed, phrasing, name: id, phrases });
      const record = chips === 'demo' ? demo : draw.pick([demo, demo, ...devices]);
      return { id, kind, chipId: record.chipId, ...make(draw, record) };
    });
  });
}

/** One entry per question: the phrases to choose from. Every phrase of shorthand makes one question. */
function phraseChoices(template: Template, phrasing: Phrasing): readonly (readonly string[])[] {
  const phrases = phrasesOf(template)[phrasing];
  return phrasing === 'shorthand'
    ? phrases.map((phrase) => [phrase])
    : Array.from({ length: template.times }, () => phrases);
}

/** Questions of `kind` only, where one is given, and at most `limit`, spread over the kinds. */
export function choose(
  questions: readonly Question[],
  kind: Kind | null,
  limit: number | null,
): readonly Question[] {
  const wanted = questions.filter((question) => kind === null || question.kind === kind);
  if (limit === null || limit >= wanted.length) return wanted;
  return wanted.filter(
    (_, index) =>
      Math.floor(((index + 1) * limit) / wanted.length) > Math.floor((index * limit) / wanted.length),
  );
}
