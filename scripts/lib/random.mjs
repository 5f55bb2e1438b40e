/** Numbers that look random and come from a seed alone (mulberry32): the same seed, the same requests. */
export class Random {
  #state

  constructor(seed) {
    this.#state = seed >>> 0
  }

  /** From 0 up to but without 1. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** A whole number from 0 up to but without `count`. */
  int(count) {
    return Math.floor(this.next() * count)
  }

  /** A whole number from `least` to `most`. */
  between(least, most) {
    return least + this.int(most - least + 1)
  }

  chance(probability) {
    return this.next() < probability
  }

  pick(list) {
    return list[this.int(list.length)]
  }

  shuffled(list) {
    const copy = [...list]
    for (let at = copy.length - 1; at > 0; at--) {
      const other = this.int(at + 1)
      ;[copy[at], copy[other]] = [copy[other], copy[at]]
    }
    return copy
  }

  hex(length) {
    return Array.from({ length }, () => this.int(16).toString(16)).join("")
  }

  /** A generator of its own for one part, so that what another part draws does not change it. */
  fork(name) {
    let hash = this.#state
    for (const char of name) {
      hash = Math.imul(hash ^ char.codePointAt(0), 0x01000193) >>> 0
    }
    return new Random(hash)
  }
}
