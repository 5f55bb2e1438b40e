import { type Bench, NotApplicable, promise } from "../bench"
import { Attempt, Charging, paid, Refunding } from "../gateway"
import { disturbEach, requireApplicable, type Case } from "./case"

const ECHOES = ["echo_path", "echo_headers", "echo_body"] as const

export const SECRET_CASES: readonly Case[] = [
  {
    code: "secrets",
    promise:
      "No answer, error or log line contains a password or key, even if the acquirer's error repeats the request.",
    why: "Answers are kept with the payment and shown in the admin; logs are read by many.",
    async run(bench) {
      const { standIn } = bench
      requireApplicable(standIn.secrets.length > 0, "the stand-in names no `secrets`")
      await echoed(() =>
        disturbEach(bench, "start", ECHOES, async () => void (await (await Attempt.of(bench)).start()))
      )
      await echoed(() =>
        disturbEach(bench, "query", ECHOES, async () => void (await (await Attempt.of(bench)).played("pay")))
      )
      const payment = await paid(bench)
      await echoed(() =>
        disturbEach(bench, "refund", ECHOES, async () => {
          await (await Refunding.of(bench, payment, bench.fitting(100n))).sent()
        })
      )
      if (bench.acquirer.charge !== undefined) {
        await echoed(() =>
          disturbEach(bench, "charge", ECHOES, async () => void (await (await Charging.of(bench, "none")).sent()))
        )
      }
      requireNoSecret(bench)
    },
  },
]

/** A call that makes no request has nothing to repeat. */
async function echoed(play: () => Promise<void>): Promise<void> {
  try {
    await play()
  } catch (error) {
    if (!(error instanceof NotApplicable)) {
      throw error
    }
  }
}

/** Looks through everything that the adapter has said and logged so far. Throws Broken. */
export function requireNoSecret({ said, standIn }: Bench): void {
  const spelled = (secret: string) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]
  const secrets = standIn.secrets.flatMap(spelled)
  const leak = [...said, ...(standIn.logged?.() ?? [])].find((text) => secrets.some((secret) => text.includes(secret)))
  const hidden = secrets.reduce((text, secret) => text.replaceAll(secret, "(the secret)"), leak ?? "")
  promise(leak === undefined, `a secret is in ${hidden}`)
}
