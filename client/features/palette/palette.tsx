import { Combobox, Modal, Text, TextInput, useCombobox } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
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
  const [search, setSearch] = useState('');
  const everywhere = {
    heading: words.anywhere,
    places: [{ path: searchPath(search.trim()), name: words.all(search.trim()) }],
  };
  const found = findPlaces(usePlaces(search), search);
  const groups = search.trim() === '' ? found : [...found, everywhere];
  const first = groups[0]?.places[0]?.path;
  const { selectFirstOption } = combobox;
  useEffect(() => void selectFirstOption(), [selectFirstOption, first, search]);
  const go = (path: string): void => {
    onGone();
    void navigate(path);
  };
  return (
    <Combobox store={combobox} onOptionSubmit={go}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          data-autofocus
          type="search"
          role="combobox"
          leftSection={<IconSearch size={16} />}
          aria-label={common.goTo}
          placeholder={common.goToHint}
          maxLength={200}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      </Combobox.EventsTarget>
      <Combobox.Options className={classes['options'] ?? ''} aria-label={common.goTo}>
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
