import { useEffect } from 'preact/hooks';

/** What the keys 1 to 4 open. */
export const PAGES = ['loop', 'cluster', 'storage', 'try'] as const;

interface Actions {
  readonly canTry: boolean;
  readonly showHelp: () => void;
}

/** The keys of the whole page. Lists need nothing but items with `data-item`. */
export function useKeys({ canTry, showHelp }: Actions): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') !== null)
        return;
      if (isTyping(event.target)) {
        if (event.key === 'Escape') leaveField(event.target);
        return;
      }
      if (act(event.key, canTry, showHelp)) event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [canTry, showHelp]);
}

/** Whether the key means something here. */
function act(key: string, canTry: boolean, showHelp: () => void): boolean {
  switch (key) {
    case '/': {
      const filter = document.querySelector<HTMLInputElement>('input[type=search]');
      filter?.focus();
      filter?.select();
      return filter !== null;
    }
    case '?':
      showHelp();
      return true;
    case 'Escape':
      return back();
    case 'j':
    case 'ArrowDown':
      return move(1);
    case 'k':
    case 'ArrowUp':
      return move(-1);
    case 'ArrowRight':
      return isItem(document.activeElement) && move(1);
    case 'ArrowLeft':
      return isItem(document.activeElement) && move(-1);
    default: {
      const page = PAGES[Number(key) - 1];
      if (page === undefined || (page === 'try' && !canTry)) return false;
      location.hash = `#/${page}`;
      return true;
    }
  }
}

function move(step: 1 | -1): boolean {
  const items = [...document.querySelectorAll<HTMLElement>('main [data-item]')];
  const at = items.findIndex((item) => item === document.activeElement);
  const start = step === 1 ? 0 : items.length - 1;
  const next = items[at === -1 ? start : at + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  return next !== undefined;
}

function isItem(element: Element | null): boolean {
  return element instanceof HTMLElement && element.dataset['item'] !== undefined;
}

/** How often somebody went from one place of this page to another. */
let moves = 0;
window.addEventListener('hashchange', () => moves++);

/** From an object or a key to where people came from, or, after a link from elsewhere, to the page that it belongs to. */
function back(): boolean {
  const [, page] = location.hash.split('/');
  if (page !== 'object' && page !== 'key') return false;
  if (moves > 0) history.back();
  else location.hash = page === 'key' ? '#/loop' : '#/cluster';
  return true;
}

function isTyping(target: EventTarget | null): target is HTMLElement {
  return (
    target instanceof HTMLElement &&
    (target instanceof HTMLSelectElement ||
      target instanceof HTMLTextAreaElement ||
      (target instanceof HTMLInputElement && target.type !== 'range' && target.type !== 'checkbox'))
  );
}

function leaveField(field: HTMLElement): void {
  if (field instanceof HTMLInputElement && field.type === 'search' && field.value !== '') {
    field.value = '';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    return;
  }
  field.blur();
}
