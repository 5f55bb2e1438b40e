import type { AcquirerView } from "../../../../modules/gateway/payments/acquirer-account-view"

/**
 * An acquirer as the admin's page gets it. `notification_url` is to be registered at the acquirer; of `return_url` the
 * gateway fills in the attempt, so only its host and path can be registered.
 */
export function presentAcquirer({ definition, account }: AcquirerView, publicUrl: string): object {
  const { id, name, services, currencies, credentials } = definition
  const base = `${publicUrl}/gateway/acquirers/${id}`
  return {
    id,
    name,
    services,
    currencies,
    fields: credentials.map(({ name: field, variable, secret, required, max_length }) => ({
      name: field,
      variable,
      secret,
      required,
      max_length,
    })),
    return_url: `${base}/return/{attempt}`,
    notification_url: account && `${base}/notify/${account.id}`,
    account,
  }
}
