import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useWords } from '../../lib/i18n/i18n.tsx';

type TitleDialogProps = {
  readonly label: string;
  readonly title: string;
  readonly mayBeEmpty?: boolean;
  readonly onTitle: (title: string) => void;
  readonly onClose: () => void;
};

/** Asks for a title. */
export function TitleDialog({ label, title, mayBeEmpty = false, onTitle, onClose }: TitleDialogProps) {
  const { boards, common } = useWords();
  const [text, setText] = useState(title);
  const given = text.trim();
  return (
    <Modal opened onClose={onClose} title={boards.rename} closeButtonProps={{ 'aria-label': common.close }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onTitle(given);
          onClose();
        }}
      >
        <Stack gap="sm">
          <TextInput
            label={label}
            maxLength={120}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Group justify="end">
            <Button variant="default" onClick={onClose}>
              {boards.cancel}
            </Button>
            <Button type="submit" disabled={!mayBeEmpty && given === ''}>
              {boards.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
