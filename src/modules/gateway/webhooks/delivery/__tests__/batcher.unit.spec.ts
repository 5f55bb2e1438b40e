import { Batcher } from "../batcher"

const turn = () => new Promise((done) => setImmediate(done))

/** A batcher whose writes end when the test says so. */
function batcher(max = 256) {
  const written: number[][] = []
  const ends: { done: () => void; fail: (error: Error) => void }[] = []
  const write = (items: number[]) => {
    written.push(items)
    return new Promise<void>((done, fail) => ends.push({ done, fail }))
  }
  return { written, ends, batcher: new Batcher<number>(write, max) }
}

it("a single item is written at once; items that arrive meanwhile are written together", async () => {
  const { written, ends, batcher: one } = batcher()
  const first = one.add(1)
  await turn()
  expect(written).toEqual([[1]])
  const others = [one.add(2), one.add(3)]
  await turn()
  expect(written).toEqual([[1]])
  ends[0].done()
  await first
  await turn()
  expect(written).toEqual([[1], [2, 3]])
  ends[1].done()
  await Promise.all(others)
})

it("a batch has at most so many", async () => {
  const { written, ends, batcher: small } = batcher(2)
  const all = [1, 2, 3, 4, 5].map((item) => small.add(item))
  for (let batch = 0; batch < 3; batch++) {
    await turn()
    ends[batch].done()
  }
  await Promise.all(all)
  expect(written).toEqual([[1, 2], [3, 4], [5]])
})

it("a batch that fails fails for its own only, and the next is written", async () => {
  const { written, ends, batcher: broken } = batcher(1)
  const [bad, good] = [broken.add(1), broken.add(2)]
  await turn()
  ends[0].fail(new Error("away"))
  await expect(bad).rejects.toThrow("away")
  await turn()
  ends[1].done()
  await good
  const later = broken.add(3)
  await turn()
  ends[2].done()
  await later
  expect(written).toEqual([[1], [2], [3]])
})
