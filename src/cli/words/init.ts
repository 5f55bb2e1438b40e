import type { Unknown } from "../init/edit"

/** Why a configuration was not changed, after "because". */
export const WHY: Readonly<Record<Unknown, string>> = {
  syntax: "it has errors of syntax",
  no_define_config: "it does not call defineConfig",
  several_define_config: "it calls defineConfig more than once",
  other_arguments: "it does not call defineConfig with one argument",
  name_taken: "it uses the name withPaymentGateway for something else",
}
