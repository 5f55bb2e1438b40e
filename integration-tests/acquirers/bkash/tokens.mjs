import { randomBytes } from "node:crypto"
import { refuse, requireFields } from "./checks.mjs"

const TOKEN_SECONDS = 3_600
const REFRESH_SECONDS = 28 * 86_400
const GRANTS_PER_HOUR = 2

/** Tokens and their limits. The third grant within an hour is refused, and so are all after it: the merchant is locked. */
export class Tokens {
  #tokens = new Map()
  #refreshTokens = new Map()
  #grants = []
  isLocked = false

  constructor(standIn) {
    this.standIn = standIn
  }

  grant(body, headers) {
    this.#requireMerchant(body, headers, [])
    const now = this.standIn.now().getTime()
    this.#grants = this.#grants.filter((at) => now - at < 3_600_000)
    this.#grants.push(now)
    this.isLocked ||= this.#grants.length > GRANTS_PER_HOUR
    if (this.isLocked) {
      return { status: 429, body: { message: "Too Many Requests" } }
    }
    return this.#issue()
  }

  refresh(body, headers) {
    this.#requireMerchant(body, headers, ["refresh_token"])
    const ends = this.#refreshTokens.get(body.refresh_token)
    if (ends === undefined || ends < this.standIn.now().getTime()) {
      refuse(2079)
    }
    return this.#issue()
  }

  /** Bare, known, and not too old. */
  accepts(authorization) {
    const ends = this.#tokens.get(authorization)
    return ends !== undefined && ends > this.standIn.now().getTime()
  }

  /** bKash forgets every token that it has issued. */
  revoke() {
    this.#tokens.clear()
  }

  #issue() {
    const id_token = `eyJ${randomBytes(96).toString("base64url")}`
    const refresh_token = `eyJ${randomBytes(96).toString("base64url")}`
    const now = this.standIn.now().getTime()
    this.#tokens.set(id_token, now + TOKEN_SECONDS * 1_000)
    this.#refreshTokens.set(refresh_token, now + REFRESH_SECONDS * 1_000)
    return {
      status: 200,
      body: {
        statusCode: "0000",
        statusMessage: "Successful",
        id_token,
        token_type: "Bearer",
        expires_in: TOKEN_SECONDS,
        refresh_token,
      },
    }
  }

  #requireMerchant(body, headers, more) {
    const { credentials } = this.standIn.options
    requireFields(body, ["app_key", "app_secret", ...more])
    if (headers.username !== credentials.username || headers.password !== credentials.password) {
      refuse(2079)
    }
    if (body.app_key !== credentials.app_key || body.app_secret !== credentials.app_secret) {
      refuse(2001)
    }
  }
}
