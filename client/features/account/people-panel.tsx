import { Badge, Button, Group, Select, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { Panel } from '../../components/panel.tsx';
import { callAuth, type OwnProject } from '../../lib/auth/auth.ts';
import { useAuth, useAuthAction } from '../../lib/auth/use-auth.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { wordFor } from '../../lib/i18n/word-for.ts';
import { AuthFailure } from './auth-card.tsx';
import { InviteForm } from './invite-form.tsx';

const ROLES = ['viewer', 'editor', 'admin', 'owner'];

/** Invites people; administrators of the installation also see who has an account, and end accounts. */
export function PeoplePanel(props: {
  readonly me: string;
  readonly isAdmin: boolean;
  readonly projects: readonly OwnProject[];
}) {
  const { account } = useWords();
  return (
    <Panel title={account.people}>
      <Stack gap="sm">
        {props.isAdmin && <People me={props.me} />}
        {props.projects.length > 0 && <Invite isAdmin={props.isAdmin} projects={props.projects} />}
      </Stack>
    </Panel>
  );
}

type Person = {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly isAdmin: boolean;
  readonly disabled: boolean;
};

function People({ me }: { readonly me: string }) {
  const { account } = useWords();
  const { answer: people, error, again } = useAuth<readonly Person[]>('/people');
  const action = useAuthAction();
  const change = (to: {
    readonly id: string;
    readonly isAdmin?: boolean;
    readonly disabled?: boolean;
  }): void =>
    action.run(async () => {
      await callAuth('/people', to);
      again();
    });
  return (
    <Stack gap="xs">
      <AuthFailure error={error ?? action.error} />
      {people?.map(({ id, name, email, isAdmin, disabled }) => (
        <Group key={id} justify="space-between">
          <Text size="sm" {...(disabled && { c: 'dimmed', td: 'line-through' })}>
            {name}{' '}
            <Text span size="xs" c="dimmed">
              {email}
            </Text>{' '}
            {isAdmin && <Badge size="xs">{account.administrator}</Badge>}
          </Text>
          {id !== me && (
            <Group gap="xs">
              <Switch
                size="xs"
                label={account.administrator}
                aria-label={`${account.administrator}: ${name}`}
                checked={isAdmin}
                onChange={() => change({ id, isAdmin: !isAdmin })}
              />
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`${disabled ? account.enable : account.disable}: ${name}`}
                onClick={() => change({ id, disabled: !disabled })}
              >
                {disabled ? account.enable : account.disable}
              </Button>
            </Group>
          )}
        </Group>
      ))}
    </Stack>
  );
}

const MANAGED_BY_OWNERS: ReadonlySet<string> = new Set(['admin', 'owner']);

function Invite({
  isAdmin,
  projects,
}: {
  readonly isAdmin: boolean;
  readonly projects: readonly OwnProject[];
}) {
  const { account, settings } = useWords();
  const [projectId, setProjectId] = useState(projects[0]?.projectId ?? null);
  const isOwner = projects.find((each) => each.projectId === projectId)?.role === 'owner';
  const roles = ROLES.filter((role) => isOwner || !MANAGED_BY_OWNERS.has(role));
  return (
    <InviteForm grantOf={(form) => ({ projectId, isAdmin: form.get('admin') === 'on' })}>
      <Select
        name="project"
        label={settings.project}
        size="xs"
        allowDeselect={false}
        value={projectId}
        onChange={setProjectId}
        data={projects.map(({ projectId, name }) => ({ value: projectId, label: name }))}
      />
      <Select
        name="role"
        label={settings.role}
        size="xs"
        allowDeselect={false}
        defaultValue="editor"
        data={roles.map((role) => ({ value: role, label: wordFor(settings.roles, role) }))}
      />
      {isAdmin && <Switch name="admin" size="xs" label={account.administrator} />}
    </InviteForm>
  );
}
