import { Text } from '@mantine/core';
import { memo } from 'react';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { isFinal, textOf, type TurnView } from '../model/session-view.ts';
import { AnswerActions } from './answer-actions.tsx';
import { AnswerFacts } from './answer-facts.tsx';
import { AnswerParts } from './answer-parts.tsx';
import { Ending } from './ending.tsx';
import { ProposedJobs } from './proposed-jobs.tsx';
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
        <AnswerParts turn={turn} />
        <ProposedJobs steps={turn.steps} />
        <Ending turn={turn} />
        {turn.answer && <AnswerFacts answer={turn.answer} usage={turn.usage} />}
        {isDone && <AnswerActions turn={turn} text={textOf(turn.parts)} isBusy={isBusy} actions={actions} />}
      </div>
    </article>
  );
});
