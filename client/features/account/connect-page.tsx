import { Alert, Button, Checkbox, Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { callAuth, openSignIn, type OwnProject } from '../../lib/auth/auth.ts';
import { useAuth, useAuthAction } from '../../lib/auth/use-auth.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { AuthCard, AuthFailure } from './auth-card.tsx';
import type { Destination, Scope } from './assistants-panel.tsx';

type Question = {
  readonly client: string;
  readonly goesTo: Destination;
  readonly scopes: readonly Scope[];
  readonly person: string;
  readonly projects: readonly Pick<OwnProject, 'projectId' | 'name'>[];
};

/** Lets an assistant of another maker in that sent the browser here: `/connect`. */
export function ConnectPage() {
  const { account } = useWords();
  const { answer, error } = useAuth<Question>(`/oauth/request${location.search}`);
  if (error?.status === 401) openSignIn();
  return (
    <AuthCard title={account.connect}>
      <AuthFailure error={error?.status === 401 ? null : error} />
      {answer !== null && <Consent question={answer} />}
    </AuthCard>
  );
}

function Consent({ question }: { readonly question: Question }) {
  const { account } = useWords();
  const { client, goesTo, person, projects } = question;
  const [projectId, setProject] = useState(projects.length === 1 ? (projects[0]?.projectId ?? null) : null);
  const [scopes, setScopes] = useState<readonly Scope[]>(question.scopes);
  const [isOver, setOver] = useState(false);
  const { isBusy, error, run } = useAuthAction();
  const decide = (allow: boolean): void =>
    run(async () => {
      const { redirectTo } = await callAuth<{ readonly redirectTo: string }>('/oauth/decide', {
        request: location.search.slice(1),
        allow,
        projectId,
        scopes,
      });
      setOver(true);
      location.assign(redirectTo);
    });
  if (isOver) return <Text role="status">{account.goingBack}</Text>;
  if (projects.length === 0) return <Alert color="yellow">{account.connectNoProject}</Alert>;
  return (
    <Stack>
      <Text>{account.connectAs(client, person)}</Text>
      <Alert color="yellow">
        <Stack gap={4}>
          <Text size="sm" fw={600}>
            {account.connectGoesTo[goesTo.kind](goesTo.name)}
          </Text>
          <Text size="sm">{account.connectName}</Text>
        </Stack>
      </Alert>
      <Select
        label={account.connectProject}
        data={projects.map(({ projectId: value, name }) => ({ value, label: name }))}
        value={projectId}
        onChange={setProject}
        allowDeselect={false}
      />
      <Checkbox.Group
        label={account.connectMay}
        value={[...scopes]}
        onChange={(chosen) => setScopes(question.scopes.filter((scope) => chosen.includes(scope)))}
      >
        <Stack gap="xs" mt="xs">
          {question.scopes.map((scope) => (
            <Checkbox key={scope} value={scope} label={account.scopes[scope]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <AuthFailure error={error} />
      <Group>
        <Button
          loading={isBusy}
          disabled={projectId === null || scopes.length === 0}
          onClick={() => decide(true)}
        >
          {account.allow}
        </Button>
        <Button variant="default" loading={isBusy} onClick={() => decide(false)}>
          {account.refuse}
        </Button>
      </Group>
    </Stack>
  );
}
