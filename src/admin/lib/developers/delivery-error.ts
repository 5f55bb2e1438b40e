import type { Say, TextKey } from "../text"

/** Why a delivery failed, or an endpoint was disabled, as the gateway writes it down, and what is said of it here. */
const WORDS: readonly (readonly [RegExp, TextKey])[] = [
  [/^The receiver answered (\d+) instead of 200$/, "developers.errors.status"],
  [/^The receiver did not answer within (\d+) seconds$/, "developers.errors.timeout"],
  [/^The connection was refused$/, "developers.errors.refused"],
  [/^The connection was reset$/, "developers.errors.reset"],
  [/^The connection took too long$/, "developers.errors.slow"],
  [/^The connection broke$/, "developers.errors.broke"],
  [/^The host name is unknown$/, "developers.errors.unknown_host"],
  [/^The host name could not be looked up$/, "developers.errors.lookup"],
  [/^The TLS certificate has expired$/, "developers.errors.expired"],
  [/^The TLS certificate is self-signed$/, "developers.errors.self_signed"],
  [/^The TLS certificate cannot be verified$/, "developers.errors.unverified"],
  [/^The TLS certificate is for another host$/, "developers.errors.another_host"],
  [/^The receiver is not on a public address$/, "developers.errors.not_public"],
  [/^The host name has no address$/, "developers.errors.no_address"],
  [/^The receiver cannot be reached$/, "developers.errors.unreachable"],
  [/^The answer was not HTTP$/, "developers.errors.no_http"],
  [/^The endpoint is switched off$/, "developers.errors.off"],
  [/^The receiver answered 410 Gone$/, "developers.errors.gone"],
  [/^Every delivery has failed for (\d+) days$/, "developers.errors.days"],
]

/** The reason in the admin's language; one that has no words of its own here stands as it was written. */
export function deliveryError(say: Say, error: string): string {
  for (const [pattern, key] of WORDS) {
    const match = pattern.exec(error)
    if (match !== null) {
      return say(key, { status: match[1] ?? "", number: Number(match[1] ?? 0) })
    }
  }
  return error
}
