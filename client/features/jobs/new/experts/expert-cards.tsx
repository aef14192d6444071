import { Alert, Badge, Group, Select, Text, TextInput, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMemo, useState, type ReactNode } from 'react';
import { Panel } from '../../../../components/panel.tsx';
import type { ExpertCardFragment } from '../../../../gql/graphql.ts';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { useServerText } from '../../../../lib/i18n/use-server-names.ts';
import { ExpertIcon } from '../../expert-icon.tsx';
import classes from '../new-job.module.css';
import { useNewJob } from '../use-job-form.ts';
import { narrowExperts, tagsOf } from './experts.ts';

type ExpertCardsProps = {
  /** The expert being read; null for none. */
  readonly loadingId: string | null;
  /** What is wrong with the choice; null for nothing. */
  readonly problem: string | null;
  readonly footer: ReactNode;
  /** Also called for the chosen one, to unchoose it. */
  readonly onChosen: (expertId: string) => void;
};

/** Experts to choose from, narrowed by words and tags. */
export function ExpertCards({ loadingId, problem, footer, onChosen }: ExpertCardsProps) {
  const { newJob } = useWords();
  const { choices } = useNewJob();
  const textOf = useServerText();
  const experts = useMemo(
    () => choices.experts.map((expert) => (expert.isBuiltIn ? translated(expert, textOf) : expert)),
    [choices.experts, textOf],
  );
  const [search, setSearch] = useState('');
  const [tag, setTag] = useState<string | null>(null);
  const shown = narrowExperts(experts, search, tag);
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
            isLoading={expert.expertId === loadingId}
            onClick={() => onChosen(expert.expertId)}
          />
        ))}
      </div>
      {footer}
    </Panel>
  );
}

/** A shipped expert in the language of the pages; those that people save are in their own words. */
const translated = (expert: ExpertCardFragment, textOf: (text: string) => string): ExpertCardFragment => ({
  ...expert,
  displayName: textOf(expert.displayName),
  description: textOf(expert.description),
  tags: expert.tags.map(textOf),
});

type ExpertCardProps = {
  readonly expert: ExpertCardFragment;
  readonly isLoading: boolean;
  readonly onClick: () => void;
};

function ExpertCard({ expert, isLoading, onClick }: ExpertCardProps) {
  const { newJob } = useWords();
  const { form, isLocked } = useNewJob();
  const { expertId, displayName, description, tags, isBuiltIn, loadError } = expert;
  return (
    <UnstyledButton
      className={classes['card']}
      aria-pressed={expertId === form.expert?.expertId}
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
