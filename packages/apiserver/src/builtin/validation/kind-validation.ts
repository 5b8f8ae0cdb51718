import type { Stored } from '../../resource/strategy.ts';
import type { Findings } from './findings.ts';

/** What is wrong with objects of one kind. Metadata is looked at by the verbs. */
export interface KindValidation {
  readonly create: (object: Stored, findings: Findings) => void;
  /** All that a replaced object must be, not only what may not change. Default: as when it is created. */
  readonly update?: (object: Stored, old: Stored, findings: Findings) => void;
  /** A write through `/status`. Default: anything goes. */
  readonly status?: (object: Stored, old: Stored, findings: Findings) => void;
}

/** By `group/version/Kind`. */
export type ValidationsByKind = Readonly<Record<string, KindValidation>>;
