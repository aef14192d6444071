import { ActionIcon, Group, Menu } from '@mantine/core';
import { IconMenu2 } from '@tabler/icons-react';
import { NavLink } from 'react-router';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { PLACES } from '../../lib/places.ts';
import classes from './header.module.css';

/** Links to the pages; behind one button where the screen is narrow. */
export function Navigation() {
  const { common } = useWords();
  return (
    <nav aria-label={common.navigation}>
      <Group gap={2} wrap="nowrap" visibleFrom="sm">
        {PLACES.map(({ to, name }) => (
          <NavLink key={to} to={to} className={classes['link'] ?? ''}>
            {common[name]}
          </NavLink>
        ))}
      </Group>
      <Menu>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={common.menu} hiddenFrom="sm">
            <IconMenu2 size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {PLACES.map(({ to, name }) => (
            <Menu.Item key={to} component={NavLink} to={to}>
              {common[name]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </nav>
  );
}
