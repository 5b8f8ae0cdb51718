import type { ComponentChildren } from 'preact';

/** Where there is nothing to show: says why, and what to do. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}
