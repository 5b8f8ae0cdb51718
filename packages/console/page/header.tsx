import { useState } from 'preact/hooks';
import { useConsole } from './context.ts';
import { PAGES } from './keys.ts';
import type { Route } from './state/route.ts';
import { applyTheme, nextTheme, storedTheme, storeTheme, type Theme } from './theme.ts';
import { useTopic } from './topic.ts';

const NAMES = { loop: 'Loop', cluster: 'Cluster', storage: 'Storage', try: 'Try' } as const;
const BELONGS_TO: Readonly<Record<Route['page'], (typeof PAGES)[number]>> = {
  loop: 'loop',
  key: 'loop',
  cluster: 'cluster',
  object: 'cluster',
  storage: 'storage',
  try: 'try',
};
const THEME_ICONS: Readonly<Record<Theme, string>> = { system: '◐', light: '○', dark: '●' };

interface Props {
  readonly page: Route['page'];
  readonly canTry: boolean;
  readonly showHelp: () => void;
}

export function Header({ page, canTry, showHelp }: Props) {
  const { about } = useConsole();
  const pages = PAGES.filter((name) => name !== 'try' || canTry);
  return (
    <header class="top">
      <a class="brand" href="#/loop" title={about === undefined ? undefined : `Windlass ${about.version}`}>
        <Logo />
        <span>{about?.title ?? 'Windlass'}</span>
      </a>
      <nav aria-label="Pages">
        {pages.map((name, at) => (
          <a
            key={name}
            href={`#/${name}`}
            aria-current={BELONGS_TO[page] === name ? 'page' : undefined}
            title={`${NAMES[name]} (${at + 1})`}
          >
            {NAMES[name]}
          </a>
        ))}
      </nav>
      <div class="tools">
        <ConnectionState />
        <ThemeSwitch />
        <button type="button" class="icon" onClick={showHelp} aria-label="Help" title="Help (?)">
          ?
        </button>
      </div>
    </header>
  );
}

function ConnectionState() {
  const state = useConsole();
  useTopic(state.onConnection);
  const words = { connecting: 'Connecting', live: 'Live', lost: 'Lost' } as const;
  const { state: name } = state.connection;
  return (
    <span class={`connection ${name}`} role="status" title={state.about?.server}>
      {words[name]}
    </span>
  );
}

function ThemeSwitch() {
  const [theme, setTheme] = useState(storedTheme);
  const next = nextTheme(theme);
  const choose = (): void => {
    applyTheme(next);
    storeTheme(next);
    setTheme(next);
  };
  const label = `Colours: ${theme}. Change to ${next}.`;
  return (
    <button type="button" class="icon theme" onClick={choose} aria-label={label} title={label}>
      {THEME_ICONS[theme]}
    </button>
  );
}

function Logo() {
  return (
    <svg viewBox="0 0 32 32" class="logo" aria-hidden="true">
      <path d="M26.5 13.2A11 11 0 0 0 6.4 10.6M5.5 18.8a11 11 0 0 0 20.1 2.6M6 4.6v6.2h6.2M26 27.4v-6.2h-6.2" />
      <circle cx="16" cy="16" r="2.6" />
    </svg>
  );
}
