type Waiting<Item> = { item: Item; done: () => void; failed: (error: unknown) => void }

/**
 * Writes items in batches: while one batch is written the next collects. So a busy process writes many at a time and an
 * idle one writes at once. `add` resolves when its own batch is written, and rejects when that failed.
 */
export class Batcher<Item> {
  private waiting: Waiting<Item>[] = []
  private writing = false

  constructor(
    private readonly write: (items: Item[]) => Promise<void>,
    private readonly max: number
  ) {}

  add(item: Item): Promise<void> {
    return new Promise((done, failed) => {
      this.waiting.push({ item, done, failed })
      if (!this.writing) {
        this.writing = true
        // Items of the same turn of the event loop go together.
        setImmediate(() => void this.run())
      }
    })
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, this.max)
      try {
        await this.write(batch.map(({ item }) => item))
        batch.forEach(({ done }) => done())
      } catch (error) {
        batch.forEach(({ failed }) => failed(error))
      }
    }
    this.writing = false
  }
}
