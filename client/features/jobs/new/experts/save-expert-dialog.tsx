import { Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { idOfName } from './expert-id.ts';
import type { Listing } from './use-saved-experts.ts';

type SaveExpertDialogProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Resolves with why it was not saved; null for done. */
  readonly onSave: (listing: Listing) => Promise<string | null>;
};

/** Asks under which name an expert is saved. */
export function SaveExpertDialog({ isOpen, onClose, onSave }: SaveExpertDialogProps) {
  const { newJob, common } = useWords();
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={newJob.saveExpert}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <Naming onClose={onClose} onSave={onSave} />
    </Modal>
  );
}

function Naming({ onClose, onSave }: Omit<SaveExpertDialogProps, 'isOpen'>) {
  const { newJob } = useWords();
  const [name, setName] = useState('');
  const [ownId, setOwnId] = useState<string | null>(null);
  const [description, setDescription] = useState('');
  const [refused, setRefused] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const expertId = ownId ?? idOfName(name);
  const save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setSaving(true);
    const reason = await onSave({ expertId, displayName: name, description: description.trim() || null });
    setSaving(false);
    setRefused(reason);
    if (reason === null) onClose();
  };
  return (
    <form onSubmit={(event) => void save(event)}>
      <Stack gap="sm">
        <Text size="sm">{newJob.saveExpertText}</Text>
        <TextInput
          data-autofocus
          label={newJob.expertName}
          required
          maxLength={80}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <TextInput
          label={newJob.expertId}
          description={newJob.expertIdHint}
          required
          value={expertId}
          error={refused}
          onChange={({ currentTarget }) => setOwnId(currentTarget.value)}
        />
        <Textarea
          label={newJob.expertDescription}
          description={newJob.expertDescriptionHint}
          autosize
          maxLength={500}
          value={description}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isSaving}>
            {newJob.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
