import type { ExecArgs } from "@medusajs/framework/types"
import { gatewayIn } from "../modules/gateway"

/**
 * Encrypts every secret in the database with the first of GATEWAY_ENCRYPTION_KEYS (docs/operations.md): `npm run
 * rotate-secrets`, or `medusa exec` with this file. Prints what it did to each column, and throws when something is left.
 */
export default async function rotateSecrets({ container }: ExecArgs): Promise<void> {
  const gateway = gatewayIn(container)
  const columns = await gateway.secretRotation.run()
  for (const { table, column, rotated, unreadable, examples, left } of columns) {
    const lost = unreadable === 0 ? "" : `, ${unreadable} cannot be read (${examples.join(", ")})`
    process.stdout.write(`${table}.${column}: ${rotated} encrypted anew, ${left} left${lost}\n`)
  }
  if (columns.some(({ unreadable }) => unreadable > 0)) {
    throw new Error(
      "Some secrets cannot be read: put the key that they are encrypted with back into GATEWAY_ENCRYPTION_KEYS, behind the first. " +
        "A text that is not encrypted was not written by the gateway: make a new secret in its place."
    )
  }
  if (columns.some(({ left }) => left > 0)) {
    throw new Error(
      "Some secrets were written with another key meanwhile: start every process of the store with the new first key, and run this again."
    )
  }
}
