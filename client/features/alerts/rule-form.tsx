import {
  Alert,
  Button,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState, type FormEvent } from 'react';
import { useQuery } from 'urql';
import { useUnsaved } from '../../lib/unsaved.tsx';
import {
  AlertPreviewDocument,
  ChipListDocument,
  MetricCatalogueDocument,
  type AlertPreviewQuery,
} from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import {
  amountUnit,
  CONDITIONS,
  draftOf,
  draftText,
  isChange,
  isState,
  type RuleDraft,
} from './rule-draft.ts';
import { useAlertText } from './use-alert-text.ts';

type Preview = AlertPreviewQuery['alertPreview'];

const FIRST: RuleDraft = {
  chipId: '',
  scope: 'QUBIT',
  part: '',
  metric: { name: 't1', unit: 'μs' },
  condition: 'BELOW',
  amount: 20,
  days: 7,
};

/** As the server reads it while somebody types. */
const TYPING_MS = 400;
const DAYS = [1, 3, 7, 30] as const;

type RuleFormProps = {
  readonly text: string;
  readonly destinationIds: readonly string[];
  readonly destinations: readonly { readonly destinationId: string; readonly name: string }[];
  readonly onSave: (text: string, destinationIds: string[]) => Promise<void>;
  readonly onCancel: () => void;
};

