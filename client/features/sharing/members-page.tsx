import { Alert, Button, Select, Skeleton, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useClient, useQuery } from 'urql';
import { useConfirm } from '../../components/second-thoughts.tsx';
import { Age } from '../../components/age.tsx';
import { LoadError, PageLoadError } from '../../components/load-error.tsx';
import { PageSkeleton } from '../../components/page-skeleton.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import { Panel } from '../../components/panel.tsx';
import {
  RemoveMemberDocument,
  SetMemberDocument,
  SharingMembersDocument,
  type Role,
  type SharingMembersQuery,
} from '../../gql/graphql.ts';
import { useMe, useProjectName } from '../../lib/graphql/project.ts';
import { useKeptQuery } from '../../lib/graphql/use-kept-query.ts';
import { useRefusal } from '../../lib/graphql/refusal.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { useRefresh } from '../../lib/use-refresh.ts';
import { BudgetsPanel } from './budgets-panel.tsx';
import { Invitations } from './invitations.tsx';
import { MANAGED, ROLES, rolesFor } from './roles.ts';
import { useKnownViewer, type KnownViewer as Viewer } from './use-viewer.ts';

/** How soon it is seen that somebody else changed a member. */
const EVERY_MS = 60_000;

type Member = SharingMembersQuery['members'][number];

/** Who belongs to the project, as what, and who is invited: `/members`, for its admins and owners. */
export function MembersPage() {
  const { sharing, account } = useWords();
  const me = useMe();
  const project = useProjectName();
  const { viewer, error, again } = useKnownViewer();
  if (viewer === null)
    return error ? (
      <PageLoadError title={sharing.members} error={error} onRetry={again} />
    ) : (
      <PageSkeleton title={sharing.members} />
    );
  const manages = viewer.role === 'admin' || viewer.role === 'owner';
  return (
    <Stack p="md" gap="sm" maw={1000} mx="auto">
      <PageTitle>{sharing.members}</PageTitle>
      <Title order={1}>{sharing.membersOf(project)}</Title>
      {viewer.isAlone ? (
        <Alert>{account.noSignIn}</Alert>
      ) : me?.mode === 'qdash' ? (
        <Alert>{sharing.membersElsewhere}</Alert>
      ) : manages ? (
        <>
          <Members viewer={viewer} />
          {me?.mode === 'accounts' ? <Invitations viewer={viewer} /> : <AddMember viewer={viewer} />}
        </>
      ) : (
        <Alert>{sharing.needsAdmin}</Alert>
      )}
      {manages && <BudgetsPanel />}
      <Panel title={sharing.whatRolesMay}>
        <Stack gap={4} component="ul" pl="md" m={0}>
          {ROLES.map((role) => (
            <Text key={role} size="sm" component="li">
              <Text span inherit fw={600}>
                {sharing.roles[role]}
              </Text>{' '}
              {sharing.roleTexts[role]}
            </Text>
          ))}
        </Stack>
      </Panel>
    </Stack>
  );
}

/** Changes members; each resolves with why it was refused, or null. */
function useMemberChanges() {
  const client = useClient();
  const refusal = useRefusal();
  return {
    set: async (userId: string, role: Role): Promise<string | null> => {
      const { data, error } = await client
        .mutation(SetMemberDocument, { input: { userId, role } })
        .toPromise();
      return refusal(data?.setMember, error);
    },
    remove: async (userId: string): Promise<string | null> => {
      const { data, error } = await client.mutation(RemoveMemberDocument, { input: { userId } }).toPromise();
      return refusal(data?.removeMember, error);
    },
  };
}

