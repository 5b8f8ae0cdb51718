import type { BuiltinKind } from '../define-kind.ts';
import { lease } from './lease/index.ts';

export const coordinationKinds: readonly BuiltinKind[] = [lease];
