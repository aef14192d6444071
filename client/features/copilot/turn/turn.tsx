import { Alert, Text } from '@mantine/core';
import { memo } from 'react';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { isFinal, textOf, type TurnView } from '../model/session-view.ts';
import { AnswerChart } from '../visuals/answer-chart.tsx';
import { AnswerTable } from '../visuals/answer-table.tsx';
import { AnswerActions } from './answer-actions.tsx';
import { AnswerFacts } from './answer-facts.tsx';
import { MarkdownText } from './markdown.tsx';
import { NumberTips } from './number-tip.tsx';
import { Question } from './question.tsx';
import { Steps } from './steps.tsx';
import classes from './turn.module.css';

/** What can be done with a turn. */
export type TurnActions = {
  readonly edit: (messageId: string, content: string) => Promise<boolean>;
  readonly retry: (turnId: string) => void;
  readonly dispute: (messageId: string, note: string) => void;
  readonly showBranch: (turnId: string) => void;
};

const NO_NUMBERS: NonNullable<TurnView['answer']>['numbers'] = [];

/** A question and its answer. */
export const Turn = memo(function Turn({
  turn,
  isBusy,
  actions,
}: {
  readonly turn: TurnView;
  /** The conversation runs a turn, so nothing can be begun. */
  readonly isBusy: boolean;
  readonly actions: TurnActions;
}) {
  const { copilot } = useWords();
  const isDone = isFinal(turn);
  return (
    <article className={classes['turn']} aria-label={turn.question.text} aria-busy={!isDone}>
      <Question turn={turn} isBusy={isBusy} actions={actions} />
      <div className={classes['answer']}>
        {turn.status === 'QUEUED' ? (
          <Text size="sm" c="dimmed">
            {copilot.waiting}
          </Text>
        ) : (
          <Steps turn={turn} />
        )}
        <NumberTips numbers={turn.answer?.numbers ?? NO_NUMBERS} steps={turn.steps}>
          <Parts turn={turn} />
        </NumberTips>
        <Ending turn={turn} />
        {turn.answer && <AnswerFacts answer={turn.answer} usage={turn.usage} />}
        {isDone && <AnswerActions turn={turn} text={textOf(turn.parts)} isBusy={isBusy} actions={actions} />}
      </div>
    </article>
  );
});

function Parts({ turn }: { readonly turn: TurnView }) {
  const isGrowing = !isFinal(turn);
  return turn.parts.map((part, index) => {
    switch (part.type) {
      case 'text':
        return (
          <MarkdownText
            key={`text ${index}`}
            text={part.text}
            offset={textOf(turn.parts.slice(0, index)).length}
            numbers={turn.answer?.numbers ?? NO_NUMBERS}
            isGrowing={isGrowing && index === turn.parts.length - 1}
          />
        );
      case 'chart':
        return <AnswerChart key={part.chart.id} chart={part.chart} />;
      case 'table':
        return <AnswerTable key={part.table.id} table={part.table} />;
      default:
        return part satisfies never;
    }
  });
}

/** How a turn ended that was not answered. */
function Ending({ turn: { status, error } }: { readonly turn: TurnView }) {
  const { copilot } = useWords();
  switch (status) {
    case 'QUEUED':
    case 'RUNNING':
    case 'COMPLETED':
      return null;
    case 'CANCELLED':
      return (
        <Text size="xs" c="dimmed" mb={6}>
          {error?.message ? copilot.stoppedFor(error.message) : copilot.stopped}
        </Text>
      );
    case 'FAILED':
    case 'INTERRUPTED':
      return (
        <Alert color={status === 'FAILED' ? 'red' : 'yellow'} p="xs" mb={6} title={copilot.endings[status]}>
          {error?.message}
        </Alert>
      );
    default:
      return status satisfies never;
  }
}
