import { ActionIcon, Group, Switch, Textarea, Tooltip } from '@mantine/core';
import { IconArrowUp, IconPlayerStopFilled } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { BuilderSetupDocument, type Effort } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { isSendKey } from '../../copilot/composer/keys.ts';
import { EffortPicker } from '../../copilot/composer/subject-picker.tsx';
import { useDraft } from '../../copilot/composer/use-draft.ts';
import { useBuilder } from '../session/builder-provider.tsx';
import classes from './panel.module.css';

/** Drafts for a session that has not started are stored under this name, apart from the copilot's. */
const NEW_DRAFT = 'builder';
const MOST_CHARACTERS = 8_000;

/** Where messages are written: at any time, and sent while no turn runs. */
export function BuilderComposer({ isDisabled }: { readonly isDisabled: boolean }) {
  const { builder: words, copilot } = useWords();
  const { sessionId, writing, pending, send, stop } = useBuilder();
  const [content, setContent] = useDraft(sessionId ?? NEW_DRAFT);
  const [effort, setEffort] = useState<Effort | null>(null);
  const thinks = useBuilderThinks();
  const isBusy = writing !== null || pending !== null;
  const isSendable = content.trim() !== '' && content.length <= MOST_CHARACTERS && !isBusy && !isDisabled;
  const submit = async (): Promise<void> => {
    if (!isSendable) return;
    setContent('');
    if (!(await send(content.trim(), thinks ? effort : null))) setContent(content);
  };
  return (
    <div className={classes['composer']}>
      <Textarea
        variant="unstyled"
        autosize
        minRows={1}
        maxRows={8}
        classNames={{ input: classes['input'] ?? '' }}
        aria-label={words.message}
        placeholder={words.placeholder}
        readOnly={pending !== null}
        value={content}
        error={content.length > MOST_CHARACTERS && copilot.tooLong(content.length, MOST_CHARACTERS)}
        onChange={(event) => setContent(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (!isSendKey(event)) return;
          event.preventDefault();
          void submit();
        }}
      />
      <Group gap={6} justify="space-between" wrap="nowrap">
        <Group gap="sm">
          {thinks && <EffortPicker effort={effort} onEffort={setEffort} />}
          <ModeSwitches />
        </Group>
        {writing === null ? (
          <ActionIcon
            size="md"
            radius="xl"
            variant="filled"
            aria-label={copilot.send}
            disabled={!isSendable}
            loading={pending !== null}
            onClick={() => void submit()}
          >
            <IconArrowUp size={16} />
          </ActionIcon>
        ) : (
          <ActionIcon
            size="md"
            radius="xl"
            color="gray"
            aria-label={words.stopWriting}
            onClick={() => void stop()}
          >
            <IconPlayerStopFilled size={14} />
          </ActionIcon>
        )}
      </Group>
    </div>
  );
}

/** Whether the model behind the builder may be asked to think; false until that is known. */
function useBuilderThinks(): boolean {
  const [{ data }] = useQuery({ query: BuilderSetupDocument, requestPolicy: 'cache-first' });
  const model = data?.copilotConfig.builderModel;
  return model !== undefined && model.provider !== 'offline' && model.thinks !== false;
}

/** How the next message is carried out; the session keeps it from then on. */
function ModeSwitches() {
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
