/** How a priority level shares in the seats of the server. */
export interface LevelShares {
  readonly shares: number;
  readonly lendablePercent: number;
  /** Undefined: it may borrow whatever there is. */
  readonly borrowingLimitPercent: number | undefined;
}

/** What a priority level may have, in seats. */
export interface LevelLimits {
  /** What it gets when every level wants all it can get. */
  readonly nominal: number;
  /** What is left to it when it lends all that it may. */
  readonly lower: number;
  /** What it has when it borrows all that it may. */
  readonly upper: number;
}

/** How much of a level's nominal seats one request may take. */
const MAX_SEATS_SHARE = 0.15;

/** Divides the seats of the server. Rounded up, so that the sum may be a little more than there are. */
export function levelLimits(level: LevelShares, shareSum: number, serverLimit: number): LevelLimits {
  const nominal = shareSum === 0 ? 0 : Math.ceil((serverLimit * level.shares) / shareSum);
  const percent = (value: number): number => Math.round((nominal * value) / 100);
  const borrowed =
    level.borrowingLimitPercent === undefined ? serverLimit : percent(level.borrowingLimitPercent);
  return { nominal, lower: nominal - percent(level.lendablePercent), upper: nominal + borrowed };
}

/** What a level has before anything is known of its demand: half of what it may lend is lent. */
export function initialLimit({ nominal, lower }: LevelLimits): number {
  return nominal - Math.floor((nominal - lower) / 2);
}

/** The most seats that one request is estimated at. Levels without queues have no such bound. */
export function maxSeatsOf(nominal: number, handSize: number | undefined): number {
  if (handSize === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(1, Math.min(Math.ceil(nominal * MAX_SEATS_SHARE), Math.floor(nominal / handSize)));
}
