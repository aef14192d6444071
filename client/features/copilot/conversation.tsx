import { Alert, Button, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { LoadError } from '../../components/load-error.tsx';
import { CopilotSetupDocument, type CopilotSetupQuery } from '../../gql/graphql.ts';
import type { Me } from '../../lib/auth/auth.ts';
import { useAuth } from '../../lib/auth/use-auth.ts';
import { useI18n, useWords } from '../../lib/i18n/i18n.tsx';
import { usePageSubject } from '../../lib/page-subject.tsx';
import { CommentsOfSession } from '../sharing/comments.tsx';
import { SessionSharing } from '../sharing/session-sharing.tsx';
import { useChipQuestions } from './use-chip-questions.ts';
import { Composer } from './composer/composer.tsx';
import type { Subject } from './composer/subject-picker.tsx';
import classes from './conversation.module.css';
import { useAsking } from './session/use-asking.ts';
import { useLinkedTurn } from './session/use-linked-turn.ts';
import { useSession } from './session/use-session.ts';
import { LinkContext } from './turn/link-context.ts';
import { Thread } from './thread/thread.tsx';

/** A conversation with its composer; `sessionId` null begins a new one. */
export function Conversation({
  sessionId,
  linkedTurnId = null,
  linkedStepId = null,
  onBegun,
  onGone,
}: {
  readonly sessionId: string | null;
  /** The turn that the address leads to. */
  readonly linkedTurnId?: string | null;
  readonly linkedStepId?: string | null;
  readonly onBegun: (sessionId: string) => void;
  /** Leaves a conversation that does not exist. */
  readonly onGone: () => void;
}) {
  const {
    locale,
    words: { copilot },
  } = useI18n();
  const [{ data: setup, error: setupError }, readSetup] = useQuery({
    query: CopilotSetupDocument,
    variables: { language: locale },
  });
  const session = useSession(sessionId);
  const { state, error, reload, loadOlder } = session;
  const [subject, setSubject] = useSubject();
  const { pending, begunId, isBusy, canSteer, send, stop, turnActions } = useAsking(
    sessionId,
    session,
    subject,
    onBegun,
  );
  const { view } = state;
  const { answer: me } = useAuth<Me>('/me');
  const author = state.facts?.sharedBy?.name ?? me?.person?.name ?? null;
  const chipId = state.facts?.chip?.chipId ?? null;
  const links = useMemo(
    () => ({
      sessionId,
      stepId: linkedStepId,
      chipId,
      chipIds: setup?.chips.map((each) => each.chipId) ?? [],
      author,
    }),
    [sessionId, linkedStepId, chipId, setup, author],
  );
  const linked = useLinkedTurn(linkedTurnId, session);
  const { chip = null, qid = null, taskId = null } = state.facts ?? {};
  const about =
    sessionId === null || !state.facts
      ? subject
      : { chipId: chip?.chipId ?? null, qid: qid ?? null, taskId: taskId ?? null };

  if (setupError && !setup) {
    return <LoadError error={setupError} onRetry={() => readSetup({ requestPolicy: 'network-only' })} />;
  }
  if (state.isGone) return <Gone onGone={onGone} />;
  const isLoading = sessionId !== null && view === null && pending === null;
  return (
    <section className={classes['conversation']} aria-label={copilot.conversation}>
      {error && <LoadError error={error} onRetry={reload} />}
      {sessionId !== null && <SessionSharing sessionId={sessionId} />}
      <CommentsOfSession sessionId={sessionId}>
        <LinkContext value={links}>
          <Thread view={view} pending={pending} linked={linked} actions={turnActions} onOlder={loadOlder}>
            {isLoading ? (
              <Loading />
            ) : (
              setup && (
                <Greeting
                  setup={setup}
                  chipId={subject.chipId}
                  onAsk={(content) => void send({ content, images: [], model: null, effort: null })}
                />
              )
            )}
          </Thread>
        </LinkContext>
      </CommentsOfSession>
      <div className={classes['foot']}>
        {state.live === 'reconnecting' && (
          <Text size="xs" c="dimmed" role="status" mb={4}>
            {copilot.reconnecting}
          </Text>
        )}
        {setup && turnActions.mayWrite && (
          <Composer
            sessionId={sessionId}
            begunId={begunId}
            setup={setup}
            subject={about}
            onSubject={sessionId === null ? setSubject : null}
            isBusy={isBusy}
            canSteer={canSteer}
            onSend={send}
            onStop={stop}
          />
        )}
      </div>
    </section>
  );
}

/** What a new conversation is about: what the page is about, until the reader chooses something else. */
function useSubject() {
  const page = usePageSubject();
  const [subject, setSubject] = useState<Subject>(page);
  useEffect(() => setSubject(page), [page]);
  return [subject, setSubject] as const;
}

function Loading() {
  return (
    <Stack gap="sm" pt="md" aria-busy>
      <Skeleton h={36} w="45%" ml="auto" radius="md" />
      <Skeleton h={14} w="80%" />
      <Skeleton h={14} w="70%" />
      <Skeleton h={220} />
    </Stack>
  );
}

function Gone({ onGone }: { readonly onGone: () => void }) {
  const { copilot } = useWords();
  return (
    <Alert m="md" title={copilot.gone}>
      <Group mt="xs">
        <Button size="compact-sm" variant="default" onClick={onGone}>
          {copilot.newSession}
        </Button>
      </Group>
    </Alert>
  );
}

/** An empty conversation: first words, and questions to start with. */
function Greeting({
  setup: { copilotConfig },
  chipId,
  onAsk,
}: {
  readonly setup: CopilotSetupQuery;
  /** What the conversation will be about; null for nothing yet. */
  readonly chipId: string | null;
  readonly onAsk: (question: string) => void;
}) {
  const { copilot } = useWords();
  const ofChip = useChipQuestions(chipId).map((question) => ({ label: question, prompt: question }));
  return (
    <div style={{ paddingTop: 'min(12vh, 96px)' }}>
      <Title order={2} size="h1" mb={6}>
        {copilot.title}
      </Title>
      <Text size="sm" c="dimmed" mb="lg">
        {copilotConfig.greeting}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" aria-label={copilot.suggestions} role="group">
        {[...ofChip, ...copilotConfig.suggestions].map(({ label, prompt }) => (
          <Button
            key={label}
            variant="default"
            justify="flex-start"
            fw={450}
            title={prompt}
            onClick={() => onAsk(prompt)}
          >
            {label}
          </Button>
        ))}
      </SimpleGrid>
    </div>
  );
}
