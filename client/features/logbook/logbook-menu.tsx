import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  IconClipboardText,
  IconMarkdown,
  IconNotebook,
  IconPhotoDown,
  IconPrinter,
} from '@tabler/icons-react';
import { useState } from 'react';
import { addressOf } from '../../lib/graphql/project.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { factsOf, type LogbookEntry } from './entry.ts';
import type * as Actions from './logbook-actions.ts';
import type { Shown } from './logbook-actions.ts';

/** Puts an answer or a report into a logbook: as Markdown, rich text, picture or paper. */
export function LogbookMenu({
  entry,
  wordsOf,
}: {
  readonly entry: () => LogbookEntry;
  /** The element with the words of the entry, near the button that was pressed. */
  readonly wordsOf: () => Element | null;
}) {
  const { logbook, copilot, common } = useWords();
  const [isOpen, setOpen] = useState(false);
  const run = (work: (actions: typeof Actions, shown: Shown) => Promise<void>, done?: string) => {
    const made = entry();
    const words = { ...logbook.facts, stale: common.stale, sources: copilot.sources };
    const shown = { entry: made, facts: factsOf(made, words, addressOf('')), words: wordsOf() };
    import('./logbook-actions.ts')
      .then((actions) => work(actions, shown))
      .then(
        () => void (done !== undefined && notifications.show({ message: done })),
        () => void notifications.show({ color: 'red', message: logbook.failed }),
      );
  };
  return (
    <Menu position="top-start" onChange={setOpen} onOpen={() => void import('./logbook-actions.ts')}>
      <Tooltip label={logbook.title} disabled={isOpen}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="sm" aria-label={logbook.title}>
            <IconNotebook size={15} />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconClipboardText size={15} />}
          onClick={() => run(({ copyRich }, shown) => copyRich(shown), logbook.copied)}
        >
          {logbook.rich}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconMarkdown size={15} />}
          onClick={() => run(({ copyMarkdown }, shown) => copyMarkdown(shown), logbook.copied)}
        >
          {logbook.markdown}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconPhotoDown size={15} />}
          onClick={() => run(({ saveCard }, shown) => saveCard(shown, logbook.more))}
        >
          {logbook.card}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconPrinter size={15} />}
          onClick={() => run(({ printEntry }, shown) => printEntry(shown))}
        >
          {logbook.print}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
