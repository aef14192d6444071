import { Text, Title } from '@mantine/core';
import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { Panel } from '../../../components/panel.tsx';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import classes from './job.module.css';
import type { PlanView } from './plan-view.ts';

/** The job's to-dos and their results. */
export function TodosPanel({ plan: { groups } }: { readonly plan: PlanView }) {
  const { jobs } = useWords();
  return (
    <Panel title={jobs.todos}>
      {groups.length === 0 && <Text c="dimmed">{jobs.noTodos}</Text>}
      {groups.map(({ goal, todos }) => (
        <div key={todos[0]?.id ?? goal}>
          <Title order={3} mb={4}>
            {goal}
          </Title>
          <ul className={classes['todos']}>
            {todos.map(({ id, text, result }) => {
              const [Icon, label] =
                result === null ? [IconCircle, jobs.todoOpen] : [IconCircleCheck, jobs.todoDone];
              return (
                <li key={id} data-done={result !== null}>
                  <Icon size={16} role="img" aria-label={label} />
                  <div>
                    <Text size="sm">{text}</Text>
                    {result !== null && (
                      <Text size="xs" c="dimmed">
                        {result}
                      </Text>
                    )}
                  </div>
                </li>
              );
            })}
          </ul>
        </div>
      ))}
    </Panel>
  );
}
