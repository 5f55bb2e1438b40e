import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { CRONTAB } from "../crontab"

const OPERATIONS = readFileSync(resolve(__dirname, "../../../../../docs/operations.md"), "utf8")

describe("schedules", () => {
  it.each(CRONTAB.map(({ task }) => task))("%s is in docs/operations.md", (task) => {
    expect(OPERATIONS).toContain(`\`${task}\``)
  })
})
