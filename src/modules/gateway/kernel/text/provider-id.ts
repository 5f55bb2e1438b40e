/** Medusa names payment providers `pp_<identifier>_<id>`; ours has the identifier `gateway`. */
export const GATEWAY_PROVIDERS = "pp_gateway_"

/** The name of our provider that has this id in Medusa's configuration. */
export function gatewayProviderId(id: string): string {
  return `${GATEWAY_PROVIDERS}${id}`
}

/** Cash on delivery, whose payments are authorised before the money comes (providers/gateway-cod). */
export const CASH_PROVIDER = gatewayProviderId("cod")

/** The provider that takes payments online, of the ids of enabled ones: Medusa's usual name first, cash never; null: none. */
export function onlineProviderAmong(ids: readonly string[]): string | null {
  const ours = ids.filter((id) => isGatewayProvider(id) && id !== CASH_PROVIDER)
  return ours.find((id) => id === gatewayProviderId("default")) ?? ours[0] ?? null
}

/** Whether a payment provider is ours; a host may have chosen another id than `default`. */
export function isGatewayProvider(providerId: string): boolean {
  return providerId.startsWith(GATEWAY_PROVIDERS)
}