/** A rule as one line; fields below help to write it, and the server says what it would warn of now. */
export function RuleForm({ text: given, destinationIds, destinations, onSave, onCancel }: RuleFormProps) {
  const { alerts } = useWords();
  const [text, setText] = useState(given);
  useUnsaved(text.trim() === given.trim() ? null : text);
  const [sendTo, setSendTo] = useState([...destinationIds]);
  const [isBusy, setBusy] = useState(false);
  const [typed] = useDebouncedValue(text.trim(), TYPING_MS);
  const [{ data, fetching }] = useQuery({
    query: AlertPreviewDocument,
    variables: { text: typed },
    pause: typed === '',
  });
  const read = typed === '' ? undefined : data?.alertPreview;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    await onSave(text, sendTo).finally(() => setBusy(false));
  };
  return (
    <form onSubmit={(event) => void submit(event)} aria-label={alerts.rule}>
      <Stack gap="xs">
        <TextInput
          label={alerts.ruleLine}
          description={alerts.ruleHint}
          placeholder="t1 of any qubit on demo-64 below 20 us"
          maxLength={300}
          required
          data-autofocus
          value={text}
          onChange={({ currentTarget: { value } }) => setText(value)}
        />
        <RuleFields text={text} terms={read?.terms ?? null} onText={setText} />
        <Preview preview={read} isBusy={fetching} />
        <MultiSelect
          size="xs"
          label={alerts.sendTo}
          placeholder={sendTo.length === 0 ? alerts.pageOnly : ''}
          data={destinations.map(({ destinationId: value, name: label }) => ({ value, label }))}
          maxValues={5}
          value={sendTo}
          onChange={setSendTo}
        />
        <Group gap="xs">
          <Button type="submit" size="xs" loading={isBusy} disabled={text.trim() === ''}>
            {alerts.saveRule}
          </Button>
          <Button size="xs" variant="default" onClick={onCancel}>
            {alerts.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Fields that write the line anew with each change. */
function RuleFields({
  text,
  terms,
  onText,
}: {
  readonly text: string;
  readonly terms: Preview['terms'];
  readonly onText: (text: string) => void;
}) {
  const { alerts } = useWords();
  const [{ data: list }] = useQuery({ query: ChipListDocument });
  const [{ data: catalogue }] = useQuery({ query: MetricCatalogueDocument });
  const [written, setWritten] = useState({ draft: FIRST, text: '' });
  const unitOf = (name: string, scope: RuleDraft['scope']): string =>
    catalogue?.metrics.find((metric) => metric.name === name && metric.scope === scope)?.unit ?? '';
  // The fields follow a line that somebody typed.
  const isTyped = terms !== null && written.text !== text;
  const draft = isTyped ? draftOf(terms, unitOf) : written.draft;
  const chips = list?.chips.map(({ chipId }) => chipId) ?? [];
  const metrics = useMemo(
    () => catalogue?.metrics.filter(({ scope }) => scope === draft.scope) ?? [],
    [catalogue, draft.scope],
  );
  const change = (part: Partial<RuleDraft>): void => {
    const next = { ...draft, chipId: draft.chipId || (chips[0] ?? ''), ...part };
    setWritten({ draft: next, text: draftText(next) });
    onText(draftText(next));
  };
  const metricOf = (name: string | null) => metrics.find((each) => each.name === name) ?? null;
  const { condition } = draft;
  return (
    <Group gap="xs" align="flex-end" role="group" aria-label={alerts.fields}>
      <Select
        size="xs"
        w={140}
        label={alerts.chip}
        data={chips}
        allowDeselect={false}
        value={draft.chipId || (chips[0] ?? null)}
        onChange={(chipId) => chipId !== null && change({ chipId })}
      />
      <Select
        size="xs"
        w={140}
        label={alerts.parts}
        allowDeselect={false}
        data={(['QUBIT', 'COUPLING'] as const).map((value) => ({ value, label: alerts.any[value] }))}
        value={draft.scope}
        onChange={(scope) => {
          if (scope === null) return;
          const first = catalogue?.metrics.find((metric) => metric.scope === scope && metric.good !== null);
          change({ scope, part: '', metric: first ?? null });
        }}
      />
      <TextInput
        size="xs"
        w={110}
        label={alerts.onePart}
        placeholder={draft.scope === 'QUBIT' ? 'Q27' : 'Q3-Q4'}
        value={draft.part}
        onChange={({ currentTarget: { value } }) => change({ part: value })}
      />
      {!isState(condition) && (
        <Select
          size="xs"
          w={190}
          label={alerts.parameter}
          searchable
          allowDeselect={false}
          data={metrics.map(({ name: value, title: label }) => ({ value, label }))}
          value={draft.metric?.name ?? null}
          onChange={(name) => change({ metric: metricOf(name) })}
        />
      )}
      <Select
        size="xs"
        w={170}
        label={alerts.condition}
        allowDeselect={false}
        data={CONDITIONS.map((value) => ({ value, label: alerts.conditions[value] }))}
        value={condition}
        onChange={(next) => next !== null && change({ condition: next })}
      />
      {!isState(condition) && (
        <NumberInput
          size="xs"
          w={120}
          label={alerts.amount}
          suffix={` ${condition === 'OLDER' ? alerts.days : amountUnit(draft)}`}
          value={draft.amount}
          onChange={(value) => change({ amount: Number(value) })}
        />
      )}
      {isChange(condition) && (
        <Select
          size="xs"
          w={150}
          label={alerts.within}
          allowDeselect={false}
          data={[
            ...[...new Set([...DAYS, draft.days ?? 7])].map((days) => ({
              value: String(days),
              label: alerts.withinDays(days),
            })),
            { value: '', label: alerts.sinceCooldown },
          ]}
          value={draft.days === null ? '' : String(draft.days)}
          onChange={(value) => change({ days: value ? Number(value) : null })}
        />
      )}
    </Group>
  );
}

/** What the rule would warn of now, or what is wrong with it. */
function Preview({ preview, isBusy }: { readonly preview: Preview | undefined; readonly isBusy: boolean }) {
  const { alerts } = useWords();
  const read = useAlertText();
  return (
    <div aria-live="polite" aria-busy={isBusy} style={{ minHeight: 44 }}>
      {preview?.problem != null && (
        <Alert color="yellow" p="xs">
          {alerts.problemAt(preview.problemAt ?? 1)} {read(preview.problem)}
        </Alert>
      )}
      {preview?.problem === null && (
        <Text size="sm">
          {preview.parts.length > 0
            ? alerts.wouldWarn(
                preview.parts.slice(0, 12).map(({ label }) => label),
                preview.parts.length - 12,
              )
            : alerts.wouldNot}{' '}
          <Text span size="sm" c="dimmed">
            {read(preview.words)}
          </Text>
        </Text>
      )}
    </div>
  );
}
