import { createHmac } from "node:crypto"
import type { ConfigModule } from "@medusajs/framework/types"

export type KeyedDigest = (text: string) => string

/**
 * Hashes that nobody without the deployment's secret can make. There are few card numbers and e-mail addresses: a plain
 * hash of one is as good as the thing itself. `purpose` keeps hashes of different uses apart.
 */
export function keyedDigest({ projectConfig }: Pick<ConfigModule, "projectConfig">, purpose: string): KeyedDigest {
  const key = createHmac("sha256", projectConfig.http.cookieSecret ?? "")
    .update(`gateway ${purpose}`)
    .digest()
  return (text) => createHmac("sha256", key).update(text).digest("base64url")
}
