type Waiting<Item, Outcome> = { item: Item; resolve: (outcome: Outcome) => void; reject: (error: unknown) => void }

/**
 * Does together what is asked for at the same time about the same thing. While one round runs, what comes for its
 * key waits and makes the next one: a row that many want to change is then locked, written and committed once for
 * all of them instead of once for each. Different keys do not wait for each other.
 */
export class BatchByKey<Item, Outcome> {
  private readonly waiting = new Map<string, Waiting<Item, Outcome>[]>()

  /** `work` answers one outcome an item, in their order; what it throws is thrown to everyone in the round. */
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
