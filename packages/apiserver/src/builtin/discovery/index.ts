import type { BuiltinKind } from '../define-kind.ts';
import { endpointSlice } from './endpoint-slice/index.ts';

export const discoveryKinds: readonly BuiltinKind[] = [endpointSlice];
