import type { LabelSelectorObject } from '@windlass/apimachinery';
import type { LabelSelector } from '@windlass/apimachinery/api/meta/v1';
import type { View } from '../../resource/views.ts';

/** A selector as those who match labels take it. */
export function asSelector(selector: View<LabelSelector>): LabelSelectorObject {
  // In the typed form of a selector, lists are left out when they are empty, and key and operator are always there.
  return selector as LabelSelectorObject;
}
