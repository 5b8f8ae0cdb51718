import { validatePathSegment } from '../shared/names.ts';

/** Of all kinds of the group. */
export const rbacStrategy = { allowCreateOnUpdate: true, validateName: validatePathSegment } as const;
