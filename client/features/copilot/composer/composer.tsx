import { ActionIcon, Button, Group, Text, Textarea, Tooltip } from '@mantine/core';
import { IconArrowUp, IconPhotoPlus, IconPlayerStopFilled } from '@tabler/icons-react';
import { memo, useEffect, useRef, useState, type ClipboardEvent, type DragEvent } from 'react';
import type { CopilotSetupQuery, Effort } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { useSidePanel } from '../../../lib/side-panel.tsx';
import { AttachedImages } from './attached-images.tsx';
import classes from './composer.module.css';
import { isSendKey } from './keys.ts';
import { EffortPicker, ModelPicker } from './subject-picker.tsx';
import { RefusedImages } from './refused-images.tsx';
import { SubjectPicker, type Subject } from './subject-picker.tsx';
import { PICTURE_TYPES, takeImages, type Refusal } from './take-images.ts';
import { useDraft } from './use-draft.ts';

/** A message as it is written. */
export type Message = {
  readonly content: string;
  readonly images: readonly File[];
  readonly model: string | null;
  readonly effort: Effort | null;
  /** It is to be read by the turn that runs. */
  readonly isForRunning?: boolean;
};

type ComposerProps = {
  readonly sessionId: string | null;
  /** The conversation that began here: what was written while its first message was on its way goes along into it. */
  readonly begunId: string | null;
  readonly setup: CopilotSetupQuery;
  readonly subject: Subject;
  /** Null once a conversation has started: its subject is then fixed. */
  readonly onSubject: ((subject: Subject) => void) | null;
  readonly isBusy: boolean;
  /** A turn runs, and what is written can be sent for it. */
  readonly canSteer: boolean;
  /** Resolves with whether it was taken; what was not taken stays to be sent again. */
  readonly onSend: (message: Message) => Promise<boolean>;
  readonly onStop: () => void;
};

/** Where messages are written. It holds its own state, so that a stream beside it does not slow the typing. */
export const Composer = memo(function Composer(props: ComposerProps) {
  const { sessionId, begunId, setup, subject, onSubject, isBusy, canSteer, onSend, onStop } = props;
  const { copilot } = useWords();
  const panel = useSidePanel();
  const [words, setWords] = useDraft(sessionId, begunId);
  const [images, setImages] = useState<readonly File[]>([]);
  const [refused, setRefused] = useState<readonly Refusal[]>([]);
  const [model, setModel] = useState<string | null>(null);
  const [effort, setEffort] = useState<Effort | null>(null);
  const picker = useRef<HTMLInputElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const isSending = useRef(false);
  const { maxImages, maxImageBytes, maxMessageLength, models, defaultModel } = setup.copilotConfig;
  const chosen = models.find(({ name }) => name === (model ?? defaultModel));
  const mayChooseEffort = chosen !== undefined && chosen.provider !== 'offline' && chosen.thinks !== false;
  const mayAttach = maxImages > 0 && chosen?.supportsImages === true;
  const isWritten = words.trim() !== '' && words.length <= maxMessageLength;
  const isSendable = isWritten && !isBusy;

  useEffect(() => {
    // Words that a page left begin a conversation.
    const given = panel.draft === null || sessionId !== null ? null : panel.takeDraft();
    if (given === null) return;
    setWords(given);
    field.current?.focus();
  }, [panel, sessionId, setWords]);

  const attach = (files: Iterable<File>): void => {
    const taken = takeImages(images, files, { maxImages: mayAttach ? maxImages : 0, maxImageBytes });
    setImages(taken.images);
    setRefused(taken.refused);
  };
  const send = async (isForRunning = false): Promise<void> => {
    // Keys that are pressed in a hurry come before what the first of them changed is drawn.
    if (!(isForRunning ? isWritten && canSteer : isSendable) || isSending.current) return;
    isSending.current = true;
    const [content, sent] = [words, images];
    setWords('');
    setImages([]);
    setRefused([]);
    const chosenEffort = mayChooseEffort ? effort : null;
    const message = { content: content.trim(), images: sent, model, effort: chosenEffort, isForRunning };
    const isTaken = await onSend(message).finally(() => {
      isSending.current = false;
    });
    if (isTaken) return;
    setWords(content);
    setImages(sent);
  };

  return (
    <div
      className={classes['composer']}
      onPaste={({ clipboardData: { files } }: ClipboardEvent) => {
        if (files.length > 0) attach(files);
      }}
      onDragOver={(event: DragEvent) => event.preventDefault()}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        attach(event.dataTransfer.files);
      }}
    >
      <AttachedImages
        images={images}
        onRemove={(image) => setImages(images.filter((each) => each !== image))}
      />
      <RefusedImages refused={refused} limits={setup.copilotConfig} onDismiss={() => setRefused([])} />
      <Textarea
        ref={field}
        variant="unstyled"
        dir="auto"
        autosize
        minRows={1}
        maxRows={10}
        classNames={{ input: classes['input'] ?? '' }}
        aria-label={copilot.message}
        placeholder={copilot.placeholder}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (!isSendKey(event)) return;
          event.preventDefault();
          void send();
        }}
      />
      <Group gap={6} justify="space-between" wrap="nowrap">
        <Group gap={6} className={classes['pickers']}>
          <SubjectPicker chips={setup.chips} subject={subject} onSubject={onSubject} />
          <ModelPicker models={models} defaultModel={defaultModel} model={model} onModel={setModel} />
          {mayChooseEffort && <EffortPicker effort={effort} onEffort={setEffort} />}
          {mayAttach && (
            <Tooltip label={copilot.attach}>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={copilot.attach}
                onClick={() => picker.current?.click()}
              >
                <IconPhotoPlus size={17} />
              </ActionIcon>
            </Tooltip>
          )}
          <input
            ref={picker}
            type="file"
            hidden
            multiple
            accept={PICTURE_TYPES.join(',')}
            aria-label={copilot.attach}
            onChange={(event) => {
              attach(event.currentTarget.files ?? []);
              event.currentTarget.value = '';
            }}
          />
          {words.length > maxMessageLength && (
            <Text size="xs" c="red">
              {copilot.tooLong(words.length, maxMessageLength)}
            </Text>
          )}
        </Group>
        {canSteer && isWritten && (
          <Tooltip label={copilot.sendNowHint}>
            <Button
              size="compact-sm"
              radius="xl"
              leftSection={<IconArrowUp size={14} />}
              className={classes['steer']}
              onClick={() => void send(true)}
            >
              {copilot.sendNow}
            </Button>
          </Tooltip>
        )}
        {isBusy ? (
          <ActionIcon size="lg" radius="xl" color="gray" aria-label={copilot.stop} onClick={onStop}>
            <IconPlayerStopFilled size={16} />
          </ActionIcon>
        ) : (
          <ActionIcon
            size="lg"
            radius="xl"
            variant="filled"
            aria-label={copilot.send}
            disabled={!isSendable}
            onClick={() => void send()}
          >
            <IconArrowUp size={18} />
          </ActionIcon>
        )}
      </Group>
    </div>
  );
});
