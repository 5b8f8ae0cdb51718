import type { BuiltinKind } from '../define-kind.ts';
import { flowSchema } from './flow-schema/index.ts';
import { priorityLevelConfiguration } from './priority-level-configuration/index.ts';

export const flowcontrolKinds: readonly BuiltinKind[] = [flowSchema, priorityLevelConfiguration];
