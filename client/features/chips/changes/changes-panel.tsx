import { Anchor, Button, Group, SegmentedControl, Select, Skeleton, Text, TextInput } from '@mantine/core';
import { useMemo, useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { Age } from '../../../components/age.tsx';
import { LoadError } from '../../../components/load-error.tsx';
import { NotesPanel } from '../../../components/notes-panel.tsx';
import { Panel } from '../../../components/panel.tsx';
import { RatedValue } from '../../../components/rated-value.tsx';
import {
  ChipChangesDocument,
  ChipHappeningsDocument,
  type ChangeOfPartFragment,
  type ChipChangesQuery,
} from '../../../gql/graphql.ts';
import { isInvalid } from '../../../lib/graphql/not-found.ts';
import { useI18n } from '../../../lib/i18n/i18n.tsx';
import { useAsk } from '../../../lib/use-ask.ts';
import classes from '../chip.module.css';
import { useChipQuery } from '../chip-updates.tsx';
import { differenceText } from '../map/map-text.ts';
import { lastVisit } from './last-visit.ts';
import { firstRanking, RANKINGS, worstOf, type Ranking } from './rank-changes.ts';

/** Shown until all are asked for. */
const FIRST = 8;
/** As many as the query asks for. */
const MOST_MOVED = 1_000;
const HOUR_MS = 3_600_000;
const SINCE_HOURS = [24, 72, 168, 720] as const;

type Since = { readonly key: string; readonly from: string };

/** What changed on a chip since a point in time: values that got worse, parts that were lost, failures, notes, jobs. */
export function ChangesPanel({ chipId }: { readonly chipId: string }) {
  const { words } = useI18n();
  const { changes } = words.chip;
  const [visit] = useState(() => lastVisit(chipId));
  const [since, setSince] = useState<Since>(() => hoursAgo(24));
  const [ranking, setRanking] = useState<Ranking | null>(null);
  const { data, error, stale, retry } = useChipQuery({
    query: ChipChangesDocument,
    variables: { chipId, from: since.from },
  });
  const chip = data?.chip;
  const moved = chip?.changes.moved;
  const by = ranking ?? firstRanking(moved ?? []);
  const worst = useMemo(() => worstOf(moved ?? [], by), [moved, by]);
  return (
    <Panel
      title={changes.title}
      aside={
        <Group gap="xs">
          <SinceSelect since={since} visit={visit} onSince={setSince} />
          <SegmentedControl
            aria-label={changes.rankBy}
            size="xs"
            data={RANKINGS.map((value) => ({ value, label: changes.rankings[value] }))}
            value={by}
            onChange={setRanking}
          />
        </Group>
      }
    >
      {error && !chip && isInvalid(error) ? (
        <Text size="sm" c="dimmed">
          {error.graphQLErrors[0]?.message}
        </Text>
      ) : error && !chip ? (
        <LoadError error={error} onRetry={retry} />
      ) : !chip ? (
        <Skeleton height={160} />
      ) : (
        <div aria-busy={stale} style={{ opacity: stale ? 0.6 : 1 }}>
          <Counts changes={chip.changes} />
          <Lines of={worst} text={changes.worse}>
            {({ change, size }) => <Worse key={keyOf(change)} {...{ chipId, change, size, by, since }} />}
          </Lines>
          {moved?.length === MOST_MOVED && (
            <Text size="xs" c="dimmed">
              {changes.cut(MOST_MOVED)}
            </Text>
          )}
          <Lines of={chip.changes.turned} text={changes.turned}>
            {(change) => (
              <li key={keyOf(change)}>
                <PartName chipId={chipId} {...change} />
                <Text span size="sm">
                  {changes.kinds[change.kind]}
                </Text>
                <Text span size="sm" className={classes['grow'] ?? ''}>
                  {change.title}
                </Text>
                <Explain
                  draft={changes.explainTurned(change.label, change.title ?? '', changes.kinds[change.kind])}
                  {...change}
                />
              </li>
            )}
          </Lines>
        </div>
      )}
      <Happened chipId={chipId} from={since.from} />
    </Panel>
  );
}

type Chip = NonNullable<ChipChangesQuery['chip']>;

const keyOf = ({ kind, partId, parameter }: ChangeOfPartFragment): string => `${kind} ${partId} ${parameter}`;

const hoursAgo = (hours: number): Since => ({
  key: `${hours}`,
  from: new Date(Date.now() - hours * HOUR_MS).toISOString(),
});

function SinceSelect({
  since,
  visit,
  onSince,
}: {
  readonly since: Since;
  readonly visit: string | null;
  readonly onSince: (since: Since) => void;
}) {
  const { words, format } = useI18n();
  const { changes } = words.chip;
  const choose = (key: string): void => {
    if (key === 'visit' && visit) onSince({ key, from: visit });
    else if (key === 'day') onSince({ ...hoursAgo(24), key });
    else onSince(hoursAgo(Number(key)));
  };
  return (
    <>
      <Select
        aria-label={changes.since}
        size="xs"
        w={210}
        allowDeselect={false}
        data={[
          ...(visit === null ? [] : [{ value: 'visit', label: changes.sinceVisit(format.time(visit)) }]),
          ...SINCE_HOURS.map((hours) => ({ value: String(hours), label: changes.sinceHours(hours) })),
          { value: 'day', label: changes.sinceDay },
        ]}
        value={since.key}
        onChange={(key) => key && choose(key)}
      />
      {since.key === 'day' && (
        <TextInput
          type="date"
          size="xs"
          aria-label={changes.day}
          defaultValue={since.from.slice(0, 10)}
          max={new Date().toISOString().slice(0, 10)}
          onChange={({ currentTarget: { value } }) => {
            const from = new Date(`${value}T00:00:00`);
            if (from.getTime() < Date.now()) onSince({ key: 'day', from: from.toISOString() });
          }}
        />
      )}
    </>
  );
}

/** How many values moved, and which way. */
function Counts({ changes: { parameters } }: { readonly changes: Chip['changes'] }) {
  const { changes } = useI18n().words.chip;
  const sum = (count: (of: Chip['changes']['parameters'][number]) => number): number =>
    parameters.reduce((total, of) => total + count(of), 0);
  const moved = sum((of) => of.moved);
  return (
    <Text size="sm" mb={4}>
      {moved === 0
        ? changes.nothing
        : changes.counts(
            moved,
            sum((of) => of.worse),
            sum((of) => of.better),
          )}
    </Text>
  );
}

/** A list below its heading with its count; its first rows until all are asked for. */
function Lines<Row>({
  of,
  text,
  children,
}: {
  readonly of: readonly Row[];
  readonly text: (count: number) => string;
  readonly children: (row: Row) => ReactNode;
}) {
  const { copilot } = useI18n().words;
  const [isWhole, setWhole] = useState(false);
  if (of.length === 0) return null;
  return (
    <>
      <Group gap="xs" mt={6}>
        <Text size="sm" fw={600}>
          {text(of.length)}
        </Text>
        {of.length > FIRST && (
          <Button size="compact-xs" variant="subtle" onClick={() => setWhole(!isWhole)}>
            {isWhole ? copilot.showLess : copilot.showAll}
          </Button>
        )}
      </Group>
      <ul className={classes['problems']} style={{ maxHeight: 'none' }}>
        {(isWhole ? of : of.slice(0, FIRST)).map(children)}
      </ul>
    </>
  );
}

/** A qubit leads to its page, where the parameter's results are. */
function PartName({
  chipId,
  label,
  partId,
}: {
  readonly chipId: string;
  readonly label: string;
  readonly partId: string;
}) {
  const isQubit = /^\d+$/.test(partId);
  return isQubit ? (
    <Anchor component={Link} to={`/chips/${encodeURIComponent(chipId)}/qubits/${partId}`} size="sm">
      {label}
    </Anchor>
  ) : (
    <Text span size="sm">
      {label}
    </Text>
  );
}

function Worse({
  chipId,
  change,
  size,
  by,
  since,
}: {
  readonly chipId: string;
  readonly change: ChangeOfPartFragment;
  readonly size: number;
  readonly by: Ranking;
  readonly since: Since;
}) {
  const { words, format } = useI18n();
  const { changes } = words.chip;
  const unit = change.unit ?? '';
  const [before, after] = [change.before?.displayValue, change.after?.displayValue];
  const [from, to] = [before, after].map((value) => (value == null ? '—' : format.quantity(value, unit)));
  const title = change.title ?? '';
  return (
    <li>
      <PartName chipId={chipId} {...change} />
      <Text span size="sm" className={classes['grow'] ?? ''}>
        {title}
      </Text>
      <Text span size="sm">
        {from} → <RatedValue text={to ?? '—'} rating={change.after?.rating ?? null} />
      </Text>
      <Text span size="xs" c="dimmed" visibleFrom="xs">
        {change.difference !== null && differenceText(change.difference, unit, format)}
        {` · ${by === 'SIGMA' ? `${size.toFixed(1)} σ` : `${(100 * size).toFixed(1)} %`}`}
      </Text>
      <Explain
        draft={changes.explain(change.label, title, from ?? '—', to ?? '—', format.time(since.from))}
        {...change}
      />
    </li>
  );
}

/** Asks the copilot about a change, with its part as the subject. */
function Explain({
  label,
  draft,
  partId,
  scope,
}: {
  readonly label: string;
  readonly draft: string;
  readonly partId: string;
  readonly scope: 'QUBIT' | 'COUPLING';
}) {
  const { changes } = useI18n().words.chip;
  const ask = useAsk();
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      aria-label={changes.explainPart(label)}
      onClick={() => ask(draft, scope === 'QUBIT' ? { qid: partId } : {})}
    >
      {changes.explainButton}
    </Button>
  );
}

