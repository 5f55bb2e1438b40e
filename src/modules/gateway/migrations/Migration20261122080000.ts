import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/*
 * All tables of the module: the statements that `medusa plugin:db:generate` makes of the models, plus what models
 * cannot express. Indexes cover deleted rows too, because no query filters by deleted_at. Columns that lists search
 * have text_pattern_ops: a prefix search then uses the index with any collation of the database. What such an index
 * includes is the order and the common filter of its list: it then answers a search without the table. bigint, defaults,
 * storage options, foreign keys, functions and triggers are hand-written. Nothing says "if not exists": a database that
 * already has tables of these names is refused.
 */

/** A table with an id, its own columns and checks, and the three timestamps that Medusa gives every model. */
const table = (name: string, columns: string, storage?: string) => `
  create table ${name} (
    id text not null,${columns === "" ? "" : `${columns},`}
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    deleted_at timestamptz,
    constraint ${name}_pkey primary key (id)
  )${storage === undefined ? "" : ` with (${storage})`};`

/**
 * A table that grows without end, in partitions by the real time of `key` (docs/decisions/23). A unique index of such
 * a table must contain `key`: it guards within one moment, and what makes the ids is the guard beyond that. New
 * partitions get the storage options of the default one.
 */
const partitioned = (name: string, columns: string, { key = "created_at", storage }: { key?: string; storage?: string } = {}) => [
  table(name, columns)
    .replace("primary key (id)", `primary key (id, ${key})`)
    .replace(/;$/, ` partition by range (${key});`),
  `create table ${name}_default partition of ${name} default${storage === undefined ? "" : ` with (${storage})`};`,
]

/** Merchants, their keys, and what was done with them. */
const MERCHANTS = [
  table("gateway_merchant", `
    number serial,
    name text not null,
    email text,
    status text check (status in ('active', 'suspended')) not null default 'active',
    verification_status text check (verification_status in ('unverified', 'pending', 'approved', 'rejected'))
      not null default 'unverified',
    settings jsonb not null default '{}',
    profile jsonb not null default '{}'`),
  `create unique index "IDX_gateway_merchant_number_unique" on gateway_merchant (number);`,

  table("gateway_merchant_logo", `
    file text not null,
    content text not null`),
  `create unique index "IDX_gateway_merchant_logo_file_unique" on gateway_merchant_logo (file);`,

  table("gateway_merchant_environment", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    services text[] not null,
    ip_allow_list text[] not null,
    success_url text,
    fail_url text,
    cancel_url text,
    ipn_url text,
    ipn_secret text,
    previous_ipn_secrets text,
    rate_limit_requests integer,
    retry_days jsonb,
    after_last_retry text check (after_last_retry in ('cancel', 'past_due')),
    cancellation_reasons jsonb,
    clock_offset_seconds integer not null default 0,
    time_zone text not null default 'Asia/Dhaka',
    refund_approval_threshold_minor integer,
    refund_daily_limit_minor integer,
    refund_daily_key_limit_minor integer,
    refund_role_limits jsonb,
    approval_by_another boolean not null default false,
    may_overdraw boolean not null default false,
    payment_attempts integer not null default 3,
    hold_risky boolean not null default false,
    shop_modules boolean not null default false,
    receipts boolean not null default false,
    capture text check (capture in ('automatic', 'manual', 'on_fulfilment')) not null default 'automatic',
    returns_automatic boolean not null default false,
    returns_refund_shipping boolean not null default false,
    one_trial_per_customer text check (one_trial_per_customer in ('store', 'all', 'off')) not null default 'store',
    cash jsonb,
    constraint gateway_merchant_environment_clock check (clock_offset_seconds >= 0
      AND (environment = 'sandbox' OR clock_offset_seconds = 0)),
    constraint gateway_merchant_environment_attempts check (payment_attempts BETWEEN 1 AND 5)`),
  `create unique index "IDX_gateway_merchant_environment_merchant_id_environment_unique"
     on gateway_merchant_environment (merchant_id, environment);`,

  table("gateway_payment_service", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    service_id integer not null,
    code text not null,
    name text not null,
    kind text check (kind in ('card', 'mobile_banking', 'internet_banking', 'wallet')) not null,
    fee_basis_points integer not null,
    fee_fixed_minor integer not null default 0,
    supports_refunds boolean not null default true,
    is_active boolean not null default true,
    routes jsonb,
    capture text check (capture in ('automatic', 'manual', 'on_fulfilment')),
    constraint gateway_payment_service_fee check (fee_basis_points BETWEEN 0 AND 10000 AND fee_fixed_minor >= 0)`),
  `create unique index "IDX_gateway_payment_service_merchant_id_environment_service_id_unique"
     on gateway_payment_service (merchant_id, environment, service_id);`,
  `create unique index "IDX_gateway_payment_service_merchant_id_environment_code_unique"
     on gateway_payment_service (merchant_id, environment, code);`,

  table("gateway_api_key", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    type text check (type in ('secret', 'restricted')) not null default 'secret',
    name text not null,
    prefix text not null,
    last_four text not null,
    key_hash text not null,
    scopes text[] not null,
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz`),
  `create unique index "IDX_gateway_api_key_key_hash_unique" on gateway_api_key (key_hash);`,
  `create index "IDX_gateway_api_key_merchant_id_environment" on gateway_api_key (merchant_id, environment);`,

  table("gateway_idempotency_key", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    key text not null,
    fingerprint text not null,
    lease_token text not null,
    leased_until timestamptz not null,
    expires_at timestamptz not null,
    status integer,
    body text`),
  `create unique index "IDX_gateway_idempotency_key_merchant_id_environment_key_unique"
     on gateway_idempotency_key (merchant_id, environment, key);`,
  `create index "IDX_gateway_idempotency_key_expires_at" on gateway_idempotency_key (expires_at);`,

  table("gateway_audit_entry", `
    number bigserial,
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')),
    actor_type text check (actor_type in ('user', 'admin_key', 'merchant_key', 'customer', 'system')) not null,
    actor_id text not null,
    action text not null,
    resource_id text not null,
    changes jsonb not null,
    address text,
    request_id text,
    idempotency_id text`),
  `create unique index "IDX_gateway_audit_entry_merchant_id_number_unique" on gateway_audit_entry (merchant_id, number);`,
  `create index "IDX_gateway_audit_entry_merchant_id_created_at_number"
     on gateway_audit_entry (merchant_id, created_at, number);`,
  `create index "IDX_gateway_audit_entry_resource_id_number" on gateway_audit_entry (resource_id, number);`,
  `create index "IDX_gateway_audit_entry_merchant_id_actor_id_number" on gateway_audit_entry (merchant_id, actor_id, number);`,
  `create index "IDX_gateway_audit_entry_by_request" on gateway_audit_entry (merchant_id, request_id) WHERE request_id IS NOT NULL;`,
  `create index "IDX_gateway_audit_entry_by_address"
     on gateway_audit_entry (merchant_id, address, number) WHERE address IS NOT NULL;`,
  `create unique index "IDX_gateway_audit_entry_idempotency_id_unique"
     on gateway_audit_entry (idempotency_id) WHERE idempotency_id IS NOT NULL;`,
  `create index "IDX_gateway_audit_entry_search" on gateway_audit_entry (merchant_id, action text_pattern_ops) INCLUDE (number, environment);`,

  ...partitioned("gateway_request_log", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    key_id text not null,
    method text not null,
    path text not null,
    status integer not null,
    error_code text,
    duration_ms integer not null,
    request_id text not null,
    address text,
    requested_at timestamptz not null`),
  `create index "IDX_gateway_request_log_merchant_id_environment_requested_at_id"
     on gateway_request_log (merchant_id, environment, requested_at, id);`,
  `create index "IDX_gateway_request_log_not_well"
     on gateway_request_log (merchant_id, environment, requested_at, id) WHERE status >= 400;`,
  `create index "IDX_gateway_request_log_request_id" on gateway_request_log (request_id);`,
  `create index "IDX_gateway_request_log_requested_at" on gateway_request_log (requested_at);`,
]

/**
 * An order_id stays used for ever, so its index covers deleted sessions too. Only a session that another one has replaced
 * gives it up.
 */
const PAYMENTS = [
  table("gateway_payment_link", `
    token text not null,
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    state text check (state in ('open', 'disabled')) not null default 'open',
    amount_minor integer,
    min_amount_minor integer,
    max_amount_minor integer,
    suggested_amounts jsonb,
    reusable boolean not null default false,
    max_payments integer default 1,
    currency text not null,
    description text not null,
    customer jsonb,
    customer_phone text,
    store_order_id text,
    expires_at timestamptz,
    disabled_at timestamptz,
    created_by text not null,
    idempotency_id text,
    opened_at timestamptz not null,
    constraint gateway_payment_link_state
      check ((state = 'disabled') = (disabled_at IS NOT NULL)),
    constraint gateway_payment_link_amount check (CASE WHEN amount_minor IS NULL
      THEN COALESCE(min_amount_minor, 0) > 0 AND COALESCE(max_amount_minor, min_amount_minor) >= min_amount_minor
      ELSE amount_minor > 0 AND COALESCE(min_amount_minor, max_amount_minor) IS NULL AND suggested_amounts IS NULL END),
    constraint gateway_payment_link_payments
      check (COALESCE(max_payments, 1) > 0 AND (reusable OR COALESCE(max_payments, 0) = 1)),
    constraint gateway_payment_link_store_order
      check (store_order_id IS NULL OR (reusable AND max_payments IS NULL AND amount_minor IS NOT NULL))`),
  `create unique index "IDX_gateway_payment_link_token_unique" on gateway_payment_link (token);`,
  `create index "IDX_gateway_payment_link_newest"
     on gateway_payment_link (merchant_id, environment, created_at, id);`,
  `create index "IDX_gateway_payment_link_search"
     on gateway_payment_link (merchant_id, environment, lower(customer ->> 'email') text_pattern_ops);`,
  `create unique index "IDX_gateway_payment_link_idempotency_id_unique"
     on gateway_payment_link (idempotency_id) WHERE idempotency_id IS NOT NULL;`,
  `create unique index "IDX_gateway_payment_link_store_order_id_unique"
     on gateway_payment_link (store_order_id) WHERE store_order_id IS NOT NULL AND state = 'open';`,
  `create index "IDX_gateway_payment_link_of_order"
     on gateway_payment_link (store_order_id) WHERE store_order_id IS NOT NULL;`,

  table("gateway_checkout_session", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    order_id text not null,
    order_number text,
    currency text not null,
    amount_minor integer not null,
    tax_minor integer,
    description text,
    success_url text not null,
    fail_url text not null,
    cancel_url text not null,
    ipn_url text,
    customer jsonb not null,
    customer_phone text not null,
    shipping jsonb,
    items jsonb,
    payment_info jsonb,
    metadata jsonb,
    source text check (source in ('api', 'cart', 'billing', 'verification', 'order')) not null default 'api',
    cart_id text,
    store_order_id text,
    payment_session_id text,
    return_url text,
    language text check (language in ('en', 'bn')),
    outcome_due_at timestamptz,
    subscription_id text,
    subscription_period integer,
    interval_count integer,
    interval_unit text check (interval_unit in ('DAY', 'WEEK', 'MONTH', 'YEAR')),
    idempotency_id text,
    store_customer_id text,
    account_proof text,
    account_proof_expires_at timestamptz,
    account_browser text,
    opened_at timestamptz not null,
    expires_at timestamptz not null,
    replaced_at timestamptz,
    constraint gateway_checkout_session_order check (char_length(order_id) BETWEEN 1 AND 30 AND amount_minor > 0),
    constraint gateway_checkout_session_account
      check (store_customer_id IS NOT NULL OR (account_proof IS NULL AND account_browser IS NULL)),
    constraint gateway_checkout_session_store_order check ((source = 'order') = (store_order_id IS NOT NULL))`),
  `create unique index "IDX_gateway_checkout_session_merchant_id_environment_order_id_unique"
     on gateway_checkout_session (merchant_id, environment, order_id) WHERE replaced_at IS NULL;`,
  `create index "IDX_gateway_checkout_session_search_order"
     on gateway_checkout_session (merchant_id, environment, lower(order_id) text_pattern_ops);`,
  `create index "IDX_gateway_checkout_session_search_email"
     on gateway_checkout_session (merchant_id, environment, lower(customer ->> 'email') text_pattern_ops);`,
  `create index "IDX_gateway_checkout_session_search_number"
     on gateway_checkout_session (merchant_id, environment, lower(order_number) text_pattern_ops) WHERE order_number IS NOT NULL;`,
  `create index "IDX_gateway_checkout_session_search_first_number"
     on gateway_checkout_session (merchant_id, environment, lower(right(CASE source WHEN 'cart' THEN cart_id ELSE order_id END, 8)))
     WHERE source <> 'api';`,
  `create index "IDX_gateway_checkout_session_search_phone"
     on gateway_checkout_session (merchant_id, environment, customer_phone text_pattern_ops) WHERE customer_phone <> '';`,
  `create index "IDX_gateway_checkout_session_search_name"
     on gateway_checkout_session using gin (to_tsvector('simple'::regconfig, customer ->> 'name'));`,
  `create index "IDX_gateway_checkout_session_payment_session_id"
     on gateway_checkout_session (payment_session_id) WHERE payment_session_id IS NOT NULL;`,
  `create index "IDX_gateway_checkout_session_outcome_due_at"
     on gateway_checkout_session (outcome_due_at) WHERE outcome_due_at IS NOT NULL;`,
  `create index "IDX_gateway_checkout_session_subscription_id"
     on gateway_checkout_session (subscription_id) WHERE subscription_id IS NOT NULL;`,

  table("gateway_transaction", `
    session_id text not null,
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    order_id text not null,
    state text check (state in ('OPEN', 'PROCESSING', 'HELD', 'AUTHORIZED', 'SUCCESS', 'FAILED', 'CANCELLED', 'EXPIRED', 'REFUNDED'))
      not null default 'OPEN',
    currency text not null,
    amount_minor integer not null,
    authorized_minor integer,
    charge_minor integer not null default 0,
    refunded_minor integer not null default 0,
    disputed_minor integer not null default 0,
    payment_method text,
    payment_service text,
    instrument jsonb,
    kept_instrument jsonb,
    acquirer text,
    acquirer_reference text,
    amount_mismatch jsonb,
    error_code text,
    error_message text,
    attempts integer not null default 0,
    attempt_id text,
    link_id text,
    link_place integer,
    return_due_at timestamptz,
    return_count integer not null default 0,
    expires_at timestamptz not null,
    verified_at timestamptz,
    finished_at timestamptz,
    constraint gateway_transaction_sums check (amount_minor > 0
      AND charge_minor >= 0 AND refunded_minor BETWEEN 0 AND amount_minor AND disputed_minor >= 0
      AND (authorized_minor IS NULL OR amount_minor <= authorized_minor)),
    constraint gateway_transaction_verified
      check ((state IN ('SUCCESS', 'REFUNDED')) = (verified_at IS NOT NULL AND acquirer_reference IS NOT NULL))`),
  `create unique index "IDX_gateway_transaction_session_id_unique" on gateway_transaction (session_id);`,
  `create unique index "IDX_gateway_transaction_link_id_link_place_unique" on gateway_transaction (link_id, link_place)
     WHERE link_id IS NOT NULL AND state NOT IN ('FAILED', 'CANCELLED', 'EXPIRED');`,
  `create index "IDX_gateway_transaction_of_link"
     on gateway_transaction (link_id, state, created_at, id) WHERE link_id IS NOT NULL;`,
  `create index "IDX_gateway_transaction_return_due_at"
     on gateway_transaction (return_due_at) WHERE return_due_at IS NOT NULL;`,
  `create index "IDX_gateway_transaction_unreturned" on gateway_transaction (merchant_id, environment)
     WHERE state = 'SUCCESS' AND return_count > 0 AND return_due_at IS NULL;`,
  `create index "IDX_gateway_transaction_expires_at" on gateway_transaction (expires_at) WHERE state = 'OPEN';`,
  `create unique index "IDX_gateway_transaction_acquirer_acquirer_reference_unique"
     on gateway_transaction (acquirer, acquirer_reference) WHERE acquirer_reference IS NOT NULL;`,
  `create index "IDX_gateway_transaction_mismatched"
     on gateway_transaction (merchant_id, environment) WHERE state = 'PROCESSING' AND amount_mismatch IS NOT NULL;`,
  `create index "IDX_gateway_transaction_newest" on gateway_transaction (merchant_id, environment, created_at, id);`,
  `create index "IDX_gateway_transaction_by_state" on gateway_transaction (merchant_id, environment, state, created_at, id);`,
  `create index "IDX_gateway_transaction_by_service"
     on gateway_transaction (merchant_id, environment, payment_service, created_at, id) WHERE payment_service IS NOT NULL;`,
  `create index "IDX_gateway_transaction_by_amount" on gateway_transaction (merchant_id, environment, amount_minor, id);`,

  table("gateway_authorization", `
    transaction_id text not null,
    payment_session_id text,
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    currency text not null,
    acquirer text not null,
    state text check (state in ('open', 'releasing', 'released', 'used')) not null default 'open',
    mode text check (mode in ('manual', 'on_fulfilment')) not null,
    is_single boolean not null,
    amount_minor integer not null,
    captured_minor integer not null default 0,
    charge_minor integer not null default 0,
    capture_before timestamptz not null,
    warned_at timestamptz,
    ended_because text check (ended_because in ('captured', 'voided', 'expired', 'late', 'rest')),
    ended_by text,
    ended_at timestamptz,
    due_at timestamptz,
    tries integer not null default 0,
    operator_since timestamptz,
    store_due_at timestamptz,
    locked_until timestamptz,
    constraint gateway_authorization_amounts
      check (amount_minor > 0 AND captured_minor BETWEEN 0 AND amount_minor AND charge_minor >= 0),
    constraint gateway_authorization_end check ((state = 'open') = (ended_because IS NULL))`),
  `create index "IDX_gateway_authorization_transaction_id" on gateway_authorization (transaction_id);`,
  `create index "IDX_gateway_authorization_payment_session_id"
     on gateway_authorization (payment_session_id) WHERE payment_session_id IS NOT NULL;`,
  `create index "IDX_gateway_authorization_due_at" on gateway_authorization (due_at) WHERE due_at IS NOT NULL;`,
  `create index "IDX_gateway_authorization_open"
     on gateway_authorization (capture_before, merchant_id, environment) WHERE state = 'open';`,
  `create index "IDX_gateway_authorization_unreleased"
     on gateway_authorization (merchant_id, environment) WHERE operator_since IS NOT NULL AND state = 'releasing';`,
  `create index "IDX_gateway_authorization_lost"
     on gateway_authorization (merchant_id, environment, ended_at) WHERE ended_because = 'expired';`,
  `create index "IDX_gateway_authorization_store_due_at"
     on gateway_authorization (store_due_at) WHERE store_due_at IS NOT NULL;`,

  table("gateway_capture", `
    authorization_id text not null,
    transaction_id text not null,
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    currency text not null,
    payment_service text not null,
    state text check (state in ('processing', 'completed', 'failed')) not null default 'processing',
    amount_minor integer not null,
    charge_minor integer not null default 0,
    is_final boolean not null,
    request_key text,
    requested_by text not null,
    requested_at timestamptz not null,
    completed_at timestamptz,
    acquirer_ids jsonb not null default '{}',
    acquirer_reference text,
    error_code text,
    error_message text,
    inquiry_at timestamptz,
    inquiry_count integer not null default 0,
    operator_since timestamptz,
    medusa_capture_id text,
    constraint gateway_capture_amounts check (amount_minor > 0 AND charge_minor >= 0),
    constraint gateway_capture_completed
      check ((state = 'completed') = (completed_at IS NOT NULL AND acquirer_reference IS NOT NULL))`),
  `create unique index "IDX_gateway_capture_transaction_id_request_key_unique"
     on gateway_capture (transaction_id, request_key) WHERE request_key IS NOT NULL;`,
  `create index "IDX_gateway_capture_authorization_id" on gateway_capture (authorization_id);`,
  `create index "IDX_gateway_capture_inquiry_at" on gateway_capture (inquiry_at) WHERE inquiry_at IS NOT NULL;`,
  `create unique index "IDX_gateway_capture_medusa_capture_id_unique"
     on gateway_capture (medusa_capture_id) WHERE medusa_capture_id IS NOT NULL;`,
  `create index "IDX_gateway_capture_unresolved"
     on gateway_capture (merchant_id, environment) WHERE operator_since IS NOT NULL AND state = 'processing';`,

  table("gateway_cart_completion", `
    transaction_id text not null,
    session_id text not null,
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    cart_id text,
    payment_session_id text,
    subscription_id text,
    period integer,
    variant_id text,
    state text check (state in ('waiting', 'ordered', 'giving_back', 'given_back', 'needs_attention')) not null default 'waiting',
    order_id text,
    refund_id text,
    attempts integer not null default 0,
    next_attempt_at timestamptz,
    lock_token text,
    locked_until timestamptz,
    last_error jsonb,
    history jsonb not null,
    constraint gateway_cart_completion_of check (cart_id IS NOT NULL OR order_id IS NOT NULL)`),
  `create unique index "IDX_gateway_cart_completion_transaction_id_unique" on gateway_cart_completion (transaction_id);`,
  `create index "IDX_gateway_cart_completion_cart_id" on gateway_cart_completion (cart_id) WHERE cart_id IS NOT NULL;`,
  `create unique index "IDX_gateway_cart_completion_subscription_id_period_unique"
     on gateway_cart_completion (subscription_id, period) WHERE subscription_id IS NOT NULL;`,
  `create index "IDX_gateway_cart_completion_order_id" on gateway_cart_completion (order_id) WHERE order_id IS NOT NULL;`,
  `create index "IDX_gateway_cart_completion_merchant_id_environment_created_at"
     on gateway_cart_completion (merchant_id, environment, created_at);`,
  `create index "IDX_gateway_cart_completion_unsettled"
     on gateway_cart_completion (merchant_id, environment) WHERE state = 'needs_attention';`,
  `create index "IDX_gateway_cart_completion_next_attempt_at"
     on gateway_cart_completion (next_attempt_at) WHERE next_attempt_at IS NOT NULL;`,
  `create index "IDX_gateway_cart_completion_held"
     on gateway_cart_completion (variant_id) WHERE variant_id IS NOT NULL AND state = 'waiting';`,

  table("gateway_payment_attempt", `
    transaction_id text not null,
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    number integer not null,
    state text
      check (state in ('STARTED', 'REDIRECTED', 'CONFIRMING', 'HELD', 'AUTHORIZED', 'SUCCEEDED', 'DECLINED', 'ABANDONED', 'SURPLUS', 'RETURNED', 'RELEASED'))
      not null default 'STARTED',
    is_final boolean not null default true,
    acquirer text not null,
    payment_method text not null,
    payment_service text not null,
    currency text not null,
    amount_minor integer not null,
    charge_minor integer not null default 0,
    capture text check (capture in ('automatic', 'manual', 'on_fulfilment')) not null default 'automatic',
    instrument jsonb,
    acquirer_ids jsonb not null default '{}',
    details jsonb not null default '{}',
    acquirer_reference text,
    redirect_url text,
    risk text,
    instalment_differences jsonb,
    error_code text,
    error_message text,
    decline jsonb,
    visitor_network text,
    surplus_minor integer,
    return_key text,
    return_ids jsonb not null default '{}',
    started_at timestamptz not null,
    answer_ms integer,
    confirmed_at timestamptz,
    held_at timestamptz,
    finished_at timestamptz,
    reviewed_at timestamptz,
    reviewed_by text,
    review_note text,
    inquiry_at timestamptz,
    inquiry_count integer not null default 0,
    saves boolean not null default false,
    passed_on boolean not null default false,
    instrument_id text,
    operator_since timestamptz,
    constraint gateway_payment_attempt_amounts check (amount_minor > 0 AND (surplus_minor IS NULL OR surplus_minor > 0)),
    constraint gateway_payment_attempt_money
      check ((state IN ('HELD', 'AUTHORIZED', 'SUCCEEDED', 'SURPLUS', 'RETURNED', 'RELEASED')) = (acquirer_reference IS NOT NULL)
        AND (state IN ('SURPLUS', 'RETURNED')) = (surplus_minor IS NOT NULL AND return_key IS NOT NULL))`),
  `create unique index "IDX_gateway_payment_attempt_transaction_id_number_unique"
     on gateway_payment_attempt (transaction_id, number);`,
  `create index "IDX_gateway_payment_attempt_inquiry_at"
     on gateway_payment_attempt (inquiry_at) WHERE inquiry_at IS NOT NULL;`,
  `create unique index "IDX_gateway_payment_attempt_acquirer_reference_acquirer_unique"
     on gateway_payment_attempt (acquirer_reference, acquirer) WHERE acquirer_reference IS NOT NULL;`,
  `create unique index "IDX_gateway_payment_attempt_return_key_unique"
     on gateway_payment_attempt (return_key) WHERE return_key IS NOT NULL;`,
  `create index "IDX_gateway_payment_attempt_surplus"
     on gateway_payment_attempt (merchant_id, environment) WHERE state = 'SURPLUS';`,
  `create index "IDX_gateway_payment_attempt_instrument_id"
     on gateway_payment_attempt (instrument_id) WHERE instrument_id IS NOT NULL;`,
  `create index "IDX_gateway_payment_attempt_to_review"
     on gateway_payment_attempt (merchant_id, environment)
     WHERE state = 'SUCCEEDED' AND reviewed_at IS NULL AND (risk IS NOT NULL OR instalment_differences IS NOT NULL);`,
  `create index "IDX_gateway_payment_attempt_unresolved"
     on gateway_payment_attempt (merchant_id, environment)
     WHERE operator_since IS NOT NULL AND state IN ('STARTED', 'REDIRECTED', 'CONFIRMING', 'SURPLUS');`,
  `create index "IDX_gateway_payment_attempt_in_doubt"
     on gateway_payment_attempt (merchant_id, environment)
     WHERE inquiry_count > 0 AND state IN ('STARTED', 'REDIRECTED', 'CONFIRMING');`,
  `create index "IDX_gateway_payment_attempt_search_charge"
     on gateway_payment_attempt ((acquirer_ids ->> 'charge')) WHERE acquirer_ids ->> 'charge' IS NOT NULL;`,
  `create index "IDX_gateway_payment_attempt_search_instrument"
     on gateway_payment_attempt
       (merchant_id, environment, right(COALESCE(instrument ->> 'last_four', instrument ->> 'account'), 4))
     WHERE instrument IS NOT NULL;`,

  table("gateway_acquirer_account", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    acquirer text not null,
    is_active boolean not null default true,
    position integer not null default 0,
    services text[] not null,
    settings jsonb not null,
    credentials text not null,
    tested_at timestamptz,
    test_problem text,
    worked_at timestamptz`),
  `create unique index "IDX_gateway_acquirer_account_merchant_id_environment_acquirer_unique"
     on gateway_acquirer_account (merchant_id, environment, acquirer);`,

  table("gateway_acquirer_token", `
    token text,
    refresh_token text,
    expires_at timestamptz,
    lock_token text,
    locked_until timestamptz`),

  table("gateway_acquirer_outage", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    acquirer text not null,
    cause text not null,
    since timestamptz not null,
    probe_at timestamptz not null`),
  `create unique index "IDX_gateway_acquirer_outage_merchant_id_environment_acquirer_unique"
     on gateway_acquirer_outage (merchant_id, environment, acquirer);`,

  table("gateway_sandbox_operation", `
    key text not null,
    kind text check (kind in ('charge', 'refund', 'authorization', 'capture', 'release')) not null,
    charge_key text,
    outcome text not null,
    refund_behaviour text check (refund_behaviour in ('standard', 'instant', 'delayed', 'fails')) not null default 'standard',
    amount_minor integer not null,
    collected_minor integer,
    instalments integer,
    currency text not null,
    reference text not null,
    tries integer not null default 1,
    captures_fail boolean not null default false,
    authorized_until timestamptz,
    available_at timestamptz not null`),
  `create unique index "IDX_gateway_sandbox_operation_kind_key_unique" on gateway_sandbox_operation (kind, key);`,
  `create index "IDX_gateway_sandbox_operation_charge_key" on gateway_sandbox_operation (charge_key);`,
  `create unique index "IDX_gateway_sandbox_operation_reference_unique" on gateway_sandbox_operation (reference);`,
]

