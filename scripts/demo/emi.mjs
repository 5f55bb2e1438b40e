/*
 * The EMI tables of three invented banks, in the format of a bank's table: one line per tenure. The shop absorbs the
 * cost of Padma's first one. Meghna, which is listed first, takes every test card; Padma takes 4242…, Shapla 3782… too.
 */
const TABLE = `bank_name,tenure,interest_rate,interest_method,processing_fee_type,processing_fee,minimum_amount,maximum_amount,merchant_bleeding,card_prefixes
Meghna Demo Bank,6,9.5,reducing,percent,1.5,3000,200000,no,
Meghna Demo Bank,12,10.5,reducing,percent,1.5,3000,200000,no,
Meghna Demo Bank,18,11,reducing,percent,1.5,10000,200000,no,
Meghna Demo Bank,24,11.25,reducing,percent,1.5,20000,200000,no,
Padma Demo Bank,3,3,flat,fixed,0,3000,500000,yes,424242
Padma Demo Bank,6,4.5,flat,fixed,250,3000,500000,no,424242
Padma Demo Bank,12,8.5,flat,fixed,250,3000,500000,no,424242
Shapla Demo Bank,9,6.75,flat,percent,2,5000,500000,no,424242 3782
Shapla Demo Bank,12,8.25,flat,percent,2,5000,500000,no,424242 3782
Shapla Demo Bank,36,26,flat,percent,2,20000,500000,no,424242 3782
`

/** Imports the banks for the shop's own merchant, unless it has some already: an admin's changes stay. */
export async function ensureEmi(container) {
  const gateway = container.resolve("gateway")
  const merchant = await gateway.merchants.storeMerchant(gateway.options.storeMerchantName)
  const tenant = { merchant_id: merchant.id, environment: "sandbox" }
  const { count } = await gateway.emiConfigurations.list(tenant, {
    archived: false,
    order: { by: "bank", descending: false },
    limit: 1,
    offset: 0,
  })
  if (count === 0) {
    await gateway.emiImports.run(tenant, { csv: TABLE, dry_run: false, archive_missing: false }, {})
  }
}
