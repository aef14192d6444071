import { Alert, Button, Group, NumberInput, Select, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useClient, useQuery } from 'urql';
import { useUnsaved } from '../../lib/unsaved.tsx';
import { useUndoNotice } from '../../components/second-thoughts.tsx';
import { Age } from '../../components/age.tsx';
import { LoadError } from '../../components/load-error.tsx';
import { Panel } from '../../components/panel.tsx';
import {
  SetBudgetDocument,
  SharingBudgetsDocument,
  SharingMembersDocument,
  type BudgetUnit,
  type SetBudgetInput,
  type SharingBudgetsQuery,
} from '../../gql/graphql.ts';
import { useKeptQuery } from '../../lib/graphql/use-kept-query.ts';
import { useRefusal } from '../../lib/graphql/refusal.ts';
import { useFormat, useWords } from '../../lib/i18n/i18n.tsx';

type Budget = SharingBudgetsQuery['budgets'][number];
/** As the server counts them; null: not set. */
type Limits = Readonly<Record<BudgetUnit, number | null>>;

const UNITS = ['TOKENS', 'COST_USD', 'TURNS'] as const satisfies readonly BudgetUnit[];
const NOT_SET: Limits = { TOKENS: null, COST_USD: null, TURNS: null };
const limitsOf = (budget: Budget | undefined): Limits =>
  budget === undefined
    ? NOT_SET
    : { TOKENS: budget.tokensPerDay, COST_USD: budget.costUsdPerDay, TURNS: budget.turnsPerDay };

/** Whose a budget is, as one value of a choice. */
const ownerOf = ({ of, userId }: Pick<Budget, 'of' | 'userId'>): string => userId ?? of;
const inputOf = (owner: string): Pick<SetBudgetInput, 'of' | 'userId'> =>
  owner === 'PROJECT' || owner === 'EACH_MEMBER' ? { of: owner } : { of: 'MEMBER', userId: owner };

/** What admins have set for a day, and a form to change it. */
export function BudgetsPanel() {
  const { sharing } = useWords();
  const offerUndo = useUndoNotice();
  const client = useClient();
  const refusal = useRefusal();
  const [{ data, error }, execute] = useKeptQuery({ query: SharingBudgetsDocument });
  // Where members are kept elsewhere, their list is refused: budgets that were set are named by id.
  const [{ data: known }] = useQuery({ query: SharingMembersDocument });
  const [owner, choose] = useState('EACH_MEMBER');
  const [failure, setFailure] = useState<string | null>(null);
  const again = (): void => execute({ requestPolicy: 'network-only' });
  if (!data) return error ? <LoadError error={error} onRetry={again} /> : null;

  const names = new Map(known?.members.map(({ userId, name }) => [userId, name]));
  const set = async (whose: string, { TOKENS, COST_USD, TURNS }: Limits): Promise<void> => {
    const limits = { tokensPerDay: TOKENS, costUsdPerDay: COST_USD, turnsPerDay: TURNS };
    const input = { ...inputOf(whose), ...limits };
    const { data: done, error: failed } = await client.mutation(SetBudgetDocument, { input }).toPromise();
    setFailure(refusal(done?.setBudget, failed));
    again();
  };
  const nameOf = (whose: string): string =>
    whose === 'PROJECT' || whose === 'EACH_MEMBER'
      ? sharing.budgetOwners[whose]
      : (names.get(whose) ?? whose);
  const chosen = data.budgets.find((budget) => ownerOf(budget) === owner);
  return (
    <Panel title={sharing.budgets}>
      <Text size="sm" c="dimmed" mb="xs">
        {sharing.budgetsText}
      </Text>
      {failure !== null && (
        <Alert color="red" mb="xs" role="alert">
          {failure}
        </Alert>
      )}
      {data.budgets.length === 0 && <Text size="sm">{sharing.noBudgets}</Text>}
      {data.budgets.length > 0 && (
        <SetBudgets
          budgets={data.budgets}
          nameOf={nameOf}
          onEdit={choose}
          onRemove={(whose) => {
            const before = limitsOf(data.budgets.find((budget) => ownerOf(budget) === whose));
            void set(whose, NOT_SET).then(() =>
              offerUndo(sharing.budgetRemoved(nameOf(whose)), () => void set(whose, before)),
            );
          }}
        />
      )}
      <Stack gap="xs" mt="sm">
        <Select
          size="xs"
          maw={260}
          label={sharing.budgetFor}
          allowDeselect={false}
          searchable
          data={[...new Set(['PROJECT', 'EACH_MEMBER', ...names.keys(), owner])].map((value) => ({
            value,
            label: nameOf(value),
          }))}
          value={owner}
          onChange={(value) => value !== null && choose(value)}
        />
        <BudgetForm
          key={`${owner} ${chosen?.setAt ?? ''}`}
          limits={limitsOf(chosen)}
          onSave={(limits) => set(owner, limits)}
        />
      </Stack>
    </Panel>
  );
}

