import { join } from "node:path"
import { load } from "../../scripts/__tests__/load.cjs"

it("the ledger's invariants are read without a build, and need nothing of Node", async () => {
  const { readInvariants } = await load<{ readInvariants: () => Promise<unknown[]> }>(
    join(__dirname, "../../scripts/lib/invariants.mjs")
  )
  expect((await readInvariants()).length).toBeGreaterThan(10)
})
