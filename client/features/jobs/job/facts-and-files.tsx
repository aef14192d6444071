import { Badge, Group, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Panel } from '../../../components/panel.tsx';
import type { JobDetailFragment, JobFileFragment } from '../../../gql/graphql.ts';
import { useI18n, useWords } from '../../../lib/i18n/i18n.tsx';
import classes from './job.module.css';

/** When, with what, and by whom. */
export function FactsPanel({ job }: { readonly job: JobDetailFragment }) {
  const { words, format } = useI18n();
  const { jobs } = words;
  const facts: readonly (readonly [name: string, fact: ReactNode])[] = [
    [jobs.made, format.time(job.createdAt)],
    [jobs.started, job.startedAt ? format.time(job.startedAt) : null],
    [jobs.finished, job.finishedAt ? format.time(job.finishedAt) : null],
    [jobs.datasources, <Datasources key="datasources" datasources={job.datasources} />],
    [jobs.sentBackWith, job.status === 'PENDING_REVIEW' ? null : job.reviewNote],
    [jobs.builderSession, job.builderSession?.title],
  ];
  return (
    <Panel title={jobs.facts}>
      <dl className={classes['facts']}>
        {facts
          .filter(([, fact]) => fact != null)
          .map(([name, fact]) => (
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
          <pre className={classes['instructions']} tabIndex={0}>
            {JSON.stringify(job.context, null, 2)}
          </pre>
        </>
      )}
    </Panel>
  );
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

/** What is in the workspace of the job, to be downloaded. */
export function FilesPanel({ files }: { readonly files: readonly JobFileFragment[] }) {
  const { jobs } = useWords();
  return (
    <Panel title={jobs.files}>
      {files.length === 0 && <Text c="dimmed">{jobs.noFiles}</Text>}
      <ul className={classes['files']}>
        {files.map(({ path, sizeBytes, url }) => (
          <li key={path}>
            <a href={url} download aria-label={jobs.download(path)}>
              <IconDownload size={14} aria-hidden />
              {path}
            </a>
            <Text span size="xs" c="dimmed">
              {jobs.bytes(sizeBytes)}
            </Text>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