/** Refunds, and their sync with the store's orders. */
const REFUNDS = [
  table("gateway_refund_batch", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    total integer not null,
    refused jsonb not null,
    requested_by text not null,
    requested_at timestamptz not null,
    idempotency_id text`),
  `create unique index "IDX_gateway_refund_batch_idempotency_id_unique"
     on gateway_refund_batch (idempotency_id) WHERE idempotency_id IS NOT NULL;`,

  table("gateway_refund", `
    transaction_id text not null,
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    state text check (state in ('pending', 'processing', 'completed', 'failed', 'cancelled')) not null default 'pending',
    type text check (type in ('full', 'partial')) not null default 'full',
    amount_minor integer not null,
    currency text not null,
    reason text not null,
    metadata jsonb,
    notify_customer boolean not null default false,
    requested_by text not null,
    requested_at timestamptz not null,
    request_key text,
    held_for text check (held_for in ('approval', 'batch')),
    reviewed_by text,
    review_note text,
    batch_id text,
    batch_position integer,
    lock_token text,
    locked_until timestamptz,
    acquirer_reference text,
    acquirer_ids jsonb not null default '{}',
    amount_mismatch jsonb,
    error_code text,
    error_message text,
    inquiry_at timestamptz,
    inquiry_count integer not null default 0,
    operator_since timestamptz,
    completed_at timestamptz,
    dealt_with_at timestamptz,
    dealt_with_by text,
    dealt_with_note text,
    constraint gateway_refund_amount check (amount_minor > 0),
    constraint gateway_refund_dealt_with check (dealt_with_at IS NULL
      OR (state = 'failed' AND dealt_with_by IS NOT NULL AND dealt_with_note IS NOT NULL))`),
  `create index "IDX_gateway_refund_transaction_id" on gateway_refund (transaction_id);`,
  `create unique index "IDX_gateway_refund_transaction_id_request_key_unique"
     on gateway_refund (transaction_id, request_key) WHERE request_key IS NOT NULL;`,
  `create index "IDX_gateway_refund_inquiry_at" on gateway_refund (inquiry_at) WHERE state = 'processing';`,
  `create index "IDX_gateway_refund_merchant_id_environment_requested_at_id"
     on gateway_refund (merchant_id, environment, requested_at, id);`,
  `create index "IDX_gateway_refund_list_by_state"
     on gateway_refund (merchant_id, environment, state, requested_at, id) WHERE state <> 'completed';`,
  `create unique index "IDX_gateway_refund_batch_id_batch_position_unique"
     on gateway_refund (batch_id, batch_position) WHERE batch_id IS NOT NULL;`,
  `create index "IDX_gateway_refund_mismatched"
     on gateway_refund (merchant_id, environment) WHERE state = 'processing' AND amount_mismatch IS NOT NULL;`,
  `create index "IDX_gateway_refund_unresolved"
     on gateway_refund (merchant_id, environment) WHERE state = 'processing' AND operator_since IS NOT NULL;`,
  `create index "IDX_gateway_refund_requested_at" on gateway_refund (requested_at) WHERE state = 'pending';`,
  `create index "IDX_gateway_refund_acquirer_reference"
     on gateway_refund (acquirer_reference) WHERE acquirer_reference IS NOT NULL;`,

  table("gateway_order_refund", `
    refund_id text not null,
    transaction_id text not null,
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    origin text check (origin in ('gateway', 'medusa')) not null,
    state text check (state in ('waiting', 'shown', 'undone', 'dropped')) not null default 'waiting',
    medusa_refund_id text,
    order_id text,
    credit_minor integer,
    attempts integer not null default 0,
    next_attempt_at timestamptz,
    revision integer not null default 0,
    lock_token text,
    locked_until timestamptz,
    last_error jsonb,
    history jsonb not null`),
  `create unique index "IDX_gateway_order_refund_refund_id_unique" on gateway_order_refund (refund_id);`,
  `create unique index "IDX_gateway_order_refund_medusa_refund_id_unique"
     on gateway_order_refund (medusa_refund_id) WHERE medusa_refund_id IS NOT NULL;`,
  `create index "IDX_gateway_order_refund_transaction_id" on gateway_order_refund (transaction_id);`,
  `create index "IDX_gateway_order_refund_order_id" on gateway_order_refund (order_id) WHERE order_id IS NOT NULL;`,
  `create index "IDX_gateway_order_refund_next_attempt_at"
     on gateway_order_refund (next_attempt_at) WHERE next_attempt_at IS NOT NULL;`,

  table("gateway_refund_proposal", `
    transaction_id text not null,
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    order_id text not null,
    kind text check (kind in ('return', 'claim', 'cancellation', 'edit')) not null,
    source_id text not null,
    return_id text,
    claim_id text,
    state text check (state in ('open', 'confirmed', 'dismissed')) not null default 'open',
    currency text not null,
    items jsonb not null,
    goods_minor integer not null,
    beyond_minor integer not null,
    shipping_minor integer not null,
    amount_minor integer not null,
    confirmed_minor integer,
    confirmed_by text,
    confirmed_at timestamptz,
    tries integer not null default 0,
    refund_id text,
    last_error jsonb,
    history jsonb not null,
    constraint gateway_refund_proposal_refund check (state <> 'confirmed' OR refund_id IS NOT NULL),
    constraint gateway_refund_proposal_sums check (amount_minor > 0
      AND amount_minor <= goods_minor + beyond_minor AND shipping_minor BETWEEN 0 AND beyond_minor
      AND confirmed_minor BETWEEN 1 AND amount_minor)`),
  `create unique index "IDX_gateway_refund_proposal_source_unique"
     on gateway_refund_proposal (kind, source_id, transaction_id);`,
  `create unique index "IDX_gateway_refund_proposal_refund_id_unique"
     on gateway_refund_proposal (refund_id) WHERE refund_id IS NOT NULL;`,
  `create index "IDX_gateway_refund_proposal_order_id" on gateway_refund_proposal (order_id);`,
  `create index "IDX_gateway_refund_proposal_transaction_id" on gateway_refund_proposal (transaction_id);`,
  `create index "IDX_gateway_refund_proposal_list" on gateway_refund_proposal (merchant_id, environment, created_at, id);`,
  `create index "IDX_gateway_refund_proposal_open"
     on gateway_refund_proposal (merchant_id, environment, created_at) WHERE state = 'open';`,

  table("gateway_return_notice", `
    kind text check (kind in ('return', 'claim', 'cancellation', 'edit')) not null,
    source_id text not null,
    order_id text not null,
    changed_at timestamptz not null,
    outcome text,
    attempts integer not null default 0,
    next_attempt_at timestamptz,
    lock_token text,
    locked_until timestamptz,
    last_error jsonb`),
  `create unique index "IDX_gateway_return_notice_kind_source_id_unique" on gateway_return_notice (kind, source_id);`,
  `create index "IDX_gateway_return_notice_kind_changed_at" on gateway_return_notice (kind, changed_at);`,
  `create index "IDX_gateway_return_notice_next_attempt_at"
     on gateway_return_notice (next_attempt_at) WHERE next_attempt_at IS NOT NULL;`,
]

/** Instalment configurations, and the plans customers agree to. */
const EMI = [
  table("gateway_emi_configuration", `
    uuid text not null,
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    bank_name text not null,
    tenure_months integer not null,
    rate_ppm integer not null,
    method text check (method in ('flat', 'reducing')) not null default 'flat',
    fee_kind text check (fee_kind in ('fixed', 'percent')) not null default 'fixed',
    fee_value integer not null default 0,
    min_amount_minor integer not null,
    max_amount_minor integer not null,
    is_active boolean not null default true,
    merchant_absorbs boolean not null default false,
    card_prefixes text[] not null,
    revision integer not null default 1,
    archived_at timestamptz,
    constraint gateway_emi_configuration_terms check (tenure_months BETWEEN 2 AND 60 AND rate_ppm BETWEEN 0 AND 1000000
      AND fee_value >= 0 AND (fee_kind = 'fixed' OR fee_value <= 1000000) AND revision >= 1),
    constraint gateway_emi_configuration_range
      check (min_amount_minor >= 300000 AND max_amount_minor BETWEEN min_amount_minor AND 50000000)`),
  `create unique index "IDX_gateway_emi_configuration_uuid_unique" on gateway_emi_configuration (uuid);`,
  `create index "IDX_gateway_emi_configuration_merchant_id_environment" on gateway_emi_configuration (merchant_id, environment);`,
  `create unique index "IDX_gateway_emi_configuration_offered_unique"
     on gateway_emi_configuration (merchant_id, environment, bank_name, tenure_months, min_amount_minor) WHERE is_active AND archived_at IS NULL;`,

  table("gateway_emi_plan", `
    transaction_id text not null,
    attempt_id text not null,
    configuration_id text not null,
    configuration_uuid text not null,
    revision integer not null,
    bank_name text not null,
    tenure_months integer not null,
    rate_ppm integer not null,
    method text check (method in ('flat', 'reducing')) not null,
    merchant_absorbs boolean not null,
    order_amount_minor integer not null,
    interest_minor integer not null,
    fee_minor integer not null,
    total_minor integer not null,
    monthly_minor integer not null,
    bank_interest_minor integer not null,
    bank_fee_minor integer not null,
    schedule jsonb not null,
    constraint gateway_emi_plan_sums check (order_amount_minor >= 300000 AND interest_minor >= 0 AND fee_minor >= 0
      AND monthly_minor > 0 AND total_minor = order_amount_minor + interest_minor),
    constraint gateway_emi_plan_bearer check (CASE WHEN merchant_absorbs THEN interest_minor = 0
      AND fee_minor = 0 ELSE interest_minor = bank_interest_minor AND fee_minor = bank_fee_minor END)`),
  `create unique index "IDX_gateway_emi_plan_attempt_id_unique" on gateway_emi_plan (attempt_id);`,
  `create index "IDX_gateway_emi_plan_transaction_id" on gateway_emi_plan (transaction_id);`,
  `create index "IDX_gateway_emi_plan_configuration_id" on gateway_emi_plan (configuration_id);`,
  `create index "IDX_gateway_emi_plan_search_amount" on gateway_emi_plan ((total_minor + fee_minor));`,
]

/** Events, and their delivery to endpoints and IPN URLs. */
const EVENTS = [
  ...partitioned("gateway_event", `
    event_id text not null,
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    event_type text not null,
    resource_id text not null,
    data jsonb not null,
    occurred_at timestamptz not null,
    traceparent text`),
  `create unique index "IDX_gateway_event_event_id_created_at_unique" on gateway_event (event_id, created_at);`,
  `create index "IDX_gateway_event_merchant_id_environment_created_at" on gateway_event (merchant_id, environment, created_at);`,
  `create index "IDX_gateway_event_by_type" on gateway_event (merchant_id, environment, event_type, created_at);`,
  `create index "IDX_gateway_event_resource_id" on gateway_event (resource_id);`,

  // A queue: rows come with their events and go when these are numbered, so the table is vacuumed often.
  table("gateway_event_arrival", `
    event_id text not null,
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    event_type text not null`, "autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000"),
  ...partitioned("gateway_event_position", `
    position bigint not null,
    event_id text not null,
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    event_type text not null`),
  `create unique index "IDX_gateway_event_position_position_created_at_unique" on gateway_event_position (position, created_at);`,
  `create index "IDX_gateway_event_position_event_id" on gateway_event_position (event_id);`,
  `create index "IDX_gateway_event_position_merchant_id_environment_position"
     on gateway_event_position (merchant_id, environment, position);`,
  `create index "IDX_gateway_event_position_by_type"
     on gateway_event_position (merchant_id, environment, event_type, position);`,

  table("gateway_webhook_endpoint", `
    number serial,
    uuid text not null,
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    endpoint_url text not null,
    event_types text[] not null,
    signature_format text check (signature_format in ('hex', 'prefixed')) not null default 'hex',
    secret text,
    previous_secrets text,
    is_active boolean not null default true,
    disabled_reason jsonb,
    disabled_notified_at timestamptz,
    locked_until timestamptz,
    failing_since timestamptz,
    constraint gateway_webhook_endpoint_secrets check ((deleted_at IS NULL) = (secret IS NOT NULL)
      AND (deleted_at IS NULL OR previous_secrets IS NULL))`),
  `create unique index "IDX_gateway_webhook_endpoint_number_unique" on gateway_webhook_endpoint (number);`,
  `create unique index "IDX_gateway_webhook_endpoint_uuid_unique" on gateway_webhook_endpoint (uuid);`,
  `create index "IDX_gateway_webhook_endpoint_merchant_id_environment" on gateway_webhook_endpoint (merchant_id, environment);`,

  // Free space in pages lets a claim update a delivery without touching an index; a queue is vacuumed often.
  ...partitioned("gateway_webhook_delivery", `
    number bigserial,
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    event_id text not null,
    event_type text not null,
    occurred_at timestamptz not null,
    endpoint_id text,
    ipn_url text,
    ipn_body jsonb,
    receiver_key text not null,
    state text check (state in ('pending', 'delivered', 'failed')) not null default 'pending',
    attempts integer not null default 0,
    failures integer not null default 0,
    next_attempt_at timestamptz not null,
    locked_until timestamptz,
    lock_token text,
    last_status_code integer,
    last_error jsonb,
    delivered_at timestamptz`, { storage: "fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02" }),
  `create unique index "IDX_gateway_webhook_delivery_number_created_at_unique" on gateway_webhook_delivery (number, created_at);`,
  `create index "IDX_gateway_webhook_delivery_receiver_key_next_attempt_at_number"
     on gateway_webhook_delivery (receiver_key, next_attempt_at, number) WHERE state = 'pending';`,
  `create index "IDX_gateway_webhook_delivery_event_id" on gateway_webhook_delivery (event_id);`,
  `create index "IDX_gateway_webhook_delivery_merchant_id_environment_number"
     on gateway_webhook_delivery (merchant_id, environment, number);`,
  `create index "IDX_gateway_webhook_delivery_by_time"
     on gateway_webhook_delivery (merchant_id, environment, occurred_at, number);`,
  `create index "IDX_gateway_webhook_delivery_undelivered"
     on gateway_webhook_delivery (merchant_id, environment, state, number) WHERE state <> 'delivered';`,
  `create index "IDX_gateway_webhook_delivery_endpoint_id_number" on gateway_webhook_delivery (endpoint_id, number);`,

  ...partitioned("gateway_webhook_attempt", `
    delivery_id text not null,
    delivery_created_at timestamptz not null,
    attempt integer not null,
    attempted_at timestamptz not null,
    url text not null,
    duration_ms integer not null,
    status_code integer,
    response text,
    error jsonb`, { key: "delivery_created_at" }),
  `create unique index "IDX_gateway_webhook_attempt_once"
     on gateway_webhook_attempt (delivery_id, attempt, delivery_created_at);`,

  table("gateway_hook_call", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    hook text check (hook in ('renewalOrderCreated', 'returnRefundProposed', 'subscriptionCancelled')) not null,
    resource_id text not null,
    input jsonb not null,
    attempts integer not null default 0,
    next_attempt_at timestamptz,
    lock_token text,
    locked_until timestamptz,
    last_error text`),
  `create unique index "IDX_gateway_hook_call_hook_resource_id_unique" on gateway_hook_call (hook, resource_id);`,
  `create index "IDX_gateway_hook_call_next_attempt_at"
     on gateway_hook_call (next_attempt_at) WHERE next_attempt_at IS NOT NULL;`,
]