/** Runs that failed, jobs that ended and notes that were written since then. */
function Happened({ chipId, from }: { readonly chipId: string; readonly from: string }) {
  const { words } = useI18n();
  const { changes } = words.chip;
  const { data, error, retry } = useChipQuery({
    query: ChipHappeningsDocument,
    variables: { chipId, from },
  });
  const isSince = (at: string | null): boolean => at !== null && Date.parse(at) >= Date.parse(from);
  const notes = data?.chip?.humanNotes.filter(({ updatedAt }) => isSince(updatedAt)) ?? [];
  const jobs =
    data?.jobs.nodes.filter(({ finishedAt, chip }) => isSince(finishedAt) && chip?.chipId === chipId) ?? [];
  if (error && !data) return <LoadError error={error} onRetry={retry} />;
  return (
    <>
      <Lines of={data?.chip?.taskResults.nodes ?? []} text={changes.failed}>
        {({ id, qid, name, message, startAt }) => (
          <li key={id}>
            <PartName
              chipId={chipId}
              label={/^\d+$/.test(qid) ? `Q${qid.padStart(2, '0')}` : qid}
              partId={qid}
            />
            <Text span size="sm">
              {name}
            </Text>
            <Text span size="xs" c="dimmed" className={classes['grow'] ?? ''} title={message}>
              {message}
            </Text>
            {startAt !== null && (
              <Text span size="xs" c="dimmed">
                <Age at={startAt} />
              </Text>
            )}
          </li>
        )}
      </Lines>
      <Lines of={jobs} text={changes.jobs}>
        {({ id, description, status, finishedAt }) => (
          <li key={id}>
            <Anchor
              component={Link}
              to={`/jobs/${encodeURIComponent(id)}`}
              size="sm"
              className={classes['grow'] ?? ''}
            >
              {description}
            </Anchor>
            <Text span size="xs" c="dimmed">
              {words.jobs.status[status]} {finishedAt !== null && <Age at={finishedAt} />}
            </Text>
          </li>
        )}
      </Lines>
      {notes.length > 0 && <NotesPanel title={changes.notes(notes.length)} notes={notes} empty="" />}
    </>
  );
}
