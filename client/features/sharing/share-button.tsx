import { ActionIcon, Button, CopyButton, Loader, Popover, Radio, Stack, Text, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconLink, IconLock, IconShare, IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { useClient, useQuery } from 'urql';
import {
  ShareAnswerDocument,
  ShareJobDocument,
  ShareSessionDocument,
  SharingOfAnswerDocument,
  type Visibility,
} from '../../gql/graphql.ts';
import { useRefusal } from '../../lib/graphql/refusal.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { useViewer } from './use-viewer.ts';

const STATES = ['PRIVATE', 'PROJECT', 'LINK'] as const satisfies readonly Visibility[];
const ICONS = { PRIVATE: IconLock, PROJECT: IconUsers, LINK: IconLink };

/** Says and changes who may read a conversation or job of the viewer. */
export function ShareButton({
  kind,
  id,
  visibility,
  shareLink,
}: Shared & { readonly kind: 'session' | 'job'; readonly id: string }) {
  const { sharing } = useWords();
  const client = useClient();
  const refusal = useRefusal();
  const viewer = useViewer();
  if (viewer === null || viewer.isAlone) return null;
  const share = (wanted: Visibility): Promise<string | null> =>
    kind === 'session'
      ? client
          .mutation(ShareSessionDocument, { input: { sessionId: id, visibility: wanted } })
          .toPromise()
          .then(({ data, error }) => refusal(data?.shareSession, error))
      : client
          .mutation(ShareJobDocument, { input: { jobId: id, visibility: wanted } })
          .toPromise()
          .then(({ data, error }) => refusal(data?.shareJob, error));
  const Icon = ICONS[visibility];
  return (
    <Popover width={320} position="bottom-end" trapFocus shadow="md" withArrow>
      <Popover.Target>
        <Button size="xs" variant="default" leftSection={<Icon size={14} />}>
          {sharing.sharedState[visibility]}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <ShareChoices {...{ visibility, shareLink }} about={sharing.onlyYouChange} onShare={share} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Says and changes who may read one answer of the viewer alone. */
export function ShareAnswer({ messageId }: { readonly messageId: string }) {
  const { sharing } = useWords();
  const viewer = useViewer();
  const [isOpen, setOpen] = useState(false);
  if (viewer === null || viewer.isAlone) return null;
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      width={320}
      position="top-start"
      trapFocus
      shadow="md"
      withArrow
    >
      <Tooltip label={sharing.shareAnswer}>
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={sharing.shareAnswer}
            onClick={() => setOpen(!isOpen)}
          >
            <IconShare size={15} />
          </ActionIcon>
        </Popover.Target>
      </Tooltip>
      <Popover.Dropdown>{isOpen && <AnswerChoices messageId={messageId} />}</Popover.Dropdown>
    </Popover>
  );
}

function AnswerChoices({ messageId }: { readonly messageId: string }) {
  const { sharing } = useWords();
  const client = useClient();
  const refusal = useRefusal();
  const [{ data }] = useQuery({ query: SharingOfAnswerDocument, variables: { id: messageId } });
  const answer = data?.node && 'visibility' in data.node ? data.node : null;
  if (answer === null) return <Loader size="sm" aria-label={sharing.whoReads} />;
  const share = async (visibility: Visibility): Promise<string | null> => {
    const shared = await client
      .mutation(ShareAnswerDocument, { input: { messageId, visibility } })
      .toPromise();
    return refusal(shared.data?.shareAnswer, shared.error);
  };
  return (
    <ShareChoices
      visibility={answer.visibility}
      shareLink={answer.shareLink ?? null}
      about={sharing.answerAlone}
      onShare={share}
    />
  );
}

type Shared = { readonly visibility: Visibility; readonly shareLink: string | null };

/** Who may read something, and its link; `onShare` resolves with why it was refused, null if it was not. */
function ShareChoices({
  visibility,
  shareLink,
  about,
  onShare,
}: Shared & { readonly about: string; readonly onShare: (wanted: Visibility) => Promise<string | null> }) {
  const { sharing } = useWords();
  const share = async (wanted: Visibility): Promise<void> => {
    const message = await onShare(wanted);
    if (message !== null) notifications.show({ color: 'red', message });
  };
  return (
    <>
      <Radio.Group
        label={sharing.whoReads}
        description={about}
        value={visibility}
        onChange={(wanted) => void share(wanted as Visibility)}
      >
        <Stack gap="xs" mt="xs">
          {STATES.map((state) => (
            <Radio
              key={state}
              size="xs"
              value={state}
              label={sharing.states[state].name}
              description={sharing.states[state].text}
            />
          ))}
        </Stack>
      </Radio.Group>
      {shareLink !== null && (
        <CopyButton value={location.origin + shareLink}>
          {({ copied, copy }) => (
            <Button mt="sm" size="xs" variant="light" leftSection={<IconLink size={14} />} onClick={copy}>
              {copied ? sharing.linkCopied : sharing.copyLink}
            </Button>
          )}
        </CopyButton>
      )}
    </>
  );
}

/** Whose the thing is, for those who may only read it. */
export function SharedBy({ name }: { readonly name: string }) {
  const { sharing } = useWords();
  return (
    <Text size="xs" c="dimmed" role="note">
      {sharing.sharedBy(name)}
    </Text>
  );
}