/** Recurring payments: plans, customers, kept instruments, periods. */
const SUBSCRIPTIONS = [
  table("gateway_plan", `
    number serial,
    uuid text not null,
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    plan_name text not null,
    plan_description text,
    family text,
    amount_minor integer not null,
    currency text not null,
    interval_count integer not null,
    interval_unit text check (interval_unit in ('DAY', 'WEEK', 'MONTH', 'YEAR')) not null,
    trial_period_days integer,
    trial_amount_minor integer,
    billing_cycles integer,
    meta_data jsonb not null,
    is_active boolean not null default true,
    idempotency_id text,
    opened_at timestamptz not null,
    constraint gateway_plan_terms check (amount_minor > 0 AND interval_count BETWEEN 1 AND 365 AND trial_period_days >= 0
      AND trial_amount_minor > 0 AND billing_cycles BETWEEN 1 AND 1000)`),
  `create unique index "IDX_gateway_plan_number_unique" on gateway_plan (number);`,
  `create unique index "IDX_gateway_plan_uuid_unique" on gateway_plan (uuid);`,
  `create index "IDX_gateway_plan_merchant_id_environment_number" on gateway_plan (merchant_id, environment, number);`,
  `create index "IDX_gateway_plan_offered" on gateway_plan (merchant_id, environment, number) WHERE is_active;`,
  `create index "IDX_gateway_plan_newest" on gateway_plan (merchant_id, environment, created_at, id);`,
  `create index "IDX_gateway_plan_by_state" on gateway_plan (merchant_id, environment, is_active, created_at, id);`,
  `create index "IDX_gateway_plan_by_interval" on gateway_plan (merchant_id, environment, interval_unit, created_at, id);`,
  `create index "IDX_gateway_plan_family" on gateway_plan (merchant_id, environment, family) WHERE family IS NOT NULL AND is_active;`,
  `create index "IDX_gateway_plan_by_amount" on gateway_plan (merchant_id, environment, amount_minor, id);`,
  `create index "IDX_gateway_plan_search" on gateway_plan (merchant_id, environment, lower(plan_name) text_pattern_ops)
     INCLUDE (plan_name, is_active, amount_minor, created_at, id);`,
  `create unique index "IDX_gateway_plan_idempotency_id_unique"
     on gateway_plan (idempotency_id) WHERE idempotency_id IS NOT NULL;`,

  table("gateway_customer", `
    number serial,
    uuid text not null,
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    name text not null,
    email text not null,
    email_key text not null,
    phone text,
    phone_e164 text,
    store_customer_id text,
    opened_at timestamptz not null`),
  `create unique index "IDX_gateway_customer_number_unique" on gateway_customer (number);`,
  `create unique index "IDX_gateway_customer_uuid_unique" on gateway_customer (uuid);`,
  `create unique index "IDX_gateway_customer_merchant_id_environment_email_key_unique"
     on gateway_customer (merchant_id, environment, email_key);`,
  `create index "IDX_gateway_customer_merchant_id_environment_number" on gateway_customer (merchant_id, environment, number);`,
  `create index "IDX_gateway_customer_store_customer_id"
     on gateway_customer (store_customer_id) WHERE store_customer_id IS NOT NULL;`,
  `create index "IDX_gateway_customer_by_phone"
     on gateway_customer (merchant_id, environment, phone_e164) WHERE phone_e164 IS NOT NULL;`,
  `create index "IDX_gateway_customer_search" on gateway_customer (merchant_id, environment, email_key text_pattern_ops);`,

  // The lock on the customer keeps a token from becoming two instruments: no index can compare encrypted texts.
  table("gateway_instrument", `
    uuid text not null,
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    customer_id text,
    store_customer_id text,
    saved_attempt_id text,
    acquirer text not null,
    token text,
    method text check (method in ('card', 'mobile_banking', 'internet_banking', 'wallet')) not null,
    service text not null,
    brand text,
    last_four text,
    account text,
    expiry_month integer,
    expiry_year integer,
    removed_at timestamptz,
    forget_at timestamptz,
    forget_count integer not null default 0,
    opened_at timestamptz not null,
    constraint gateway_instrument_owner check ((customer_id IS NULL) <> (store_customer_id IS NULL)),
    constraint gateway_instrument_saved check ((store_customer_id IS NULL) = (saved_attempt_id IS NULL)),
    constraint gateway_instrument_removed
      check (forget_at IS NULL OR (removed_at IS NOT NULL AND token IS NOT NULL))`),
  `create unique index "IDX_gateway_instrument_uuid_unique" on gateway_instrument (uuid);`,
  `create index "IDX_gateway_instrument_customer_id_acquirer" on gateway_instrument (customer_id, acquirer);`,
  // One attempt saves one method, however often its answer is settled.
  `create unique index "IDX_gateway_instrument_saved_attempt_id_unique"
     on gateway_instrument (saved_attempt_id) WHERE saved_attempt_id IS NOT NULL;`,
  `create index "IDX_gateway_instrument_saved"
     on gateway_instrument (merchant_id, environment, store_customer_id) WHERE store_customer_id IS NOT NULL;`,
  `create index "IDX_gateway_instrument_forget_at" on gateway_instrument (forget_at) WHERE forget_at IS NOT NULL;`,

  table("gateway_portal_session", `
    token_hash text,
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    customer_id text,
    store_customer_id text,
    mail_to text,
    return_url text,
    language text check (language in ('en', 'bn')),
    idempotency_id text,
    mail_due_at timestamptz,
    mail_attempts integer not null default 0,
    expires_at timestamptz not null,
    ended_at timestamptz,
    constraint gateway_portal_session_owner check (num_nonnulls(customer_id, store_customer_id, mail_to) = 1),
    constraint gateway_portal_session_mail
      check (mail_attempts >= 0 AND (mail_due_at IS NULL OR num_nonnulls(customer_id, mail_to) = 1))`),
  `create unique index "IDX_gateway_portal_session_token_hash_unique"
     on gateway_portal_session (token_hash) WHERE token_hash IS NOT NULL;`,
  `create unique index "IDX_gateway_portal_session_idempotency_id_unique"
     on gateway_portal_session (idempotency_id) WHERE idempotency_id IS NOT NULL;`,
  `create index "IDX_gateway_portal_session_mail_due_at"
     on gateway_portal_session (mail_due_at) WHERE mail_due_at IS NOT NULL;`,
  `create index "IDX_gateway_portal_session_customer_id"
     on gateway_portal_session (customer_id) WHERE customer_id IS NOT NULL;`,
  `create index "IDX_gateway_portal_session_expires_at" on gateway_portal_session (expires_at);`,

  table("gateway_cancellation_mail", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    subscription_id text not null,
    cancelled_at timestamptz not null,
    state text check (state in ('pending', 'sent', 'dropped', 'failed')) not null default 'pending',
    next_attempt_at timestamptz not null,
    attempts integer not null default 0,
    sent_at timestamptz,
    last_error jsonb,
    constraint gateway_cancellation_mail_state check (attempts >= 0 AND (state = 'sent') = (sent_at IS NOT NULL))`),
  `create unique index "IDX_gateway_cancellation_mail_once" on gateway_cancellation_mail (subscription_id, cancelled_at);`,
  `create index "IDX_gateway_cancellation_mail_next_attempt_at"
     on gateway_cancellation_mail (next_attempt_at) WHERE state = 'pending';`,

  // Free space in pages lets a claim update a subscription without touching an index.
  table("gateway_subscription", `
    number serial,
    uuid text not null,
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    customer_id text not null,
    customer_email_key text not null,
    plan_id text,
    instrument_id text,
    source text check (source in ('api', 'store')) not null default 'api',
    status text check (status in ('PENDING', 'TRIALING', 'ACTIVE', 'PAST_DUE', 'PAUSED', 'CANCELLED', 'EXPIRED')) not null,
    amount_minor integer not null,
    quantity integer not null default 1,
    open_price_minor integer,
    credits jsonb not null default '[]',
    billing_cycles integer,
    cycles_before integer not null default 0,
    ends_at timestamptz,
    has_own_end boolean not null default false,
    scheduled_change jsonb,
    currency text not null,
    interval_count integer not null,
    interval_unit text check (interval_unit in ('DAY', 'WEEK', 'MONTH', 'YEAR')) not null,
    trial_period_days integer,
    trial_amount_minor integer,
    trial_end_date timestamptz,
    trial_ending_notified boolean not null default false,
    trial_plan_id text,
    one_trial text check (one_trial in ('given', 'refused')),
    trial_before_id text,
    anchor_at timestamptz,
    anchor_period integer not null default 1,
    current_period integer not null default 0,
    paid_period integer not null default 0,
    current_period_start timestamptz,
    running_since timestamptz,
    current_period_end timestamptz,
    next_billing_date timestamptz,
    billing_cycle_count integer not null default 0,
    failed_payment_count integer not null default 0,
    past_due_since timestamptz,
    retry_at timestamptz,
    paused_at timestamptz,
    cancel_at_period_end boolean not null default false,
    cancelled_at timestamptz,
    cancellation_reason text,
    cancellation_note text,
    ended_at timestamptz,
    due_at timestamptz,
    awaiting_transaction_id text,
    lock_token text,
    locked_until timestamptz,
    meta_data jsonb not null,
    store_order_id text,
    store_variant_id text,
    idempotency_id text,
    opened_at timestamptz not null,
    constraint gateway_subscription_terms check (amount_minor > 0 AND interval_count BETWEEN 1 AND 365
      AND trial_period_days >= 0 AND trial_amount_minor > 0 AND open_price_minor >= 0
      AND billing_cycles BETWEEN 1 AND 1000 AND (billing_cycles IS NULL OR ends_at IS NULL)),
    constraint gateway_subscription_quantity check (quantity > 0
      AND (source = 'store' OR (quantity <= 10000 AND amount_minor % quantity = 0))),
    constraint gateway_subscription_periods check (paid_period >= -1 AND current_period >= 0 AND billing_cycle_count + 1 >= cycles_before
      AND cycles_before >= 0
      AND failed_payment_count >= 0 AND current_period_end >= current_period_start),
    constraint gateway_subscription_state check ((status <> 'TRIALING' OR trial_end_date IS NOT NULL)
      AND (status NOT IN ('ACTIVE', 'PAST_DUE', 'PAUSED') OR (anchor_at IS NOT NULL AND next_billing_date IS NOT NULL))
      AND ((status = 'PAUSED') = (paused_at IS NOT NULL)) AND (status <> 'PAST_DUE' OR past_due_since IS NOT NULL)
      AND (past_due_since IS NULL OR status IN ('PAST_DUE', 'CANCELLED')))`, "fillfactor = 70"),
  `create unique index "IDX_gateway_subscription_uuid_unique" on gateway_subscription (uuid);`,
  `create unique index "IDX_gateway_subscription_merchant_id_environment_number_unique"
     on gateway_subscription (merchant_id, environment, number);`,
  `create index "IDX_gateway_subscription_merchant_id_environment_status_number"
     on gateway_subscription (merchant_id, environment, status, number);`,
  `create index "IDX_gateway_subscription_search"
     on gateway_subscription (merchant_id, environment, customer_email_key text_pattern_ops) INCLUDE (number, status, id);`,
  `create index "IDX_gateway_subscription_newest" on gateway_subscription (merchant_id, environment, created_at, id);`,
  `create index "IDX_gateway_subscription_by_plan"
     on gateway_subscription (merchant_id, environment, plan_id, number) WHERE plan_id IS NOT NULL;`,
  `create index "IDX_gateway_subscription_customer_id_number" on gateway_subscription (customer_id, number);`,
  `create index "IDX_gateway_subscription_merchant_id_environment_due_at"
     on gateway_subscription (merchant_id, environment, due_at) WHERE due_at IS NOT NULL;`,
  `create index "IDX_gateway_subscription_instrument_id"
     on gateway_subscription (instrument_id) WHERE instrument_id IS NOT NULL;`,
  `create index "IDX_gateway_subscription_store_order_id"
     on gateway_subscription (store_order_id) WHERE store_order_id IS NOT NULL;`,
  `create index "IDX_gateway_subscription_store_variant_id"
     on gateway_subscription (store_variant_id) WHERE store_variant_id IS NOT NULL;`,
  `create unique index "IDX_gateway_subscription_idempotency_id_unique"
     on gateway_subscription (idempotency_id) WHERE idempotency_id IS NOT NULL;`,

  table("gateway_billing_record", `
    number serial,
    uuid text not null,
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    subscription_id text not null,
    period integer not null,
    status text check (status in ('PENDING', 'PROCESSING', 'SUCCESS', 'FAILED', 'REFUNDED')) not null default 'PENDING',
    amount_minor integer not null,
    credit_minor integer not null default 0,
    quantity integer not null default 1,
    currency text not null,
    billing_date timestamptz not null,
    period_start timestamptz not null,
    period_end timestamptz not null,
    attempts integer not null default 0,
    charge_references jsonb,
    transaction_id text,
    session_id text,
    error_code text,
    opened_at timestamptz not null,
    constraint gateway_billing_record_sums check (amount_minor >= 0 AND amount_minor + credit_minor >= 0
      AND period >= 0 AND attempts >= 0 AND period_end >= period_start AND quantity > 0),
    constraint gateway_billing_record_paid check (status NOT IN ('SUCCESS', 'REFUNDED') OR transaction_id IS NOT NULL
      OR amount_minor = 0)`),
  `create unique index "IDX_gateway_billing_record_subscription_id_period_unique"
     on gateway_billing_record (subscription_id, period);`,
  `create index "IDX_gateway_billing_record_charging" on gateway_billing_record (subscription_id) WHERE status = 'PROCESSING';`,
  `create index "IDX_gateway_billing_record_transaction_id"
     on gateway_billing_record (transaction_id) WHERE transaction_id IS NOT NULL;`,

  table("gateway_skipped_period", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    subscription_id text not null,
    period integer not null,
    reason text check (reason in ('out_of_stock', 'not_sold', 'no_order')) not null,
    amount_minor integer not null,
    period_start timestamptz not null,
    period_end timestamptz not null,
    skipped_at timestamptz not null,
    mail_due_at timestamptz`),
  `create unique index "IDX_gateway_skipped_period_subscription_id_period_unique"
     on gateway_skipped_period (subscription_id, period);`,
  `create index "IDX_gateway_skipped_period_mail_due_at" on gateway_skipped_period (mail_due_at) WHERE mail_due_at IS NOT NULL;`,

  table("gateway_store_purchase", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    transaction_id text,
    cart_id text not null,
    line_item_id text not null,
    variant_id text not null,
    plan_id text not null,
    store_customer_id text not null,
    customer jsonb not null,
    delivery_address jsonb,
    quantity integer not null,
    amount_minor integer not null,
    delivery_minor integer not null default 0,
    paid_minor integer not null,
    lines jsonb not null,
    trial_period_days integer,
    trial_refused boolean not null default false,
    trial_claimed_at timestamptz,
    billing_cycles integer,
    subscription_id text,
    lock_token text,
    locked_until timestamptz,
    constraint gateway_store_purchase_terms check (quantity > 0 AND delivery_minor >= 0
      AND amount_minor > delivery_minor AND paid_minor >= 0 AND trial_period_days >= 0)`),
  `create unique index "IDX_gateway_store_purchase_transaction_id_line_item_id_unique"
     on gateway_store_purchase (transaction_id, line_item_id);`,
  `create unique index "IDX_gateway_store_purchase_cart_id_line_item_id_unique"
     on gateway_store_purchase (cart_id, line_item_id) WHERE transaction_id IS NULL;`,
  `create index "IDX_gateway_store_purchase_locked_until"
     on gateway_store_purchase (locked_until) WHERE transaction_id IS NULL AND subscription_id IS NULL;`,
  `create unique index "IDX_gateway_store_purchase_subscription_id_unique"
     on gateway_store_purchase (subscription_id) WHERE subscription_id IS NOT NULL;`,
  `create index "IDX_gateway_store_purchase_store_customer_id"
     on gateway_store_purchase (store_customer_id) WHERE subscription_id IS NOT NULL;`,
  `create index "IDX_gateway_store_purchase_claims"
     on gateway_store_purchase (merchant_id, environment, trial_claimed_at)
     WHERE trial_claimed_at IS NOT NULL AND subscription_id IS NULL;`,

  table("gateway_sandbox_instrument", `
    method text check (method in ('card', 'mobile_banking', 'internet_banking', 'wallet')) not null,
    outcome text not null,
    refund_behaviour text check (refund_behaviour in ('standard', 'instant', 'delayed', 'fails')) not null default 'standard',
    summary jsonb not null`),
]

/** Invoices are numbered without gaps. The database makes the token of the pay link, so that every invoice has one. */
const INVOICES = [
  table("gateway_invoice", `
    uuid text not null,
    pay_token text not null default 'inp_' || replace(gen_random_uuid()::text, '-', ''),
    number integer not null,
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    subscription_id text not null,
    customer_id text not null,
    customer_email_key text not null,
    invoice_type text check (invoice_type in ('SUBSCRIPTION')) not null default 'SUBSCRIPTION',
    status text check (status in ('PENDING', 'PAID', 'VOID')) not null default 'PENDING',
    period integer not null,
    period_start timestamptz not null,
    period_end timestamptz not null,
    amount_minor integer not null,
    currency text not null,
    interval_count integer not null,
    interval_unit text check (interval_unit in ('DAY', 'WEEK', 'MONTH', 'YEAR')) not null,
    plan_name text,
    plan_name_bn text,
    customer_name text not null,
    customer_email text not null,
    customer_phone text,
    business_name text not null,
    time_zone text not null default 'Asia/Dhaka',
    business_name_bn text,
    business_legal_name text,
    business_address text,
    business_bin text,
    lines jsonb,
    is_last boolean not null default false,
    due_date timestamptz not null,
    revision integer not null default 0,
    paid_at timestamptz,
    voided_at timestamptz,
    opened_at timestamptz not null,
    constraint gateway_invoice_state check (amount_minor >= 0 AND number > 0 AND (status = 'PAID') = (paid_at IS NOT NULL)
      AND (status = 'VOID') = (voided_at IS NOT NULL) AND revision = CASE WHEN status = 'VOID' THEN number ELSE 0 END)`),
  `create unique index "IDX_gateway_invoice_uuid_unique" on gateway_invoice (uuid);`,
  `create unique index "IDX_gateway_invoice_pay_token_unique" on gateway_invoice (pay_token);`,
  `create unique index "IDX_gateway_invoice_merchant_id_environment_number_unique"
     on gateway_invoice (merchant_id, environment, number);`,
  `create index "IDX_gateway_invoice_merchant_id_environment_status_number"
     on gateway_invoice (merchant_id, environment, status, number);`,
  `create index "IDX_gateway_invoice_search"
     on gateway_invoice (merchant_id, environment, customer_email_key text_pattern_ops) INCLUDE (number, status, id);`,
  `create index "IDX_gateway_invoice_newest" on gateway_invoice (merchant_id, environment, created_at, id);`,
  `create index "IDX_gateway_invoice_customer_id_number" on gateway_invoice (customer_id, number);`,
  `create unique index "IDX_gateway_invoice_subscription_id_period_revision_unique"
     on gateway_invoice (subscription_id, period, revision);`,

  table("gateway_invoice_series", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    last_number integer not null default 0`),
  `create unique index "IDX_gateway_invoice_series_merchant_id_environment_unique"
     on gateway_invoice_series (merchant_id, environment);`,

  table("gateway_invoice_mail", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    invoice_id text not null,
    kind text check (kind in ('invoice', 'reminder', 'past_due')) not null,
    step integer not null default 0,
    state text check (state in ('pending', 'sent', 'dropped', 'failed')) not null default 'pending',
    due_at timestamptz not null,
    next_attempt_at timestamptz not null,
    attempts integer not null default 0,
    sent_at timestamptz,
    last_error jsonb,
    constraint gateway_invoice_mail_state check (attempts >= 0 AND step >= 0 AND (state = 'sent') = (sent_at IS NOT NULL))`),
  `create unique index "IDX_gateway_invoice_mail_invoice_id_kind_step_unique" on gateway_invoice_mail (invoice_id, kind, step);`,
  `create index "IDX_gateway_invoice_mail_merchant_id_environment_due_at"
     on gateway_invoice_mail (merchant_id, environment, due_at) WHERE state = 'pending';`,
]

/** The e-mails with receipts. */
const RECEIPTS = [
  table("gateway_receipt", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    kind text check (kind in ('payment', 'refund')) not null,
    transaction_id text not null,
    resource_id text not null,
    step integer not null default 0,
    state text check (state in ('pending', 'sent', 'dropped', 'failed')) not null default 'pending',
    due_at timestamptz not null,
    next_attempt_at timestamptz not null,
    attempts integer not null default 0,
    sent_at timestamptz,
    last_error jsonb,
    constraint gateway_receipt_state check (attempts >= 0 AND step >= 0 AND (state = 'sent') = (sent_at IS NOT NULL))`),
  `create unique index "IDX_gateway_receipt_resource_id_step_unique" on gateway_receipt (resource_id, step);`,
  `create index "IDX_gateway_receipt_transaction_id" on gateway_receipt (transaction_id);`,
  `create index "IDX_gateway_receipt_merchant_id_environment_due_at"
     on gateway_receipt (merchant_id, environment, due_at) WHERE state = 'pending';`,
]

