import { model } from "@medusajs/framework/utils"
import { FILE_KINDS, MEDIA_TYPES } from "../disputes/rules"

/**
 * A file of a dispute's evidence. `content` is bytea in the database (docs/decisions/0059): it commits with its dispute,
 * is backed up with it, and no file server has to be kept from other merchants.
 */
export const GatewayDisputeFile = model
  .define("gateway_dispute_file", {
    id: model.id({ prefix: "dsf" }).primaryKey(),
    dispute_id: model.text(),
    /** What it shows; one file of each kind, as banks take them. */
    kind: model.enum([...FILE_KINDS]),
    file_name: model.text(),
    media_type: model.enum([...MEDIA_TYPES]),
    size_bytes: model.number(),
    content: model.text(),
    uploaded_by: model.text(),
    uploaded_at: model.dateTime(),
  })
  .indexes([{ on: ["dispute_id", "kind"], unique: true }])
  .checks([
    {
      name: "gateway_dispute_file_size",
      expression: (c) => `${c.size_bytes} > 0 AND ${c.size_bytes} = length(${c.content})`,
    },
  ])
