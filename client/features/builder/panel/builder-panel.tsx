import { Alert, Anchor, Button, Group, Modal, Skeleton, Stack, Text, Title } from '@mantine/core';
import { shownTurns } from '@qpilot/client/view';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { LoadError } from '../../../components/load-error.tsx';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { Announcer } from '../../copilot/thread/announcer.tsx';
import { useAutoscroll } from '../../copilot/thread/use-autoscroll.ts';
import { isCatchingUp } from '../model/builder-view.ts';
import { DiffView } from '../review/diff-view.tsx';
import { ProposalReview } from '../review/proposal-review.tsx';
import { RevisionsButton } from '../revisions/revisions.tsx';
import { useBuilder } from '../session/builder-provider.tsx';
import { StaleDialog } from '../stale/stale-dialog.tsx';
import { BuilderComposer } from './builder-composer.tsx';
import { BuilderTurn } from './builder-turn.tsx';
import classes from './panel.module.css';
import { SessionMenu } from './session-menu.tsx';
import { SessionOfJob } from './intro.tsx';
import { WebResearch } from './intro.tsx';

/** The builder beside the form of a new job: a conversation that writes what the form holds. */
export function BuilderPanel({
  expertId,
  jobId,
}: {
  readonly expertId: string | null;
  /** The job that the form was filled from. */
  readonly jobId: string | null;
}) {
  const { builder: words } = useWords();
  const { sessionId, session, open } = useBuilder();
  const { stored, isGone, live } = session.state;
  const proposal = stored?.proposal ?? null;
  const isLinked = stored?.status === 'LINKED';
  return (
    <section className={classes['panel']} aria-label={words.title}>
      <Group justify="space-between" wrap="nowrap" className={classes['head']}>
        <Title order={2}>{words.title}</Title>
        <Group gap={4} wrap="nowrap">
          {sessionId !== null && stored !== null && <RevisionsButton newest={stored.revision} />}
          <SessionMenu />
        </Group>
      </Group>
      {session.error && <LoadError error={session.error} onRetry={session.refresh} />}
      {isGone ? (
        <Alert color="yellow" p="xs">
          <Text size="sm">{words.gone}</Text>
          <Button mt={6} size="compact-sm" variant="default" onClick={() => open(null)}>
            {words.begin}
          </Button>
        </Alert>
      ) : (
        <Conversation>
          <Intro expertId={expertId} jobId={jobId} />
        </Conversation>
      )}
      <MarksBar />
      {isLinked && <Linked />}
      {proposal !== null && <ProposalReview diff={proposal.diff} />}
      <Reconnecting isShown={live === 'reconnecting'} />
      <BuilderComposer isDisabled={isLinked || proposal !== null || isGone} />
      <StaleDialog />
      <OverlapDialog />
    </section>
  );
}

/** Asks before an undo takes later changes along, and shows each of them. */
function OverlapDialog() {
  const { builder: words, common } = useWords();
  const { overlap, answerOverlap } = useBuilder();
  if (overlap === null) return null;
  return (
    <Modal
      opened
      size="lg"
      title={words.overlapTitle}
      onClose={() => void answerOverlap(null)}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <Stack gap="sm">
        <Text size="sm">{words.overlapText}</Text>
        <DiffView diff={overlap.overlaps} />
        <Group gap="xs">
          <Button data-autofocus variant="default" onClick={() => void answerOverlap(null)}>
            {words.overlapCancel}
          </Button>
          <Button variant="default" onClick={() => void answerOverlap('keep')}>
            {words.overlapKeep}
          </Button>
          <Button color="red.9" onClick={() => void answerOverlap('discard')}>
            {words.overlapDiscard}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function Conversation({ children }: { readonly children: ReactNode }) {
  const { builder: words } = useWords();
  const { sessionId, session, pending, isFree, undo, retry } = useBuilder();
  const { viewport, content } = useAutoscroll();
  const { view, stored } = session.state;
  const turns = view === null ? [] : shownTurns(view.conversation);
  const isLoading = sessionId !== null && (view === null || isCatchingUp(view));
  return (
    <div
      className={classes['frame']}
      ref={viewport}
      tabIndex={0}
      role="region"
      aria-label={words.conversation}
    >
      <div ref={content}>
        {isLoading && <Skeleton h={80} />}
        {stored?.summary != null && <Summary text={stored.summary} title={words.summary} />}
        {sessionId !== null &&
          !isLoading &&
          turns.map((turn) => (
            <BuilderTurn
              key={turn.id}
              sessionId={sessionId}
              turn={turn}
              edits={view?.edits[turn.id] ?? []}
              stored={stored}
              summarised={view?.summarised[turn.id] ?? null}
              mayChange={isFree}
              onUndo={(turnId) => void undo(turnId)}
              onRetry={(turnId) => void retry(turnId)}
            />
          ))}
        {pending !== null && (
          <Text size="sm" className={classes['bubble']}>
            {pending}
          </Text>
        )}
        {turns.length === 0 && pending === null && !isLoading && children}
      </div>
      <Announcer turn={turns.at(-1) ?? null} />
    </div>
  );
}

function Intro({ expertId, jobId }: { readonly expertId: string | null; readonly jobId: string | null }) {
  const { builder: words } = useWords();
  return (
    <Stack gap={6} py="md">
      <Text size="sm">{words.intro}</Text>
      {expertId !== null && <WebResearch expertId={expertId} />}
      {jobId !== null && <SessionOfJob jobId={jobId} />}
    </Stack>
  );
}

function Summary({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <details>
      <Text component="summary" size="xs" c="dimmed">
        {title}
      </Text>
      <Text size="xs" my={4} style={{ whiteSpace: 'pre-wrap' }}>
        {text}
      </Text>
    </details>
  );
}

function MarksBar() {
  const { builder: words } = useWords();
  const { marks, hideMarks, writing } = useBuilder();
  const isMarked = marks.instructions !== null || marks.description !== null || marks.settings.size > 0;
  if (!isMarked || writing !== null) return null;
  return (
    <Group justify="space-between" gap="xs">
      <Text size="xs" c="dimmed">
        {words.marks}
      </Text>
      <Button size="compact-xs" variant="subtle" onClick={() => hideMarks(null)}>
        {words.hideMarks}
      </Button>
    </Group>
  );
}

function Linked() {
  const { builder: words } = useWords();
  const { session, reopen } = useBuilder();
  const job = session.state.stored?.job;
  return (
    <Alert color="gray" p="xs">
      <Group justify="space-between" gap="xs">
        <Text size="xs">
          {words.linked}{' '}
          {job && (
            <Anchor component={Link} to={`/jobs/${job.id}`} size="xs">
              {words.toJob}
            </Anchor>
          )}
        </Text>
        <Button size="compact-xs" variant="default" onClick={() => void reopen()}>
          {words.reopen}
        </Button>
      </Group>
    </Alert>
  );
}

function Reconnecting({ isShown }: { readonly isShown: boolean }) {
  const { copilot } = useWords();
  if (!isShown) return null;
  return (
    <Text size="xs" c="dimmed" role="status">
      {copilot.reconnecting}
    </Text>
  );
}
