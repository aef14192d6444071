import { Stack, Text, UnstyledButton } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { useCallback, useMemo } from 'react';
import { Link } from 'react-router';
import { LoadError } from '../../components/load-error.tsx';
import { MoreRows } from '../../components/more-rows.tsx';
import {
  SharedAnswersDocument,
  SharedSessionsDocument,
  SharingMentionsDocument,
  type SharedAnswersQuery,
  type SharedSessionsQuery,
} from '../../gql/graphql.ts';
import { useKeptQuery } from '../../lib/graphql/use-kept-query.ts';
import { usePages } from '../../lib/graphql/use-pages.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { useRefresh } from '../../lib/use-refresh.ts';

const PAGE = 50;
/** How soon it is seen that somebody else shares something, or says a name. */
const EVERY_MS = 60_000;
const ANSWERS = { first: 10 };
const answersOf = ({ sharedAnswers }: SharedAnswersQuery) => sharedAnswers;
const sessionsOf = ({ sharedSessions }: SharedSessionsQuery) => sharedSessions;

type ListProps = {
  readonly current: string | null;
  readonly onOpen: (sessionId: string) => void;
};

/** Conversations and answers that others share with the reader, and comments that name the reader; nothing where there are none. */
export function SharedSessions({ search, ...props }: ListProps & { readonly search: string }) {
  const { sharing } = useWords();
  const variables = useMemo(() => ({ first: PAGE, search }), [search]);
  const list = usePages({ query: SharedSessionsDocument, variables, connectionOf: sessionsOf });
  useRefresh(list.again, EVERY_MS);
  const rows = list.rows ?? [];
  return (
    <>
      {list.rows === null && list.error && <LoadError error={list.error} onRetry={list.again} />}
      {search === '' && <Mentions {...props} />}
      {search === '' && <SharedAnswers />}
      {rows.length > 0 && (
        <section aria-label={sharing.sharedWith}>
          <Text size="xs" fw={600} p="xs" pb={2}>
            {sharing.sharedWith}
          </Text>
          <Stack gap={1} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
            {rows.map(({ id, title, sharedBy }) => (
              <Row
                key={id}
                title={title}
                detail={sharedBy ? sharing.by(sharedBy.name) : ''}
                isCurrent={id === props.current}
                onOpen={() => props.onOpen(id)}
              />
            ))}
            <MoreRows list={list} />
          </Stack>
        </section>
      )}
    </>
  );
}

/** Answers that others share alone with the project; each has a page of its own. */
function SharedAnswers() {
  const { sharing } = useWords();
  const list = usePages({ query: SharedAnswersDocument, variables: ANSWERS, connectionOf: answersOf });
  const { rows, error, again } = list;
  useRefresh(again, EVERY_MS);
  if (rows === null && error) return <LoadError error={error} onRetry={again} />;
  if (rows === null || rows.length === 0) return null;
  return (
    <section aria-label={sharing.answersSharedWith}>
      <Text size="xs" fw={600} p="xs" pb={2}>
        {sharing.answersSharedWith}
      </Text>
      <Stack gap={1} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {rows.map(({ key, question, sharedBy }) => (
          <li key={key}>
            <UnstyledButton component={Link} to={`/answers/${key}`} px={8} py={6} display="block">
              <Words title={question} detail={sharedBy ? sharing.by(sharedBy.name) : ''} />
            </UnstyledButton>
          </li>
        ))}
        <MoreRows list={list} />
      </Stack>
    </section>
  );
}

function Mentions({ current, onOpen }: ListProps) {
  const { sharing } = useWords();
  const [{ data, error }, execute] = useKeptQuery({ query: SharingMentionsDocument });
  const again = useCallback(() => execute({ requestPolicy: 'network-only' }), [execute]);
  useDidUpdate(again, [current]);
  useRefresh(again, EVERY_MS);
  if (!data && error) return <LoadError error={error} onRetry={again} />;
  const mentions = data?.viewer.mentions ?? [];
  if (mentions.length === 0) return null;
  return (
    <section aria-label={sharing.mentions}>
      <Text size="xs" fw={600} p="xs" pb={2}>
        {sharing.mentions}
      </Text>
      <Stack gap={1} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {mentions.map(({ id, text, author, session, job }) =>
          job ? (
            <li key={id}>
              <UnstyledButton component={Link} to={`/jobs/${job.id}`} px={8} py={6} display="block">
                <Words title={text} detail={sharing.by(author.name)} />
              </UnstyledButton>
            </li>
          ) : (
            session && (
              <Row
                key={id}
                title={text}
                detail={sharing.by(author.name)}
                isCurrent={session.id === current}
                onOpen={() => onOpen(session.id)}
              />
            )
          ),
        )}
      </Stack>
    </section>
  );
}

function Row({
  title,
  detail,
  isCurrent,
  onOpen,
}: {
  readonly title: string;
  readonly detail: string;
  readonly isCurrent: boolean;
  readonly onOpen: () => void;
}) {
  return (
    <li>
      <UnstyledButton
        px={8}
        py={6}
        w="100%"
        bdrs="sm"
        {...(isCurrent && { bg: 'var(--mantine-color-default-hover)' })}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={onOpen}
      >
        <Words title={title} detail={detail} />
      </UnstyledButton>
    </li>
  );
}

const Words = ({ title, detail }: { readonly title: string; readonly detail: string }) => (
  <>
    <Text span size="sm" truncate display="block">
      {title}
    </Text>
    <Text span size="xs" c="dimmed" truncate display="block">
      {detail}
    </Text>
  </>
);
