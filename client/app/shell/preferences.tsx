import { ActionIcon, Menu, Tooltip, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconLanguage, IconMoon, IconSun } from '@tabler/icons-react';
import { useI18n } from '../../lib/i18n/i18n.tsx';
import { LOCALES } from '../../lib/i18n/locale.ts';

const LANGUAGE_NAMES = { en: 'English', ja: '日本語' };

const SCHEMES: readonly { readonly scheme: MantineColorScheme; readonly Icon: typeof IconSun }[] = [
  { scheme: 'auto', Icon: IconDeviceDesktop },
  { scheme: 'light', Icon: IconSun },
  { scheme: 'dark', Icon: IconMoon },
];

/** Language and colours of the pages. */
export function Preferences() {
  return (
    <>
      <LanguageMenu />
      <ColorSchemeMenu />
    </>
  );
}

function LanguageMenu() {
  const { locale, setLocale, words } = useI18n();
  return (
    <Menu>
      <Menu.Target>
        <Tooltip label={words.common.language}>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={words.common.language}>
            <IconLanguage size={18} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {LOCALES.map((name) => (
          <Menu.Item key={name} lang={name} fw={name === locale ? 600 : 400} onClick={() => setLocale(name)}>
            {LANGUAGE_NAMES[name]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function ColorSchemeMenu() {
  const { common } = useI18n().words;
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Current = SCHEMES.find(({ scheme }) => scheme === colorScheme)?.Icon ?? IconDeviceDesktop;
  const names = { auto: common.likeSystem, light: common.light, dark: common.dark };
  return (
    <Menu>
      <Menu.Target>
        <Tooltip label={common.colorScheme}>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={common.colorScheme}>
            <Current size={18} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {SCHEMES.map(({ scheme, Icon }) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon size={16} />}
            fw={scheme === colorScheme ? 600 : 400}
            onClick={() => setColorScheme(scheme)}
          >
            {names[scheme]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
