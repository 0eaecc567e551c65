const MOST = 30;
const PER_SECOND = 10;

/** Thirty at once, ten a second in the long run; what is refused costs nothing. */
export class Bucket {
  #left = MOST;
  #sinceMs = Date.now();

  take() {
    const nowMs = Date.now();
    this.#left = Math.min(MOST, this.#left + (Math.max(0, nowMs - this.#sinceMs) * PER_SECOND) / 1_000);
    this.#sinceMs = nowMs;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
