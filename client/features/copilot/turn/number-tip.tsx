import { Box, Portal } from '@mantine/core';
import type { AnswerNumber, TurnView } from '@qpilot/client/view';
import { useEffect, useState, type FocusEvent, type PointerEvent, type ReactNode } from 'react';
import { useI18n } from '../../../lib/i18n/i18n.tsx';
import { useServerNames } from '../../../lib/i18n/use-server-names.ts';
import { NUMBER_ATTRIBUTE } from '../text/mark-numbers.ts';
import classes from './number-tip.module.css';

type Pointed = { readonly mark: Element; readonly left: number; readonly bottom: number };

const indexOf = (mark: Element): number => Number(mark.getAttribute(NUMBER_ATTRIBUTE));

const markAround = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest(`[${NUMBER_ATTRIBUTE}]`) : null;

function placeOf(mark: Element): Pointed {
  const { left, bottom } = mark.getBoundingClientRect();
  return { mark, left, bottom };
}

/** Says where the number comes from that is pointed at or focused, anywhere in `children`: one tip for all of them. */
export function NumberTips({
  numbers,
  steps,
  children,
}: {
  readonly numbers: readonly AnswerNumber[];
  readonly steps: TurnView['steps'];
  readonly children: ReactNode;
}) {
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const source = useSourceWords(steps);
  const look = (event: PointerEvent | FocusEvent): void => {
    // What moves below a resting pointer must not hide the tip of the number that has the focus.
    const mark = markAround(event.target) ?? markAround(document.activeElement);
    if (mark === null || !event.currentTarget.contains(mark)) return setPointed(null);
    const number = numbers[indexOf(mark)];
    if (number) mark.setAttribute('aria-description', source(number));
    setPointed(placeOf(mark));
  };
  useEffect(() => {
    if (pointed === null) return;
    // Focus may scroll the number into view: its tip goes along.
    const move = (): void => setPointed((known) => known && placeOf(known.mark));
    const hide = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') setPointed(null);
    };
    addEventListener('scroll', move, true);
    addEventListener('keydown', hide);
    return () => {
      removeEventListener('scroll', move, true);
      removeEventListener('keydown', hide);
    };
  }, [pointed]);
  const number = pointed === null ? undefined : numbers[indexOf(pointed.mark)];
  return (
    <div onPointerOver={look} onPointerLeave={look} onFocus={look} onBlur={() => setPointed(null)}>
      {children}
      {pointed !== null && number !== undefined && (
        <Portal>
          <Box
            className={classes['tip']}
            role="tooltip"
            style={{ left: Math.min(pointed.left, innerWidth - 296), top: pointed.bottom + 6 }}
          >
            {source(number)}
          </Box>
        </Portal>
      )}
    </div>
  );
}

function useSourceWords(steps: TurnView['steps']) {
  const { words, format } = useI18n();
  const { tools } = useServerNames();
  return ({ status, callId, recordId, measuredAt, text, unit }: AnswerNumber): string => {
    const step = steps.find((each) => each.callId === callId);
    return [
      `${text}${unit ? ` ${unit}` : ''}: ${words.copilot.grounding[status]}`,
      ...(step ? [`${tools[step.tool] ?? step.label}: ${step.description}`] : []),
      ...(recordId ? [words.copilot.record(recordId)] : []),
      ...(measuredAt ? [words.copilot.measured(format.time(measuredAt))] : []),
    ].join('\n');
  };
}
