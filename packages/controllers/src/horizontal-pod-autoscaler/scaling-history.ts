/** What one autoscaler has asked for and done, as far as its rules look back. */
export class ScalingHistory {
  #recommendations: { readonly replicas: number; readonly at: number }[] = [];
  #ups: { readonly change: number; readonly at: number }[] = [];
  #downs: { readonly change: number; readonly at: number }[] = [];

  /** So that an autoscaler that was just started does not take away what another one before it gave. */
  begin(replicas: number, now: number): void {
    if (this.#recommendations.length === 0) this.#recommendations.push({ replicas, at: now });
  }

  /** The most that was asked for since then. */
  highestSince(time: number): number {
    return Math.max(...this.#since(time));
  }

  /** The least that was asked for since then. */
  lowestSince(time: number): number {
    return Math.min(...this.#since(time));
  }

  /** Notes what is asked for now, and forgets what is older than anybody looks. */
  recommended(replicas: number, now: number, windowMs: number): void {
    this.#recommendations = this.#recommendations.filter(({ at }) => at >= now - windowMs);
    this.#recommendations.push({ replicas, at: now });
  }

  scaled(before: number, after: number, now: number, windowMs: number): void {
    const recent = <T extends { readonly at: number }>(list: readonly T[]): T[] =>
      list.filter(({ at }) => at >= now - windowMs);
    [this.#ups, this.#downs] = [recent(this.#ups), recent(this.#downs)];
    if (after > before) this.#ups.push({ change: after - before, at: now });
    else this.#downs.push({ change: before - after, at: now });
  }

  /** How many there were at that time, with so many now. */
  replicasAt(time: number, current: number): number {
    const sum = (list: readonly { readonly change: number; readonly at: number }[]): number =>
      list.filter(({ at }) => at > time).reduce((total, { change }) => total + change, 0);
    return current - sum(this.#ups) + sum(this.#downs);
  }

  #since(time: number): number[] {
    return this.#recommendations.filter(({ at }) => at > time).map(({ replicas }) => replicas);
  }
}
