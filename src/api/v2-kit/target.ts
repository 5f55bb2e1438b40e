import { LIMITS } from "../../modules/gateway/kernel/limits"

/** A target may be a path or, as for proxies, a whole URL. Medusa's router takes the prefixes in any case, too. */
const ORIGIN = "^(?:https?://[^/?#]*)?"
const LEADING_ORIGIN = new RegExp(ORIGIN, "i")
const CONTRACT = new RegExp(`${ORIGIN}(/sandbox)?/api/v2(?=[/?#]|$)([^?#]*)`, "i")

/** The target as a path, with its query. */
export function withoutOrigin(target: string): string {
  return target.replace(LEADING_ORIGIN, "")
}

/** Where a target is below `/api/v2` or `/sandbox/api/v2`; null when it is elsewhere. The path begins with a slash. */
export function placeInContract(target: string): { isSandbox: boolean; path: string } | null {
  const [found, sandbox, path] = CONTRACT.exec(target) ?? []
  return found === undefined ? null : { isSandbox: sandbox !== undefined, path: path || "/" }
}

/** Whether a request's path, or its whole target, is longer than any of ours. */
export function isTooLong(target: string): boolean {
  const query = target.indexOf("?")
  const path = query === -1 ? target.length : query
  return path > LIMITS.requestPathMaxChars || target.length > LIMITS.requestTargetMaxChars
}
