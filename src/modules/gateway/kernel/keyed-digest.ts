import { createHmac } from "node:crypto"
import type { ConfigModule } from "@medusajs/framework/types"

export type KeyedDigest = (text: string) => string

/**
 * Hashes that require the deployment's secret. Card numbers and e-mail addresses are few enough to try them all, so a
 * plain hash would reveal them. `purpose` keeps hashes of different uses apart.
 */
export function keyedDigest({ projectConfig }: Pick<ConfigModule, "projectConfig">, purpose: string): KeyedDigest {
  const key = createHmac("sha256", projectConfig.http.cookieSecret ?? "")
    .update(`gateway ${purpose}`)
    .digest()
  return (text) => createHmac("sha256", key).update(text).digest("base64url")
}
