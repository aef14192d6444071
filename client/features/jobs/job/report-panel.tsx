import { Button, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Panel } from '../../../components/panel.tsx';
import type { JobDetailFragment } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { MarkdownText } from '../../copilot/turn/markdown.tsx';
import { ReportText } from './report-text.tsx';

/** What the job handed over: its report, else the words in which its last phase ended. */
export function ReportPanel({ job }: { readonly job: JobDetailFragment }) {
  const { jobs } = useWords();
  const { report, result, files, status } = job;
  if (!report && !result && status !== 'COMPLETED') return null;
  return (
    <Panel
      title={jobs.report}
      aside={
        report && (
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
        )
      }
    >
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
    </Panel>
  );
}
