import { noteLoggedError, takeUndeclaredErrors } from "./logged-errors"

// jest reads testTimeout from the command line or the outermost configuration only, and unit tests keep the short one.
jest.setTimeout(180_000)

// A worker sets it for its first file, and has it from then on.
const isShown = !["error", undefined].includes(process.env.LOG_LEVEL)
// Read once, when Medusa's logger is loaded. `LOG_LEVEL=info npm test -- http` shows what a store says.
process.env.LOG_LEVEL ??= "error"

const { log: print } = console
// Medusa's logger keeps the console's function when it is loaded, and writes JSON lines.
Object.assign(console, {
  log: (...texts: unknown[]) => {
    const [line] = texts
    const isError = typeof line === "string" && line.startsWith('{"level":"error"')
    if (isError) {
      noteLoggedError(line)
    }
    if (isShown || !isError) {
      print(...texts)
    }
  },
})

afterAll(() => {
  // See support/logged-errors.ts.
  expect(takeUndeclaredErrors()).toEqual([])
})
