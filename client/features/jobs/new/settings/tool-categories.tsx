import { Checkbox, Group, Skeleton, Stack, Switch, Text, Title, UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useId, useState } from 'react';
import type { ToolCategoryChoiceFragment } from '../../../../gql/graphql.ts';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { useServerNames, useServerText } from '../../../../lib/i18n/use-server-names.ts';
import { FieldError } from '../fields.tsx';
import { toolsOf, withSetting } from '../job-form.ts';
import classes from '../new-job.module.css';
import { useNewJob } from '../use-job-form.ts';
import { SettingState } from './setting-label.tsx';

/** What the job may use, category by category. */
export function ToolCategories() {
  const { newJob } = useWords();
  const { inputs, expert } = useNewJob();
  return (
    <>
      <Title order={3} mt="md" mb="xs">
        {newJob.tools}
      </Title>
      <FieldError>{inputs.errors['config.tools']}</FieldError>
      {expert === null ? (
        <Skeleton height={180} />
      ) : (
        <ul
          className={classes['categories']}
          data-path="config.tools"
          tabIndex={-1}
          onFocus={({ target, currentTarget }) => {
            if (target === currentTarget) currentTarget.querySelector<HTMLElement>('input:enabled')?.focus();
          }}
        >
          {expert.config.tools.map((category) => (
            <ToolCategory key={category.name} category={category} />
          ))}
        </ul>
      )}
    </>
  );
}

/** Tools of one kind, as a whole or one by one. */
function ToolCategory({ category }: { readonly category: ToolCategoryChoiceFragment }) {
  const { form, isLocked, edit } = useNewJob();
  const { newJob } = useWords();
  const textOf = useServerText();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { name, locked, unavailableReason, allTools } = category;
  const { title, purpose } = useServerNames().toolCategories[name] ?? category;
  const path = ['tools', name] as const;
  const tools = toolsOf(form.config, name);
  const ofExpert = form.expert === null ? [] : toolsOf(form.expert.config, name);
  const set = (value: readonly string[]): void => edit((now) => withSetting(now, path, value));
  const toggleAll = (isOn: boolean): void => {
    const whole = ofExpert.length > 0 ? ofExpert : allTools.map((tool) => tool.name);
    set(isOn ? whole : []);
  };
  const isFixed = locked || isLocked || allTools.length === 0;
  const count =
    tools.length === 0
      ? newJob.toolsOff
      : newJob.toolsOf(tools.length, Math.max(tools.length, allTools.length));
  return (
    <li>
      <Group gap={6} wrap="nowrap" align="flex-start" preventGrowOverflow={false}>
        <Switch
          flex={1}
          miw={0}
          size="xs"
          checked={tools.length > 0}
          disabled={isFixed}
          label={title}
          description={
            locked ? newJob.lockedHint : unavailableReason === null ? purpose : textOf(unavailableReason)
          }
          onChange={({ currentTarget }) => toggleAll(currentTarget.checked)}
        />
        <Group gap={4} wrap="nowrap" flex="none">
          <SettingState path={path} name={title} />
          {allTools.length > 0 && (
            <UnstyledButton
              className={classes['count']}
              aria-expanded={isOpen}
              aria-controls={id}
              aria-label={newJob.toolsIn(title, count)}
              onClick={() => setOpen(!isOpen)}
            >
              {count}
              <IconChevronDown size={12} aria-hidden data-open={isOpen} />
            </UnstyledButton>
          )}
        </Group>
      </Group>
      <div id={id}>
        {isOpen && <Tools category={category} chosen={tools} isFixed={isFixed} onChanged={set} />}
      </div>
    </li>
  );
}

type ToolsProps = {
  readonly category: ToolCategoryChoiceFragment;
  readonly chosen: readonly string[];
  readonly isFixed: boolean;
  readonly onChanged: (tools: readonly string[]) => void;
};

/** Each tool. Tools that the settings name and this server does not know are kept. */
function Tools({
  category: { allTools, unavailableReason: ofCategory },
  chosen,
  isFixed,
  onChanged,
}: ToolsProps) {
  const names = useServerNames();
  const textOf = useServerText();
  const known = allTools.map(({ name }) => name);
  const toggle = (name: string, isOn: boolean): void => {
    const wanted = new Set(isOn ? [...chosen, name] : chosen.filter((each) => each !== name));
    onChanged([
      ...known.filter((each) => wanted.has(each)),
      ...[...wanted].filter((each) => !known.includes(each)),
    ]);
  };
  return (
    <Stack gap={6} my={6} pl={44}>
      {allTools.map(({ name, label, unavailableReason }) => (
        <div key={name}>
          <Checkbox
            size="xs"
            label={names.tools[name] ?? label}
            checked={chosen.includes(name)}
            disabled={isFixed}
            onChange={({ currentTarget }) => toggle(name, currentTarget.checked)}
          />
          {unavailableReason !== null && unavailableReason !== ofCategory && (
            <Text size="xs" c="dimmed" pl={28}>
              {textOf(unavailableReason)}
            </Text>
          )}
        </div>
      ))}
    </Stack>
  );
}
