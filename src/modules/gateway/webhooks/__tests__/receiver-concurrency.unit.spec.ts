import { receiversWithMore, type Capacity } from "../receiver-concurrency"

describe("of which receivers there may be more than was claimed", () => {
  const capacity: Capacity = { receivers: { full: [0, 4], two: [2, 1], three: [3, 0] }, others: 4 }
  const claimed = (...receivers: string[]) =>
    receiversWithMore(
      capacity,
      receivers.map((receiver_key) => ({ receiver_key }))
    )

  it.each<[string, string[], string[]]>([
    ["one without a place left, always", [], ["full"]],
    ["one that gave as many as there were places for", ["two", "two", "three"], ["full", "two"]],
    ["one that was not known, and gave as many as others may", Array(4).fill("new"), ["full", "new"]],
    ["not one that gave less", ["two", "new", "new"], ["full"]],
  ])("%s", (_what, receivers, more) => {
    expect([...claimed(...receivers)].sort()).toEqual(more.sort())
  })
})
