import { Alert, Badge, Group, Select, Text, TextInput, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMemo, useState, type ReactNode } from 'react';
import { Panel } from '../../../../components/panel.tsx';
import type { ExpertCardFragment } from '../../../../gql/graphql.ts';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { ExpertIcon } from '../../expert-icon.tsx';
import classes from '../new-job.module.css';
import { narrowExperts, tagsOf } from './narrow-experts.ts';

type ExpertCardsProps = {
  readonly experts: readonly ExpertCardFragment[];
  readonly chosenId: string | null;
  /** One whose details are on their way. */
  readonly loadingId: string | null;
  readonly isLocked: boolean;
  /** What is wrong with the choice; null for nothing. */
  readonly problem: string | null;
  readonly footer: ReactNode;
  /** Given the chosen one too: its choice is taken back. */
  readonly onChosen: (expertId: string) => void;
};

/** Experts to choose from, narrowed by words and tags. */
export function ExpertCards(props: ExpertCardsProps) {
  const { experts, chosenId, loadingId, isLocked, problem, footer, onChosen } = props;
  const { newJob } = useWords();
  const [search, setSearch] = useState('');
  const [tag, setTag] = useState<string | null>(null);
  const shown = useMemo(() => narrowExperts(experts, search, tag), [experts, search, tag]);
  return (
    <Panel
      title={newJob.experts}
      aside={
        <Group gap="xs">
          <TextInput
            size="xs"
            w={170}
            type="search"
            leftSection={<IconSearch size={14} />}
            placeholder={newJob.searchExperts}
            aria-label={newJob.searchExperts}
            value={search}
            onChange={({ currentTarget }) => setSearch(currentTarget.value)}
          />
          <Select
            size="xs"
            w={130}
            aria-label={newJob.tag}
            placeholder={newJob.anyTag}
            clearable
            clearButtonProps={{ 'aria-label': newJob.anyTag }}
            data={[...tagsOf(experts)]}
            value={tag}
            onChange={setTag}
          />
        </Group>
      }
    >
      {problem !== null && (
        <Alert color="yellow" py="xs" mb="xs" role="alert">
          {problem}
        </Alert>
      )}
      {shown.length === 0 && <Text c="dimmed">{newJob.noExperts}</Text>}
      <div className={classes['cards']} role="group" aria-label={newJob.experts}>
        {shown.map((expert) => (
          <ExpertCard
            key={expert.id}
            expert={expert}
            isChosen={expert.expertId === chosenId}
            isLoading={expert.expertId === loadingId}
            isLocked={isLocked}
            onClick={() => onChosen(expert.expertId)}
          />
        ))}
      </div>
      {footer}
    </Panel>
  );
}

type ExpertCardProps = {
  readonly expert: ExpertCardFragment;
  readonly isChosen: boolean;
  readonly isLoading: boolean;
  readonly isLocked: boolean;
  readonly onClick: () => void;
};

function ExpertCard({ expert, isChosen, isLoading, isLocked, onClick }: ExpertCardProps) {
  const { newJob } = useWords();
  const { displayName, description, tags, isBuiltIn, loadError } = expert;
  return (
    <UnstyledButton
      className={classes['card']}
      aria-pressed={isChosen}
      aria-busy={isLoading}
      disabled={loadError !== null || isLocked}
      onClick={onClick}
    >
      <Group gap={8} wrap="nowrap" mb={4}>
        <ExpertIcon expert={expert} />
        <Text fw={600} size="sm">
          {displayName}
        </Text>
        {!isBuiltIn && (
          <Badge size="xs" variant="light" color="gray" tt="none">
            {newJob.saved}
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed">
        {description}
      </Text>
      {loadError !== null && (
        <Text size="xs" c="red" mt={4}>
          {newJob.cannotLoadExpert}: {loadError}
        </Text>
      )}
      <Group gap={4} mt="auto" pt={6}>
        {tags.map((name) => (
          <Badge key={name} size="xs" variant="light" color="gray" tt="none">
            {name}
          </Badge>
        ))}
      </Group>
    </UnstyledButton>
  );
}
