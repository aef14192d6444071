import { Popover, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';

type PopoverFormProps = {
  /** What is asked for, read aloud when it opens. */
  readonly name: string;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly onSubmit: () => Promise<void>;
  /** The button that opens it. */
  readonly button: ReactNode;
  readonly children: ReactNode;
};

/** A small form beside its button. The focus goes into it, and back when it closes. */
export function PopoverForm({ name, isOpen, onOpen, onSubmit, button, children }: PopoverFormProps) {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void onSubmit();
  };
  return (
    <Popover
      width={300}
      shadow="md"
      position="bottom-end"
      opened={isOpen}
      onChange={onOpen}
      trapFocus
      returnFocus
    >
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown aria-label={name}>
        <form onSubmit={submit}>
          <Stack gap="xs">{children}</Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
