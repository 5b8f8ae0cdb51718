import { ANNOTATIONS } from './annotations.ts';

/** What a volume is made of. */
export interface ContentSource {
  readonly kind: 'snapshot' | 'volume';
  readonly id: string;
}

interface Annotated {
  readonly metadata?: { readonly annotations?: { readonly [key: string]: string } };
}

/** The state of contents that are there, whole. */
export const CONTENTS_COPIED = 'copied';

/** Undefined for a volume that began empty. */
export function contentSource({ metadata }: Annotated): ContentSource | undefined {
  const [, kind, id] =
    /^(snapshot|volume):(.+)$/.exec(metadata?.annotations?.[ANNOTATIONS.contentSource] ?? '') ?? [];
  if (id === undefined) return undefined;
  return { kind: kind === 'snapshot' ? 'snapshot' : 'volume', id };
}

/** As the annotation has it. */
export function contentSourceText({ kind, id }: ContentSource): string {
  return `${kind}:${id}`;
}

/** Whether the volume is made of something that is not copied yet. */
export function awaitsContents(volume: Annotated): boolean {
  return contentSource(volume) !== undefined && contentState(volume) !== CONTENTS_COPIED;
}

/** `CONTENTS_COPIED`, or why the contents are not there yet; undefined where nobody has tried. */
export function contentState({ metadata }: Annotated): string | undefined {
  return metadata?.annotations?.[ANNOTATIONS.contentState];
}
