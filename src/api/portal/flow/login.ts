import { createHash } from "node:crypto"
import { retryAfter } from "../../../modules/gateway/kernel/http/abuse-limits"
import { countedNetwork } from "../../../modules/gateway/kernel/http/ip"
import type { Gateway } from "../../../modules/gateway/container"
import { email } from "../../v2-kit/validate"
import type { FormFields } from "../../pay/form/fields"
import { waitReply, type Reply } from "../../pay/flow/states"
import { csrfToken } from "../../pay/http/csrf"
import { loginPage } from "../view/login"
import type { LoginVisit } from "./session"

type Logins = Pick<Gateway, "portalLogins" | "rateLimits" | "options">

const HOUR_SECONDS = 3_600

export function showLogin(visit: LoginVisit, isSent: boolean): Reply {
  return { status: 200, body: pageOf(visit, { isSent, entered: "", isWrong: false }) }
}

/**
 * POST of an e-mail address. The answer never shows whether the merchant knows it: neither by what it says, nor when too
 * many links are asked for one address, which are then not sent.
 */
export async function requestLink(gateway: Logins, visit: LoginVisit, fields: FormFields): Promise<Reply> {
  const { merchant, path, visitor } = visit
  const entered = (fields.get("email") ?? "").trim()
  const parsed = email.safeParse(entered)
  if (!parsed.success) {
    return { status: 422, body: pageOf(visit, { isSent: false, entered, isWrong: true }) }
  }
  const { portalMailsFrom, portalMailsTo } = gateway.options.pageLimits
  const from = await take(gateway, `portal:mails:from:${countedNetwork(visitor.address)}`, portalMailsFrom)
  if (from !== null) {
    return waitReply("tooMany", visitor, from, path)
  }
  const { merchant_id, environment } = merchant
  const to = createHash("sha256").update(`${merchant_id} ${environment} ${entered.toLowerCase()}`).digest("base64url")
  if ((await take(gateway, `portal:mails:to:${to}`, portalMailsTo)) === null) {
    await gateway.portalLogins.request(merchant, { email: entered, language: visitor.language })
  }
  return { status: 303, location: `${path}?sent=1` }
}

/** Counts one, and answers the seconds to wait when that is too many; 0 switches a limit off. */
async function take({ rateLimits }: Logins, bucket: string, limit: number): Promise<number | null> {
  const reading = limit === 0 ? null : await rateLimits.take(bucket, limit, HOUR_SECONDS)
  return reading === null || reading.allowed ? null : retryAfter(reading)
}

function pageOf(
  { merchant, path, visitor }: LoginVisit,
  shown: { isSent: boolean; entered: string; isWrong: boolean }
) {
  return loginPage({ merchant, path, language: visitor.language, csrf: csrfToken(visitor.secret, path), ...shown })
}
