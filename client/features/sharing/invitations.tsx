import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { Panel } from '../../components/panel.tsx';
import { callAuth } from '../../lib/auth/auth.ts';
import { useAuth, useAuthAction } from '../../lib/auth/use-auth.ts';
import { useFormat, useWords } from '../../lib/i18n/i18n.tsx';
import { AuthFailure } from '../account/auth-card.tsx';
import { InviteForm } from '../account/invite-form.tsx';
import { rolesFor } from './roles.ts';

type Invitation = {
  readonly id: string;
  readonly email: string | null;
  readonly projectId: string | null;
  readonly role: string | null;
  readonly expiresAt: string;
};

type InvitationsProps = { readonly viewer: { readonly role: string; readonly projectId: string } };

/** Invites people into the project by links, and shows the links that nobody followed yet. */
export function Invitations({ viewer }: InvitationsProps) {
  const { sharing, account } = useWords();
  const { answer, error, again } = useAuth<readonly Invitation[]>('/invitations');
  const pending = answer?.filter(({ projectId }) => projectId === viewer.projectId);
  return (
    <>
      <Panel title={account.invite}>
        <Invite viewer={viewer} onInvited={again} />
      </Panel>
      <Panel title={sharing.invitations}>
        <AuthFailure error={error} />
        {pending?.length === 0 && (
          <Text size="sm" c="dimmed">
            {sharing.noInvitations}
          </Text>
        )}
        <Stack gap="xs">
          {pending?.map((invitation) => (
            <Pending key={invitation.id} invitation={invitation} onWithdrawn={again} />
          ))}
        </Stack>
      </Panel>
    </>
  );
}

function Invite({ viewer, onInvited }: InvitationsProps & { readonly onInvited: () => void }) {
  const { sharing } = useWords();
  const roles = rolesFor(viewer.role).map((role) => ({
    value: role.toLowerCase(),
    label: sharing.roles[role],
  }));
  return (
    <InviteForm grantOf={() => ({ projectId: viewer.projectId })} onInvited={onInvited}>
      <Select
        name="role"
        label={sharing.role}
        size="xs"
        allowDeselect={false}
        defaultValue="editor"
        data={roles}
      />
    </InviteForm>
  );
}

function Pending({
  invitation: { id, email, role, expiresAt },
  onWithdrawn,
}: {
  readonly invitation: Invitation;
  readonly onWithdrawn: () => void;
}) {
  const { sharing } = useWords();
  const format = useFormat();
  const { isBusy, error, run } = useAuthAction();
  const known = rolesFor('owner').find((each) => each.toLowerCase() === role);
  const withdraw = (): void =>
    run(async () => {
      await callAuth('/invitations/remove', { id });
      onWithdrawn();
    });
  return (
    <Group justify="space-between">
      <Text size="sm">
        {email}{' '}
        <Text span size="xs" c="dimmed">
          {[known && sharing.roles[known], sharing.invitedUntil(format.time(expiresAt))]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </Text>
      <AuthFailure error={error} />
      <Button
        size="compact-xs"
        variant="default"
        loading={isBusy}
        aria-label={sharing.withdrawOf(email ?? '')}
        onClick={withdraw}
      >
        {sharing.withdraw}
      </Button>
    </Group>
  );
}
