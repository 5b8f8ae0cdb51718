import type { Secret } from '@windlass/apimachinery/api/core/v1';
import type { DraftOf } from '../../../resource/views.ts';

export function setSecretDefaults(draft: DraftOf<Secret>): void {
  draft.type ||= 'Opaque';
  const { stringData: texts } = draft;
  // This field is only ever written: readers get the data.
  delete draft.stringData;
  if (!texts) return;
  draft.data ??= {};
  for (const [key, text] of Object.entries(texts)) draft.data[key] = Buffer.from(text).toString('base64');
}
