import type { BuiltinKind } from '../define-kind.ts';
import { podDisruptionBudget } from './pod-disruption-budget/index.ts';

export const policyKinds: readonly BuiltinKind[] = [podDisruptionBudget];
