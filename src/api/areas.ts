import { answerContract } from "./contract"
import { healthGate, plainGate, returnGate } from "./gateway/gate"
import { pageArea, type Area } from "./page-kit/area"
import { payGate } from "./pay/http/gate"
import { portalGate } from "./portal/http"
import { withoutOrigin } from "./v2-kit/target"

/** Everything that the gateway answers without Medusa's HTTP layer: at the front door (src/front-door/). */
export const AREAS: readonly Area[] = [
  { root: "/api/v2", isLogged: true, answer: answerContract },
  { root: "/sandbox/api/v2", isLogged: true, answer: answerContract },
  pageArea("/pay", payGate),
  pageArea("/portal", portalGate),
  pageArea("/gateway/acquirers", plainGate),
  pageArea("/gateway/return", returnGate),
  pageArea("/gateway/csp-reports", plainGate),
  pageArea("/gateway/metrics", plainGate),
  pageArea("/gateway/reference", plainGate),
  pageArea("/health/live", healthGate, { isLogged: false }),
  pageArea("/health/ready", healthGate, { isLogged: false }),
]

/** The area that a target is in; null: it is Medusa's. */
export function areaOf(target: string): Area | null {
  const path = target.startsWith("/") ? target : withoutOrigin(target)
  return AREAS.find(({ root }) => isBelow(root, path)) ?? null
}

function isBelow(root: string, path: string): boolean {
  return path.slice(0, root.length).toLowerCase() === root && /^(?:[/?#]|$)/.test(path.slice(root.length))
}
