import type GatewayModuleService from "../../service"

const BATCH = 20

export async function sendInvoiceMails(gateway: GatewayModuleService): Promise<void> {
  while ((await gateway.invoiceMails.run(BATCH)) === BATCH);
}
