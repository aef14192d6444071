import { Badge, Popover, UnstyledButton } from '@mantine/core';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import type { SettingPath } from '../../jobs/new/setting-paths.ts';
import { valueText, Words } from '../review/diff-view.tsx';
import { useBuilder } from '../session/builder-provider.tsx';
import classes from './marks.module.css';

/** A part of the form. */
export type MarkedPlace = 'description' | 'instructions' | SettingPath;

/** Stands beside a field that the builder has just changed, and tells what was there before. */
export function AiMark({ place }: { readonly place: MarkedPlace }) {
  const { builder: words } = useWords();
  const { marks } = useBuilder();
  if (place === 'instructions') {
    if (marks.instructionsBefore === null) return null;
    return (
      <Badge size="xs" variant="light" className={classes['mark']}>
        {words.aiMark}
      </Badge>
    );
  }
  const path = place === 'description' ? null : place.join('.');
  if (path === null ? marks.description === null : !marks.settings.has(path)) return null;
  return (
    <Popover width={280} shadow="md" position="bottom-start">
      <Popover.Target>
        <UnstyledButton aria-label={words.aiMark}>
          <Badge size="xs" variant="light" className={classes['mark']}>
            {words.aiMark}
          </Badge>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown fz="xs">
        {path === null ? (
          <Words pieces={marks.description ?? []} />
        ) : (
          words.aiMarkHint(valueText(marks.settings.get(path), words.none))
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
