import { Button } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { isFinal, textOf, type Step, type TurnView } from '@qpilot/client/view';
import { IconListCheck } from '@tabler/icons-react';
import { memo, useState, type Ref } from 'react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { CopilotProposedJobDocument } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { AnswerComments } from '../../sharing/comments.tsx';
import { useViewer } from '../../sharing/use-viewer.ts';
import { AnswerActions } from './answer-actions.tsx';
import { AnswerFacts } from './answer-facts.tsx';
import { Approvals } from './approval-card.tsx';
import { AnswerParts } from './answer-parts.tsx';
import { Ending } from './ending.tsx';
import { Notices } from './notices.tsx';
import { Question } from './question.tsx';
import { Remedies } from './remedies.tsx';
import { Steps } from './steps.tsx';
import type { TurnActions } from './turn-actions.ts';
import { Waiting } from './waiting.tsx';
import classes from './turn.module.css';

type TurnProps = {
  readonly turn: TurnView;
  /** The conversation runs a turn, so nothing can be started. */
  readonly isBusy: boolean;
  /** It is the one that runs, or starts next. */
  readonly isNext: boolean;
  /** The address leads to it. */
  readonly isLinked?: boolean;
  readonly actions: TurnActions;
};

/** A question and its answer. That a turn began or ended elsewhere is drawn only where one sees it. */
export const Turn = memo(function Turn({ isBusy, ...rest }: TurnProps) {
  const { ref, inViewport } = useInViewport();
  const [shownBusy, setShownBusy] = useState(isBusy);
  if (inViewport && shownBusy !== isBusy) setShownBusy(isBusy);
  return <TurnBody ref={ref} isBusy={shownBusy} {...rest} />;
});

const TurnBody = memo(function TurnBody({
  turn,
  isBusy,
  isNext,
  isLinked = false,
  actions,
  ref,
}: TurnProps & { readonly ref: Ref<HTMLElement> }) {
  const isDone = isFinal(turn);
  const [isEditing, setEditing] = useState(false);
  return (
    <article
      ref={ref}
      className={classes['turn']}
      aria-label={turn.question.text}
      aria-busy={!isDone}
      data-turn={turn.id}
      data-linked={isLinked}
      tabIndex={-1}
    >
      <Question {...{ turn, isBusy, actions, isEditing }} onEditing={setEditing} />
      <div className={classes['answer']}>
        {turn.status === 'QUEUED' ? (
          <Waiting turnId={turn.id} joins={turn.joinsId !== null} isNext={isNext} />
        ) : (
          <Steps turn={turn} />
        )}
        {!isDone && <Approvals steps={turn.steps} mayWrite={actions.mayWrite} />}
        <AnswerParts turn={turn} />
        <ProposedJobs steps={turn.steps} />
        <Notices notices={turn.notices} />
        <Ending turn={turn}>
          {actions.mayWrite && (
            <Remedies
              turn={turn}
              isBusy={isBusy}
              onRetry={() => actions.retry(turn.id)}
              onEdit={() => setEditing(true)}
            />
          )}
        </Ending>
        {turn.answer && <AnswerFacts answer={turn.answer} usage={turn.usage} />}
        {isDone && <AnswerActions turn={turn} text={textOf(turn.parts)} isBusy={isBusy} actions={actions} />}
        {isDone && turn.answer && <AnswerComments messageId={turn.answer.id} />}
      </div>
    </article>
  );
});

const PROPOSING_TOOL = 'propose_job';

/** The jobs that an answer drafted: each opens in the form, where a person may submit it. */
function ProposedJobs({ steps }: { readonly steps: readonly Step[] }) {
  return steps.map(({ tool, status, recordId }) =>
    tool === PROPOSING_TOOL && status === 'OK' && recordId !== null ? (
      <ProposedJob key={recordId} callId={recordId} />
    ) : null,
  );
}

function ProposedJob({ callId }: { readonly callId: string }) {
  const { copilot } = useWords();
  const [{ data }] = useQuery({ query: CopilotProposedJobDocument, variables: { id: callId } });
  const draft = data?.node && 'jobDraft' in data.node ? data.node.jobDraft : null;
  const viewer = useViewer();
  if (!draft || viewer?.mayRunJobs !== true) return null;
  return (
    <Button
      component={Link}
      to={`/jobs/new?draft=${encodeURIComponent(draft.id)}`}
      variant="light"
      size="xs"
      my="xs"
      leftSection={<IconListCheck size={16} />}
      title={draft.description}
    >
      {copilot.openDraft(draft.expert?.displayName ?? null)}
    </Button>
  );
}
