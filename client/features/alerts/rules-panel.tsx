import { Badge, Button, Group, Stack, Switch, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useConfirm } from '../../components/second-thoughts.tsx';
import { Age } from '../../components/age.tsx';
import { Panel } from '../../components/panel.tsx';
import {
  DeleteAlertRuleDocument,
  SaveAlertRuleDocument,
  type AlertRuleOutcome,
  type AlertsPageQuery,
} from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import classes from './alerts.module.css';
import { RuleForm } from './rule-form.tsx';
import { useAlertText } from './use-alert-text.ts';
import type { AlertsPage } from './use-alerts.ts';

type Rule = AlertsPageQuery['alertRules'][number];

const COLORS: Readonly<Record<AlertRuleOutcome, string>> = {
  NEW: 'gray',
  QUIET: 'teal',
  WARNS: 'red',
  NOTHING: 'yellow',
  FAILED: 'yellow',
};

type RulesPanelProps = {
  readonly rules: readonly Rule[];
  readonly destinations: AlertsPageQuery['alertDestinations'];
  readonly mayChange: boolean;
  /** A text that the address brought: the form begins with it. */
  readonly draft: string | null;
  readonly page: AlertsPage;
};

/** The rules of the project, and a form for one of them. */
export function RulesPanel({ rules, destinations, mayChange, draft, page }: RulesPanelProps) {
  const { alerts } = useWords();
  const confirm = useConfirm();
  const read = useAlertText();
  const [edited, edit] = useState<{ readonly rule: Rule | null; readonly text: string } | null>(
    draft === null || !mayChange ? null : { rule: null, text: draft },
  );
  const save = async (
    text: string,
    {
      rule,
      isEnabled = true,
      destinationIds,
    }: { rule: Rule | null; isEnabled?: boolean; destinationIds: string[] },
  ): Promise<void> => {
    const input = { ruleId: rule?.ruleId ?? null, text, isEnabled, destinationIds };
    if (await page.change(SaveAlertRuleDocument, { input })) edit(null);
  };
  return (
    <Panel
      title={alerts.rules}
      aside={
        mayChange && (
          <Button
            size="xs"
            leftSection={<IconPlus size={14} />}
            // Another form would take the words of the open one with it.
            disabled={edited !== null}
            onClick={() => edit({ rule: null, text: '' })}
          >
            {alerts.newRule}
          </Button>
        )
      }
    >
      {edited !== null && (
        <RuleForm
          key={edited.rule?.ruleId ?? edited.text}
          text={edited.text}
          destinationIds={edited.rule?.destinationIds ?? []}
          destinations={destinations}
          onSave={(text, destinationIds) =>
            save(text, {
              rule: edited.rule,
              isEnabled: edited.rule?.isEnabled ?? true,
              destinationIds,
            })
          }
          onCancel={() => edit(null)}
        />
      )}
      {rules.length === 0 && (
        <Text size="sm" c="dimmed">
          {alerts.noRules}
        </Text>
      )}
      <ul className={classes['list']}>
        {rules.map((rule) => (
          <li key={rule.ruleId}>
            <Group justify="space-between" wrap="nowrap" align="flex-start">
              <Stack gap={2}>
                <Group gap="xs">
                  <Text size="sm" fw={650}>
                    {read(rule.text)}
                  </Text>
                  <Badge variant="light" color={COLORS[rule.outcome]}>
                    {rule.isEnabled ? alerts.outcomes[rule.outcome] : alerts.off}
                  </Badge>
                </Group>
                <Text size="sm">{read(rule.words)}</Text>
                <Text size="xs" c="dimmed">
                  {[
                    rule.destinationIds.length === 0
                      ? alerts.pageOnly
                      : destinations
                          .filter(({ destinationId }) => rule.destinationIds.includes(destinationId))
                          .map(({ name }) => name)
                          .join(', '),
                    alerts.by(rule.changedBy.name),
                  ].join(' · ')}
                  {rule.evaluatedAt !== null && (
                    <>
                      {' · '}
                      {alerts.evaluated} <Age at={rule.evaluatedAt} />
                    </>
                  )}
                </Text>
              </Stack>
              {mayChange && (
                <Group gap={4} wrap="nowrap" flex="none">
                  <Switch
                    size="xs"
                    aria-label={alerts.isOn(read(rule.text))}
                    checked={rule.isEnabled}
                    onChange={({ currentTarget: { checked } }) =>
                      void save(rule.text, {
                        rule,
                        isEnabled: checked,
                        destinationIds: [...rule.destinationIds],
                      })
                    }
                  />
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={alerts.changeOf(read(rule.text))}
                    disabled={edited !== null}
                    onClick={() => edit({ rule, text: rule.text })}
                  >
                    {alerts.change}
                  </Button>
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={alerts.removeOf(read(rule.text))}
                    onClick={() =>
                      confirm({
                        title: alerts.removeRuleTitle,
                        text: alerts.removeRuleText(read(rule.text)),
                        confirm: alerts.remove,
                        cancel: alerts.cancel,
                        onConfirm: () =>
                          void page.change(DeleteAlertRuleDocument, { input: { ruleId: rule.ruleId } }),
                      })
                    }
                  >
                    {alerts.remove}
                  </Button>
                </Group>
              )}
            </Group>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
