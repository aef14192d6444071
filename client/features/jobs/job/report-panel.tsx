import { Alert, Button, Skeleton, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Panel } from '../../../components/panel.tsx';
import type { JobDetailFragment, JobFileFragment } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { MarkdownText } from '../../copilot/turn/markdown.tsx';
import { ReportText } from './report-text.tsx';

/** Where a report stands that no phase named. */
const USUAL_REPORT = 'report.md';

/** What the job handed over: its report, else the words in which its last phase ended. */
export function ReportPanel({
  job,
  reportPath,
}: {
  readonly job: JobDetailFragment;
  readonly reportPath: string | null;
}) {
  const { jobs } = useWords();
  const file = job.files.find(({ path }) => path === (reportPath ?? USUAL_REPORT));
  if (!file && !job.result && job.status !== 'COMPLETED') return null;
  return (
    <Panel
      title={jobs.report}
      aside={
        file && (
          <Button
            component="a"
            href={file.url}
            download
            size="compact-xs"
            variant="subtle"
            leftSection={<IconDownload size={14} />}
            aria-label={jobs.download(file.path)}
          >
            {file.path}
          </Button>
        )
      }
    >
      {file ? (
        <ReportFile file={file} files={job.files} />
      ) : job.result ? (
        <MarkdownText text={job.result.text} offset={0} numbers={[]} isGrowing={false} />
      ) : (
        <Text c="dimmed">{jobs.noReport}</Text>
      )}
    </Panel>
  );
}

function ReportFile({
  file: { url, modifiedAt },
  files,
}: {
  readonly file: JobFileFragment;
  readonly files: readonly JobFileFragment[];
}) {
  const { jobs, common } = useWords();
  const [attempt, setAttempt] = useState(0);
  const [text, setText] = useState<string | null>(null);
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    void [modifiedAt, attempt];
    const left = new AbortController();
    setGone(false);
    readText(url, left.signal).then(setText, () => setGone(!left.signal.aborted));
    return () => left.abort();
  }, [url, modifiedAt, attempt]);
  if (isGone) {
    return (
      <Alert color="red" role="alert">
        {jobs.reportGone}{' '}
        <Button size="compact-xs" variant="default" onClick={() => setAttempt(attempt + 1)}>
          {common.retry}
        </Button>
      </Alert>
    );
  }
  return text === null ? <Skeleton height={240} /> : <ReportText text={text} files={files} />;
}

async function readText(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.text();
}
