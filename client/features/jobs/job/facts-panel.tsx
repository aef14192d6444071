import { Badge, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Panel } from '../../../components/panel.tsx';
import type { JobDetailFragment } from '../../../gql/graphql.ts';
import { useI18n, useWords } from '../../../lib/i18n/i18n.tsx';
import type { TurnView } from '../../copilot/model/session-view.ts';
import classes from './job.module.css';

/** When, with what, and what it took. */
export function FactsPanel({
  job,
  phases,
}: {
  readonly job: JobDetailFragment;
  readonly phases: readonly TurnView[];
}) {
  const { words, format } = useI18n();
  const { jobs, common } = words;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [jobs.made, format.time(job.createdAt)],
    [jobs.started, job.startedAt ? format.time(job.startedAt) : common.none],
    [jobs.finished, job.finishedAt ? format.time(job.finishedAt) : common.none],
    [jobs.phaseCount, format.count(phases.length)],
    [jobs.usage, <UsageText key="usage" phases={phases} />],
    [jobs.datasources, <Datasources key="datasources" datasources={job.datasources} />],
    ...(job.reviewNote && job.status !== 'PENDING_REVIEW'
      ? [[jobs.sentBackWith, job.reviewNote] as const]
      : []),
    ...(job.builderSession ? [[jobs.builderSession, job.builderSession.title] as const] : []),
  ];
  return (
    <Panel title={jobs.facts}>
      <dl className={classes['facts']}>
        {facts.map(([name, fact]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
      </dl>
      {job.context !== null && (
        <>
          <Text size="xs" c="dimmed" mt="xs">
            {jobs.context}
          </Text>
          <pre className={classes['instructions']}>{JSON.stringify(job.context, null, 2)}</pre>
        </>
      )}
    </Panel>
  );
}

function UsageText({ phases }: { readonly phases: readonly TurnView[] }) {
  const { words, format } = useI18n();
  const used = phases.flatMap(({ usage }) => usage ?? []);
  const tokens = used.reduce((sum, { totalTokens }) => sum + totalTokens, 0);
  if (tokens === 0) return words.jobs.noUsage;
  const isPriced = used.every(({ costUsd }) => typeof costUsd === 'number');
  const dollars = used.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
  return words.jobs.usageText(format.count(tokens), isPriced ? format.dollars(dollars) : null);
}

function Datasources({ datasources }: { readonly datasources: JobDetailFragment['datasources'] }) {
  const { jobs } = useWords();
  if (datasources.length === 0) return jobs.noDatasources;
  return datasources.map(({ id, name, readOnly }) => (
    <Group key={id} gap={6}>
      {name}
      {readOnly && (
        <Badge size="xs" variant="light" color="gray" tt="none">
          {jobs.readOnly}
        </Badge>
      )}
    </Group>
  ));
}
