import { changedMembers } from "../use"

describe("what a form sends", () => {
  it("is what differs from what it opened with", () => {
    expect(changedMembers({ name: "Tea", email: null }, { name: "Tea", email: "tea@shop.example" })).toEqual({
      email: null,
    })
  })

  it.each([
    ["the same entries", ["a", "b"], {}],
    ["another order", ["b", "a"], { list: ["b", "a"] }],
    ["fewer entries", ["a"], { list: ["a"] }],
    ["none", null, { list: null }],
  ])("of a list: %s", (_name, list: string[] | null, sent) => {
    expect(changedMembers<{ list: string[] | null }>({ list }, { list: ["a", "b"] })).toEqual(sent)
  })
})
