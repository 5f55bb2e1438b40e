/* Loaded into a process before its program: its clock is wrong by CLOCK_SKEW_SECONDS, as on a machine without NTP. */
const skew = Number(process.env.CLOCK_SKEW_SECONDS) * 1_000
const { now } = Date
const wrongNow = () => now() + skew

globalThis.Date = new Proxy(Date, {
  construct: (target, args, asked) => Reflect.construct(target, args.length === 0 ? [wrongNow()] : args, asked),
  apply: (target) => new target(wrongNow()).toString(),
  get: (target, name) => (name === "now" ? wrongNow : Reflect.get(target, name)),
})
