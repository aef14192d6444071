import { Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Panel } from '../../../components/panel.tsx';
import type { JobFileFragment } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import classes from './job.module.css';

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
