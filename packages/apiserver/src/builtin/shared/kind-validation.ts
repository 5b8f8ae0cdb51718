import type { Stored } from '../../resource/strategy.ts';
import type { Findings } from './findings.ts';

/** What is wrong with objects of one kind. Metadata is looked at by the verbs. */
export interface KindValidation<S = Stored> {
  readonly create: (object: S, findings: Findings) => void;
  /** All that a replaced object must be, not only what may not change. Default: as when it is created. */
  readonly update?: (object: S, old: S, findings: Findings) => void;
  /** A write through `/status`. Default: anything goes. */
  readonly status?: (object: S, old: S, findings: Findings) => void;
}