function SetBudgets({
  budgets,
  nameOf,
  onEdit,
  onRemove,
}: {
  readonly budgets: readonly Budget[];
  readonly nameOf: (owner: string) => string;
  readonly onEdit: (owner: string) => void;
  readonly onRemove: (owner: string) => void;
}) {
  const { sharing } = useWords();
  const format = useFormat();
  const shown = (unit: BudgetUnit, limit: number | null): string =>
    limit === null ? sharing.budgetNotSet : unit === 'COST_USD' ? format.dollars(limit) : format.count(limit);
  return (
    <Table.ScrollContainer
      minWidth={560}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': sharing.budgets } }}
    >
      <Table aria-label={sharing.budgets}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{sharing.budgetFor}</Table.Th>
            {UNITS.map((unit) => (
              <Table.Th key={unit}>{sharing.budgetLimits[unit]}</Table.Th>
            ))}
            <Table.Th>{sharing.budgetSet}</Table.Th>
            <Table.Th>{sharing.budgetChange}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {budgets.map((budget) => {
            const owner = ownerOf(budget);
            const name = nameOf(owner);
            return (
              <Table.Tr key={owner}>
                <Table.Td>{name}</Table.Td>
                {UNITS.map((unit) => (
                  <Table.Td key={unit}>{shown(unit, limitsOf(budget)[unit])}</Table.Td>
                ))}
                <Table.Td>
                  <Age at={budget.setAt} />
                </Table.Td>
                <Table.Td>
                  <Group gap={4} wrap="nowrap">
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={`${sharing.budgetEdit}: ${name}`}
                      onClick={() => onEdit(owner)}
                    >
                      {sharing.budgetEdit}
                    </Button>
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={`${sharing.remove}: ${name}`}
                      onClick={() => onRemove(owner)}
                    >
                      {sharing.remove}
                    </Button>
                  </Group>
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Three limits; an empty one is not set. */
function BudgetForm({
  limits,
  onSave,
}: {
  readonly limits: Limits;
  readonly onSave: (limits: Limits) => Promise<void>;
}) {
  const { sharing } = useWords();
  const [draft, setDraft] = useState(limits);
  useUnsaved(UNITS.every((unit) => draft[unit] === limits[unit]) ? null : sharing.budgets);
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    await onSave(draft).finally(() => setBusy(false));
  };
  return (
    <form action={save}>
      <Group align="flex-end" gap="xs">
        {UNITS.map((unit) => (
          <NumberInput
            key={unit}
            size="xs"
            w={150}
            label={sharing.budgetLimits[unit]}
            placeholder={sharing.budgetNotSet}
            min={0}
            max={1e12}
            allowDecimal={unit === 'COST_USD'}
            decimalScale={2}
            thousandSeparator=","
            {...(unit === 'COST_USD' && { prefix: '$' })}
            value={draft[unit] ?? ''}
            onChange={(value) => setDraft({ ...draft, [unit]: value === '' ? null : Number(value) })}
          />
        ))}
        <Button type="submit" size="xs" loading={isBusy}>
          {sharing.budgetSave}
        </Button>
      </Group>
    </form>
  );
}
