import { Group, Switch, Tooltip } from '@mantine/core';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { useBuilder } from '../session/builder-provider.tsx';

/** How the next message is carried out; the session keeps it from then on. */
export function ModeSwitches() {
  const { builder: words } = useWords();
  const { mode, setMode } = useBuilder();
  return (
    <Group gap="sm">
      <Tooltip label={words.reviewHint} multiline w={240}>
        <Switch
          size="xs"
          label={words.review}
          checked={mode.review}
          onChange={(event) => setMode({ ...mode, review: event.currentTarget.checked })}
        />
      </Tooltip>
      <Tooltip label={words.strictHint} multiline w={240}>
        <Switch
          size="xs"
          label={words.strict}
          checked={mode.strict}
          onChange={(event) => setMode({ ...mode, strict: event.currentTarget.checked })}
        />
      </Tooltip>
    </Group>
  );
}
