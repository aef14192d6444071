import { Alert, Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { IconMessagePlus } from '@tabler/icons-react';
import { useEffect, useMemo } from 'react';
import { Link, useParams } from 'react-router';
import { useQuery, useSubscription } from 'urql';
import { LoadError } from '../../components/load-error.tsx';
import { PageSkeleton } from '../../components/page-skeleton.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import { CopilotAnswerIsSharedDocument, CopilotSharedAnswerDocument } from '../../gql/graphql.ts';
import { useI18n, useWords } from '../../lib/i18n/i18n.tsx';
import { useSubjectOfPage } from '../../lib/page-subject.tsx';
import { useAsk } from '../../lib/use-ask.ts';
import { turnOfShared, type SharedAnswer } from './model/shared-answer.ts';
import { AnswerFacts } from './turn/answer-facts.tsx';
import { AnswerParts } from './turn/answer-parts.tsx';
import { Notices } from './turn/notices.tsx';
import { Steps } from './turn/steps.tsx';

/** An answer that somebody shares alone: `/answers/:key`, as long as it is shared. */
export function SharedAnswerPage() {
  const { sharing } = useWords();
  const { key = '' } = useParams();
  const [{ data, error }, read] = useQuery({ query: CopilotSharedAnswerDocument, variables: { key } });
  const [{ data: live }] = useSubscription({
    query: CopilotAnswerIsSharedDocument,
    variables: { key },
    pause: !data?.sharedAnswer,
  });
  const hasEnded = live?.answerIsShared === false;
  useEffect(() => {
    if (hasEnded) read({ requestPolicy: 'network-only' });
  }, [hasEnded, read]);
  if (data?.sharedAnswer) return <Shown shared={data.sharedAnswer} />;
  if (error) return <LoadError error={error} onRetry={() => read({ requestPolicy: 'network-only' })} />;
  if (!data) return <PageSkeleton title={sharing.sharedAnswer} />;
  return (
    <Stack p="md" align="flex-start">
      <PageTitle>{sharing.linkEnded}</PageTitle>
      <Title order={1}>{sharing.linkEnded}</Title>
      <Text>{sharing.answerEnded}</Text>
      <Anchor component={Link} to="/copilot" underline="always">
        {sharing.toCopilot}
      </Anchor>
    </Stack>
  );
}

function Shown({ shared }: { readonly shared: SharedAnswer }) {
  const {
    words: { sharing },
    format,
  } = useI18n();
  const ask = useAsk();
  const { chip, question, sharedBy, sharedAt, added, imageCount, status } = shared;
  useSubjectOfPage({ chipId: chip?.chipId ?? null });
  const turn = useMemo(() => turnOfShared(shared), [shared]);
  return (
    <Stack p="md" gap="sm" maw={1100} component="article">
      <PageTitle>{sharing.sharedAnswer}</PageTitle>
      <Text size="xs" c="dimmed" role="note">
        {sharedBy ? sharing.answerSharedBy(sharedBy.name, format.time(sharedAt)) : sharing.yourAnswer}
      </Text>
      <Title order={1} size="h3" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {question}
      </Title>
      {imageCount > 0 && (
        <Text size="xs" c="dimmed">
          {sharing.notSharedPictures(imageCount)}
        </Text>
      )}
      {added.length > 0 && (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {[sharing.added, ...added].join('\n')}
        </Text>
      )}
      {status !== 'COMPLETED' && <Alert color="yellow">{sharing.partOfAnswer}</Alert>}
      <div>
        <Steps turn={turn} />
        <AnswerParts turn={turn} />
        <Notices notices={turn.notices} />
        {turn.answer && <AnswerFacts answer={turn.answer} usage={null} />}
      </div>
      <Button
        variant="light"
        size="xs"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconMessagePlus size={16} />}
        onClick={() => ask(question)}
      >
        {sharing.askYourself}
      </Button>
    </Stack>
  );
}
