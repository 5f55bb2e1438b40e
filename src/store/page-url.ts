import type { GatewayOptions } from "../modules/gateway/kernel/options"

type PageOf = { session_id: string; public_url?: string }

/** A session's own page. */
export function pageUrl({ options }: { options: Pick<GatewayOptions, "publicUrl"> }, of: PageOf): string {
  const origin = of.public_url ?? options.publicUrl ?? ""
  return `${origin.replace(/\/$/, "")}/pay/${of.session_id}`
}
