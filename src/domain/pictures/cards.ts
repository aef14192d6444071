/** Charts of kind `INDICATOR`: a number with its unit and notes, as the web client's cards. */
import { formatNumber } from '../text/display-text.ts';
import type { JsonObject } from '../visuals.ts';
import { PAGE } from './colors.ts';
import { listIn, numberIn, objectIn, textIn } from './read.ts';
import { words } from './svg.ts';
import { fitted, labelLines, LINE_HEIGHT, widthOf } from './text.ts';

const VALUE_SIZE = 36;
const SIZE = 13;
const GAP_PX = 18;
const MOST_CARDS = 12;
const MOST_NOTES = 20;

export type Cards = { readonly heightPx: number; readonly draw: (left: number, top: number) => string };

/** A card for each trace, below each other. */
export function cardsOf(traces: readonly JsonObject[], widthPx: number): Cards {
  const cards = traces.slice(0, MOST_CARDS).map((trace) => {
    const meta = objectIn(trace, 'meta');
    const value = numberIn(trace, 'value');
    const unit = labelLines(textIn(objectIn(trace, 'number'), 'suffix') ?? '')
      .join(' ')
      .trim();
    const shown = textIn(meta, 'value') ?? (value === null ? '—' : formatNumber(value, unit));
    const notes = (listIn(meta, 'notes') ?? [])
      .filter((note) => typeof note === 'string')
      .slice(0, MOST_NOTES);
    return {
      value: fitted(labelLines(shown).join(' '), widthPx * 0.7, VALUE_SIZE),
      unit: fitted(unit, widthPx * 0.25, SIZE + 3),
      notes: notes.map((note) => fitted(labelLines(note).join(' '), widthPx, SIZE)),
    };
  });
  const heightOf = ({ notes }: (typeof cards)[number]): number =>
    VALUE_SIZE * LINE_HEIGHT + notes.length * SIZE * LINE_HEIGHT + GAP_PX;
  return {
    heightPx: cards.reduce((sum, card) => sum + heightOf(card), 0),
    draw: (left, top) => {
      let y = top;
      return cards
        .map((card) => {
          const start = y;
          y += heightOf(card);
          const baseline = start + VALUE_SIZE;
          const after = left + widthOf(card.value, VALUE_SIZE, true) + 8;
          return [
            words({
              lines: [card.value],
              x: left,
              y: baseline,
              size: VALUE_SIZE,
              fill: PAGE.text,
              from: 'bottom',
              isBold: true,
            }),
            words({
              lines: [card.unit],
              x: after,
              y: baseline,
              size: SIZE + 3,
              fill: PAGE.faint,
              from: 'bottom',
            }),
            words({ lines: card.notes, x: left, y: baseline + 12, size: SIZE, fill: PAGE.faint }),
          ].join('');
        })
        .join('');
    },
  };
}
