import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useQuery } from 'urql';
import { LoadError } from '../../components/load-error.tsx';
import { CopilotSetupDocument } from '../../gql/graphql.ts';
import { useI18n, useWords } from '../../lib/i18n/i18n.tsx';
import { usePageSubject } from '../../lib/page-subject.tsx';
import { Composer, type Message } from './composer/composer.tsx';
import type { Subject } from './composer/subject-picker.tsx';
import classes from './conversation.module.css';
import { Greeting } from './greeting.tsx';
import { activeTurnOf } from './model/session-view.ts';
import { useCopilotActions, type Outcome } from './session/use-copilot-actions.ts';
import { useSession, type SentTurn } from './session/use-session.ts';
import { Thread } from './thread/thread.tsx';
import type { TurnActions } from './turn/turn-actions.ts';

/** A conversation with its composer; `sessionId` null begins a new one. */
export function Conversation({
  sessionId,
  onBegun,
  onGone,
}: {
  readonly sessionId: string | null;
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
  const { state, error, reload, loadOlder, showBranch, adopt, rated } = useSession(sessionId);
  const [pending, setPending] = useState<string | null>(null);
  const [subject, setSubject] = useSubject();
  const actions = useCopilotActions();
  const { view } = state;
  const activeId = view ? (activeTurnOf(view)?.id ?? null) : null;

  const refuse = useRefusal();
  const take = useTaken(adopt, refuse);
  const { chip = null, qid = null, taskId = null } = state.facts ?? {};
  const about =
    sessionId === null || !state.facts
      ? subject
      : { chipId: chip?.chipId ?? null, qid: qid ?? null, taskId: taskId ?? null };

  // A message that is on its way is stopped once its turn is known.
  const isStopWanted = useRef(false);
  const stopTurn = useCallback(
    (turnId: string) =>
      void actions.stop(turnId).then((outcome) => 'refused' in outcome && refuse(outcome.refused)),
    [actions, refuse],
  );
  const send = useCallback(
    async ({ content, images, model }: Message): Promise<boolean> => {
      setPending(content);
      isStopWanted.current = false;
      const place = sessionId === null ? subject : { sessionId };
      const files = images.map((file) => ({ file }));
      const input = { ...place, content, model, images: files.length > 0 ? files : null };
      const sent = take(await actions.send(input, crypto.randomUUID()));
      setPending(null);
      if (sent !== null && isStopWanted.current) stopTurn(sent.turn.id);
      if (sent !== null && sessionId === null) onBegun(sent.session.id);
      return sent !== null;
    },
    [actions, onBegun, sessionId, stopTurn, subject, take],
  );
  const stop = useCallback(() => {
    if (activeId === null) isStopWanted.current = true;
    else stopTurn(activeId);
  }, [activeId, stopTurn]);
  const turnActions = useMemo<TurnActions>(
    () => ({
      edit: async (messageId, content) => take(await actions.edit(messageId, content)) !== null,
      retry: (turnId) => void actions.retry(turnId).then(take),
      dispute: (messageId, note) => void actions.dispute(messageId, note).then(take),
      showBranch,
      rate: (input) =>
        void actions.rate(input).then((outcome) => {
          if ('done' in outcome) rated(input.messageId, outcome.done);
          else refuse(outcome.refused);
        }),
    }),
    [actions, rated, refuse, showBranch, take],
  );

  if (setupError && !setup) {
    return <LoadError error={setupError} onRetry={() => readSetup({ requestPolicy: 'network-only' })} />;
  }
  if (state.isGone) return <Gone onGone={onGone} />;
  const isLoading = sessionId !== null && view === null && pending === null;
  return (
    <section className={classes['conversation']} aria-label={copilot.conversation}>
      {error && <LoadError error={error} onRetry={reload} />}
      <Thread view={view} pending={pending} actions={turnActions} onOlder={loadOlder}>
        {isLoading ? (
          <Loading />
        ) : (
          setup && (
            <Greeting setup={setup} onAsk={(content) => void send({ content, images: [], model: null })} />
          )
        )}
      </Thread>
      <div className={classes['foot']}>
        {state.live === 'reconnecting' && (
          <Text size="xs" c="dimmed" role="status" mb={4}>
            {copilot.reconnecting}
          </Text>
        )}
        {setup && (
          <Composer
            sessionId={sessionId}
            setup={setup}
            subject={about}
            onSubject={sessionId === null ? setSubject : null}
            isBusy={activeId !== null || pending !== null}
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

/** Says why something was not done; empty where no server answered. */
function useRefusal() {
  const { common } = useWords();
  return useCallback(
    (reason: string): void => {
      notifications.show({ color: 'red', message: reason || common.noServer });
    },
    [common],
  );
}

/** Shows the turn that an action began, or says why there is none. */
function useTaken(adopt: (sent: SentTurn) => void, refuse: (reason: string) => void) {
  return useCallback(
    (outcome: Outcome<SentTurn>): SentTurn | null => {
      if ('done' in outcome) {
        adopt(outcome.done);
        return outcome.done;
      }
      refuse(outcome.refused);
      return null;
    },
    [adopt, refuse],
  );
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
