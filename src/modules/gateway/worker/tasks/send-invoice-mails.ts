import type { Facade } from "../../container"

const BATCH = 20

export async function sendInvoiceMails(gateway: Facade): Promise<void> {
  while ((await gateway.invoiceMails.run(BATCH)) === BATCH);
}
