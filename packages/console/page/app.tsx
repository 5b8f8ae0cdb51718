import { useEffect, useRef, useState } from 'preact/hooks';
import { Banner } from './banner.tsx';
import { ClusterPage } from './cluster/cluster-page.tsx';
import { ObjectPage } from './cluster/object-page.tsx';
import { useConsole } from './context.ts';
import { Header } from './header.tsx';
import { HelpDialog } from './help-dialog.tsx';
import { useKeys } from './keys.ts';
import { KeyPage } from './loop/key-page.tsx';
import { LoopPage } from './loop/loop-page.tsx';
import { parseRoute, type Route } from './state/route.ts';
import { StoragePage } from './storage/storage-page.tsx';
import { useTopic } from './topic.ts';
import { TryPage } from './try/try-page.tsx';

export function App() {
  const state = useConsole();
  const route = useRoute();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  useTopic(state.onAbout);
  const canTry = state.about?.canTry === true;
  useKeys({ canTry, showHelp: () => setHelpOpen(true) });
  useEffect(() => {
    document.title = `${titleOf(route)} · ${state.about?.title ?? 'Windlass'}`;
    window.scrollTo(0, 0);
  }, [route, state.about?.title]);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => focusMain(event, main.current)}>
        Skip to the content
      </a>
      <Header page={route.page} canTry={canTry} showHelp={() => setHelpOpen(true)} />
      <Banner />
      <main ref={main} id="main" tabIndex={-1}>
        <Page route={route} />
      </main>
      {isHelpOpen && <HelpDialog canTry={canTry} close={() => setHelpOpen(false)} />}
    </>
  );
}

function Page({ route }: { route: Route }) {
  switch (route.page) {
    case 'loop':
      return <LoopPage />;
    case 'cluster':
      return <ClusterPage />;
    case 'storage':
      return <StoragePage />;
    case 'try':
      return <TryPage />;
    case 'object':
      return <ObjectPage key={`${route.resource}/${route.key}`} resource={route.resource} name={route.key} />;
    case 'key':
      return (
        <KeyPage key={`${route.controller}/${route.key}`} controller={route.controller} name={route.key} />
      );
  }
}

function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const onChange = (): void => setRoute(parseRoute(location.hash));
    window.addEventListener('hashchange', onChange);
    return () => window.removeEventListener('hashchange', onChange);
  }, []);
  return route;
}

function titleOf(route: Route): string {
  if (route.page === 'object' || route.page === 'key') return route.key;
  return `${route.page.slice(0, 1).toUpperCase()}${route.page.slice(1)}`;
}

/** The address keeps the page that it names. */
function focusMain(event: Event, main: HTMLElement | null): void {
  event.preventDefault();
  main?.focus();
}
