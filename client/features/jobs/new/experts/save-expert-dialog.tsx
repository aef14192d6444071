import { Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { idOfName } from './experts.ts';
import type { Listing } from './use-saved-experts.ts';

type SaveExpertDialogProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Resolves with why it was not saved; null if it was. */
  readonly onSave: (listing: Listing) => Promise<string | null>;
};

/** Asks for the name under which an expert is saved. */
export function SaveExpertDialog({ isOpen, ...props }: SaveExpertDialogProps) {
  const { newJob, common } = useWords();
  return (
    <Modal
      opened={isOpen}
      onClose={props.onClose}
      title={newJob.saveExpert}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <Naming {...props} />
    </Modal>
  );
}

function Naming({ onClose, onSave }: Omit<SaveExpertDialogProps, 'isOpen'>) {
  const { newJob } = useWords();
  const form = useForm({
    initialValues: { name: '', id: null as string | null, description: '' },
    clearInputErrorOnChange: false,
    // The id follows the name until it is edited itself.
    transformValues: ({ name, id, description }): Listing => ({
      expertId: id ?? idOfName(name),
      displayName: name,
      description: description.trim() || null,
    }),
  });
  const save = async (listing: Listing): Promise<void> => {
    const refused = await onSave(listing);
    form.setFieldError('id', refused);
    if (refused === null) onClose();
  };
  return (
    <form onSubmit={form.onSubmit(save)}>
      <Stack gap="sm">
        <Text size="sm">{newJob.saveExpertText}</Text>
        <TextInput
          data-autofocus
          label={newJob.expertName}
          required
          maxLength={80}
          {...form.getInputProps('name')}
        />
        <TextInput
          label={newJob.expertId}
          description={newJob.expertIdHint}
          required
          {...form.getInputProps('id')}
          value={form.values.id ?? idOfName(form.values.name)}
        />
        <Textarea
          label={newJob.expertDescription}
          description={newJob.expertDescriptionHint}
          autosize
          maxLength={500}
          {...form.getInputProps('description')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={form.submitting}>
            {newJob.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
