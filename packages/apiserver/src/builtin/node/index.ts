import type { BuiltinKind } from '../define-kind.ts';
import { runtimeClass } from './runtime-class/index.ts';

export const nodeKinds: readonly BuiltinKind[] = [runtimeClass];
