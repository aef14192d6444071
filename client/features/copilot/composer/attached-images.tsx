import { CloseButton, Group } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import classes from './composer.module.css';

/** Pictures that go along with the next message. */
export function AttachedImages({
  images,
  onRemove,
}: {
  readonly images: readonly File[];
  readonly onRemove: (image: File) => void;
}) {
  if (images.length === 0) return null;
  return (
    <Group gap={8} mb={6}>
      {images.map((image) => (
        <AttachedImage
          key={`${image.name} ${image.size} ${image.lastModified}`}
          image={image}
          onRemove={onRemove}
        />
      ))}
    </Group>
  );
}

function AttachedImage({
  image,
  onRemove,
}: {
  readonly image: File;
  readonly onRemove: (image: File) => void;
}) {
  const { copilot } = useWords();
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(image);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [image]);
  return (
    <span className={classes['attached']}>
      {url !== null && <img src={url} alt={image.name} className={classes['thumbnail']} />}
      <CloseButton size="xs" aria-label={copilot.removeImage(image.name)} onClick={() => onRemove(image)} />
    </span>
  );
}
