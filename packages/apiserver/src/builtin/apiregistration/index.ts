import type { BuiltinKind } from '../define-kind.ts';
import { apiService } from './api-service/index.ts';

export const apiregistrationKinds: readonly BuiltinKind[] = [apiService];
