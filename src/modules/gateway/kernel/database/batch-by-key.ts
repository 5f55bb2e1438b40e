type Waiting<Item, Outcome> = { item: Item; resolve: (outcome: Outcome) => void; reject: (error: unknown) => void }

/**
 * Batches concurrent requests by key. While one batch of a key runs, new requests for that key wait and form the next
 * batch. So a row that many requests change is locked, written and committed once per batch instead of once per
 * request. Different keys do not wait for each other.
 */
export class BatchByKey<Item, Outcome> {
  private readonly waiting = new Map<string, Waiting<Item, Outcome>[]>()

  /** `work` returns one outcome per item, in their order. If it throws, every item of the batch rejects. */
  constructor(
    private readonly work: (key: string, items: Item[]) => Promise<Outcome[]>,
    private readonly atOnce: number
  ) {}

  add(key: string, item: Item): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const queue = this.waiting.get(key)
      if (queue !== undefined) {
        queue.push({ item, resolve, reject })
        return
      }
      this.waiting.set(key, [{ item, resolve, reject }])
      void this.run(key)
    })
  }

  private async run(key: string): Promise<void> {
    const queue = this.waiting.get(key) ?? []
    while (queue.length > 0) {
      const round = queue.splice(0, this.atOnce)
      try {
        const outcomes = await this.work(
          key,
          round.map(({ item }) => item)
        )
        round.forEach(({ resolve }, index) => resolve(outcomes[index]))
      } catch (error) {
        round.forEach(({ reject }) => reject(error))
      }
    }
    this.waiting.delete(key)
  }
}
