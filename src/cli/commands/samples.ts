import type { Command, Given } from "../command"
import type { Context } from "../context"
import { EXIT, Failure } from "../failure"
import { printJson } from "../output"
import type { AddedRegion } from "../store/add-region"
import type { AddedSample } from "../store/add-sample"
import { requireDatabase } from "../store/database"
import { runInStore } from "../store/medusa"

const DONE = { made: "Made", provider_added: "Added the gateway to", none: "Found" } as const

export const addRegion: Command = {
  name: "region add",
  summary: "add the region Bangladesh in taka (in the store's folder)",
  options: { cash: { type: "boolean" } },
  help: [["--cash", "take cash on delivery in the region too"]],
  about: `Adds what carts in taka need: the region Bangladesh with the gateway as its payment provider, its tax
region, and taka among the store's currencies. With --cash shoppers can also choose cash on delivery.
What is there already stays as it is.`,
  run: async (context, given) => {
    const added = await inStore<AddedRegion>(context, given, "add-region")
    show(context, given, added)
    return EXIT.ok
  },
}

export const addSample: Command = {
  name: "sample add",
  summary: "add a sample product in taka, for a trial (in the store's folder)",
  about: `Does what region add does, and adds something to sell for a trial: a product at 450 BDT, delivery in
Bangladesh at 60 BDT, and a publishable key. Prints the key and the product's variant, which a
storefront needs. What is there already stays as it is.`,
  run: async (context, given) => {
    const added = await inStore<AddedSample>(context, given, "add-sample")
    show(context, given, added)
    if (given.values.json !== true) {
      context.out(`KEY=${added.publishable_key} VARIANT=${added.variant_id}\n`)
    }
    return EXIT.ok
  },
}

async function inStore<Added>(
  context: Context,
  { values }: Given,
  file: Parameters<typeof runInStore>[1]
): Promise<Added> {
  if (values.json !== true) {
    context.err("Asking the store ...\n")
  }
  const { providers, cash_provider } = await requireDatabase(context)
  const [provider] = providers
  if (provider === undefined) {
    throw new Failure("PROVIDER_MISSING")
  }
  if (values.cash !== true) {
    return runInStore<Added>(context, file, provider)
  }
  if (cash_provider === null) {
    throw new Failure("CASH_PROVIDER_MISSING")
  }
  return runInStore<Added>(context, file, provider, cash_provider)
}

function show(context: Context, { values }: Given, added: AddedRegion): void {
  if (values.json === true) {
    printJson(context, added)
    return
  }
  const { id, name, currency_code, provider_id, cash_provider_id } = added.region
  const paid = cash_provider_id === null ? provider_id : `${provider_id} and ${cash_provider_id}`
  const what = `${DONE[added.change]} the region ${name} (${id})`
  context.out(`${what}: ${currency_code.toUpperCase()}, paid with ${paid}.\n`)
}
