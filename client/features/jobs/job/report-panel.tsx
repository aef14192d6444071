import { Button, Group, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useRef } from 'react';
import { Panel } from '../../../components/panel.tsx';
import type { JobDetailFragment } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { MarkdownText } from '../../copilot/turn/markdown.tsx';
import type { Me } from '../../../lib/auth/auth.ts';
import { useAuth } from '../../../lib/auth/use-auth.ts';
import { LogbookMenu } from '../../logbook/logbook-menu.tsx';
import type { LogbookEntry } from '../../logbook/entry.ts';
import { ReportText } from './report-text.tsx';

/** What the job handed over: its report, else the words in which its last phase ended. */
export function ReportPanel({ job }: { readonly job: JobDetailFragment }) {
  const { jobs } = useWords();
  const { report, result, files, status } = job;
  const words = useRef<HTMLDivElement>(null);
  const { answer: me } = useAuth<Me>('/me');
  if (!report && !result && status !== 'COMPLETED') return null;
  return (
    <Panel
      title={jobs.report}
      aside={
        <Group gap="xs">
          {(report?.markdown ?? result?.text) && (
            <LogbookMenu entry={() => entryOf(job, me?.person?.name ?? null)} wordsOf={() => words.current} />
          )}
          {report && (
            <Button
              component="a"
              href={report.file.url}
              download
              size="compact-xs"
              variant="subtle"
              leftSection={<IconDownload size={14} />}
              aria-label={jobs.download(report.file.path)}
            >
              {report.file.path}
            </Button>
          )}
        </Group>
      }
    >
      <div ref={words}>
        {report ? (
          report.markdown == null ? (
            <Text c="dimmed">{jobs.reportTooLong}</Text>
          ) : (
            <ReportText text={report.markdown} files={files} />
          )
        ) : result ? (
          <MarkdownText text={result.text} offset={0} numbers={[]} isGrowing={false} />
        ) : (
          <Text c="dimmed">{jobs.noReport}</Text>
        )}
      </div>
    </Panel>
  );
}

/** The report of a job as an entry of a logbook; references within it name its records. */
const entryOf = (
  { id, description, chip, createdAt, sharedBy, report, result }: JobDetailFragment,
  viewerName: string | null,
): LogbookEntry => ({
  title: description,
  chipId: chip?.chipId ?? null,
  author: sharedBy?.name ?? viewerName,
  writtenAt: result?.createdAt ?? createdAt,
  freshness: result?.freshness ?? [],
  markdown: report?.markdown ?? result?.text ?? '',
  exhibits: [],
  records: [],
  path: `/jobs/${id}`,
});
