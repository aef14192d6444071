import { Combobox, Loader, Modal, Text, TextInput, useCombobox } from '@mantine/core';
import { useId } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState, type KeyboardEvent } from 'react';
import { useNavigate } from 'react-router';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { findPlaces } from './find-places.ts';
import classes from './palette.module.css';
import { searchPath } from '../search/search-view.ts';
import { usePlaces } from './use-places.ts';

/** Goes to any page, chip, qubit or conversation by a few letters of its name; open as long as it is there. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const { common } = useWords();
  return (
    <Modal opened onClose={onClose} withCloseButton={false} yOffset="12vh" title={common.goTo}>
      <Search onGone={onClose} />
    </Modal>
  );
}

function Search({ onGone }: { readonly onGone: () => void }) {
  const { common, search: words } = useWords();
  const navigate = useNavigate();
  // Escape closes the list, which is all there is here.
  const combobox = useCombobox({ opened: true, onDropdownClose: onGone });
  // The library tells the field of its list only when it is drawn a second time.
  const listId = useId();
  const [search, setSearch] = useState('');
  const everywhere = {
    heading: words.anywhere,
    places: [{ path: searchPath(search.trim()), name: words.all(search.trim()) }],
  };
  const { places, isComplete } = usePlaces(search);
  const found = findPlaces(places, search);
  const groups = search.trim() === '' ? found : [...found, everywhere];
  const first = groups[0]?.places[0]?.path;
  const { selectFirstOption } = combobox;
  useEffect(() => void selectFirstOption(), [selectFirstOption, first, search]);
  const go = (path: string): void => {
    onGone();
    void navigate(path);
  };
  // Whoever types "Q27" and Enter at once means the qubit, not a search for its name: places may be still to come.
  const [isEntered, setEntered] = useState(false);
  const isWaiting = isEntered && !isComplete && found.length === 0;
  const goOnce = useEffectEvent(go);
  useEffect(() => {
    if (isEntered && !isWaiting && first !== undefined) goOnce(first);
  }, [isEntered, isWaiting, first]);
  const enter = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    if (isComplete || found.length > 0 || search.trim() === '') return;
    event.preventDefault();
    event.stopPropagation();
    setEntered(true);
  };
  return (
    <Combobox store={combobox} onOptionSubmit={go}>
      <Combobox.EventsTarget withExpandedAttribute aria-controls={listId}>
        <TextInput
          data-autofocus
          type="search"
          role="combobox"
          leftSection={<IconSearch size={16} />}
          aria-label={common.goTo}
          placeholder={common.goToHint}
          maxLength={200}
          value={search}
          rightSection={isWaiting && <Loader size="xs" />}
          onKeyDownCapture={enter}
          onChange={({ currentTarget }) => {
            setSearch(currentTarget.value);
            setEntered(false);
          }}
        />
      </Combobox.EventsTarget>
      <Combobox.Options id={listId} className={classes['options'] ?? ''} aria-label={common.goTo}>
        {groups.map(({ heading, places }) => (
          <Combobox.Group key={heading} label={heading}>
            {places.map(({ path, name }) => (
              <Combobox.Option key={path} value={path}>
                <Text truncate>{name}</Text>
              </Combobox.Option>
            ))}
          </Combobox.Group>
        ))}
        {groups.length === 0 && <Combobox.Empty>{common.nothingFound}</Combobox.Empty>}
      </Combobox.Options>
    </Combobox>
  );
}