/** Disputes, with their evidence (docs/decisions/10). */
const DISPUTES = [
  table("gateway_dispute", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    transaction_id text not null,
    state text check (state in ('inquiry', 'needs_response', 'under_review', 'won', 'lost', 'closed')) not null,
    source text check (source in ('admin', 'acquirer')) not null,
    acquirer text not null,
    acquirer_reference text not null,
    reason text check (reason in ('fraudulent', 'duplicate', 'product_not_received', 'product_unacceptable',
      'credit_not_processed', 'subscription_canceled', 'unrecognized', 'general')) not null,
    amount_minor integer not null,
    fee_minor integer not null default 0,
    fee_returned boolean not null default false,
    currency text not null,
    note text,
    evidence_text text,
    recorded_by text not null,
    opened_at timestamptz not null,
    recorded_at timestamptz not null,
    due_by timestamptz,
    submitted_at timestamptz,
    accepted_at timestamptz,
    missed_at timestamptz,
    reminded_at timestamptz,
    closed_at timestamptz,
    reinstated_at timestamptz,
    notice text check (notice in ('opened', 'reminder', 'missed', 'closed')),
    locked_until timestamptz,
    inquiry_at timestamptz,
    submitting_until timestamptz,
    constraint gateway_dispute_sums check (amount_minor > 0 AND fee_minor >= 0 AND (fee_minor > 0 OR NOT fee_returned)),
    constraint gateway_dispute_closed check ((state IN ('won', 'lost', 'closed')) = (closed_at IS NOT NULL)
      AND (reinstated_at IS NULL OR state = 'won'))`),
  `create unique index "IDX_gateway_dispute_reference_unique"
     on gateway_dispute (merchant_id, environment, acquirer, acquirer_reference);`,
  `create index "IDX_gateway_dispute_newest" on gateway_dispute (merchant_id, environment, opened_at, id);`,
  `create index "IDX_gateway_dispute_transaction_id" on gateway_dispute (transaction_id);`,
  `create index "IDX_gateway_dispute_to_answer" on gateway_dispute (merchant_id, environment, due_by)
     WHERE state IN ('inquiry', 'needs_response') AND submitted_at IS NULL;`,
  `create index "IDX_gateway_dispute_inquiry_at" on gateway_dispute (inquiry_at) WHERE inquiry_at IS NOT NULL;`,
  `create index "IDX_gateway_dispute_notice" on gateway_dispute (updated_at) WHERE notice IS NOT NULL;`,

  table("gateway_dispute_file", `
    dispute_id text not null,
    kind text check (kind in ('receipt', 'customer_communication', 'shipping_documentation', 'service_documentation',
      'refund_policy', 'cancellation_policy', 'other')) not null,
    file_name text not null,
    media_type text check (media_type in ('application/pdf', 'image/jpeg', 'image/png')) not null,
    size_bytes integer not null,
    content bytea not null,
    uploaded_by text not null,
    uploaded_at timestamptz not null,
    constraint gateway_dispute_file_size check (size_bytes > 0 AND size_bytes = length(content))`),
  `create unique index "IDX_gateway_dispute_file_dispute_id_kind_unique" on gateway_dispute_file (dispute_id, kind);`,
]

/** Orders that are paid in cash at the door, and the cash that came. */
const CASH = [
  table("gateway_cash_order", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    currency text not null,
    state text check (state in ('placing', 'due', 'part_collected', 'collected', 'refused', 'cancelled')) not null default 'placing',
    total_minor integer not null,
    advance_minor integer not null default 0,
    collected_minor integer not null default 0,
    given_up_minor integer not null default 0,
    changes integer not null default 0,
    returned_minor integer not null default 0,
    cart_id text not null,
    payment_session_id text not null,
    transaction_id text,
    advance_capture_id text,
    payment_id text,
    order_id text,
    order_number text,
    customer_name text,
    phone text,
    district text,
    advance_back boolean not null default false,
    ended_by text,
    goods_back boolean not null default false,
    return_id text,
    looked_at timestamptz,
    stuck_since timestamptz,
    authorized_at timestamptz,
    placed_at timestamptz,
    closed_at timestamptz,
    next_attempt_at timestamptz,
    attempts integer not null default 0,
    last_error jsonb,
    lock_token text,
    locked_until timestamptz,
    constraint gateway_cash_order_amounts check (total_minor > 0 AND advance_minor BETWEEN 0 AND total_minor
      AND collected_minor >= 0 AND given_up_minor >= 0 AND returned_minor BETWEEN 0 AND collected_minor
      AND advance_minor + collected_minor + given_up_minor <= total_minor)`),
  `create unique index "IDX_gateway_cash_order_payment_session_id_unique" on gateway_cash_order (payment_session_id);`,
  `create index "IDX_gateway_cash_order_cart_id" on gateway_cash_order (cart_id);`,
  `create index "IDX_gateway_cash_order_transaction_id"
     on gateway_cash_order (transaction_id) WHERE transaction_id IS NOT NULL;`,
  `create index "IDX_gateway_cash_order_order_id" on gateway_cash_order (order_id) WHERE order_id IS NOT NULL;`,
  `create index "IDX_gateway_cash_order_merchant_id_environment_placed_at"
     on gateway_cash_order (merchant_id, environment, placed_at, id) WHERE placed_at IS NOT NULL;`,
  `create index "IDX_gateway_cash_order_merchant_id_environment_order_number"
     on gateway_cash_order (merchant_id, environment, order_number) WHERE order_number IS NOT NULL;`,
  `create index "IDX_gateway_cash_order_merchant_id_environment_phone"
     on gateway_cash_order (merchant_id, environment, phone) WHERE placed_at IS NOT NULL;`,
  `create index "IDX_gateway_cash_order_next_attempt_at"
     on gateway_cash_order (next_attempt_at) WHERE next_attempt_at IS NOT NULL;`,
  `create index "IDX_gateway_cash_order_open"
     on gateway_cash_order (merchant_id, environment, placed_at) WHERE state IN ('due', 'part_collected');`,
  `create index "IDX_gateway_cash_order_looked_at"
     on gateway_cash_order (looked_at) WHERE state IN ('due', 'part_collected');`,
  `create index "IDX_gateway_cash_order_merchant_id_environment_stuck_since"
     on gateway_cash_order (merchant_id, environment, stuck_since) WHERE stuck_since IS NOT NULL;`,

  table("gateway_cash_collection", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    cash_order_id text not null,
    currency text not null,
    amount_minor integer not null,
    charge_minor integer not null default 0,
    source text check (source in ('admin', 'csv', 'medusa')) not null,
    courier text,
    note text,
    recorded_by text not null,
    request_key text not null,
    capture_id text,
    collected_at timestamptz not null,
    constraint gateway_cash_collection_amounts check (amount_minor > 0 AND charge_minor >= 0)`),
  `create unique index "IDX_gateway_cash_collection_key_unique"
     on gateway_cash_collection (merchant_id, environment, request_key);`,
  `create index "IDX_gateway_cash_collection_cash_order_id" on gateway_cash_collection (cash_order_id);`,
  `create index "IDX_gateway_cash_collection_collected_at"
     on gateway_cash_collection (merchant_id, environment, collected_at);`,

  table("gateway_cash_refund", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    cash_order_id text not null,
    medusa_refund_id text not null,
    keys text[] not null,
    state text check (state in ('open', 'done', 'failed')) not null default 'open',
    amount_minor integer not null,
    online_minor integer not null,
    cash_minor integer not null,
    constraint gateway_cash_refund_amounts check (online_minor >= 0 AND cash_minor >= 0 AND amount_minor > 0
      AND amount_minor = online_minor + cash_minor)`),
  `create unique index "IDX_gateway_cash_refund_medusa_refund_id_unique" on gateway_cash_refund (medusa_refund_id);`,
  `create index "IDX_gateway_cash_refund_cash_order_id" on gateway_cash_refund (cash_order_id);`,

  table("gateway_cash_code", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    cart_id text not null,
    phone text not null,
    code_hash text not null,
    tries integer not null default 0,
    expires_at timestamptz not null,
    confirmed_at timestamptz,
    unsent_at timestamptz,
    constraint gateway_cash_code_tries check (tries BETWEEN 0 AND 5),
    constraint gateway_cash_code_unsent check (unsent_at IS NULL OR confirmed_at IS NULL)`),
  `create index "IDX_gateway_cash_code_merchant_id_environment_phone"
     on gateway_cash_code (merchant_id, environment, phone, created_at);`,
  `create index "IDX_gateway_cash_code_created_at" on gateway_cash_code (created_at);`,
]

/** What acquirers and couriers settle, line by line. */
const SETTLEMENTS = [
  table("gateway_settlement_template", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    name text not null,
    version integer not null,
    source text not null,
    definition jsonb not null,
    created_by text not null`),
  `create unique index "IDX_gateway_settlement_template_version_unique"
     on gateway_settlement_template (merchant_id, environment, name, version);`,

  table("gateway_settlement_import", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    state text check (state in ('reading', 'finished', 'stopped', 'undone')) not null default 'reading',
    source text not null,
    template_id text,
    file_name text not null,
    read_count integer not null default 0,
    new_count integer not null default 0,
    known_count integer not null default 0,
    skipped_count integer not null default 0,
    errors jsonb not null,
    postings integer not null default 0,
    created_by text not null,
    imported_at timestamptz not null,
    undone_at timestamptz,
    undone_by text,
    undone_note text`),
  `create index "IDX_gateway_settlement_import_newest"
     on gateway_settlement_import (merchant_id, environment, imported_at, id);`,

  table("gateway_settlement_line", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    import_id text not null,
    source text not null,
    key text not null,
    digest text not null,
    line integer not null,
    kind text check (kind in ('payment', 'refund', 'dispute', 'dispute_reversal', 'fee', 'adjustment', 'deposit')) not null,
    reference text,
    order_reference text,
    gross_minor bigint not null,
    fee_minor bigint not null,
    vat_minor bigint not null,
    currency text not null,
    occurred_at timestamptz not null,
    month text not null,
    batch text,
    description text,
    state text check (state in ('unknown', 'matched', 'differs', 'explained')) not null default 'unknown',
    reasons text[] not null,
    subject text,
    transaction_id text,
    expected_minor bigint,
    booked_minor bigint not null default 0,
    agreed_fee_minor bigint,
    agreed_vat_minor bigint,
    posted_as text,
    note text,
    decided_by text,
    decided_at timestamptz,
    postings integer not null default 0,
    constraint gateway_settlement_line_subject
      check (state IN ('unknown', 'explained') OR subject IS NOT NULL OR kind IN ('fee', 'deposit', 'adjustment'))`),
  `create unique index "IDX_gateway_settlement_line_key_unique"
     on gateway_settlement_line (merchant_id, environment, source, key);`,
  `create unique index "IDX_gateway_settlement_line_subject_unique"
     on gateway_settlement_line (subject) WHERE subject IS NOT NULL;`,
  `create index "IDX_gateway_settlement_line_import_id_line" on gateway_settlement_line (import_id, line);`,
  `create index "IDX_gateway_settlement_line_transaction_id"
     on gateway_settlement_line (transaction_id) WHERE transaction_id IS NOT NULL;`,
  `create index "IDX_gateway_settlement_line_by_time"
     on gateway_settlement_line (merchant_id, environment, occurred_at, id);`,
  `create index "IDX_gateway_settlement_line_open"
     on gateway_settlement_line (merchant_id, environment, occurred_at, id) WHERE state IN ('unknown', 'differs');`,
  `create index "IDX_gateway_settlement_line_batch"
     on gateway_settlement_line (merchant_id, environment, source, batch) WHERE batch IS NOT NULL;`,
  `create index "IDX_gateway_settlement_line_month" on gateway_settlement_line (merchant_id, environment, source, month);`,

  table("gateway_settlement_allocation", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    deposit_id text not null,
    source text not null,
    batch text not null,
    currency text not null,
    amount_minor bigint not null,
    created_by text not null,
    constraint gateway_settlement_allocation_amount check (amount_minor <> 0)`),
  `create unique index "IDX_gateway_settlement_allocation_unique"
     on gateway_settlement_allocation (deposit_id, source, batch);`,
  `create index "IDX_gateway_settlement_allocation_batch"
     on gateway_settlement_allocation (merchant_id, environment, source, batch);`,

  table("gateway_settlement_month", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    source text not null,
    month text not null,
    time_zone text not null,
    ends_at timestamptz not null,
    state text check (state in ('open', 'closed')) not null default 'closed',
    figures jsonb not null,
    closed_by text not null,
    closed_at timestamptz not null,
    note text,
    reopened_by text,
    reopened_at timestamptz,
    reopened_note text`),
  `create unique index "IDX_gateway_settlement_month_unique"
     on gateway_settlement_month (merchant_id, environment, source, month);`,

  table("gateway_settlement_account", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    account text not null,
    number text not null`),
  `create unique index "IDX_gateway_settlement_account_unique"
     on gateway_settlement_account (merchant_id, environment, account);`,

  table("gateway_fee_agreement", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    source text not null,
    payment_service text not null default '',
    valid_from text not null,
    rate_basis_points integer not null,
    fixed_minor integer not null default 0,
    vat_basis_points integer not null default 0,
    created_by text not null,
    constraint gateway_fee_agreement_parts
      check (rate_basis_points BETWEEN 0 AND 10000 AND fixed_minor >= 0 AND vat_basis_points BETWEEN 0 AND 10000)`),
  `create unique index "IDX_gateway_fee_agreement_day_unique"
     on gateway_fee_agreement (merchant_id, environment, source, payment_service, valid_from);`,
]

