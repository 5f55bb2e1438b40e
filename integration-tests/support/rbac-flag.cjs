/*
 * Loaded before Medusa's CLI: the configuration decides about the RBAC module before Medusa has read its own flags, so
 * the variable alone switches the checks on and leaves the module out.
 */
require("@medusajs/framework/utils").FeatureFlag.setFlag("rbac", true)
