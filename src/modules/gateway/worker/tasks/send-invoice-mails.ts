import type { Facade } from "../../container"

export async function sendInvoiceMails(gateway: Facade, stop?: AbortSignal): Promise<void> {
  await gateway.invoiceMails.due.run({ stop })
}
