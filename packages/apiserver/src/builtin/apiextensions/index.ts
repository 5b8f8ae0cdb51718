import type { BuiltinKind } from '../define-kind.ts';
import { customResourceDefinition } from './custom-resource-definition/index.ts';

export const apiextensionsKinds: readonly BuiltinKind[] = [customResourceDefinition];
