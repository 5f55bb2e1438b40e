import type { MedusaContainer } from "@medusajs/framework/types"
import type { Instrument } from "../modules/gateway/acquirers/port"
import { GATEWAY_MODULE } from "../modules/gateway"
import type { PaymentOutcome } from "../modules/gateway/records"
import type GatewayModuleService from "../modules/gateway/service"

export type PayCheckoutInput = {
  session_id: string
  instrument: Instrument
  /** Where this deployment is reached; absent: GATEWAY_PUBLIC_URL, or the page's own origin. */
  public_url?: string
}

/** Pays a session, for the hosted page and for the sandbox helper alike (decisions: Sandbox). */
export async function payCheckout(container: MedusaContainer, input: PayCheckoutInput): Promise<PaymentOutcome> {
  const gateway = container.resolve<GatewayModuleService>(GATEWAY_MODULE)
  return gateway.payments.pay({ ...input, page_url: pageUrl(gateway, input) })
}

/** The session's own page. */
export function pageUrl(
  gateway: GatewayModuleService,
  { session_id, public_url }: { session_id: string; public_url?: string }
): string {
  const origin = public_url ?? gateway.options.publicUrl ?? ""
  return `${origin.replace(/\/$/, "")}/pay/${session_id}`
}
