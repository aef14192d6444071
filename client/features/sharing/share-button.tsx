import { Button, CopyButton, Popover, Radio, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconLink, IconLock, IconUsers } from '@tabler/icons-react';
import { useClient } from 'urql';
import { ShareJobDocument, ShareSessionDocument, type Visibility } from '../../gql/graphql.ts';
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
}: {
  readonly kind: 'session' | 'job';
  readonly id: string;
  readonly visibility: Visibility;
  readonly shareLink: string | null;
}) {
  const { sharing } = useWords();
  const client = useClient();
  const refusal = useRefusal();
  const viewer = useViewer();
  if (viewer === null || viewer.isAlone) return null;
  const share = async (wanted: Visibility): Promise<void> => {
    const message = await (kind === 'session'
      ? client
          .mutation(ShareSessionDocument, { input: { sessionId: id, visibility: wanted } })
          .toPromise()
          .then(({ data, error }) => refusal(data?.shareSession, error))
      : client
          .mutation(ShareJobDocument, { input: { jobId: id, visibility: wanted } })
          .toPromise()
          .then(({ data, error }) => refusal(data?.shareJob, error)));
    if (message !== null) notifications.show({ color: 'red', message });
  };
  const Icon = ICONS[visibility];
  return (
    <Popover width={320} position="bottom-end" trapFocus shadow="md" withArrow>
      <Popover.Target>
        <Button size="xs" variant="default" leftSection={<Icon size={14} />}>
          {sharing.sharedState[visibility]}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Radio.Group
          label={sharing.whoReads}
          description={sharing.onlyYouChange}
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
      </Popover.Dropdown>
    </Popover>
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
