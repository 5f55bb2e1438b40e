import { BatchByKey } from "../database/batch-by-key"

/** Work whose batches end when the test says so. */
function rounds() {
  const begun: { key: string; items: number[]; end: (error?: Error) => Promise<void> }[] = []
  const work = (key: string, items: number[]) =>
    new Promise<number[]>((done, reject) => {
      const end = async (error?: Error) => {
        if (error === undefined) {
          done(items.map((item) => item * 10))
        } else {
          reject(error)
        }
        await new Promise(setImmediate)
      }
      begun.push({ key, items, end })
    })
  return { begun, work }
}

describe("design: one row that many requests change at the same time", () => {
  it("requests that come while a batch runs form the next one, in order, and each gets its own outcome", async () => {
    const { begun, work } = rounds()
    const batches = new BatchByKey(work, 10)
    const outcomes = [1, 2, 3].map((item) => batches.add("a", item))
    expect(begun.map(({ items }) => items)).toEqual([[1]])
    await begun[0].end()
    expect(begun.map(({ items }) => items)).toEqual([[1], [2, 3]])
    const late = batches.add("a", 4)
    await begun[1].end()
    await begun[2].end()
    expect(await Promise.all([...outcomes, late])).toEqual([10, 20, 30, 40])
  })

  it("keys do not wait for each other", async () => {
    const { begun, work } = rounds()
    const batches = new BatchByKey(work, 10)
    const [stuck, quick] = [batches.add("a", 1), batches.add("b", 2)]
    await begun[1].end()
    expect(await quick).toBe(20)
    await begun[0].end()
    expect(await stuck).toBe(10)
  })

  it("a batch has no more items than its limit", async () => {
    const { begun, work } = rounds()
    const batches = new BatchByKey(work, 2)
    const outcomes = [1, 2, 3, 4, 5].map((item) => batches.add("a", item))
    for (let round = 0; round < 3; round++) {
      await begun[round].end()
    }
    expect(begun.map(({ items }) => items)).toEqual([[1], [2, 3], [4, 5]])
    expect(await Promise.all(outcomes)).toEqual([10, 20, 30, 40, 50])
  })

  it("a batch that fails rejects its own requests and no others", async () => {
    const { begun, work } = rounds()
    const batches = new BatchByKey(work, 10)
    const outcomes = [1, 2, 3].map((item) => batches.add("a", item).catch((error: Error) => error.message))
    await begun[0].end()
    await begun[1].end(new Error("the database is gone"))
    const after = batches.add("a", 4)
    await begun[2].end()
    expect(await Promise.all([...outcomes, after])).toEqual([10, "the database is gone", "the database is gone", 40])
  })
})
