import { Badge, Skeleton, Switch, Title } from '@mantine/core';
import type { ToolCategoryChoiceFragment } from '../../../../gql/graphql.ts';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import classes from '../new-job.module.css';
import { isModified, toolsOf } from '../setting-paths.ts';
import { SettingLabel } from './setting-label.tsx';
import type { SettingsProps } from './settings-props.ts';

/** What the job may use, category by category. */
export function ToolCategories(props: SettingsProps) {
  const { newJob } = useWords();
  return (
    <>
      <Title order={3} mt="md" mb="xs">
        {newJob.tools}
      </Title>
      {props.expert === null ? (
        <Skeleton height={180} />
      ) : (
        <ul className={classes['categories']}>
          {props.expert.config.tools.map((category) => (
            <CategorySwitch key={category.name} {...props} category={category} />
          ))}
        </ul>
      )}
    </>
  );
}

type CategorySwitchProps = SettingsProps & { readonly category: ToolCategoryChoiceFragment };

function CategorySwitch({ category, ...props }: CategorySwitchProps) {
  const { form, dispatch } = props;
  const { newJob } = useWords();
  const { name, title, purpose, locked, unavailableReason, allTools } = category;
  const path = ['tools', name] as const;
  const tools = toolsOf(form.config, name);
  const ofExpert = form.expert === null ? [] : toolsOf(form.expert.config, name);
  const toggle = (isOn: boolean): void => {
    const whole = ofExpert.length > 0 ? ofExpert : allTools.map((tool) => tool.name);
    dispatch({ type: 'setting', path, value: isOn ? whole : [] });
  };
  const isChanged = form.expert !== null && isModified(form.expert.config, form.config, path);
  return (
    <li>
      <Switch
        size="xs"
        checked={tools.length > 0}
        disabled={locked || form.lock !== null || allTools.length === 0}
        label={title}
        description={locked ? newJob.lockedHint : (unavailableReason ?? purpose)}
        onChange={({ currentTarget }) => toggle(currentTarget.checked)}
      />
      {isChanged ? (
        <SettingLabel {...props} path={path} name={title} />
      ) : (
        <Badge size="xs" variant="light" color="gray" tt="none" flex="none">
          {tools.length === 0
            ? newJob.toolsOff
            : newJob.toolsOf(tools.length, Math.max(tools.length, allTools.length))}
        </Badge>
      )}
    </li>
  );
}
