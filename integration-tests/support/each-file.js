// jest reads testTimeout from the command line or the outermost configuration only, and unit tests keep the short one.
jest.setTimeout(180_000)

// Read once, when Medusa's logger is loaded. `LOG_LEVEL=info npm test -- http` shows what a store says.
process.env.LOG_LEVEL ??= "error"
