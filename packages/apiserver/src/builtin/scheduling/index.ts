import type { BuiltinKind } from '../define-kind.ts';
import { priorityClass } from './priority-class/index.ts';

export const schedulingKinds: readonly BuiltinKind[] = [priorityClass];
