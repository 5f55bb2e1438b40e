import { noteLoggedError, takeUndeclaredErrors } from "./logged-errors"

// jest reads testTimeout from the command line or the outermost configuration only, and unit tests keep a shorter one.
jest.setTimeout(180_000)

// A worker sets it for its first file, and has it from then on.
const isShown = !["error", undefined].includes(process.env.LOG_LEVEL)
// Read once, when Medusa's logger is loaded. `LOG_LEVEL=info npm test -- http` shows what a store says.
process.env.LOG_LEVEL ??= "error"

type Out = { write(text: string): unknown }

/** Medusa's logger writes JSON lines to the stream behind `console`, not through its functions. */
function withoutErrors(out: Out): Out {
  const write = (text: string) => {
    const isPrinted = !text.startsWith('{"level":"error"') || noteLoggedError(text) || isShown
    return isPrinted ? out.write(text) : true
  }
  return new Proxy(out, {
    get: (target, name) => {
      const member: unknown = name === "write" ? write : Reflect.get(target, name)
      return typeof member === "function" && name !== "write" ? (member.bind(target) as unknown) : member
    },
  })
}

Object.assign(console, { _stdout: withoutErrors((console as unknown as { _stdout: Out })._stdout) })

afterAll(() => {
  // See support/logged-errors.ts.
  expect(takeUndeclaredErrors()).toEqual([])
})