function Members({ viewer }: { readonly viewer: Viewer }) {
  const { sharing } = useWords();
  const [{ data, error }, execute] = useKeptQuery({ query: SharingMembersDocument });
  const again = useCallback(() => execute({ requestPolicy: 'network-only' }), [execute]);
  useRefresh(again, EVERY_MS);
  const changes = useMemberChanges();
  const [failure, setFailure] = useState<string | null>(null);
  const run = async (change: Promise<string | null>): Promise<void> => {
    setFailure(await change);
    again();
  };
  if (!data) return error ? <LoadError error={error} onRetry={again} /> : <Skeleton height={120} />;
  const owners = data.members.filter(({ role }) => role === 'OWNER').length;
  return (
    <Panel title={sharing.members}>
      {error && <LoadError error={error} onRetry={again} />}
      {failure !== null && (
        <Alert color="red" mb="xs" role="alert">
          {failure}
        </Alert>
      )}
      <Table.ScrollContainer
        minWidth={460}
        scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': sharing.members } }}
      >
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{sharing.name}</Table.Th>
              <Table.Th>{sharing.role}</Table.Th>
              <Table.Th>{sharing.since}</Table.Th>
              <Table.Th>{sharing.remove}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.members.map((member) => (
              <MemberRow
                key={member.userId}
                member={member}
                viewer={viewer}
                isLastOwner={member.role === 'OWNER' && owners === 1}
                onRole={(role) => void run(changes.set(member.userId, role))}
                onRemove={() => void run(changes.remove(member.userId))}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Panel>
  );
}

function MemberRow({
  member: { userId, name, role, addedAt },
  viewer,
  isLastOwner,
  onRole,
  onRemove,
}: {
  readonly member: Member;
  readonly viewer: Viewer;
  readonly isLastOwner: boolean;
  readonly onRole: (role: Role) => void;
  readonly onRemove: () => void;
}) {
  const { sharing } = useWords();
  const confirm = useConfirm();
  const isManaged = viewer.role === 'owner' || MANAGED.includes(role);
  const why = isLastOwner ? sharing.lastOwner : isManaged ? null : sharing.ownersOnly;
  const ask = (): void =>
    confirm({
      title: sharing.removeTitle,
      text: sharing.removeText(name),
      confirm: sharing.remove,
      cancel: sharing.keep,
      onConfirm: onRemove,
    });
  return (
    <Table.Tr>
      <Table.Td>
        {name}
        {userId === viewer.id && ` (${sharing.you})`}
      </Table.Td>
      <Table.Td>
        {why === null ? (
          <Select
            size="xs"
            w={140}
            aria-label={sharing.roleOf(name)}
            allowDeselect={false}
            data={rolesFor(viewer.role).map((value) => ({ value, label: sharing.roles[value] }))}
            value={role}
            onChange={(chosen) => chosen !== null && chosen !== role && onRole(chosen)}
          />
        ) : (
          sharing.roles[role]
        )}
      </Table.Td>
      <Table.Td>
        <Age at={addedAt} />
      </Table.Td>
      <Table.Td>
        {why === null ? (
          <Button size="compact-xs" variant="default" aria-label={sharing.removeOf(name)} onClick={ask}>
            {sharing.remove}
          </Button>
        ) : (
          <Text size="xs" c="dimmed">
            {why}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** Adds somebody who has signed in before, where people come from elsewhere. */
function AddMember({ viewer }: { readonly viewer: Viewer }) {
  const { sharing } = useWords();
  const [{ fetching }, execute] = useQuery({ query: SharingMembersDocument });
  const changes = useMemberChanges();
  const [failure, setFailure] = useState<string | null>(null);
  const add = async (form: FormData): Promise<void> => {
    const userId = form.get('userId');
    if (typeof userId !== 'string') return;
    const role = rolesFor(viewer.role).find((each) => each === form.get('role')) ?? 'VIEWER';
    setFailure(await changes.set(userId.trim(), role));
    execute({ requestPolicy: 'network-only' });
  };
  return (
    <Panel title={sharing.add}>
      <form action={add}>
        <Stack gap="xs" maw={360}>
          <TextInput
            name="userId"
            size="xs"
            required
            label={sharing.userId}
            description={sharing.userIdHint}
            error={failure}
          />
          <Select
            name="role"
            size="xs"
            label={sharing.role}
            allowDeselect={false}
            defaultValue="VIEWER"
            data={rolesFor(viewer.role).map((value) => ({ value, label: sharing.roles[value] }))}
          />
          <Button type="submit" size="xs" loading={fetching}>
            {sharing.add}
          </Button>
        </Stack>
      </form>
    </Panel>
  );
}
