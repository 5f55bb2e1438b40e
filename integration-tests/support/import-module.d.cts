import type { MedusaContainer } from "@medusajs/framework/types"

/** Loads an ES module of scripts/ into a test: the demo's seed is what the tests' shops sell. */
export function importModule(path: string): Promise<{
  seedStore(container: MedusaContainer, imageUrl: string): Promise<{ publishable_key: string; region_id: string }>
}>
