/** What people are told about an object, as an event. */
export interface Told {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export const normal = (reason: string, message: string): Told => ({ type: 'Normal', reason, message });
export const warning = (reason: string, message: string): Told => ({ type: 'Warning', reason, message });