/** The double-entry ledger. Sums are bigint, unlike the amount of one payment: a payout may be larger than an integer. */
const LEDGER = [
  // Its key is what lets nothing be posted twice: no unique index of the entries can, since they are partitioned by time.
  table("gateway_ledger_posting", ""),

  ...partitioned("gateway_ledger_entry", `
    number bigserial,
    posting text not null,
    kind text
      check (kind in ('payment', 'refund_reserved', 'refund_completed', 'refund_released', 'refund_bounced', 'surplus_received',
        'surplus_returned', 'payout', 'payout_reversed', 'dispute_opened', 'dispute_fee', 'dispute_won', 'dispute_lost',
        'dispute_reinstated', 'dispute_fee_returned', 'cash_ordered', 'cash_collected', 'cash_given_up', 'cash_returned',
        'settlement_matched', 'settlement_undone', 'deposit_matched', 'deposit_undone'))
      not null,
    account text check (account in ('merchant_balance', 'acquirer_clearing', 'fees', 'refunds', 'payouts', 'disputes',
      'dispute_claims', 'cash_due', 'cash_received', 'courier_charges', 'cash_orders', 'settlements', 'acquirer_fees',
      'acquirer_vat', 'settlement_differences', 'bank', 'bank_charges', 'emi_costs')) not null,
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    currency text not null,
    amount_minor bigint not null,
    transaction_id text,
    refund_id text,
    payout_id text,
    dispute_id text,
    occurred_at timestamptz not null,
    constraint gateway_ledger_entry_amount check (amount_minor <> 0)`),
  `create index "IDX_gateway_ledger_entry_merchant_id_environment_account_occurred_at_number"
     on gateway_ledger_entry (merchant_id, environment, account, occurred_at, number) INCLUDE (currency);`,
  `create index "IDX_gateway_ledger_entry_transaction_id"
     on gateway_ledger_entry (transaction_id) WHERE transaction_id IS NOT NULL;`,
  `create index "IDX_gateway_ledger_entry_payout_id" on gateway_ledger_entry (payout_id) WHERE payout_id IS NOT NULL;`,
  `create index "IDX_gateway_ledger_entry_dispute_id" on gateway_ledger_entry (dispute_id) WHERE dispute_id IS NOT NULL;`,
  // For the check of the last minutes, which runs every minute; almost free for a table that only grows.
  `create index "IDX_gateway_ledger_entry_created_at"
     on gateway_ledger_entry using brin (created_at) with (pages_per_range = 16, autosummarize = on);`,

  // Each posting updates one of its rows, in the page where the row is.
  table("gateway_ledger_total", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    account text check (account in ('merchant_balance', 'acquirer_clearing', 'fees', 'refunds', 'payouts', 'disputes',
      'dispute_claims', 'cash_due', 'cash_received', 'courier_charges', 'cash_orders', 'settlements', 'acquirer_fees',
      'acquirer_vat', 'settlement_differences', 'bank', 'bank_charges', 'emi_costs')) not null,
    currency text not null,
    shard integer not null,
    balance_minor bigint not null`, "fillfactor = 50"),
  // Random: an id made of the key would be a second unique one. Of two first postings at once, the later one would be
  // refused by it, instead of adding to the row of the earlier one.
  `alter table gateway_ledger_total alter column id set default ('glt_' || gen_random_uuid()::text);`,
  `create unique index "IDX_gateway_ledger_total_key_unique"
     on gateway_ledger_total (merchant_id, environment, account, currency, shard);`,

  table("gateway_ledger_checkpoint", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    account text check (account in ('merchant_balance', 'acquirer_clearing', 'fees', 'refunds', 'payouts', 'disputes',
      'dispute_claims', 'cash_due', 'cash_received', 'courier_charges', 'cash_orders', 'settlements', 'acquirer_fees',
      'acquirer_vat', 'settlement_differences', 'bank', 'bank_charges', 'emi_costs')) not null,
    currency text not null,
    balance_minor bigint not null,
    counted_until timestamptz not null`),
  `create unique index "IDX_gateway_ledger_checkpoint_key_unique"
     on gateway_ledger_checkpoint (merchant_id, environment, account, currency);`,
  `create index "IDX_gateway_ledger_checkpoint_counted_until" on gateway_ledger_checkpoint (counted_until);`,

  table("gateway_payout", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    state text check (state in ('recorded', 'reversed')) not null default 'recorded',
    amount_minor bigint not null,
    currency text not null,
    reference text not null,
    note text,
    transferred_on date,
    period_from date,
    period_to date,
    recorded_by text not null,
    recorded_at timestamptz not null,
    reversed_by text,
    reversed_at timestamptz,
    constraint gateway_payout_amount check (amount_minor > 0),
    constraint gateway_payout_period
      check ((period_from IS NULL) = (period_to IS NULL) AND (period_from IS NULL OR period_from <= period_to))`),
  `create unique index "IDX_gateway_payout_merchant_id_environment_reference_unique"
     on gateway_payout (merchant_id, environment, reference) WHERE state = 'recorded';`,
  `create index "IDX_gateway_payout_merchant_id_environment_recorded_at"
     on gateway_payout (merchant_id, environment, recorded_at);`,
  `create index "IDX_gateway_payout_search"
     on gateway_payout (merchant_id, environment, reference text_pattern_ops) INCLUDE (recorded_at, id);`,
]

/** The counts of lists and the overview. Rows are appended and folded all the time, so the table is vacuumed often. */
const COUNTERS = [
  table("gateway_counter", `
    merchant_id text not null,
    environment text check (environment in ('sandbox', 'production')) not null,
    subject text
      check (subject in ('plan', 'subscription', 'invoice', 'customer', 'refund', 'payment', 'recurring', 'started', 'ended',
        'delivery', 'event', 'entry', 'balance', 'attempt', 'link'))
      not null,
    label text not null,
    currency text not null default '',
    bucket integer not null,
    count integer not null,
    amount_minor bigint not null default 0,
    fee_minor bigint not null default 0,
    is_folded boolean not null default false`, "autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000"),
  // Triggers write these rows, and they have no id to give.
  `alter table gateway_counter alter column id set default ('gta_' || replace(gen_random_uuid()::text, '-', ''));`,
  // Includes the figures: a sum needs only this index.
  `create index "IDX_gateway_counter_key"
     on gateway_counter (merchant_id, environment, subject, bucket, label) INCLUDE (currency, count, amount_minor, fee_minor);`,
  `create index "IDX_gateway_counter_fresh" on gateway_counter (id) WHERE NOT is_folded;`,
  // What is still to become a day. Only the worker writes such rows, so payments do not pay for it.
  `create index "IDX_gateway_counter_hour"
     on gateway_counter (bucket) WHERE is_folded AND subject IN ('event', 'entry') AND bucket % 24 <> 0;`,
]

/** The database is the last guard: rows of the module point only to rows that exist (design: six rules, 5). */
const FOREIGN_KEYS: readonly (readonly [table: string, column: string, target: string, onDelete?: string])[] = [
  ["gateway_merchant_environment", "merchant_id", "gateway_merchant"],
  ["gateway_payment_service", "merchant_id", "gateway_merchant"],
  ["gateway_api_key", "merchant_id", "gateway_merchant"],
  ["gateway_idempotency_key", "merchant_id", "gateway_merchant"],
  ["gateway_audit_entry", "merchant_id", "gateway_merchant"],
  ["gateway_request_log", "merchant_id", "gateway_merchant"],
  ["gateway_checkout_session", "merchant_id", "gateway_merchant"],
  // A session outlives the purge of the subscription it paid for.
  ["gateway_checkout_session", "subscription_id", "gateway_subscription", "on delete set null"],
  ["gateway_transaction", "session_id", "gateway_checkout_session"],
  ["gateway_payment_link", "merchant_id", "gateway_merchant"],
  ["gateway_transaction", "link_id", "gateway_payment_link"],
  ["gateway_payment_attempt", "transaction_id", "gateway_transaction"],
  ["gateway_authorization", "id", "gateway_payment_attempt"],
  ["gateway_capture", "authorization_id", "gateway_authorization"],
  ["gateway_capture", "transaction_id", "gateway_transaction"],
  // An attempt outlives the purge of the instrument it charged.
  ["gateway_payment_attempt", "instrument_id", "gateway_instrument", "on delete set null"],
  ["gateway_acquirer_account", "merchant_id", "gateway_merchant"],
  ["gateway_acquirer_outage", "merchant_id", "gateway_merchant"],
  // A paid cart is one for ever, with or without its subscription.
  ["gateway_cart_completion", "subscription_id", "gateway_subscription", "on delete set null"],
  ["gateway_cart_completion", "transaction_id", "gateway_transaction"],
  ["gateway_refund_batch", "merchant_id", "gateway_merchant"],
  ["gateway_refund", "batch_id", "gateway_refund_batch"],
  ["gateway_refund", "transaction_id", "gateway_transaction"],
  ["gateway_order_refund", "merchant_id", "gateway_merchant"],
  ["gateway_order_refund", "refund_id", "gateway_refund"],
  ["gateway_order_refund", "transaction_id", "gateway_transaction"],
  ["gateway_refund_proposal", "merchant_id", "gateway_merchant"],
  ["gateway_refund_proposal", "refund_id", "gateway_refund"],
  ["gateway_refund_proposal", "transaction_id", "gateway_transaction"],
  ["gateway_emi_configuration", "merchant_id", "gateway_merchant"],
  ["gateway_emi_plan", "configuration_id", "gateway_emi_configuration"],
  ["gateway_emi_plan", "transaction_id", "gateway_transaction"],
  ["gateway_emi_plan", "attempt_id", "gateway_payment_attempt"],
  ["gateway_event", "merchant_id", "gateway_merchant"],
  ["gateway_webhook_endpoint", "merchant_id", "gateway_merchant"],
  ["gateway_webhook_delivery", "merchant_id", "gateway_merchant"],
  ["gateway_plan", "merchant_id", "gateway_merchant"],
  ["gateway_customer", "merchant_id", "gateway_merchant"],
  ["gateway_instrument", "customer_id", "gateway_customer"],
  ["gateway_portal_session", "merchant_id", "gateway_merchant"],
  // An access is nothing without its customer.
  ["gateway_portal_session", "customer_id", "gateway_customer", "on delete cascade"],
  ["gateway_subscription", "merchant_id", "gateway_merchant"],
  ["gateway_subscription", "customer_id", "gateway_customer"],
  ["gateway_subscription", "instrument_id", "gateway_instrument"],
  ["gateway_subscription", "plan_id", "gateway_plan"],
  ["gateway_billing_record", "subscription_id", "gateway_subscription"],
  ["gateway_billing_record", "transaction_id", "gateway_transaction"],
  ["gateway_cancellation_mail", "merchant_id", "gateway_merchant"],
  // An e-mail is nothing without its subscription, and goes with it when a sandbox is purged.
  ["gateway_cancellation_mail", "subscription_id", "gateway_subscription", "on delete cascade"],
  ["gateway_skipped_period", "merchant_id", "gateway_merchant"],
  // A skipped period is nothing without its subscription.
  ["gateway_skipped_period", "subscription_id", "gateway_subscription", "on delete cascade"],
  ["gateway_store_purchase", "merchant_id", "gateway_merchant"],
  ["gateway_store_purchase", "plan_id", "gateway_plan"],
  // A purchase is nothing without what it began.
  ["gateway_store_purchase", "subscription_id", "gateway_subscription", "on delete cascade"],
  ["gateway_invoice", "merchant_id", "gateway_merchant"],
  ["gateway_invoice", "customer_id", "gateway_customer"],
  ["gateway_invoice", "subscription_id", "gateway_subscription"],
  ["gateway_invoice_series", "merchant_id", "gateway_merchant"],
  ["gateway_invoice_mail", "merchant_id", "gateway_merchant"],
  // E-mails are nothing without their invoice, and go with it when a sandbox is purged.
  ["gateway_invoice_mail", "invoice_id", "gateway_invoice", "on delete cascade"],
  ["gateway_receipt", "merchant_id", "gateway_merchant"],
  // Receipts go with their payment when a sandbox is purged.
  ["gateway_receipt", "transaction_id", "gateway_transaction", "on delete cascade"],
  ["gateway_dispute", "merchant_id", "gateway_merchant"],
  ["gateway_dispute", "transaction_id", "gateway_transaction"],
  // Evidence is nothing without its dispute, and goes with it when a sandbox is purged.
  ["gateway_dispute_file", "dispute_id", "gateway_dispute", "on delete cascade"],
  ["gateway_ledger_entry", "dispute_id", "gateway_dispute"],
  ["gateway_ledger_entry", "payout_id", "gateway_payout"],
  ["gateway_ledger_entry", "transaction_id", "gateway_transaction"],
  ["gateway_payout", "merchant_id", "gateway_merchant"],
  ["gateway_cash_order", "merchant_id", "gateway_merchant"],
  ["gateway_cash_collection", "merchant_id", "gateway_merchant"],
  ["gateway_cash_refund", "merchant_id", "gateway_merchant"],
  // Collections are nothing without their order, and go with it when a sandbox is purged.
  ["gateway_cash_collection", "cash_order_id", "gateway_cash_order", "on delete cascade"],
  ["gateway_cash_refund", "cash_order_id", "gateway_cash_order", "on delete cascade"],
  ["gateway_settlement_template", "merchant_id", "gateway_merchant"],
  ["gateway_settlement_import", "merchant_id", "gateway_merchant"],
  ["gateway_settlement_import", "template_id", "gateway_settlement_template"],
  // Lines are nothing without their import, and go with it when it is undone or a sandbox is purged.
  ["gateway_settlement_line", "import_id", "gateway_settlement_import", "on delete cascade"],
  // What a deposit brings goes with its line.
  ["gateway_settlement_allocation", "deposit_id", "gateway_settlement_line", "on delete cascade"],
  ["gateway_settlement_month", "merchant_id", "gateway_merchant"],
  ["gateway_settlement_account", "merchant_id", "gateway_merchant"],
  ["gateway_fee_agreement", "merchant_id", "gateway_merchant"],
]

/*
 * Jobs begin when the surrounding transaction commits. Deliveries are in gateway_webhook_delivery and the schedule
 * finds all other work, so nothing is lost when no worker listens: each dispatcher also polls. Until a worker has
 * installed the queue there is none to wake, and that must not be an error.
 */
const WAKING = [
  `
  create function gateway_wake_worker() returns void language sql as $$
    select pg_notify('gateway_deliveries', '')
  $$;`,
  `
  create function gateway_add_job(task text, after_seconds integer default 0) returns void language plpgsql as $$
  begin
    if to_regnamespace('graphile_worker') is not null then
      perform graphile_worker.add_job(
        task, run_at := now() + after_seconds * interval '1 second', max_attempts := 1);
    end if;
  exception when undefined_function or invalid_schema_name then
    null; -- the queue is just being installed
  end $$;`,
]

/** Audit entries can only be added. */
const AUDIT_GUARD = [
  `create function gateway_audit_fixed() returns trigger language plpgsql as $$
  begin
    raise exception 'audit entries are never changed and never deleted'
      using errcode = 'check_violation', constraint = 'gateway_audit_fixed';
  end $$;`,
  `create trigger gateway_audit_fixed before update or delete or truncate on gateway_audit_entry
     for each statement execute function gateway_audit_fixed();`,
]

/** In quarters of an hour, as in kernel/database/counter-rules.ts: the days of every time zone are made of them. */
const QUARTER = (at: string) => `floor(extract(epoch from ${at}) / 900)::int`

/** The number of rows over which the balance of an account in one currency is spread. */
const SHARDS = 16

/*
 * The database guards the ledger. The entries of a posting are written by one statement, so a check of each statement's
 * new rows checks every posting: it must be in one currency and sum to zero. The same trigger keeps the totals, so that
 * they are the sums of the entries whatever code writes them, and the counters of the lists. Rows are locked in the order of their keys, so that two
 * transactions cannot deadlock; each connection has its own shard.
 */
const keepTotals = (rows: string, sign: "" | "-") => `
    insert into gateway_ledger_total as total (merchant_id, environment, account, currency, shard, balance_minor)
    select merchant_id, environment, account, currency, pg_backend_pid() % ${SHARDS}, ${sign}sum(amount_minor)
    from ${rows} group by merchant_id, environment, account, currency order by merchant_id, environment, account, currency
    on conflict (merchant_id, environment, account, currency, shard)
      do update set balance_minor = total.balance_minor + excluded.balance_minor, updated_at = now();`

const refuseUnbalanced = (rows: string) => `
    if exists (
      select 1 from ${rows} group by posting
      having sum(amount_minor) <> 0 or count(distinct (merchant_id, environment, currency, kind, created_at)) > 1) then
      raise exception 'the entries of a ledger posting must be of one merchant, in one currency, written at once, and sum to zero'
        using errcode = 'check_violation', constraint = 'gateway_ledger_balanced';
    end if;`

/** Its key is what lets nothing be posted twice; its time finds the partition of the entries. */
const KEEP_POSTINGS = `
    insert into gateway_ledger_posting (id, created_at)
    select posting, min(created_at) from added group by posting order by posting;`
const FORGET_POSTINGS = `
    delete from gateway_ledger_posting where id in (select posting from removed);`

/**
 * Checkpoints without what they have counted of the removed rows. Whoever moves them on holds the same lock
 * (ledger/checkpoints.ts): it would otherwise count rows that are just being removed.
 */
const KEEP_CHECKPOINTS = `
    perform pg_advisory_xact_lock(hashtext('gateway_ledger_checkpoint'));
    update gateway_ledger_checkpoint c set balance_minor = c.balance_minor - gone.amount_minor, updated_at = now()
    from (select merchant_id, environment, account, currency, sum(amount_minor) as amount_minor from removed
          where created_at < (select max(counted_until) from gateway_ledger_checkpoint) group by 1, 2, 3, 4) as gone
    where (c.merchant_id, c.environment, c.account, c.currency)
          = (gone.merchant_id, gone.environment, gone.account, gone.currency);`

/**
 * One counter row for each kind of posting in the statement, not one for each account: a payment writes one more row.
 * What moves the balance and is no payment is counted by its kind too.
 */
const countEntries = (rows: string, sign: "" | "-") => `
    insert into gateway_counter (merchant_id, environment, subject, label, currency, bucket, count, amount_minor, is_folded)
    select merchant_id, environment, 'entry', accounts, currency, bucket, ${sign}count(*), 0, false
    from (select merchant_id, environment, currency, string_agg(account, ',' order by account) as accounts,
            floor(extract(epoch from occurred_at) / 3600)::int as bucket
          from ${rows} group by posting, merchant_id, environment, currency, occurred_at) as one
    group by merchant_id, environment, accounts, currency, bucket
    union all select merchant_id, environment, 'balance', kind, currency, ${QUARTER("occurred_at")}, ${sign}count(*), ${sign}sum(amount_minor), false
    from ${rows} where account = 'merchant_balance' and kind <> 'payment' group by 1, 2, kind, currency, 6;`

const LEDGER_GUARD = [
  `create function gateway_ledger_added() returns trigger language plpgsql as $$
  begin ${refuseUnbalanced("added")} ${KEEP_POSTINGS} ${keepTotals("added", "")} ${countEntries("added", "")}
    return null;
  end $$;`,
  `create function gateway_ledger_removed() returns trigger language plpgsql as $$
  begin
    if exists (select 1 from removed where environment <> 'sandbox') then
      raise exception 'entries of the production ledger are kept for ever'
        using errcode = 'check_violation', constraint = 'gateway_ledger_kept';
    end if; ${refuseUnbalanced("removed")} ${FORGET_POSTINGS} ${keepTotals("removed", "-")} ${KEEP_CHECKPOINTS} ${countEntries("removed", "-")}
    return null;
  end $$;`,
  `create function gateway_ledger_fixed() returns trigger language plpgsql as $$
  begin
    raise exception 'ledger entries are never changed: post the correction'
      using errcode = 'check_violation', constraint = 'gateway_ledger_fixed';
  end $$;`,
  // A statement fires the triggers of the table that it names: those of each partition guard what goes past the parent.
  `create function gateway_ledger_guard(part text) returns void language plpgsql as $$
  begin
    execute format('create trigger gateway_ledger_added after insert on %I
      referencing new table as added for each statement execute function gateway_ledger_added()', part);
    execute format('create trigger gateway_ledger_removed after delete on %I
      referencing old table as removed for each statement execute function gateway_ledger_removed()', part);
    execute format('create trigger gateway_ledger_fixed before update or truncate on %I
      for each statement execute function gateway_ledger_fixed()', part);
  end $$;`,
  `select gateway_ledger_guard('gateway_ledger_entry'), gateway_ledger_guard('gateway_ledger_entry_default');`,
]

/**
 * No refund takes what a dispute has taken. A check constraint cannot say so: an acquirer may withdraw more than refunds
 * have left of a payment, and that must be recorded. Refunds may only not grow then.
 */
const DISPUTE_GUARD = [
  `create function gateway_refund_within_dispute() returns trigger language plpgsql as $$
  begin
    raise exception 'what is refunded and disputed of a payment must not exceed its amount'
      using errcode = 'check_violation', constraint = 'gateway_refund_within_dispute';
  end $$;`,
  `create trigger gateway_refund_within_dispute before update of refunded_minor on gateway_transaction for each row
     when (new.refunded_minor > old.refunded_minor and new.refunded_minor + new.disputed_minor > new.amount_minor)
     execute function gateway_refund_within_dispute();`,
]

/**
 * A payment of a link that takes so many has one of so many places; a unique index allows each of them once. A payment of
 * a link that takes any number has none.
 */
const LINK_GUARD = [
  `create function gateway_transaction_link_place() returns trigger language plpgsql as $$
  begin
    if not exists (
      select 1 from gateway_payment_link l where l.id = new.link_id
        and case when l.store_order_id is not null then coalesce(new.link_place >= 1, false)
              when l.max_payments is null then new.link_place is null
              else coalesce(new.link_place between 1 and l.max_payments, false) end)
    then
      raise exception 'a payment of a link must have one of the places that the link has'
        using errcode = 'check_violation', constraint = 'gateway_transaction_link_place';
    end if;
    return new;
  end $$;`,
  `create trigger gateway_transaction_link_place before insert or update of link_id, link_place on gateway_transaction
     for each row when (new.link_id is not null or new.link_place is not null)
     execute function gateway_transaction_link_place();`,
]

/**
 * The first full period begins in the statement that makes a subscription ACTIVE or, after an unpaid trial, PAST_DUE.
 */
const RUNNING = [
  `create function gateway_subscription_running() returns trigger language plpgsql as $$
  begin
    new.running_since := coalesce(new.current_period_start, new.anchor_at, now());
    return new;
  end $$;`,
  `create trigger gateway_subscription_running before insert or update of status on gateway_subscription for each row
     when (new.running_since is null and new.status in ('ACTIVE', 'PAST_DUE', 'PAUSED'))
     execute function gateway_subscription_running();`,
]

/**
 * Lists of subscriptions and invoices are searched by the customer's address, and an index cannot contain a column of
 * another table. The lock makes a new row wait for a change of the address, which changes those of subscriptions; an
 * invoice keeps the address that it was issued with.
 */
const CUSTOMER_KEYS = [
  `create function gateway_customer_key() returns trigger language plpgsql as $$
  begin
    select email_key into new.customer_email_key from gateway_customer where id = new.customer_id for key share;
    return new;
  end $$;`,
  ...["gateway_subscription", "gateway_invoice"].map(
    (name) => `create trigger ${name}_customer_key before insert on ${name} for each row execute function gateway_customer_key();`
  ),
]

/*
 * Triggers keep the counters, so that they are right whatever code writes the rows. A trigger only appends: updating a
 * running total would make payments wait for each other, and two transactions that update several totals in different
 * orders would deadlock.
 */
const COUNTER_KEY = "merchant_id, environment, subject, label, currency, bucket"
const LIST_BUCKET = "number >> 12"
/** As in kernel/database/counter-rules.ts. */
const ANSWER_MS =
  "'{50,100,150,200,300,400,500,750,1000,1500,2000,3000,4000,5000,7500,10000,15000,20000,30000,60000}'::int[]"

/** The counts of one row; `rows` is the table, or the transition table of a trigger. */
type Count = (rows: string) => string
/** With `amounts`, the rows of each currency are counted apart. */
const count = (subject: string, label: string, bucket: string, amounts?: string, where = "true", each = 1): Count => {
  const [currency, sums] = amounts === undefined ? ["''", "0::bigint, 0::bigint"] : ["currency", amounts]
  return (rows) =>
    `select merchant_id, environment, '${subject}', ${label}, ${currency}, ${bucket}, ${each}, ${sums} from ${rows} where ${where}`
}

const CAPTURED = "authorized_minor is not null and state in ('SUCCESS', 'REFUNDED')"

const PAID = "state in ('AUTHORIZED', 'SUCCEEDED', 'SURPLUS', 'RETURNED', 'RELEASED')"

const COUNTED: Readonly<Record<string, readonly Count[]>> = {
  gateway_plan: [count("plan", "case when is_active then 'active' else 'archived' end", LIST_BUCKET)],
  gateway_customer: [count("customer", "''", LIST_BUCKET)],
  gateway_payment_link: [count("link", "''", "floor(extract(epoch from created_at) / 3600)::int")],
  gateway_invoice: [count("invoice", "status", LIST_BUCKET)],
  gateway_refund: [
    count("refund", "state", QUARTER("requested_at"), "amount_minor::bigint, 0::bigint"),
  ],
  gateway_transaction: [
    count(
      "payment",
      "(case state when 'REFUNDED' then 'SUCCESS' else state end) || ':' || coalesce(payment_service, '')",
      QUARTER("finished_at"),
      // What was captured counts on the day of its capture.
      `case when ${CAPTURED} then 0 else amount_minor end::bigint, case when ${CAPTURED} then 0 else charge_minor end::bigint`,
      "finished_at is not null and state not in ('OPEN', 'PROCESSING', 'HELD', 'AUTHORIZED')"
    ),
  ],
  gateway_capture: [
    count(
      "payment",
      "'SUCCESS:' || payment_service",
      QUARTER("completed_at"),
      "amount_minor::bigint, charge_minor::bigint",
      "state = 'completed'",
      0
    ),
  ],
  gateway_payment_attempt: [
    count(
      "attempt",
      `case when ${PAID} then 'paid' when passed_on then 'passed_on'
         when state = 'DECLINED' and error_code not in ('CANCELLED', 'EXPIRED') then 'declined' else 'left' end
       || ':' || coalesce(width_bucket(answer_ms, ${ANSWER_MS}), -1) || ':' || payment_service || ':' || acquirer`,
      QUARTER("finished_at"),
      "case when state = 'SUCCEEDED' then amount_minor else 0 end::bigint, 0::bigint",
      "finished_at is not null"
    ),
  ],
  gateway_subscription: [
    count("subscription", "status", LIST_BUCKET),
    count("recurring", "interval_count || ':' || interval_unit", "0", "amount_minor::bigint, 0::bigint", "status in ('ACTIVE', 'PAST_DUE')"),
    count("started", "''", QUARTER("running_since"), undefined, "running_since is not null"),
    count(
      "ended",
      "''",
      QUARTER("coalesce(cancelled_at, ended_at, updated_at)"),
      undefined,
      "running_since is not null and status in ('CANCELLED', 'EXPIRED')"
    ),
  ],
}

/** The columns whose change affects a row's counts; triggers ignore updates of all others. */
const CHANGES: Readonly<Record<string, readonly string[]>> = {
  gateway_plan: ["is_active"],
  gateway_invoice: ["status"],
  gateway_payment_attempt: ["state", "answer_ms"],
  gateway_capture: ["state"],
  gateway_subscription: ["status", "amount_minor", "interval_count", "interval_unit", "running_since", "cancelled_at"],
}

const COUNTER_COLUMNS = "merchant_id, environment, subject, label, currency, bucket, count, amount_minor, fee_minor"

/** Appends the counts of `more` minus those of `less`; zero sums are not written. */
function append(counts: readonly Count[], more: string | null, less: string | null): string {
  const counted = (rows: string, sign: string) =>
    counts.map((of) => `select ${COUNTER_KEY}, ${sign}count, ${sign}amount_minor, ${sign}fee_minor from (${of(rows)}) as one (${COUNTER_COLUMNS})`)
  const parts = [...(more === null ? [] : counted(more, "")), ...(less === null ? [] : counted(less, "-"))]
  return `insert into gateway_counter (${COUNTER_COLUMNS}, is_folded)
    select ${COUNTER_KEY}, sum(count), sum(amount_minor), sum(fee_minor), false
    from (${parts.join(" union all ")}) as part (${COUNTER_COLUMNS}) group by ${COUNTER_KEY}
    having sum(count) <> 0 or sum(amount_minor) <> 0 or sum(fee_minor) <> 0;`
}

function triggerFunction(name: string, body: string): string {
  return `create function ${name}() returns trigger language plpgsql as $$
  begin
    ${body}
    return null;
  end $$;`
}

/** Their rows are settled in bulk: a trigger for each row took most of the time of a settlement of refunds. */
const UPDATED_IN_BULK: readonly string[] = ["gateway_transaction", "gateway_refund"]

/**
 * Rows are inserted and deleted in bulk, so one statement appends one row per key. Payments and refunds are settled in
 * bulk too. Few updates of other rows change their counts, and a trigger for each such row costs the other updates
 * nothing.
 */
function triggersOf(table: string): string[] {
  const counts = COUNTED[table]
  const changes = CHANGES[table]
  const statement = (event: string, transitions: string) =>
    `create trigger ${table}_counter_${event} after ${event} on ${table} referencing ${transitions}
       for each statement execute function ${table}_counter_${event}();`
  const made = [
    triggerFunction(`${table}_counter_insert`, append(counts, "added", null)),
    statement("insert", "new table as added"),
    triggerFunction(`${table}_counter_delete`, append(counts, null, "removed")),
    statement("delete", "old table as removed"),
  ]
  if (UPDATED_IN_BULK.includes(table)) {
    made.push(triggerFunction(`${table}_counter_update`, append(counts, "added", "removed")), statement("update", "new table as added old table as removed"))
  } else if (changes !== undefined) {
    const row = (which: string) => `(${changes.map((column) => `${which}.${column}`).join(", ")}${changes.length === 1 ? ", 0" : ""})`
    made.push(
      triggerFunction(`${table}_counter_update`, append(counts, "(select new.*) as row", "(select old.*) as row")),
      `create trigger ${table}_counter_update after update of ${changes.join(", ")} on ${table} for each row
         when (${row("old")} is distinct from ${row("new")}) execute function ${table}_counter_update();`
    )
  }
  return made
}

/*
 * The logs of events and of deliveries are counted like the other lists. Their rows are inserted and deleted in bulk,
 * and a statement's rows of one key make one counter row.
 */
const LOGS = {
  gateway_event: { subject: "event", label: "event_type", bucket: "floor(extract(epoch from created_at) / 3600)::int" },
  gateway_webhook_delivery: { subject: "delivery", label: "''", bucket: "number >> 12" },
} as const

type Log = keyof typeof LOGS

function appendLog(table: Log, rows: string, sign: "" | "-"): string {
  const { subject, label, bucket } = LOGS[table]
  return `insert into gateway_counter (merchant_id, environment, subject, label, bucket, count, is_folded)
    select merchant_id, environment, '${subject}', ${label}, ${bucket}, ${sign}count(*), false from ${rows}
    group by merchant_id, environment, ${label === "''" ? "" : `${label}, `}${bucket};`
}

function logTriggersOf(table: Log): string[] {
  const made = (event: "insert" | "delete", rows: string, sign: "" | "-", transition: string) => [
    `create function ${table}_counter_${event}() returns trigger language plpgsql as $$
     begin
       ${appendLog(table, rows, sign)}
       return null;
     end $$;`,
    `create trigger ${table}_counter_${event} after ${event} on ${table} referencing ${transition} as ${rows}
       for each statement execute function ${table}_counter_${event}();`,
  ]
  return [...made("insert", "added", "", "new table"), ...made("delete", "removed", "-", "old table")]
}

/**
 * The gateway never changes an event; if something else does, the counters follow. For each statement: an event whose
 * `created_at` changes may move to another partition, which no trigger for each row sees as an update.
 */
const EVENT_MOVED = [
  `create function gateway_event_counter_update() returns trigger language plpgsql as $$
   begin
     ${appendLog("gateway_event", "removed", "-")}
     ${appendLog("gateway_event", "added", "")}
     return null;
   end $$;`,
  `create trigger gateway_event_counter_update after update on gateway_event
     referencing old table as removed new table as added for each statement execute function gateway_event_counter_update();`,
]

/**
 * Events get their positions one batch after the other, after their commit (docs/decisions/20). One statement of the
 * client, so that no process holds the lock while it does something else. The positions go on from the highest that is
 * stored, and not from a sequence: a sequence does not come along to another cluster in every way of moving there.
 */
const EVENT_POSITIONS = [
  triggerFunction(
    "gateway_event_arrived",
    `insert into gateway_event_arrival (id, event_id, merchant_id, environment, event_type, created_at)
    select id, event_id, merchant_id, environment, event_type, created_at from added;`
  ),
  `create trigger gateway_event_arrived after insert on gateway_event referencing new table as added
     for each statement execute function gateway_event_arrived();`,
  `create function gateway_number_events(most int) returns int language plpgsql as $$
  declare
    numbered int;
  begin
    if not exists (select from gateway_event_arrival) then
      return 0;
    end if;
    perform pg_advisory_xact_lock(hashtext('gateway_number_events'));
    with arrived as materialized (select id from gateway_event_arrival order by id limit most),
    taken as (delete from gateway_event_arrival a using arrived where a.id = arrived.id returning a.*),
    highest as (select coalesce(max(position), 0) as position from gateway_event_position)
    insert into gateway_event_position (id, position, event_id, merchant_id, environment, event_type, created_at)
    select t.id, h.position + row_number() over (order by t.created_at, t.id), t.event_id, t.merchant_id, t.environment,
           t.event_type, t.created_at
    from taken t, highest h;
    get diagnostics numbered = row_count;
    return numbered;
  end $$;`,
]

/*
 * Partitions are made ahead and dropped by the worker (kernel/database/partitions.ts). Both lock tables that payments write, so
 * each is a short transaction that gives up its wait for a lock after 0.3 seconds: what writes meanwhile queues behind
 * that wait. Deadlocks are looked for after a second, so this is always what gives way. One process at a time: two would
 * make the same partition.
 */
const GIVING_WAY = "set lock_timeout = '300ms'"
const ONE_AT_A_TIME = `
    if not pg_try_advisory_xact_lock(hashtext('gateway_partitions')) then
      raise lock_not_available using message = 'another process is changing partitions';
    end if;`
const PARTITIONS = [
  // The request log's retention is in days, and a month of partitions would keep addresses for weeks longer.
  `create function gateway_partition_span(parent text) returns text language sql stable as $$
    select case parent when 'gateway_request_log' then 'day' else 'month' end
  $$;`,
  // In UTC, whatever the session's time zone.
  `create function gateway_partition_start(parent text, at timestamptz) returns timestamptz language sql stable as $$
    select date_trunc(gateway_partition_span(parent), at at time zone 'UTC') at time zone 'UTC'
  $$;`,
  `create function gateway_partition_end(parent text, at timestamptz) returns timestamptz language sql stable as $$
    select (date_trunc(gateway_partition_span(parent), at at time zone 'UTC')
      + ('1 ' || gateway_partition_span(parent))::interval) at time zone 'UTC'
  $$;`,
  `create function gateway_partition_name(parent text, at timestamptz) returns text language sql stable as $$
    select parent || '_' || to_char(at at time zone 'UTC',
      case gateway_partition_span(parent) when 'day' then 'YYYYMMDD' else 'YYYYMM' end)
  $$;`,
  // The default partition has no bounds and is not among them.
  `create function gateway_partitions(parent text) returns table (name text, first timestamptz, next timestamptz)
   language sql stable as $$
    select relname::text, bound[1]::timestamptz, bound[2]::timestamptz
    from pg_inherits join pg_class c on c.oid = inhrelid,
      regexp_match(pg_get_expr(relpartbound, c.oid), 'FROM \\(''([^'']+)''\\) TO \\(''([^'']+)''\\)') as bound
    where inhparent = parent::regclass and bound is not null
  $$;`,
  // This month and the next three, today and the next seven days; and those of the rows in the default partitions.
  `create function gateway_partitions_missing() returns table (parent text, at timestamptz) language plpgsql stable as $$
  begin
    return query
      select wanted.parent, wanted.at from (
        select name, gateway_partition_start(name, now() + n * ('1 ' || gateway_partition_span(name))::interval)
        from unnest(array['gateway_event', 'gateway_webhook_delivery', 'gateway_ledger_entry']) as name, generate_series(0, 3) as n
        union select 'gateway_request_log', gateway_partition_start('gateway_request_log', now() + n * interval '1 day')
        from generate_series(0, 7) as n
        union select 'gateway_event', gateway_partition_start('gateway_event', created_at) from gateway_event_default
        union select 'gateway_webhook_delivery', gateway_partition_start('gateway_webhook_delivery', created_at)
        from gateway_webhook_delivery_default
        union select 'gateway_ledger_entry', gateway_partition_start('gateway_ledger_entry', created_at)
        from gateway_ledger_entry_default
        union select 'gateway_request_log', gateway_partition_start('gateway_request_log', created_at)
        from gateway_request_log_default) as wanted (parent, at)
      where to_regclass(gateway_partition_name(wanted.parent, wanted.at)) is null
      order by wanted.at, wanted.parent;
  end $$;`,
  // A partition is filled and indexed before it is attached, which locks the parent for no reader and no writer. Unless
  // rows may be on their way into the default partition: those that wait for it would be refused once the new partition
  // takes them, so they have to wait for the parent.
  `create function gateway_partition_add(parent text, at timestamptz) returns boolean language plpgsql ${GIVING_WAY} as $$
  declare
    first constant timestamptz := gateway_partition_start(parent, at);
    next constant timestamptz := gateway_partition_end(parent, at);
    parents constant text[] := case parent when 'gateway_webhook_delivery' then array[parent, 'gateway_webhook_attempt']
      when 'gateway_event' then array[parent, 'gateway_event_position'] else array[parent] end;
    key text;
    storage text;
    name text;
    rest text;
    is_moved boolean;
  begin ${ONE_AT_A_TIME}
    if to_regclass(gateway_partition_name(parent, at)) is not null then
      return false;
    end if;
    execute format('select exists (select from %I where created_at >= %L and created_at < %L)', parent || '_default', first, next)
      into is_moved;
    if is_moved or first <= now() then
      -- Payments write gateway_transaction before they post, and attaching would lock it last: so first, here too.
      for name in select distinct confrelid::regclass::text from pg_constraint
        where contype = 'f' and conrelid = any(parents::regclass[]) order by 1 desc loop
        execute format('lock table %s in share row exclusive mode', name);
      end loop;
      foreach name in array parents loop
        execute format('lock table only %I in access exclusive mode', name);
      end loop;
    end if;
    foreach name in array parents loop
      rest := name || '_default';
      key := case name when 'gateway_webhook_attempt' then 'delivery_created_at' else 'created_at' end;
      select coalesce('with (' || array_to_string(reloptions, ', ') || ')', '') into storage
      from pg_class where oid = rest::regclass;
      execute format('create table %I (like %I including all) %s', gateway_partition_name(name, at), name, storage);
      execute format('insert into %I select * from %I where %I >= %L and %I < %L',
        gateway_partition_name(name, at), rest, key, first, key, next);
    end loop;
    if parent = 'gateway_webhook_delivery' then
      perform gateway_attempt_reference('_' || substr(gateway_partition_name(parent, at), length(parent) + 2));
    end if;
    foreach name in array (select array_agg(one order by place desc) from unnest(parents) with ordinality as each (one, place)) loop
      rest := name || '_default';
      key := case name when 'gateway_webhook_attempt' then 'delivery_created_at' else 'created_at' end;
      if is_moved then
        -- Moving is no change: neither counters nor the ledger's guard have to know of it.
        execute format('alter table %I disable trigger user', rest);
        execute format('delete from %I where %I >= %L and %I < %L', rest, key, first, key, next);
        execute format('alter table %I enable trigger user', rest);
      end if;
      execute format('alter table %I attach partition %I for values from (%L) to (%L)',
        name, gateway_partition_name(name, at), first, next);
      if name = 'gateway_ledger_entry' then
        perform gateway_ledger_guard(gateway_partition_name(name, at));
      end if;
    end loop;
    return true;
  end $$;`,
  // From partition to partition: a key to the parent would be looked for in each partition, and dropping a month of
  // deliveries would read the attempts of all others.
  `create function gateway_attempt_reference(suffix text) returns void language plpgsql as $$
  begin
    execute format('alter table %I add constraint gateway_webhook_attempt_delivery_id_fk
      foreign key (delivery_id, delivery_created_at) references %I (id, created_at)',
      'gateway_webhook_attempt' || suffix, 'gateway_webhook_delivery' || suffix);
  end $$;`,
  // Drops the oldest partition whose last moment is before the given one, and answers its name. Its rows are taken from
  // the counters first, and the parent is locked only then: counting must not hold up what is written.
  `create function gateway_partition_drop(parent text, before timestamptz) returns text language plpgsql ${GIVING_WAY} as $$
  declare
    old record;
  begin ${ONE_AT_A_TIME}
    if parent not in ('gateway_event', 'gateway_webhook_delivery', 'gateway_request_log') then
      raise exception 'the rows of % are kept for ever', parent;
    end if;
    select * into old from gateway_partitions(parent) as p where p.next <= before order by p.next limit 1;
    if not found then
      return null;
    end if;
    if parent = 'gateway_event' then
      if to_regclass('gateway_webhook_delivery' || substr(old.name, length(parent) + 1)) is not null then
        raise lock_not_available using message = 'deliveries cannot be sent without their events, and go first';
      end if;
      -- Keeps the purge of old sandbox data out; nothing else writes what is old.
      execute format('lock table %I in share mode', old.name);
      perform gateway_uncount_events(old.first, old.next);
      execute 'lock table only gateway_event, only gateway_event_position in access exclusive mode';
      execute format('drop table %I', 'gateway_event_position' || substr(old.name, length(parent) + 1));
    elsif parent = 'gateway_webhook_delivery' then
      execute format('lock table %I in share mode', old.name);
      perform gateway_uncount_deliveries(old.name, old.first, old.next);
      execute 'lock table only gateway_webhook_delivery, only gateway_webhook_attempt in access exclusive mode';
      execute format('drop table %I', 'gateway_webhook_attempt' || substr(old.name, length(parent) + 1));
    end if;
    execute format('drop table %I', old.name);
    return old.name;
  end $$;`,
  // A month is whole days (UTC), so an hour or a day of the counter has only events of that month.
  `create function gateway_uncount_events(first timestamptz, next timestamptz) returns void language sql as $$
    insert into gateway_counter (merchant_id, environment, subject, label, bucket, count, is_folded)
    select c.merchant_id, c.environment, c.subject, c.label, c.bucket, -sum(c.count), false
    from gateway_merchant m, unnest(array['sandbox', 'production']) as e (environment), gateway_counter c
    where c.merchant_id = m.id and c.environment = e.environment and c.subject = 'event'
      and c.bucket >= (extract(epoch from first) / 3600)::int and c.bucket < (extract(epoch from next) / 3600)::int
    group by c.merchant_id, c.environment, c.subject, c.label, c.bucket having sum(c.count) <> 0
  $$;`,
  // Numbers below those of all other partitions are only in this one, so their counters need no counting. Rows of the
  // rest are counted: numbers run on in the order of time, so there are few. One statement: the counters and the rows
  // that it sees are of one moment.
  `create function gateway_uncount_deliveries(part text, first timestamptz, next timestamptz) returns void language plpgsql as $$
  begin
    execute format($q$
      with others as (
        select coalesce(min(number) >> 12, 2147483647) as bucket from gateway_webhook_delivery
        where created_at < %2$L or created_at >= %3$L),
      gone as (
        select c.merchant_id, c.environment, c.bucket, c.count::bigint
        from others, gateway_merchant m, unnest(array['sandbox', 'production']) as e (environment), gateway_counter c
        where c.merchant_id = m.id and c.environment = e.environment and c.subject = 'delivery' and c.bucket < others.bucket
        union all
        select merchant_id, environment, number >> 12, 1 from others, %1$I where number >= others.bucket::bigint << 12)
      insert into gateway_counter (merchant_id, environment, subject, label, bucket, count, is_folded)
      select merchant_id, environment, 'delivery', '', bucket, -sum(count), false from gone
      group by merchant_id, environment, bucket having sum(count) <> 0 $q$, part, first, next);
  end $$;`,
]
const FIRST_PARTITIONS = [
  `select gateway_attempt_reference('_default');`,
  `select gateway_partition_add(parent, at) from gateway_partitions_missing();`,
]

const TABLES = [MERCHANTS, PAYMENTS, REFUNDS, EMI, EVENTS, SUBSCRIPTIONS, INVOICES, RECEIPTS, DISPUTES, CASH, SETTLEMENTS, LEDGER, COUNTERS].flat()
const COUNTED_TABLES = Object.keys(COUNTED)
const LOG_TABLES = Object.keys(LOGS) as Log[]
const TRIGGERS = [
  ...AUDIT_GUARD,
  ...LEDGER_GUARD,
  ...DISPUTE_GUARD,
  ...LINK_GUARD,
  ...RUNNING,
  ...CUSTOMER_KEYS,
  ...COUNTED_TABLES.flatMap(triggersOf),
  ...LOG_TABLES.flatMap(logTriggersOf),
  ...EVENT_MOVED,
  ...EVENT_POSITIONS,
  ...PARTITIONS,
]

/** The names that the given statements create. */
function namesOf(kind: "table" | "function", statements: readonly string[]): string[] {
  const created = new RegExp(`^\\s*create ${kind} (\\w+)`)
  return statements.flatMap((statement) => created.exec(statement)?.[1] ?? [])
}

export class Migration20261122080000 extends Migration {

  override async up(): Promise<void> {
    TABLES.forEach((statement) => this.addSql(statement))
    for (const [table, column, target, onDelete = ""] of FOREIGN_KEYS) {
      this.addSql(`alter table ${table} add constraint ${table}_${column}_fk foreign key (${column}) references ${target} (id) ${onDelete};`)
    }
    // Partitions take over the indexes, checks and foreign keys that their table has by then.
    for (const statement of [...WAKING, ...TRIGGERS, ...FIRST_PARTITIONS]) {
      this.addSql(statement)
    }
  }

  /** Dropping a table drops its indexes, sequences and triggers; functions must be dropped separately. */
  override async down(): Promise<void> {
    namesOf("table", TABLES).forEach((name) => this.addSql(`drop table if exists ${name} cascade;`))
    namesOf("function", [...WAKING, ...TRIGGERS]).forEach((name) => this.addSql(`drop function if exists ${name};`))
  }

}
