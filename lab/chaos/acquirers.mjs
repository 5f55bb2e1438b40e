/*
 * npm run chaos -- acquirers                          500 times kill -9 while each acquirer is paying
 * npm run chaos -- acquirers --kills 40 --only bkash  fewer, at one of sslcommerz, bkash, nagad, shurjopay, stripe
 * npm run chaos -- acquirers --only sslcommerz+shurjopay   the first fails often, and payments are passed on to the second
 *
 * A process pays checkouts at a provider's stand-in, over a slow line that loses requests and answers: shoppers pay, are
 * declined, come back twice, elsewhere or never. It refunds what was paid, and charges kept cards where the provider does
 * that; it is killed at random points and started again. In the end shoppers pay pages that they had left, what is open is
 * reconciled, and then: the provider's book must equal ours, movement by movement, and every invariant must hold. What
 * nobody but an operator can know is counted, and each must be of the kind that the adapter's README describes. Where
 * several providers share the payments, their books together must equal ours.
 */
import { join } from "node:path"
import { Complaint, ROOT, say } from "../../scripts/lib/console.mjs"
import { bundle } from "../../scripts/lib/bundle.mjs"
import { PROVIDERS } from "./acquirers/providers.mjs"
import { runAcquirers, together } from "./acquirers/scenario.mjs"
import { chaos } from "./run.mjs"

const PROGRAM = join(ROOT, "integration-tests/support/acquirer-process.ts")
/** The longest life of a process; killed earlier, it is killed in the middle of its first calls. */
const LIFE_MS = 4_000

function chosen({ only }) {
  const names = only.split(",")
  const unknown = names.flatMap(together).find((name) => !Object.hasOwn(PROVIDERS, name))
  if (unknown !== undefined) {
    const known = Object.keys(PROVIDERS).join(", ")
    throw new Complaint(`--only takes ${known}, and several of them with + between, not ${unknown}`)
  }
  return names
}

await chaos({
  defaults: { kills: 500, only: [...Object.keys(PROVIDERS), "sslcommerz+shurjopay"].join() },
  each: chosen,
  build: () => bundle(PROGRAM),
  scenario: async ({ options: { kills }, name, ...place }) => {
    const { wrong, figures } = await runAcquirers(name, { ...place, kills, lifeMs: LIFE_MS, say })
    const wasPassedOn = together(name).length === 1 || figures.passed_on > 0
    return wrong.length === 0 && figures.paid > 0 && wasPassedOn ? 0 : 1
  },
})
