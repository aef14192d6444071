import { Badge, Button, Popover, UnstyledButton } from '@mantine/core';
import { useState, type KeyboardEvent } from 'react';
import { Age } from '../../../components/age.tsx';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import type { SettingPath } from '../../jobs/new/job-form.ts';
import { isMarked, partName, type MarkedPart } from '../model/marks.ts';
import { valueText, Words } from '../review/diff-view.tsx';
import { useBuilder } from '../session/builder-provider.tsx';
import classes from './marks.module.css';

/** A part of the form. */
export type MarkedPlace = 'description' | 'instructions' | SettingPath;

/** Marks a field that the builder has just changed, and shows its value before. Escape hides it. */
export function AiMark({ place }: { readonly place: MarkedPlace }) {
  const { builder: words } = useWords();
  const { marks, marksAt, hideMarks } = useBuilder();
  const [isOpen, setOpen] = useState(false);
  const part = partName(place);
  if (!isMarked(marks, part)) return null;
  const hide = (): void => {
    setOpen(false);
    hideMarks(part);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    if (isOpen) setOpen(false);
    else hide();
  };
  return (
    <Popover
      width={280}
      shadow="md"
      position="bottom-start"
      opened={isOpen}
      onChange={setOpen}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <UnstyledButton onClick={() => setOpen(!isOpen)} onKeyDown={onKeyDown}>
          <Badge size="xs" variant="light" tt="none" className={classes['mark']}>
            AI
            {marksAt !== null && (
              <>
                {' '}
                · <Age at={marksAt} />
              </>
            )}
          </Badge>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown fz="xs">
        <Before part={part} />
        <Button mt={8} size="compact-xs" variant="default" display="block" onClick={hide}>
          {words.hideMark}
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}

function Before({ part }: { readonly part: MarkedPart }) {
  const { builder: words } = useWords();
  const { marks } = useBuilder();
  if (part === 'instructions') return <div>{words.aiMarkLines}</div>;
  if (part === 'description') {
    return (
      <div>
        <Words pieces={marks.description ?? []} />
      </div>
    );
  }
  return <div>{words.aiMarkHint(valueText(marks.settings.get(part), words.none))}</div>;
}
