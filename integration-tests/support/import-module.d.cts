import type { MedusaContainer } from "@medusajs/framework/types"

/** scripts/demo/seed.mjs, emi.mjs and plans.mjs: the demo's seed is what the tests' shops sell. */
export interface Seed {
  ensureCash(container: MedusaContainer): Promise<void>
  ensureEmi(container: MedusaContainer): Promise<void>
  ensurePlans(container: MedusaContainer): Promise<void>
  seedStore(container: MedusaContainer, imageUrl: string): Promise<{ publishable_key: string; region_id: string }>
}

/** Loads an ES module of scripts/ into a test. */
export function importModule<Module = Seed>(path: string): Promise<Module>
