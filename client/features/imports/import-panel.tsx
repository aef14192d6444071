import { Alert, Button, Code, Group, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { LoadError } from '../../components/load-error.tsx';
import { useUnsaved } from '../../lib/unsaved.tsx';
import { ImportViewerDocument } from '../../gql/graphql.ts';
import { useKeptQuery } from '../../lib/graphql/use-kept-query.ts';
import { useI18n, useWords } from '../../lib/i18n/i18n.tsx';
import { importSentences } from '../../lib/i18n/ja/import-sentences.ts';
import { useSentences } from '../../lib/i18n/use-server-names.ts';
import { DropZone } from './drop-zone.tsx';
import { FieldsOfImport } from './import-fields.tsx';
import { WaysIn } from './ways-in.tsx';
import {
  readPossible,
  sendFiles,
  type ImportFields,
  type ImportProgress,
  type ImportReport,
  type Sent,
} from './send-files.ts';

const SENTENCES = { ja: importSentences };

type Answer = { readonly step: 'preview' | 'yes'; readonly sent: Sent };

const isTable = ({ name }: File): boolean => /\.(?:csv|tsv|txt)(?:\.gz)?$/iu.test(name);

const NO_FIELDS: ImportFields = {
  chip: '',
  create: true,
  time: '',
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  parameter: '',
  unit: '',
  names: '',
  skipBad: false,
};

/** Files dropped onto the page: what was understood of them, then what was taken of them and what was not. */
export function ImportPanel() {
  const { imports } = useWords();
  const [{ data, error }, execute] = useKeptQuery({ query: ImportViewerDocument });
  const projectId = data?.viewer.projectId ?? null;
  const [possible, setPossible] = useState<Awaited<ReturnType<typeof readPossible>>>(null);
  useEffect(() => {
    if (projectId !== null) void readPossible(projectId).then(setPossible);
  }, [projectId]);
  if (projectId === null)
    return error ? (
      <LoadError error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />
    ) : (
      <Skeleton height={200} />
    );
  const isReader = data?.viewer.role === 'viewer';
  return (
    <Stack gap="sm">
      {isReader && <Alert color="gray">{imports.needsRole}</Alert>}
      {possible?.isPossible === false && (
        <Alert color="yellow" title={imports.impossible}>
          {imports.why}
        </Alert>
      )}
      {!isReader && possible?.isPossible !== false && (
        <Import projectId={projectId} maxBytes={possible?.maxBytes ?? null} />
      )}
      <WaysIn projectId={projectId} />
    </Stack>
  );
}

function Import({ projectId, maxBytes }: { readonly projectId: string; readonly maxBytes: number | null }) {
  const { imports, common } = useWords();
  const read = useSentences(SENTENCES);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [fields, setFields] = useState(NO_FIELDS);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [progress, setProgress] = useState<ImportProgress | null>(null);
  const sending = useRef<AbortController>(undefined);
  useEffect(() => () => sending.current?.abort(), []);
  const isOfTables = files.some(isTable);
  const send = async (step: Answer['step'], of = files): Promise<void> => {
    const size = of.reduce((sum, file) => sum + file.size, 0);
    if (maxBytes !== null && size > maxBytes)
      return setAnswer({ step, sent: { error: imports.tooLarge(Math.floor(maxBytes / 1024 / 1024)) } });
    setBusy(true);
    sending.current?.abort();
    const { signal } = (sending.current = new AbortController());
    const asked = { ...fields, create: of.some(isTable) && fields.create };
    const sent = await sendFiles(projectId, of, asked, step, { signal, onProgress: setProgress });
    // A later one, or nobody, waits for the answer.
    if (sending.current.signal !== signal) return;
    setBusy(false);
    setProgress(null);
    setAnswer(signal.aborted ? null : { step, sent });
  };
  const take = (taken: readonly File[]): void => {
    const names = new Set(taken.map(({ name }) => name));
    const isOver = answer?.step === 'yes' && 'report' in answer.sent;
    const all = [...(isOver ? [] : files).filter(({ name }) => !names.has(name)), ...taken];
    setFiles(all);
    setAnswer(null);
    // A table belongs to a chip, which nobody has named yet.
    if (!all.some(isTable) || fields.chip !== '') void send('preview', all);
  };
  const drop = (name: string): void => {
    setFiles(files.filter((file) => file.name !== name));
    setAnswer(null);
  };
  const change = (changed: Partial<ImportFields>): void => {
    setFields({ ...fields, ...changed });
    setAnswer(null);
  };
  const report = answer !== null && 'report' in answer.sent ? answer.sent.report : null;
  const error = answer !== null && 'error' in answer.sent ? answer.sent.error || common.noServer : null;
  const isDone = report !== null && answer?.step === 'yes';
  useUnsaved(files.length > 0 && !isDone ? files.map(({ name }) => name).join(', ') : null);
  return (
    <>
      <DropZone files={isDone ? [] : files} isBusy={isBusy} onFiles={take} onRemove={drop} />
      {files.length > 0 && !isDone && (
        <FieldsOfImport fields={fields} isOfTables={isOfTables} isOpen={error !== null} onChange={change} />
      )}
      {files.length > 0 && report === null && (
        <Group>
          <Button
            loading={isBusy}
            disabled={isOfTables && fields.chip.trim() === ''}
            onClick={() => void send('preview')}
          >
            {imports.preview}
          </Button>
        </Group>
      )}
      {isBusy && <ProgressOfImport progress={progress} onStop={() => sending.current?.abort()} />}
      <div aria-live="polite">
        {error !== null && (
          <Alert color="red" title={imports.refused} style={{ whiteSpace: 'pre-wrap' }}>
            {read(error)}
          </Alert>
        )}
        {report !== null && <Report report={report} isDone={isDone} />}
      </div>
      {report !== null && !isDone && (
        <Group>
          <Button loading={isBusy} onClick={() => void send('yes')}>
            {imports.doIt(report.added)}
          </Button>
          <Button
            variant="default"
            onClick={() => {
              setFiles([]);
              setAnswer(null);
            }}
          >
            {imports.cancel}
          </Button>
        </Group>
      )}
    </>
  );
}

/** How far it is: what the server says, or that the files are under way. */
function ProgressOfImport({
  progress,
  onStop,
}: {
  readonly progress: ImportProgress | null;
  readonly onStop: () => void;
}) {
  const { imports } = useWords();
  const { step, done = 0, total = null } = progress ?? { step: 'sending' as const };
  return (
    <Stack gap={4} role="status">
      <Group justify="space-between">
        <Text size="sm">{imports.progress(step, done, total)}</Text>
        <Button size="compact-sm" variant="default" onClick={onStop}>
          {imports.stop}
        </Button>
      </Group>
      <Progress value={total === null ? 100 : (100 * done) / total} animated={total === null} />
    </Stack>
  );
}

function Report({ report, isDone }: { readonly report: ImportReport; readonly isDone: boolean }) {
  const { locale, words } = useI18n();
  const { imports } = words;
  const read = useSentences(SENTENCES);
  const { chipIds, added, alreadyThere, guesses, lines, source } = report;
  return (
    <Stack gap="xs">
      <Text fw={650}>
        {isDone
          ? imports.done(added, alreadyThere)
          : imports.would(imports.sources[source], added, alreadyThere)}
      </Text>
      {guesses.length > 0 && !isDone && (
        <Alert color="yellow" title={imports.guessed}>
          {guesses.map((guess) => (
            <Text key={guess} size="sm">
              {read(guess)}
            </Text>
          ))}
        </Alert>
      )}
      {isDone && (
        <Group>
          {chipIds.map((chipId) => (
            <Button key={chipId} component={Link} to={`/chips/${encodeURIComponent(chipId)}`}>
              {imports.open(chipId)}
            </Button>
          ))}
        </Group>
      )}
      <Code block tabIndex={0} lang={locale} mah={420} style={{ overflow: 'auto', whiteSpace: 'pre-wrap' }}>
        {read(lines.join('\n'))}
      </Code>
    </Stack>
  );
}
