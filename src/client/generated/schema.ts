// Made from docs/openapi.json by `npm run client`. Do not edit.
export interface components {
    schemas: {
        Balance: {
            /** @description ISO 4217 code; BDT throughout this API. */
            currency: string;
            /** @description What can be paid out or refunded. */
            available: string;
            /** @description What has been deducted for refunds and has not reached the customers yet. */
            refunds_in_progress: string;
            /** @description What is withdrawn until banks have decided. */
            disputed: string;
            /** @description Every account of the ledger. Together they are zero. */
            accounts: {
                /** @description The balance of `merchant_balance`. */
                merchant_balance: string;
                /** @description The balance of `acquirer_clearing`. */
                acquirer_clearing: string;
                /** @description The balance of `fees`. */
                fees: string;
                /** @description The balance of `refunds`. */
                refunds: string;
                /** @description The balance of `payouts`. */
                payouts: string;
                /** @description The balance of `disputes`. */
                disputes: string;
                /** @description The balance of `dispute_claims`. */
                dispute_claims: string;
            };
        };
        BalanceMeta: {
            /**
             * Format: date-time
             * @description When this was asked, on the merchant's clock.
             */
            timestamp: string;
        };
        BillingRecord: {
            /** @description The period's record. */
            id: number;
            /**
             * Format: uuid
             * @description The same record by its uuid.
             */
            uuid: string;
            /** @description The subscription. */
            subscription_id: number;
            /**
             * Format: date-time
             * @description When the period was or is due.
             */
            billing_date: string;
            /** @description What it costs. */
            amount: string;
            /** @description ISO 4217 code; BDT throughout this API. */
            currency: string;
            /**
             * @description Whether it is paid.
             * @enum {string}
             */
            status: "PENDING" | "PROCESSING" | "SUCCESS" | "FAILED" | "REFUNDED";
            /** @description The checkout session that paid or last tried to; empty if there is none. */
            payment_session_id: string;
            /** @description The transaction that paid or last tried to; empty if there is none. */
            transaction_id: string;
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            created_at: string;
        };
        CalculateEmiAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["EmiAmounts"];
            /** @description Empty. */
            meta: Record<string, never>;
        };
        CancelRefundAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["CancelledRefund"];
        };
        CancelSessionAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["PaymentOutcome"];
            /** @description Empty. */
            meta: Record<string, never>;
        };
        Cancellation: {
            /** @description Why; it is kept and shown. */
            cancellation_reason?: string;
            /** @description `true`: it may be used until the paid period ends. Otherwise it ends at once. */
            cancel_at_period_end?: boolean;
        };
        CancelledRefund: {
            /** @description The refund. */
            refund_id: string;
            /**
             * @description Its state.
             * @constant
             */
            refund_status: "cancelled";
        };
        CheckoutOrder: {
            /** @description Your own id of the order. It can be used once, whatever becomes of the payment. */
            order_id: string;
            /**
             * @description The currency of the order.
             * @enum {string}
             */
            currency: "BDT";
            /** @description What the customer is to pay: 10.00 to 500000.00, as text or number, with two decimals at most. */
            order_amount: string | number;
            /** @description What the customer reads on the payment page beside the amount. */
            order_description?: string;
            /**
             * Format: uri
             * @description Where the customer goes after paying. `https`, on a public host, without credentials and without `#`; at most 255 characters.
             */
            success_url: string;
            /**
             * Format: uri
             * @description Where the customer goes after cancelling. `https`, on a public host, without credentials and without `#`; at most 255 characters.
             */
            cancel_url: string;
            /**
             * Format: uri
             * @description Where the customer goes when the payment failed or the time is up. `https`, on a public host, without credentials and without `#`; at most 255 characters.
             */
            fail_url: string;
            /**
             * Format: uri
             * @description Where the gateway reports the outcome, server to server; see the webhook `ipn`.
             */
            ipn_url?: string;
            /** @description Who pays. Verification shows it as it was sent. */
            customer: {
                /** @description Full name. */
                name: string;
                /**
                 * Format: email
                 * @description Receipts go here.
                 */
                email: string;
                /** @description House and street. */
                address: string;
                /** @description Town or city. */
                city: string;
                /** @description Postal code. */
                postcode: string;
                /** @description Country. */
                country: string;
                /** @description A number in Bangladesh as `01XXXXXXXXX` or `+8801XXXXXXXXX`, or any other in international form. */
                phone: string;
                /** @description Anything of yours about the customer, up to 16 KiB of JSON. */
                metadata?: {
                    [key: string]: unknown;
                };
            };
            /** @description Where the goods go, when that is somewhere else. */
            shipping?: {
                /** @description Who receives them. */
                name: string;
                /** @description House and street. */
                address: string;
                /** @description Town or city. */
                city: string;
                /** @description Division or state. */
                state?: string;
                /** @description Postal code. */
                postcode: string;
                /** @description Country. */
                country: string;
                /** @description Anything of yours about the delivery, up to 16 KiB of JSON. */
                metadata?: {
                    [key: string]: unknown;
                };
            };
            /** @description What is bought. Shown to the customer; the amount is order_amount alone. */
            order_items?: {
                /** @description Your number of the article. */
                sku?: string;
                /** @description Its name. */
                product_name?: string;
                /** @description Its category. */
                product_category?: string;
                /** @description How many. */
                quantity?: number;
                /** @description The price of one. */
                unit_price?: number | string;
                /** @description The VAT that it contains. */
                vat?: number | string;
                /** @description A fee of yours for this line. */
                convenience_fee?: number | string;
                /** @description The discount on this line. */
                discount_amount?: number | string;
                /** @description What this line comes to. */
                net_amount?: number | string;
                /** @description Anything of yours about the line, up to 16 KiB of JSON. */
                metadata?: {
                    [key: string]: unknown;
                };
            }[];
            /** @description How the order may be paid. */
            payment_info?: {
                /** @description Kept with the order; subscriptions are made by their own operations. */
                is_recurring?: boolean;
                /** @description Kept with the order; 0 means none. */
                installments?: number;
                /** @description Kept with the order. */
                currency_conversion?: boolean;
                /** @description What the page offers; without it, everything that the merchant has. */
                allowed_payment_methods?: ("card" | "mobile_banking" | "internet_banking" | "wallet")[];
                /** @description `true`: only in instalments, from 3000.00. `false`: not in instalments. Without it the customer chooses. */
                requires_emi?: boolean;
                /** @description The one instalment plan to use: a `uuid` of GET /payments/emi-options. */
                emi_configuration_id?: string;
                /** @description The payment service that the page selects first: 1 card, 2 bKash, 3 Nagad, 4 Rocket, 5 Upay, 6 internet banking, 7 wallet. */
                payment_service_id?: number;
                /** @description The language in which the page opens: `en` or `bn`, also with a region, as in `bn-BD`. */
                language?: string;
                /** @description The same as `language`, which comes first. */
                locale?: string;
            };
            /** @description Anything of yours about the order, up to 16 KiB of JSON. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        CheckoutSession: {
            /**
             * Format: uri
             * @description Where to send the customer: the payment page of this session.
             */
            checkout_url: string;
            /** @description The checkout session. */
            session_id: string;
            /**
             * Format: date-time
             * @description Until when it can be paid, on the merchant's clock.
             */
            expires_at: string;
            /** @description The transaction that this session pays. Keep it with your order, and verify it. */
            transaction_id: string;
        };
        ClockMove: {
            /** @description How far, in seconds. */
            advance_seconds?: number;
            /**
             * Format: date-time
             * @description To which moment; it must not be past.
             */
            now?: string;
        };
        CreateCheckoutAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["CheckoutSession"];
            /** @description Empty. */
            meta: Record<string, never>;
        };
        CreatePaymentLinkAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["PaymentLink"];
            /** @description Empty. */
            meta: Record<string, never>;
        };
        CreatePortalSessionAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["PortalSession"];
            /** @description Empty. */
            meta: Record<string, never>;
        };
        CreateRefundAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            data: components["schemas"]["CreatedRefund"];
        };
        CreateRefundBatchAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            data: components["schemas"]["RefundBatch"];
        };
        CreateSubscriptionCheckoutAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["CheckoutSession"];
            /** @description Empty. */
            meta: Record<string, never>;
        };
        CreateWebhookEndpointAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["WebhookEndpointWithSecret"];
            /** @description Empty. */
            meta: Record<string, never>;
        };
        CreatedRefund: {
            /** @description The refund. */
            refund_id: string;
            /** @description The payment that is refunded. */
            transaction_id: string;
            /** @description The amount of this refund. */
            refund_amount: string;
            /**
             * @description `pending`: an admin has to approve it first.
             * @enum {string}
             */
            refund_status: "processing" | "pending";
            /**
             * Format: date-time
             * @description When the customer has the money at the latest, as a rule: 7 business days from now.
             */
            estimated_completion: string;
            /**
             * Format: date-time
             * @description When it was accepted.
             */
            created_at: string;
        };
        CursorMeta: {
            /** @description How many there are in all, on every page together; not with `after`. */
            total?: number;
            /** @description The page that this is, from 1; not with `after`. */
            page?: number;
            /** @description The most that a page holds. */
            per_page: number;
            /** @description Only with `after`: whether there are more after these. */
            has_more?: boolean;
        };
        Customer: {
            /** @description The customer. */
            id: number;
            /**
             * Format: uuid
             * @description The same customer by its uuid.
             */
            uuid: string;
            /** @description Name. */
            name: string;
            /** @description E-mail address; a merchant has one customer for each. */
            email: string;
            /** @description Phone number; empty without any. */
            phone: string;
            /**
             * Format: date-time
             * @description When the first subscription named them.
             */
            created_at: string;
        };
        DeleteWebhookEndpointAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["WebhookEndpoint"];
            /** @description Empty. */
            meta: Record<string, never>;
        };
        Delivery: {
            /** @description The delivery. */
            id: number;
            /**
             * Format: uuid
             * @description The event.
             */
            event_id: string;
            /** @description Its type. */
            event_type: string;
            /** @description The endpoint; null: it goes to an order's `ipn_url`. */
            endpoint_id: number | null;
            /** @description What was called last, or will be. */
            url: string;
            /**
             * @description `failed`: it is not tried again automatically.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /** @description How often it was tried. */
            attempts: number;
            /**
             * Format: date-time
             * @description When it is tried next; null when it is not.
             */
            next_attempt_at: string | null;
            /** @description What the receiver answered last. */
            status_code: number | null;
            /** @description Why the last attempt counts as failed. */
            error: string | null;
            /**
             * Format: date-time
             * @description When the receiver took it.
             */
            delivered_at: string | null;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description Every attempt. */
            log: components["schemas"]["DeliveryAttempt"][];
        };
        DeliveryAttempt: {
            /** @description Which attempt, from 1. */
            attempt: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            attempted_at: string;
            /** @description What was called. */
            url: string;
            /** @description How long it took, in milliseconds. */
            duration_ms: number;
            /** @description What the receiver answered; null: nothing. */
            status_code: number | null;
            /** @description The first kilobyte of the answer. */
            response: string | null;
            /** @description Why it counts as failed. */
            error: string | null;
        };
        DisablePaymentLinkAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["PaymentLink"];
            /** @description Empty. */
            meta: Record<string, never>;
        };
        Dispute: {
            /** @description The dispute. */
            dispute_id: string;
            /** @description The disputed payment. */
            transaction_id: string;
            /** @description Your own id of the order. */
            order_id: string;
            /**
             * @description In an `inquiry` no money has moved; it ends as `closed` or becomes a dispute, which is `won` or `lost`.
             * @enum {string}
             */
            status: "inquiry" | "needs_response" | "under_review" | "won" | "lost" | "closed";
            /**
             * @description Why the payer disputes.
             * @enum {string}
             */
            reason: "fraudulent" | "duplicate" | "product_not_received" | "product_unacceptable" | "credit_not_processed" | "subscription_canceled" | "unrecognized" | "general";
            /** @description The disputed amount. */
            amount: string;
            /** @description What the acquirer charges for the dispute. */
            fee_amount: string;
            /** @description Whether that fee came back. */
            fee_returned: boolean;
            /** @description ISO 4217 code; BDT throughout this API. */
            currency: string;
            /** @description The acquirer's number of the dispute. */
            reference: string;
            /**
             * Format: date-time
             * @description Until when the bank takes evidence.
             */
            evidence_due_by: string | null;
            /** @description Whether that has passed without any. */
            is_overdue: boolean;
            /** @description Whether the merchant gave the dispute up. */
            accepted: boolean;
            /**
             * Format: date-time
             * @description When evidence was sent.
             */
            submitted_at: string | null;
            /**
             * Format: date-time
             * @description When it was decided.
             */
            closed_at: string | null;
            /**
             * Format: date-time
             * @description When the payer's bank opened it.
             */
            opened_at: string | null;
            /**
             * Format: date-time
             * @description When it was recorded here.
             */
            created_at: string | null;
        };
        DisputeClosedEvent: {
            /**
             * Format: uuid
             * @description The event. The same one may arrive more than once: process each id once.
             */
            event_id: string;
            /**
             * @description What happened.
             * @constant
             */
            event_type: "dispute.closed";
            /**
             * Format: date-time
             * @description When it happened, on the merchant's clock.
             */
            occurred_at: string;
            /** @description Your merchant number. */
            merchant_id: number;
            data: components["schemas"]["DisputeEventData"];
        };
        DisputeCreatedEvent: {
            /**
             * Format: uuid
             * @description The event. The same one may arrive more than once: process each id once.
             */
            event_id: string;
            /**
             * @description What happened.
             * @constant
             */
            event_type: "dispute.created";
            /**
             * Format: date-time
             * @description When it happened, on the merchant's clock.
             */
            occurred_at: string;
            /** @description Your merchant number. */
            merchant_id: number;
            data: components["schemas"]["DisputeEventData"];
        };
        DisputeEventData: {
            /** @description The dispute. */
            dispute_id: string;
            /** @description The disputed payment. */
            transaction_id: string;
            /** @description Your own id of the order. */
            order_id: string;
            /**
             * @description The state after this change.
             * @enum {string}
             */
            status: "inquiry" | "needs_response" | "under_review" | "won" | "lost" | "closed";
            /**
             * @description Why the payer disputes.
             * @enum {string}
             */
            reason: "fraudulent" | "duplicate" | "product_not_received" | "product_unacceptable" | "credit_not_processed" | "subscription_canceled" | "unrecognized" | "general";
            /** @description The disputed amount. */
            amount: string;
            /** @description What the acquirer charges for the dispute. */
            fee_amount: string;
            /** @description ISO 4217 code; BDT throughout this API. */
            currency: string;
            /** @description The acquirer's number of the dispute. */
            reference: string;
            /**
             * Format: date-time
             * @description Until when the bank takes evidence.
             */
            evidence_due_by: string | null;
            /** @description Whether that has passed without any. */
            is_overdue: boolean;
            /** @description Whether the merchant gave the dispute up. */
            accepted: boolean;
        };
        DisputeUpdatedEvent: {
            /**
             * Format: uuid
             * @description The event. The same one may arrive more than once: process each id once.
             */
            event_id: string;
            /**
             * @description What happened.
             * @constant
             */
            event_type: "dispute.updated";
            /**
             * Format: date-time
             * @description When it happened, on the merchant's clock.
             */
            occurred_at: string;
            /** @description Your merchant number. */
            merchant_id: number;
            data: components["schemas"]["DisputeEventData"];
        };
        EmiAmounts: {
            /** @description The amount that was asked about. */
            order_amount: string;
            /** @description Whether that holds for every plan listed. */
            merchant_bleeding: boolean;
            /** @description What each plan costs, by bank and months. */
            emi_payment_options: components["schemas"]["EmiOffer"][];
        };
        EmiOffer: {
            /** @description The bank. */
            bank_name: string;
            /** @description How many months, as text. */
            tenure: string;
            /** @description The rate in percent, as in `9.00`. */
            interest_rate: string;
            /** @description Each instalment; the last one takes what rounding leaves. */
            monthly_installment: string;
            /** @description All instalments together. */
            total_amount: string;
            /** @description What of it is interest. */
            total_interest: string;
            /** @description What the bank charges once, besides. */
            processing_fee: string;
            /** @description The instalment plan; a checkout takes it as `emi_configuration_id`. */
            uuid: string;
            /** @description Whether the merchant pays interest and fee instead of the customer. */
            merchant_bleeding: boolean;
        };
        EmiOptions: {
            /** @description The banks by name. */
            emi_options: {
                /** @description The bank. */
                bank_name: string;
                /** @description What it offers. */
                tenures: components["schemas"]["EmiTenure"][];
            }[];
        };
        /** @description The instalments that the customer agreed to. They stay as they were agreed. */
        EmiPlan: {
            /** @description The instalment plan that was chosen. */
            emi_configuration_id: string;
            /** @description The bank that grants it. */
            bank: string;
            /** @description How many months, as text. */
            tenure: string;
            /** @description The rate in percent, as in `9.00`. */
            interest_rate: string;
            /** @description Each instalment; the last one may differ. */
            monthly_installment: string;
            /** @description All instalments together, without the fee. */
            total_amount: string;
            /** @description What the customer pays beyond the order amount. */
            interest: string;
            /** @description What the bank charges once. */
            fee: string;
            /** @description Whether the merchant pays interest and fee instead of the customer. */
            merchant_bleeding: boolean;
            /** @description Every instalment. */
            schedule: {
                /** @description Which instalment, from 1. */
                installment: number;
                /** @description The month in which it is due. */
                due_month: string;
                /** @description What is due. */
                amount: string;
            }[];
        };
        EmiQuestion: {
            /** @description The amount, from 3000.00. */
            order_amount: string | number;
            /** @description The plans to calculate, by their `uuid`; without any, all that fit. */
            emi_configuration_id?: string[];
        };
        EmiTenure: {
            /** @description The rate in percent, as in `9.00`. */
            interest_rate: string;
            /** @description How many months, as text. */
            tenure: string;
            /** @description The instalment plan; a checkout takes it as `emi_configuration_id`. */
            uuid: string;
            /** @description The first digits of the cards that it is for; empty: every card. Only with `include=cards`. */
            card_prefixes?: string[];
        };
        EndedSession: {
            /** @description The transaction. Pass it to GET /payments/verify/{transaction_id}. */
            transaction_id: string;
            /** @description Your own id of the order. */
            order_id: string;
            /** @description The checkout session. */
            session_id: string;
            /**
             * @description `EXPIRED`, or how the session had ended before.
             * @enum {string}
             */
            status: "PENDING" | "SUCCESS" | "FAILED" | "CANCELLED" | "EXPIRED" | "REFUNDED";
        };
        /** @description How every operation answers an error, outside plans and subscriptions. */
        Error: {
            /**
             * @description Always false in an error.
             * @constant
             */
            success: false;
            error: components["schemas"]["ErrorDetail"];
            /** @description The same as `error.message`, for clients that read only this. */
            message: string;
        };
        /**
         * @description Every code, with its status.
         *
         *     | Code | Status | Meaning |
         *     |---|---|---|
         *     | `INVALID_API_KEY` | 401 | The API key is invalid, expired, revoked or malformed |
         *     | `API_KEY_MISSING` | 401 | Send your API key in the X-Merchant-API-Key header, not in Authorization |
         *     | `UNAUTHORIZED` | 401 | A valid API key is required in the X-Merchant-API-Key header |
         *     | `INVALID_ENVIRONMENT` | 403 | This operation is not available to the environment of this API key |
         *     | `IP_NOT_WHITELISTED` | 403 | Requests from this address are not allowed by the merchant's IP allow-list |
         *     | `INVALID_REQUEST` | 400 | The request is invalid |
         *     | `VALIDATION_ERROR` | 422 | One or more fields failed validation |
         *     | `INVALID_EMI_AMOUNT` | 400 | The order amount is outside the range for EMI |
         *     | `AMOUNT_TOO_LOW` | 422 | The amount is below the minimum of 10.00 |
         *     | `AMOUNT_TOO_HIGH` | 422 | The amount is above the maximum of 500000.00 |
         *     | `INVALID_CURRENCY` | 422 | The currency is not supported; use BDT |
         *     | `INVALID_EMAIL` | 422 | The e-mail address is not valid |
         *     | `INVALID_PHONE` | 422 | The phone number is not valid; use +8801XXXXXXXXX |
         *     | `MISSING_REQUIRED_FIELD` | 422 | A required field is missing |
         *     | `INVALID_DATE_FORMAT` | 422 | The date is not valid; use YYYY-MM-DD |
         *     | `PAYMENT_FAILED` | 400 | The payment failed |
         *     | `PAYMENT_TIMEOUT` | 408 | The checkout session has expired; create a new one |
         *     | `DUPLICATE_TRANSACTION` | 409 | This order_id has been used already; order ids are unique for ever |
         *     | `TRANSACTION_NOT_FOUND` | 404 | No transaction was found with this transaction_id |
         *     | `PLAN_NOT_FOUND` | 404 | No plan was found with this id |
         *     | `REFUND_EXCEEDED` | 400 | The refund is larger than what remains of the transaction |
         *     | `REFUND_WINDOW_EXPIRED` | 400 | Refunds are possible for 180 days after the transaction |
         *     | `ALREADY_REFUNDED` | 409 | The transaction has been refunded in full already |
         *     | `INSUFFICIENT_BALANCE` | 400 | The merchant balance is too low for this refund |
         *     | `REFUND_NOT_ALLOWED` | 400 | This transaction cannot be refunded |
         *     | `WEBHOOK_SIGNATURE_INVALID` | 401 | The webhook signature is not valid |
         *     | `WEBHOOK_DELIVERY_FAILED` | 502 | The delivery to the webhook endpoint failed |
         *     | `RATE_LIMIT_EXCEEDED` | 429 | Too many requests; retry after the time in the Retry-After header |
         *     | `MERCHANT_SUSPENDED` | 403 | The merchant account is suspended |
         *     | `SERVICE_NOT_ENABLED` | 403 | This service is not enabled for the merchant account |
         *     | `INVALID_CALLBACK_URL` | 400 | The URL is not valid; use a public https address |
         *     | `INVALID_SIGNATURE` | 401 | The request signature is not valid |
         *     | `INTERNAL_SERVER_ERROR` | 500 | An unexpected error happened; retry with the same Idempotency-Key |
         *     | `SERVICE_UNAVAILABLE` | 503 | The service is not available for the moment; retry later |
         *     | `INSUFFICIENT_SCOPE` | 403 | The API key lacks the scope for this operation |
         *     | `UNSUPPORTED_MEDIA_TYPE` | 415 | Send the body as application/json |
         *     | `PAYLOAD_TOO_LARGE` | 413 | The body is larger than 256 KiB |
         *     | `REQUEST_TIMEOUT` | 408 | The request did not arrive in time |
         *     | `URI_TOO_LONG` | 414 | The address of the request is too long: at most 2048 characters of path, 8192 with its query |
         *     | `NOT_FOUND` | 404 | There is no such path |
         *     | `METHOD_NOT_ALLOWED` | 405 | This path does not have this method |
         *     | `SUBSCRIPTION_NOT_FOUND` | 404 | No subscription was found with this id |
         *     | `INVOICE_NOT_FOUND` | 404 | No invoice was found with this id |
         *     | `LINK_NOT_FOUND` | 404 | No payment link was found with this id |
         *     | `REFUND_NOT_FOUND` | 404 | No refund was found with this id |
         *     | `REFUND_BATCH_NOT_FOUND` | 404 | No batch of refunds was found with this id |
         *     | `SESSION_NOT_FOUND` | 404 | No checkout session was found with this id |
         *     | `WEBHOOK_NOT_FOUND` | 404 | No webhook endpoint was found with this id |
         *     | `CUSTOMER_NOT_FOUND` | 404 | No customer was found with this id |
         *     | `PAYMENT_METHOD_NOT_FOUND` | 404 | No saved payment method was found with this id |
         *     | `EMI_CONFIGURATION_NOT_FOUND` | 404 | No EMI configuration was found with this id |
         *     | `PAYOUT_NOT_FOUND` | 404 | No payout was found with this id |
         *     | `DISPUTE_NOT_FOUND` | 404 | No dispute, or no such file of one, was found with this id |
         *     | `MERCHANT_NOT_FOUND` | 404 | No merchant was found with this id |
         *     | `INVALID_STATE_TRANSITION` | 409 | The resource's state does not allow this operation |
         *     | `DUPLICATE_PAYOUT` | 409 | A payout with this reference has been recorded already |
         *     | `DUPLICATE_DISPUTE` | 409 | A dispute with this reference has been recorded already |
         *     | `DISPUTE_NOT_ALLOWED` | 400 | Nothing of this payment is left to dispute |
         *     | `DISPUTE_EXCEEDED` | 400 | The disputed amount is more than is left of the payment |
         *     | `PLAN_INACTIVE` | 409 | The plan is archived; restore it or choose another |
         *     | `CART_CHANGED` | 409 | The cart has changed since this checkout was made; nothing was charged |
         *     | `PAYMENT_METHOD_IN_USE` | 409 | A subscription is charged with this payment method, or a payment with it is open; change the subscription's method first |
         *     | `EMI_TERMS_CHANGED` | 409 | The EMI terms have changed since they were shown; nothing was charged |
         *     | `EMI_CARD_NOT_ACCEPTED` | 422 | The card is not one of the chosen bank's |
         *     | `IDEMPOTENCY_KEY_IN_USE` | 409 | A request with this Idempotency-Key is still running; retry shortly |
         *     | `IDEMPOTENCY_KEY_REUSED` | 422 | This Idempotency-Key was used for another request |
         * @enum {string}
         */
        ErrorCode: "INVALID_API_KEY" | "API_KEY_MISSING" | "UNAUTHORIZED" | "INVALID_ENVIRONMENT" | "IP_NOT_WHITELISTED" | "INVALID_REQUEST" | "VALIDATION_ERROR" | "INVALID_EMI_AMOUNT" | "AMOUNT_TOO_LOW" | "AMOUNT_TOO_HIGH" | "INVALID_CURRENCY" | "INVALID_EMAIL" | "INVALID_PHONE" | "MISSING_REQUIRED_FIELD" | "INVALID_DATE_FORMAT" | "PAYMENT_FAILED" | "PAYMENT_TIMEOUT" | "DUPLICATE_TRANSACTION" | "TRANSACTION_NOT_FOUND" | "PLAN_NOT_FOUND" | "REFUND_EXCEEDED" | "REFUND_WINDOW_EXPIRED" | "ALREADY_REFUNDED" | "INSUFFICIENT_BALANCE" | "REFUND_NOT_ALLOWED" | "WEBHOOK_SIGNATURE_INVALID" | "WEBHOOK_DELIVERY_FAILED" | "RATE_LIMIT_EXCEEDED" | "MERCHANT_SUSPENDED" | "SERVICE_NOT_ENABLED" | "INVALID_CALLBACK_URL" | "INVALID_SIGNATURE" | "INTERNAL_SERVER_ERROR" | "SERVICE_UNAVAILABLE" | "INSUFFICIENT_SCOPE" | "UNSUPPORTED_MEDIA_TYPE" | "PAYLOAD_TOO_LARGE" | "REQUEST_TIMEOUT" | "URI_TOO_LONG" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "SUBSCRIPTION_NOT_FOUND" | "INVOICE_NOT_FOUND" | "LINK_NOT_FOUND" | "REFUND_NOT_FOUND" | "REFUND_BATCH_NOT_FOUND" | "SESSION_NOT_FOUND" | "WEBHOOK_NOT_FOUND" | "CUSTOMER_NOT_FOUND" | "PAYMENT_METHOD_NOT_FOUND" | "EMI_CONFIGURATION_NOT_FOUND" | "PAYOUT_NOT_FOUND" | "DISPUTE_NOT_FOUND" | "MERCHANT_NOT_FOUND" | "INVALID_STATE_TRANSITION" | "DUPLICATE_PAYOUT" | "DUPLICATE_DISPUTE" | "DISPUTE_NOT_ALLOWED" | "DISPUTE_EXCEEDED" | "PLAN_INACTIVE" | "CART_CHANGED" | "PAYMENT_METHOD_IN_USE" | "EMI_TERMS_CHANGED" | "EMI_CARD_NOT_ACCEPTED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_KEY_REUSED";
        ErrorDetail: {
            code: components["schemas"]["ErrorCode"];
            /** @description What went wrong, for people. Programs read `code`. */
            message: string;
            /** @description The member that is wrong; of several, the first. */
            field?: string;
            /** @description The members that are wrong, when the request was validated: the first 20 of them. */
            details?: components["schemas"]["FieldFault"][];
            /** @description How many more members are wrong than `details` names. */
            details_omitted?: number;
            /** @description The id of this request; the same as in the header X-Request-Id. Quote it when you ask for help. */
            request_id: string;
            /** @description The HTTP status once more. */
            status: number;
        };
        /** @description An event, as it was or would have been delivered. */
        Event: components["schemas"]["PaymentSucceededEvent"] | components["schemas"]["PaymentFailedEvent"] | components["schemas"]["PaymentCancelledEvent"] | components["schemas"]["PaymentExpiredEvent"] | components["schemas"]["RefundInitiatedEvent"] | components["schemas"]["RefundProcessingEvent"] | components["schemas"]["RefundCompletedEvent"] | components["schemas"]["RefundFailedEvent"] | components["schemas"]["RefundCancelledEvent"] | components["schemas"]["SubscriptionCreatedEvent"] | components["schemas"]["SubscriptionTrialStartedEvent"] | components["schemas"]["SubscriptionTrialEndingEvent"] | components["schemas"]["SubscriptionTrialEndedEvent"] | components["schemas"]["SubscriptionActivatedEvent"] | components["schemas"]["SubscriptionPaymentSucceededEvent"] | components["schemas"]["SubscriptionPaymentFailedEvent"] | components["schemas"]["SubscriptionPeriodSkippedEvent"] | components["schemas"]["SubscriptionCancelledEvent"] | components["schemas"]["SubscriptionExpiredEvent"] | components["schemas"]["SubscriptionPausedEvent"] | components["schemas"]["SubscriptionResumedEvent"] | components["schemas"]["InvoiceCreatedEvent"] | components["schemas"]["DisputeCreatedEvent"] | components["schemas"]["DisputeUpdatedEvent"] | components["schemas"]["DisputeClosedEvent"];
        ExpireCheckoutAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["EndedSession"];
            /** @description Empty. */
            meta: Record<string, never>;
        };
        FieldFault: {
            /** @description The path of the member, as in `customer.email` or `order_items[0].quantity`. */
            field: string;
            /** @description What is wrong with it, for people. */
            message: string;
        };
        GetBalanceAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["Balance"];
            meta: components["schemas"]["BalanceMeta"];
        };
        GetClockAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["SandboxClock"];
            /** @description Empty. */
            meta: Record<string, never>;
        };
        GetCustomerAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["Customer"];
            /** @description Empty. */
            meta: Record<string, never>;
        };
        GetDisputeAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["Dispute"];
            /** @description Empty. */
            meta: Record<string, never>;
        };
        GetEventAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["Event"];
            /** @description Empty. */
            meta: Record<string, never>;
        };
        GetIpnSecretAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["IpnSecret"];
            /** @description Empty. */
            meta: Record<string, never>;
        };
        GetPaymentLinkAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["PaymentLink"];
            /** @description Empty. */
            meta: Record<string, never>;
        };
        GetRefundAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            data: components["schemas"]["Refund"];
        };
        GetRefundBatchAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            data: components["schemas"]["RefundBatch"];
        };
        GetSandboxAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["SandboxTestData"];
            /** @description Empty. */
            meta: Record<string, never>;
        };
        GetWebhookEndpointAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["WebhookEndpoint"];
            /** @description Empty. */
            meta: Record<string, never>;
        };
        Invoice: {
            /** @description The invoice. The numbers of a merchant have no gaps. */
            invoice_id: string;
            /**
             * Format: uuid
             * @description The same invoice by its uuid.
             */
            uuid: string;
            /** @description Who asks for the money. */
            business_name: string;
            /** @description What it is for, as in `SUBSCRIPTION`. */
            invoice_type: string;
            /**
             * Format: date-time
             * @description When it is due.
             */
            due_date: string;
            /** @description What is due, as a number with two decimals at most. */
            payable_amount: number;
            /**
             * @description Whether it is paid.
             * @enum {string}
             */
            invoice_status: "PENDING" | "PAID" | "VOID";
            /** @description ISO 4217 code; BDT throughout this API. */
            currency: string;
            /** @description The subscription. */
            subscription_id: number;
            /**
             * Format: uuid
             * @description The same subscription by its uuid.
             */
            subscription_uuid: string;
            /** @description Who is asked to pay. */
            customer_id: number;
            /**
             * Format: date-time
             * @description When the period begins.
             */
            period_start: string;
            /**
             * Format: date-time
             * @description When the period ends.
             */
            period_end: string;
            /**
             * Format: uri
             * @description Its page, where anybody with this address can pay it. Null in events of a deployment without an address.
             */
            payment_url: string | null;
            /**
             * Format: date-time
             * @description When it was paid.
             */
            paid_at: string | null;
            /**
             * Format: date-time
             * @description When it became void.
             */
            voided_at: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
        };
        InvoiceCreatedEvent: {
            /**
             * Format: uuid
             * @description The event. The same one may arrive more than once: process each id once.
             */
            event_id: string;
            /**
             * @description What happened.
             * @constant
             */
            event_type: "invoice.created";
            /**
             * Format: date-time
             * @description When it happened, on the merchant's clock.
             */
            occurred_at: string;
            /** @description Your merchant number. */
            merchant_id: number;
            data: components["schemas"]["Invoice"];
        };
        Ipn: {
            /**
             * Format: uuid
             * @description The event. The same one may arrive more than once: process each id once.
             */
            event_id: string;
            /** @description The transaction. Pass it to GET /payments/verify/{transaction_id}. */
            transaction_id: string;
            /** @description Your own id of the order. */
            order_id: string;
            /** @description The checkout session. */
            session_id: string;
            /**
             * @description How the payment ended.
             * @enum {string}
             */
            status: "SUCCESS" | "FAILED" | "CANCELLED" | "EXPIRED" | "REFUNDED";
            /** @description The amount of the order. */
            amount: string;
            /** @description ISO 4217 code; BDT throughout this API. */
            currency: string;
            /** @description The payment service that was used or tried last; empty if none was. */
            payment_method: string;
            /**
             * Format: date-time
             * @description When it happened, on the merchant's clock.
             */
            occurred_at: string;
        };
        IpnSecret: {
            /** @description What signs the notifications to `ipn_url`. */
            secret: string;
        };
        LedgerEntry: {
            /** @description The entry. */
            entry_id: string;
            /**
             * @description What was booked.
             * @enum {string}
             */
            type: "payment" | "refund_reserved" | "refund_completed" | "refund_released" | "refund_bounced" | "surplus_received" | "surplus_returned" | "payout" | "payout_reversed" | "dispute_opened" | "dispute_fee" | "dispute_won" | "dispute_lost" | "dispute_reinstated" | "dispute_fee_returned";
            /**
             * @description The account.
             * @enum {string}
             */
            account: "merchant_balance" | "acquirer_clearing" | "fees" | "refunds" | "payouts" | "disputes" | "dispute_claims";
            /** @description What the account changed by; negative when it fell. */
            amount: string;
            /** @description ISO 4217 code; BDT throughout this API. */
            currency: string;
            /** @description The payment that it belongs to. */
            transaction_id: string | null;
            /** @description The refund that it belongs to. */
            refund_id: string | null;
            /** @description The payout that it belongs to. */
            payout_id: string | null;
            /** @description The dispute that it belongs to. */
            dispute_id: string | null;
            /**
             * Format: date-time
             * @description When it was booked.
             */
            created_at: string;
        };
        LedgerEntryPage: {
            /** @description The entries of this page. */
            entries: components["schemas"]["LedgerEntry"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListBalanceEntriesAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            data: components["schemas"]["LedgerEntryPage"];
        };
        ListBillingHistoryAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            /** @description What this page has. */
            data: components["schemas"]["BillingRecord"][];
            meta: components["schemas"]["ListMeta"];
        };
        ListCustomersAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            /** @description What this page has. */
            data: components["schemas"]["Customer"][];
            meta: components["schemas"]["ListMeta"];
        };
        ListDeliveriesAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            /** @description What this page has. */
            data: components["schemas"]["Delivery"][];
            meta: components["schemas"]["CursorMeta"];
        };
        ListDisputesAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            /** @description What this page has. */
            data: components["schemas"]["Dispute"][];
            meta: components["schemas"]["ListMeta"];
        };
        ListEmiOptionsAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["EmiOptions"];
            /** @description Empty. */
            meta: Record<string, never>;
        };
        ListEventsAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            /** @description What this page has. */
            data: components["schemas"]["Event"][];
            meta: components["schemas"]["CursorMeta"];
        };
        ListInvoicesAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            /** @description What this page has. */
            data: components["schemas"]["Invoice"][];
            meta: components["schemas"]["ListMeta"];
        };
        ListMeta: {
            /** @description How many there are in all, on every page together. */
            total: number;
            /** @description The page that this is, from 1. */
            page: number;
            /** @description The most that a page holds. */
            per_page: number;
        };
        ListPaymentLinksAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            /** @description What this page has. */
            data: components["schemas"]["PaymentLink"][];
            meta: components["schemas"]["ListMeta"];
        };
        ListPaymentsAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            /** @description What this page has. */
            data: components["schemas"]["Payment"][];
            meta: components["schemas"]["ListMeta"];
        };
        ListPlansAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            /** @description What this page has. */
            data: components["schemas"]["PlanSummary"][];
            meta: components["schemas"]["ListMeta"];
        };
        ListRefundsAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            data: components["schemas"]["RefundPage"];
        };
        ListSubscriptionsAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            /** @description What this page has. */
            data: components["schemas"]["SubscriptionSummary"][];
            meta: components["schemas"]["ListMeta"];
        };
        ListWebhookEndpointsAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            /** @description What this page has. */
            data: components["schemas"]["WebhookEndpoint"][];
            meta: components["schemas"]["ListMeta"];
        };
        MoveClockAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["SandboxClock"];
            /** @description Empty. */
            meta: Record<string, never>;
        };
        NewPaymentLink: {
            /** @description What to ask for: 10.00 to 500000.00. */
            amount: string | number;
            /**
             * @description BDT, which it also is when omitted.
             * @enum {string}
             */
            currency?: "BDT";
            /** @description What it is for. */
            description: string;
            /** @description Who is asked to pay. Without it the page asks for name, e-mail address and phone. */
            customer?: {
                /** @description Name. */
                name: string;
                /**
                 * Format: email
                 * @description E-mail address.
                 */
                email: string;
                /** @description Phone number. */
                phone: string;
            };
            /**
             * Format: date-time
             * @description When it ends; it must be in the future. Without it the link does not end.
             */
            expires_at?: string;
        };
        NewPlan: {
            /** @description Its name; customers see it. */
            plan_name: string;
            /** @description More about it. */
            plan_description?: string;
            /** @description What a period costs: 10.00 to 500000.00. */
            amount: string | number;
            /**
             * @description BDT, which it also is when omitted.
             * @enum {string}
             */
            currency?: "BDT";
            /** @description How many units a period has. */
            interval_count: number;
            /**
             * @description The unit. With an interval_count of 2, `WEEK` charges every two weeks.
             * @enum {string}
             */
            interval_unit: "DAY" | "WEEK" | "MONTH" | "YEAR";
            /** @description How long a new subscription is tried before it is charged; 0 or nothing: no trial. */
            trial_period_days?: number;
            /** @description What the trial costs; 0 or nothing: it is free. */
            trial_amount?: string | number;
            /** @description Anything of yours, up to 16 KiB of JSON. */
            meta_data?: {
                [key: string]: unknown;
            };
        };
        NewPortalSession: {
            /** @description The customer, by its `id` or its `uuid`. */
            customer_id: number | string;
            /**
             * Format: uri
             * @description Where the portal leads back to, on a public host.
             */
            return_url?: string;
        };
        NewRefund: {
            /** @description The payment to refund: one that succeeded at most 180 days ago. */
            transaction_id: string;
            /** @description More than 0.00 and at most what is left of the payment. Without it, all that is left. */
            refund_amount?: string | number;
            /** @description Why; it is kept and shown. */
            refund_reason: string;
            /**
             * @description `full` refuses an amount below what is left; `partial` requires an amount. Without it the amount decides.
             * @enum {string}
             */
            refund_type?: "full" | "partial";
            /** @description Whether the customer gets a receipt by e-mail, even if the merchant has receipts switched off. */
            notify_customer?: boolean;
            /** @description Anything of yours about the refund, up to 16 KiB of JSON. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        NewRefundBatch: {
            /** @description What to refund, 1 to 100 items. */
            refunds: components["schemas"]["NewRefund"][];
        };
        NewSubscription: {
            /** @description The `id` of the plan. What else you send replaces the plan's own terms. */
            subscription_plan_id?: number;
            /** @description A customer that exists already. It comes before `customer`; one of the two is required. */
            customer_id?: number;
            /** @description Who subscribes: the customer with this e-mail address, or a new one. */
            customer?: {
                /** @description Name. */
                name: string;
                /**
                 * Format: email
                 * @description E-mail address; invoices go here.
                 */
                email: string;
                /** @description Phone number. */
                phone?: string;
            };
            /** @description What a period costs: 10.00 to 500000.00. */
            amount?: string | number;
            /**
             * @description BDT, which it also is when omitted.
             * @enum {string}
             */
            currency?: "BDT";
            /** @description How many units a period has. */
            interval_count?: number;
            /**
             * @description The unit.
             * @enum {string}
             */
            interval_unit?: "DAY" | "WEEK" | "MONTH" | "YEAR";
            /** @description How long it is tried before it is charged; 0: no trial, whatever the plan says. */
            trial_period_days?: number;
            /** @description Anything of yours, up to 16 KiB of JSON; it replaces what was there. */
            meta_data?: {
                [key: string]: unknown;
            };
        };
        NewWebhookEndpoint: {
            /**
             * Format: uri
             * @description Where events are to be delivered: `https`, on a public host.
             */
            endpoint_url: string;
            /** @description Which events; `*` is all of them. */
            event_types: ("payment.succeeded" | "payment.failed" | "payment.cancelled" | "payment.expired" | "refund.initiated" | "refund.processing" | "refund.completed" | "refund.failed" | "refund.cancelled" | "subscription.created" | "subscription.trial_started" | "subscription.trial_ending" | "subscription.trial_ended" | "subscription.activated" | "subscription.payment_succeeded" | "subscription.payment_failed" | "subscription.period_skipped" | "subscription.cancelled" | "subscription.expired" | "subscription.paused" | "subscription.resumed" | "invoice.created" | "dispute.created" | "dispute.updated" | "dispute.closed" | "*")[];
            /**
             * @description How x-webhook-signature is written: bare hexadecimal, or with `sha256=` before it.
             * @enum {string}
             */
            signature_format?: "hex" | "prefixed";
        };
        /** @description An OpenAPI 3.1 document. */
        OpenApi: {
            /** @description The version of OpenAPI. */
            openapi: string;
            /** @description What this API is. */
            info: {
                [key: string]: unknown;
            };
            /** @description The base URLs of this deployment. */
            servers: unknown[];
            /** @description The operations. */
            paths: {
                [key: string]: unknown;
            };
            /** @description The events. */
            webhooks: {
                [key: string]: unknown;
            };
            /** @description The schemas. */
            components: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        Pagination: {
            /** @description The page that this is, from 1. */
            page: number;
            /** @description The most that a page holds. */
            limit: number;
            /** @description How many there are in all, on every page together. */
            total: number;
            /** @description How many pages that makes. */
            pages: number;
        };
        PaySessionAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["PaymentOutcome"];
            /** @description Empty. */
            meta: Record<string, never>;
        };
        Payment: {
            /** @description The transaction. */
            transaction_id: string;
            /** @description Your own id of the order. */
            order_id: string;
            /** @description The number that the customer reads: the shop's own where there is one, otherwise the order_id. */
            order_number: string;
            /**
             * @description How it ended; `PENDING` while it can still be paid.
             * @enum {string}
             */
            status: "PENDING" | "SUCCESS" | "FAILED" | "CANCELLED" | "EXPIRED" | "REFUNDED";
            /** @description The amount of the order. */
            amount: string;
            /** @description The processing fee. */
            charge_amount: string;
            /** @description What of it has been refunded. */
            refunded_amount: string;
            /** @description ISO 4217 code; BDT throughout this API. */
            currency: string;
            /** @description The payment service that was used or tried last; empty if none was. */
            payment_method: string;
            /** @description Why it failed; null when it did not. */
            error_code: string | null;
            /** @description Who pays. */
            customer: {
                /** @description Name, as sent. */
                name: string;
                /** @description E-mail address, as sent. */
                email: string;
            };
            /**
             * Format: date-time
             * @description When the checkout was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ended; null until then.
             */
            finished_at: string | null;
        };
        PaymentCancelledEvent: {
            /**
             * Format: uuid
             * @description The event. The same one may arrive more than once: process each id once.
             */
            event_id: string;
            /**
             * @description What happened.
             * @constant
             */
            event_type: "payment.cancelled";
            /**
             * Format: date-time
             * @description When it happened, on the merchant's clock.
             */
            occurred_at: string;
            /** @description Your merchant number. */
            merchant_id: number;
            data: components["schemas"]["PaymentEventData"];
        };
        PaymentEventData: {
            /** @description The transaction. Pass it to GET /payments/verify/{transaction_id}. */
            transaction_id: string;
            /** @description Your own id of the order. */
            order_id: string;
            /** @description The checkout session. */
            session_id: string;
            /**
             * @description How the payment ended.
             * @enum {string}
             */
            status: "SUCCESS" | "FAILED" | "CANCELLED" | "EXPIRED";
            /** @description The amount of the order. */
            amount: string;
            /** @description ISO 4217 code; BDT throughout this API. */
            currency: string;
            /** @description The processing fee. */
            charge_amount: string;
            /** @description The payment service that was used or tried last, as in `BKASH`; empty if none was. */
            payment_method: string;
            /** @description Why it failed; null when it did not. */
            error_code: string | null;
        };
        PaymentExpiredEvent: {
            /**
             * Format: uuid
             * @description The event. The same one may arrive more than once: process each id once.
             */
            event_id: string;
            /**
             * @description What happened.
             * @constant
             */
            event_type: "payment.expired";
            /**
             * Format: date-time
             * @description When it happened, on the merchant's clock.
             */
            occurred_at: string;
            /** @description Your merchant number. */
            merchant_id: number;
            data: components["schemas"]["PaymentEventData"];
        };
        PaymentFailedEvent: {
            /**
             * Format: uuid
             * @description The event. The same one may arrive more than once: process each id once.
             */
            event_id: string;
            /**
             * @description What happened.
             * @constant
             */
            event_type: "payment.failed";
            /**
             * Format: date-time
             * @description When it happened, on the merchant's clock.
             */
            occurred_at: string;
            /** @description Your merchant number. */
            merchant_id: number;
            data: components["schemas"]["PaymentEventData"];
        };
        PaymentLink: {
            /** @description The link. */
            link_id: string;
            /**
             * Format: uri
             * @description Its page. Whoever has this address can see it and pay.
             */
            url: string;
            /**
             * @description Only an `open` link can be paid.
             * @enum {string}
             */
            status: "open" | "paid" | "expired" | "disabled";
            /** @description What is asked for. */
            amount: string;
            /** @description ISO 4217 code; BDT throughout this API. */
            currency: string;
            /** @description What it is for; the payer reads it. */
            description: string;
            /** @description Who is asked to pay; null: the page asks. */
            customer: {
                /** @description Name. */
                name: string;
                /** @description E-mail address. */
                email: string;
                /** @description Phone number. */
                phone: string;
            } | null;
            /** @description The payment that has paid it; null until then. */
            transaction_id: string | null;
            /**
             * Format: date-time
             * @description When it ends; null: never.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was paid.
             */
            paid_at: string | null;
            /**
             * Format: date-time
             * @description When it was disabled.
             */
            disabled_at: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
        };
        PaymentOutcome: {
            /** @description The transaction. Pass it to GET /payments/verify/{transaction_id}. */
            transaction_id: string;
            /**
             * @description How it ended; `PENDING` while the customer may try again.
             * @enum {string}
             */
            status: "PENDING" | "SUCCESS" | "FAILED" | "CANCELLED" | "EXPIRED" | "REFUNDED";
            /** @description Where the page would send the customer now. */
            redirect_url: string;
        };
        PaymentSucceededEvent: {
            /**
             * Format: uuid
             * @description The event. The same one may arrive more than once: process each id once.
             */
            event_id: string;
            /**
             * @description What happened.
             * @constant
             */
            event_type: "payment.succeeded";
            /**
             * Format: date-time
             * @description When it happened, on the merchant's clock.
             */
            occurred_at: string;
            /** @description Your merchant number. */
            merchant_id: number;
            data: components["schemas"]["PaymentEventData"];
        };
        Plan: {
            /** @description The plan. */
            id: number;
            /**
             * Format: uuid
             * @description The same plan by its uuid.
             */
            uuid: string;
            /** @description Your merchant number. */
            merchant_id: number;
            /** @description Its name; customers see it. */
            plan_name: string;
            /** @description What a period costs. */
            amount: string;
            /** @description ISO 4217 code; BDT throughout this API. */
            currency: string;
            /** @description How many units a period has. */
            interval_count: number;
            /**
             * @description The unit.
             * @enum {string}
             */
            interval_unit: "DAY" | "WEEK" | "MONTH" | "YEAR";
            /** @description How long the trial is; null: there is none. */
            trial_period_days: number | null;
            /** @description What the trial costs; null: nothing. */
            trial_amount: string | null;
            /** @description False once it is archived: nobody new can subscribe to it. */
            is_active: boolean;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description More about it; empty without any. */
            plan_description: string;
            /** @description Anything of yours. */
            meta_data: {
                [key: string]: unknown;
            };
        };
        PlanChange: {
            /** @description Its name; customers see it. */
            plan_name?: string;
            /** @description More about it. */
            plan_description?: string;
            /** @description What a period costs: 10.00 to 500000.00. */
            amount?: string | number;
            /** @description How long a new subscription is tried before it is charged; 0 or nothing: no trial. */
            trial_period_days?: number;
            /** @description What the trial costs; 0 or nothing: it is free. */
            trial_amount?: string | number;
            /** @description Anything of yours, up to 16 KiB of JSON. */
            meta_data?: {
                [key: string]: unknown;
            };
        };
        /** @description A plan as lists show it. */
        PlanSummary: {
            /** @description The plan. */
            id: number;
            /**
             * Format: uuid
             * @description The same plan by its uuid.
             */
            uuid: string;
            /** @description Your merchant number. */
            merchant_id: number;
            /** @description Its name; customers see it. */
            plan_name: string;
            /** @description What a period costs. */
            amount: string;
            /** @description ISO 4217 code; BDT throughout this API. */
            currency: string;
            /** @description How many units a period has. */
            interval_count: number;
            /**
             * @description The unit.
             * @enum {string}
             */
            interval_unit: "DAY" | "WEEK" | "MONTH" | "YEAR";
            /** @description How long the trial is; null: there is none. */
            trial_period_days: number | null;
            /** @description What the trial costs; null: nothing. */
            trial_amount: string | null;
            /** @description False once it is archived: nobody new can subscribe to it. */
            is_active: boolean;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
        };
        PortalSession: {
            /** @description The session of the portal. */
            portal_session_id: string;
            /**
             * Format: uri
             * @description The customer's own way in. Whoever opens it acts as the customer: redirect at once, store it nowhere.
             */
            url: string;
            /** @description The customer. */
            customer_id: number;
            /**
             * Format: uuid
             * @description The same customer by its uuid.
             */
            customer_uuid: string;
            /**
             * Format: uri
             * @description Where the portal leads back to.
             */
            return_url: string | null;
            /**
             * Format: date-time
             * @description When it ends unless it is used. Real time, in the sandbox too.
             */
            expires_at: string;
            /**
             * Format: uri
             * @description Where your customers ask for such a link themselves.
             */
            login_url: string;
        };
        RedeliverAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["Delivery"];
            /** @description Empty. */
            meta: Record<string, never>;
        };
        RedeliverFailedAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["Redelivered"];
            /** @description Empty. */
            meta: Record<string, never>;
        };
        Redelivered: {
            /** @description How many deliveries are sent again. */
            redelivered: number;
        };
        RedeliverySince: {
            /**
             * Format: date-time
             * @description Events from this moment on.
             */
            since: string;
        };
        Refund: {
            /** @description The refund. */
            refund_id: string;
            /** @description The payment that is refunded. */
            transaction_id: string;
            /** @description The amount of this refund. */
            refund_amount: string;
            /**
             * @description Its state. Only `pending` refunds can be cancelled.
             * @enum {string}
             */
            refund_status: "pending" | "processing" | "completed" | "failed" | "cancelled";
            /**
             * Format: date-time
             * @description When it was completed; null until then.
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description When it was accepted.
             */
            created_at: string;
            /** @description Why it failed. Only when it failed. */
            error_code?: string;
            /** @description The same in a sentence. Only when it failed. */
            error_message?: string;
        };
        RefundBatch: {
            /** @description The batch. */
            batch_id: string;
            /** @description How many items it has. */
            total_refunds: number;
            /** @description How many are neither refused, failed nor cancelled. */
            successful: number;
            /** @description How many were refused or have failed. */
            failed: number;
            /** @description The items in your order. */
            refunds: components["schemas"]["RefundBatchItem"][];
            /** @description How many items have which state. */
            progress: {
                /** @description How many are pending. */
                pending: number;
                /** @description How many are processing. */
                processing: number;
                /** @description How many are completed. */
                completed: number;
                /** @description How many are failed. */
                failed: number;
                /** @description How many are cancelled. */
                cancelled: number;
            };
            /**
             * Format: date-time
             * @description When it was accepted.
             */
            created_at: string;
        };
        RefundBatchItem: {
            /** @description The payment, as it was sent. */
            transaction_id: string;
            /** @description The refund; null when it was refused. */
            refund_id: string | null;
            /**
             * @description Its state.
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "failed" | "cancelled";
            /** @description Only when it failed. */
            error?: {
                /** @description The code that a single refund would have been refused with, or why the acquirer refused. */
                code: string;
                /** @description The same in a sentence. */
                message: string;
            };
        };
        RefundCancelledEvent: {
            /**
             * Format: uuid
             * @description The event. The same one may arrive more than once: process each id once.
             */
            event_id: string;
            /**
             * @description What happened.
             * @constant
             */
            event: "refund.cancelled";
            /**
             * Format: date-time
             * @description When it happened, on the merchant's clock.
             */
            timestamp: string;
            data: components["schemas"]["RefundEventData"];
        };
        RefundCompletedEvent: {
            /**
             * Format: uuid
             * @description The event. The same one may arrive more than once: process each id once.
             */
            event_id: string;
            /**
             * @description What happened.
             * @constant
             */
            event: "refund.completed";
            /**
             * Format: date-time
             * @description When it happened, on the merchant's clock.
             */
            timestamp: string;
            data: components["schemas"]["RefundEventData"];
        };
        RefundEventData: {
            /** @description The refund. */
            refund_id: string;
            /** @description The payment that is refunded. */
            transaction_id: string;
            /** @description The amount of this refund. */
            refund_amount: string;
            /**
             * @description The state after this change.
             * @enum {string}
             */
            refund_status: "pending" | "processing" | "completed" | "failed" | "cancelled";
            /** @description The amount of the payment. */
            original_amount: string;
            /** @description What of the payment can still be refunded. */
            remaining_amount: string;
        };
        RefundFailedEvent: {
            /**
             * Format: uuid
             * @description The event. The same one may arrive more than once: process each id once.
             */
            event_id: string;
            /**
             * @description What happened.
             * @constant
             */
            event: "refund.failed";
            /**
             * Format: date-time
             * @description When it happened, on the merchant's clock.
             */
            timestamp: string;
            data: components["schemas"]["RefundEventData"];
        };
        RefundInitiatedEvent: {
            /**
             * Format: uuid
             * @description The event. The same one may arrive more than once: process each id once.
             */
            event_id: string;
            /**
             * @description What happened.
             * @constant
             */
            event: "refund.initiated";
            /**
             * Format: date-time
             * @description When it happened, on the merchant's clock.
             */
            timestamp: string;
            data: components["schemas"]["RefundEventData"];
        };
        RefundPage: {
            /** @description The refunds of this page. */
            refunds: components["schemas"]["RefundSummary"][];
            pagination: components["schemas"]["Pagination"];
        };
        RefundProcessingEvent: {
            /**
             * Format: uuid
             * @description The event. The same one may arrive more than once: process each id once.
             */
            event_id: string;
            /**
             * @description What happened.
             * @constant
             */
            event: "refund.processing";
            /**
             * Format: date-time
             * @description When it happened, on the merchant's clock.
             */
            timestamp: string;
            data: components["schemas"]["RefundEventData"];
        };
        /** @description A refund as lists show it. */
        RefundSummary: {
            /** @description The refund. */
            refund_id: string;
            /** @description The payment that is refunded. */
            transaction_id: string;
            /** @description The amount of this refund. */
            refund_amount: string;
            /**
             * @description Its state. Only `pending` refunds can be cancelled.
             * @enum {string}
             */
            refund_status: "pending" | "processing" | "completed" | "failed" | "cancelled";
            /**
             * Format: date-time
             * @description When it was accepted.
             */
            created_at: string;
        };
        RotateIpnSecretAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["IpnSecret"];
            /** @description Empty. */
            meta: Record<string, never>;
        };
        RotateWebhookSecretAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["WebhookEndpointWithSecret"];
            /** @description Empty. */
            meta: Record<string, never>;
        };
        SampleEvent: {
            /**
             * @description The type of the event.
             * @enum {string}
             */
            event: "payment.succeeded" | "payment.failed" | "payment.cancelled" | "payment.expired" | "refund.initiated" | "refund.processing" | "refund.completed" | "refund.failed" | "refund.cancelled" | "subscription.created" | "subscription.trial_started" | "subscription.trial_ending" | "subscription.trial_ended" | "subscription.activated" | "subscription.payment_succeeded" | "subscription.payment_failed" | "subscription.period_skipped" | "subscription.cancelled" | "subscription.expired" | "subscription.paused" | "subscription.resumed" | "invoice.created" | "dispute.created" | "dispute.updated" | "dispute.closed";
            /**
             * Format: uri
             * @description Where to send it.
             */
            url: string;
        };
        SandboxClock: {
            /**
             * Format: date-time
             * @description What the clock shows.
             */
            now: string;
            /** @description How far it is ahead of real time, in seconds. */
            offset_seconds: number;
            /** @description What fell due and was done before this answer: how much of each kind. Empty when the clock was only read. */
            processed: {
                [key: string]: number;
            };
        };
        SandboxPayment: {
            /**
             * @description The way to pay.
             * @enum {string}
             */
            payment_method: "card" | "mobile_banking" | "internet_banking" | "wallet";
            /** @description A test card; without it the first one that succeeds. */
            card_number?: string;
            /** @description The code of the payment service, as in `BKASH`; without it the first of its kind. */
            payment_service?: string;
            /** @description The instalment plan to choose. */
            emi_configuration_id?: string;
            /**
             * @description `false`: a decline leaves the session open, as on the page, while attempts are left.
             * @default true
             */
            final?: boolean;
        };
        SandboxTestData: {
            /** @description Every test card. Any other number is refused. */
            cards: {
                /** @description The number of the card. Any expiry date in the future and any security code go with it. */
                number: string;
                /**
                 * @description How a payment with it ends.
                 * @enum {string}
                 */
                outcome: "SUCCESS" | "INSUFFICIENT_FUNDS" | "CARD_DECLINED" | "EXPIRED_CARD" | "INVALID_CVV" | "FRAUD_SUSPECTED" | "LIMIT_EXCEEDED" | "NETWORK_ERROR" | "AUTHENTICATION_FAILED";
                /**
                 * @description How a refund of it goes: as usual, `instant`: at once, `delayed`: after 24 hours, `fails`: never.
                 * @enum {string}
                 */
                refund: "standard" | "instant" | "delayed" | "fails";
                /** @description The same for people, in English. */
                label: string;
            }[];
            /** @description What to enter for bKash and the other mobile wallets. */
            mobile_banking: {
                /** @description A number that the page takes. Any number in Bangladesh does. */
                mobile_number: string;
                /** @description The OTP that succeeds. */
                otp: string;
                /** @description The PIN that succeeds. */
                pin: string;
                /**
                 * @description How a payment with another OTP or PIN ends.
                 * @enum {string}
                 */
                otherwise: "INSUFFICIENT_FUNDS" | "CARD_DECLINED" | "EXPIRED_CARD" | "INVALID_CVV" | "FRAUD_SUSPECTED" | "LIMIT_EXCEEDED" | "NETWORK_ERROR" | "AUTHENTICATION_FAILED";
            };
            /** @description Amounts with an outcome of their own. */
            amounts: {
                /** @description An order of exactly this amount. The amount decides before the card does. */
                amount: string;
                /** @description ISO 4217 code; BDT throughout this API. */
                currency: string;
                /**
                 * @description How its payment ends. `AMOUNT_TOO_LOW`: the checkout itself is refused with this code. Where `refund` is `fails`, the card decides.
                 * @enum {string}
                 */
                outcome: "SUCCESS" | "INSUFFICIENT_FUNDS" | "CARD_DECLINED" | "EXPIRED_CARD" | "INVALID_CVV" | "FRAUD_SUSPECTED" | "LIMIT_EXCEEDED" | "NETWORK_ERROR" | "AUTHENTICATION_FAILED" | "AMOUNT_TOO_LOW";
                /**
                 * @description How a refund of it goes: as usual, `instant`: at once, `delayed`: after 24 hours, `fails`: never.
                 * @enum {string}
                 */
                refund: "standard" | "instant" | "delayed" | "fails";
            }[];
        };
        SendTestEventAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["TestDelivery"];
            /** @description Empty. */
            meta: Record<string, never>;
        };
        Subscription: {
            /** @description The subscription. */
            id: number;
            /**
             * Format: uuid
             * @description The same subscription by its uuid.
             */
            uuid: string;
            /** @description Your merchant number. */
            merchant_id: number;
            /** @description Who subscribes. */
            customer_id: number;
            /**
             * @description Its state. Deliver while it is `TRIALING` or `ACTIVE`.
             * @enum {string}
             */
            status: "PENDING" | "TRIALING" | "ACTIVE" | "PAST_DUE" | "PAUSED" | "CANCELLED" | "EXPIRED";
            /** @description What a period costs. */
            amount: string;
            /** @description ISO 4217 code; BDT throughout this API. */
            currency: string;
            /**
             * Format: date-time
             * @description When it is charged next; null when it is not.
             */
            next_billing_date: string | null;
            /** @description How many periods are paid. */
            billing_cycle_count: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description Its plan; null: it has terms of its own. */
            subscription_plan_id: number | null;
            /** @description How many units a period has. */
            interval_count: number;
            /**
             * @description The unit.
             * @enum {string}
             */
            interval_unit: "DAY" | "WEEK" | "MONTH" | "YEAR";
            /**
             * Format: date-time
             * @description When the trial ends or ended; null: there was none.
             */
            trial_end_date: string | null;
            /** @description How often the charge of the open period has failed. */
            failed_payment_count: number;
            /**
             * Format: date-time
             * @description When the paid period began.
             */
            current_period_start: string | null;
            /**
             * Format: date-time
             * @description When the paid period ends.
             */
            current_period_end: string | null;
            /** @description Whether it is cancelled and may be used until the paid period ends. */
            cancel_at_period_end: boolean;
            /**
             * Format: date-time
             * @description When it was cancelled.
             */
            cancelled_at: string | null;
            /** @description Why, as it was given. */
            cancellation_reason: string | null;
            /** @description Anything of yours. */
            meta_data: {
                [key: string]: unknown;
            };
            /** @description Who subscribes. */
            customer: {
                /** @description The customer. */
                id: number;
                /** @description Name. */
                name: string;
                /** @description E-mail address; invoices go here. */
                email: string;
                /** @description Phone number; empty without any. */
                phone: string;
            };
        };
        SubscriptionActivatedEvent: {
            /**
             * Format: uuid
             * @description The event. The same one may arrive more than once: process each id once.
             */
            event_id: string;
            /**
             * @description What happened.
             * @constant
             */
            event_type: "subscription.activated";
            /**
             * Format: date-time
             * @description When it happened, on the merchant's clock.
             */
            occurred_at: string;
            /** @description Your merchant number. */
            merchant_id: number;
            data: components["schemas"]["SubscriptionEventData"];
        };
        SubscriptionCancelledEvent: {
            /**
             * Format: uuid
             * @description The event. The same one may arrive more than once: process each id once.
             */
            event_id: string;
            /**
             * @description What happened.
             * @constant
             */
            event_type: "subscription.cancelled";
            /**
             * Format: date-time
             * @description When it happened, on the merchant's clock.
             */
            occurred_at: string;
            /** @description Your merchant number. */
            merchant_id: number;
            data: components["schemas"]["SubscriptionEndedEventData"];
        };
        SubscriptionChange: {
            /** @description What a period costs: 10.00 to 500000.00. */
            amount?: string | number;
            /** @description How many units a period has. */
            interval_count?: number;
            /**
             * @description The unit.
             * @enum {string}
             */
            interval_unit?: "DAY" | "WEEK" | "MONTH" | "YEAR";
            /** @description Anything of yours, up to 16 KiB of JSON; it replaces what was there. */
            meta_data?: {
                [key: string]: unknown;
            };
        };
        SubscriptionCheckout: {
            /**
             * Format: uri
             * @description Where the customer goes after paying.
             */
            success_url?: string;
            /**
             * Format: uri
             * @description Where the customer goes after cancelling.
             */
            cancel_url?: string;
            /**
             * Format: uri
             * @description Where the customer goes when the payment failed.
             */
            fail_url?: string;
            /**
             * Format: uri
             * @description Where the gateway reports the outcome.
             */
            ipn_url?: string;
            /** @description Anything of yours about the payment, up to 16 KiB of JSON. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        SubscriptionCreatedEvent: {
            /**
             * Format: uuid
             * @description The event. The same one may arrive more than once: process each id once.
             */
            event_id: string;
            /**
             * @description What happened.
             * @constant
             */
            event_type: "subscription.created";
            /**
             * Format: date-time
             * @description When it happened, on the merchant's clock.
             */
            occurred_at: string;
            /** @description Your merchant number. */
            merchant_id: number;
            data: components["schemas"]["SubscriptionEventData"];
        };
        SubscriptionEndedEventData: {
            /**
             * Format: uuid
             * @description The subscription.
             */
            subscription_uuid: string;
            /** @description The same subscription by its number. */
            subscription_id: number;
            /** @description Its customer. */
            customer_id: number;
            /** @description What the period costs. */
            amount: string;
            /** @description ISO 4217 code; BDT throughout this API. */
            currency: string;
            /** @description How many periods are paid; in an event about a payment, which period that is. */
            billing_cycle: number;
            /**
             * Format: date-time
             * @description When it is charged next; null when it is not.
             */
            next_billing_date: string | null;
            /**
             * @description The state after this change.
             * @enum {string}
             */
            status: "PENDING" | "TRIALING" | "ACTIVE" | "PAST_DUE" | "PAUSED" | "CANCELLED" | "EXPIRED";
            /**
             * Format: date-time
             * @description When the paid period ends.
             */
            current_period_end: string | null;
            /** @description Whether it may be used until the paid period ends. */
            cancel_at_period_end: boolean;
            /** @description Why, as it was given. */
            cancellation_reason: string | null;
        };
        /** @description How operations on plans and subscriptions answer an error: both shapes in one. */
        SubscriptionError: {
            /**
             * @description Always false in an error.
             * @constant
             */
            success: false;
            error: components["schemas"]["ErrorDetail"];
            /** @description The same as `error.message`, for clients that read only this. */
            message: string;
            /** @description The same as `error.message`. */
            detail: string;
            code: components["schemas"]["ErrorCode"];
            /** @description The same as `error.status`. */
            status_code: number;
        };
        SubscriptionEventData: {
            /**
             * Format: uuid
             * @description The subscription.
             */
            subscription_uuid: string;
            /** @description The same subscription by its number. */
            subscription_id: number;
            /** @description Its customer. */
            customer_id: number;
            /** @description What the period costs. */
            amount: string;
            /** @description ISO 4217 code; BDT throughout this API. */
            currency: string;
            /** @description How many periods are paid; in an event about a payment, which period that is. */
            billing_cycle: number;
            /**
             * Format: date-time
             * @description When it is charged next; null when it is not.
             */
            next_billing_date: string | null;
            /**
             * @description The state after this change.
             * @enum {string}
             */
            status: "PENDING" | "TRIALING" | "ACTIVE" | "PAST_DUE" | "PAUSED" | "CANCELLED" | "EXPIRED";
        };
        SubscriptionExpiredEvent: {
            /**
             * Format: uuid
             * @description The event. The same one may arrive more than once: process each id once.
             */
            event_id: string;
            /**
             * @description What happened.
             * @constant
             */
            event_type: "subscription.expired";
            /**
             * Format: date-time
             * @description When it happened, on the merchant's clock.
             */
            occurred_at: string;
            /** @description Your merchant number. */
            merchant_id: number;
            data: components["schemas"]["SubscriptionEndedEventData"];
        };
        SubscriptionPaidEventData: {
            /**
             * Format: uuid
             * @description The subscription.
             */
            subscription_uuid: string;
            /** @description The same subscription by its number. */
            subscription_id: number;
            /** @description Its customer. */
            customer_id: number;
            /** @description What the period costs. */
            amount: string;
            /** @description ISO 4217 code; BDT throughout this API. */
            currency: string;
            /** @description How many periods are paid; in an event about a payment, which period that is. */
            billing_cycle: number;
            /**
             * Format: date-time
             * @description When it is charged next; null when it is not.
             */
            next_billing_date: string | null;
            /** @description The checkout session of the payment; empty for an automatic charge. */
            payment_session_id: string;
            /** @description The transaction of the payment; empty if none was made. */
            transaction_id: string;
        };
        SubscriptionPausedEvent: {
            /**
             * Format: uuid
             * @description The event. The same one may arrive more than once: process each id once.
             */
            event_id: string;
            /**
             * @description What happened.
             * @constant
             */
            event_type: "subscription.paused";
            /**
             * Format: date-time
             * @description When it happened, on the merchant's clock.
             */
            occurred_at: string;
            /** @description Your merchant number. */
            merchant_id: number;
            data: components["schemas"]["SubscriptionPausedEventData"];
        };
        SubscriptionPausedEventData: {
            /**
             * Format: uuid
             * @description The subscription.
             */
            subscription_uuid: string;
            /** @description The same subscription by its number. */
            subscription_id: number;
            /** @description Its customer. */
            customer_id: number;
            /** @description What the period costs. */
            amount: string;
            /** @description ISO 4217 code; BDT throughout this API. */
            currency: string;
            /** @description How many periods are paid; in an event about a payment, which period that is. */
            billing_cycle: number;
            /**
             * Format: date-time
             * @description When it is charged next; null when it is not.
             */
            next_billing_date: string | null;
            /**
             * @description The state after this change.
             * @enum {string}
             */
            status: "PENDING" | "TRIALING" | "ACTIVE" | "PAST_DUE" | "PAUSED" | "CANCELLED" | "EXPIRED";
            /**
             * Format: date-time
             * @description When the paid period ends.
             */
            current_period_end: string | null;
        };
        SubscriptionPaymentFailedEvent: {
            /**
             * Format: uuid
             * @description The event. The same one may arrive more than once: process each id once.
             */
            event_id: string;
            /**
             * @description What happened.
             * @constant
             */
            event_type: "subscription.payment_failed";
            /**
             * Format: date-time
             * @description When it happened, on the merchant's clock.
             */
            occurred_at: string;
            /** @description Your merchant number. */
            merchant_id: number;
            data: components["schemas"]["SubscriptionPaymentFailedEventData"];
        };
        SubscriptionPaymentFailedEventData: {
            /**
             * Format: uuid
             * @description The subscription.
             */
            subscription_uuid: string;
            /** @description The same subscription by its number. */
            subscription_id: number;
            /** @description Its customer. */
            customer_id: number;
            /** @description What the period costs. */
            amount: string;
            /** @description ISO 4217 code; BDT throughout this API. */
            currency: string;
            /** @description How many periods are paid; in an event about a payment, which period that is. */
            billing_cycle: number;
            /**
             * Format: date-time
             * @description When it is charged next; null when it is not.
             */
            next_billing_date: string | null;
            /**
             * @description The state after this change.
             * @enum {string}
             */
            status: "PENDING" | "TRIALING" | "ACTIVE" | "PAST_DUE" | "PAUSED" | "CANCELLED" | "EXPIRED";
            /** @description The checkout session of the payment; empty for an automatic charge. */
            payment_session_id: string;
            /** @description The transaction of the payment; empty if none was made. */
            transaction_id: string;
            /** @description Why the charge failed; empty when nothing is on file that could be charged. */
            error_code: string;
            /** @description How often this period has failed. */
            failed_payment_count: number;
            /**
             * Format: date-time
             * @description When it is tried again; null when it is not.
             */
            next_retry_at: string | null;
        };
        SubscriptionPaymentSucceededEvent: {
            /**
             * Format: uuid
             * @description The event. The same one may arrive more than once: process each id once.
             */
            event_id: string;
            /**
             * @description What happened.
             * @constant
             */
            event_type: "subscription.payment_succeeded";
            /**
             * Format: date-time
             * @description When it happened, on the merchant's clock.
             */
            occurred_at: string;
            /** @description Your merchant number. */
            merchant_id: number;
            data: components["schemas"]["SubscriptionPaidEventData"];
        };
        SubscriptionPeriodSkippedEvent: {
            /**
             * Format: uuid
             * @description The event. The same one may arrive more than once: process each id once.
             */
            event_id: string;
            /**
             * @description What happened.
             * @constant
             */
            event_type: "subscription.period_skipped";
            /**
             * Format: date-time
             * @description When it happened, on the merchant's clock.
             */
            occurred_at: string;
            /** @description Your merchant number. */
            merchant_id: number;
            data: components["schemas"]["SubscriptionPeriodSkippedEventData"];
        };
        SubscriptionPeriodSkippedEventData: {
            /**
             * Format: uuid
             * @description The subscription.
             */
            subscription_uuid: string;
            /** @description The same subscription by its number. */
            subscription_id: number;
            /** @description Its customer. */
            customer_id: number;
            /** @description What the period costs. */
            amount: string;
            /** @description ISO 4217 code; BDT throughout this API. */
            currency: string;
            /** @description How many periods are paid; in an event about a payment, which period that is. */
            billing_cycle: number;
            /**
             * Format: date-time
             * @description When it is charged next; null when it is not.
             */
            next_billing_date: string | null;
            /**
             * @description The state after this change.
             * @enum {string}
             */
            status: "PENDING" | "TRIALING" | "ACTIVE" | "PAST_DUE" | "PAUSED" | "CANCELLED" | "EXPIRED";
            /**
             * @description Why the goods of this period were not delivered.
             * @enum {string}
             */
            reason: "out_of_stock" | "not_sold" | "no_order";
            /** @description Which period, from 1. */
            skipped_period: number;
            /**
             * Format: date-time
             * @description When it would have begun.
             */
            skipped_period_start: string | null;
            /**
             * Format: date-time
             * @description When it would have ended.
             */
            skipped_period_end: string | null;
            /** @description The product variant of the store. */
            variant_id: string;
        };
        SubscriptionResumedEvent: {
            /**
             * Format: uuid
             * @description The event. The same one may arrive more than once: process each id once.
             */
            event_id: string;
            /**
             * @description What happened.
             * @constant
             */
            event_type: "subscription.resumed";
            /**
             * Format: date-time
             * @description When it happened, on the merchant's clock.
             */
            occurred_at: string;
            /** @description Your merchant number. */
            merchant_id: number;
            data: components["schemas"]["SubscriptionPausedEventData"];
        };
        /** @description A subscription as lists show it. */
        SubscriptionSummary: {
            /** @description The subscription. */
            id: number;
            /**
             * Format: uuid
             * @description The same subscription by its uuid.
             */
            uuid: string;
            /** @description Your merchant number. */
            merchant_id: number;
            /** @description Who subscribes. */
            customer_id: number;
            /**
             * @description Its state. Deliver while it is `TRIALING` or `ACTIVE`.
             * @enum {string}
             */
            status: "PENDING" | "TRIALING" | "ACTIVE" | "PAST_DUE" | "PAUSED" | "CANCELLED" | "EXPIRED";
            /** @description What a period costs. */
            amount: string;
            /** @description ISO 4217 code; BDT throughout this API. */
            currency: string;
            /**
             * Format: date-time
             * @description When it is charged next; null when it is not.
             */
            next_billing_date: string | null;
            /** @description How many periods are paid. */
            billing_cycle_count: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
        };
        SubscriptionTrialEndedEvent: {
            /**
             * Format: uuid
             * @description The event. The same one may arrive more than once: process each id once.
             */
            event_id: string;
            /**
             * @description What happened.
             * @constant
             */
            event_type: "subscription.trial_ended";
            /**
             * Format: date-time
             * @description When it happened, on the merchant's clock.
             */
            occurred_at: string;
            /** @description Your merchant number. */
            merchant_id: number;
            data: components["schemas"]["SubscriptionTrialEventData"];
        };
        SubscriptionTrialEndingEvent: {
            /**
             * Format: uuid
             * @description The event. The same one may arrive more than once: process each id once.
             */
            event_id: string;
            /**
             * @description What happened.
             * @constant
             */
            event_type: "subscription.trial_ending";
            /**
             * Format: date-time
             * @description When it happened, on the merchant's clock.
             */
            occurred_at: string;
            /** @description Your merchant number. */
            merchant_id: number;
            data: components["schemas"]["SubscriptionTrialEventData"];
        };
        SubscriptionTrialEventData: {
            /**
             * Format: uuid
             * @description The subscription.
             */
            subscription_uuid: string;
            /** @description The same subscription by its number. */
            subscription_id: number;
            /** @description Its customer. */
            customer_id: number;
            /** @description What the period costs. */
            amount: string;
            /** @description ISO 4217 code; BDT throughout this API. */
            currency: string;
            /** @description How many periods are paid; in an event about a payment, which period that is. */
            billing_cycle: number;
            /**
             * Format: date-time
             * @description When it is charged next; null when it is not.
             */
            next_billing_date: string | null;
            /**
             * @description The state after this change.
             * @enum {string}
             */
            status: "PENDING" | "TRIALING" | "ACTIVE" | "PAST_DUE" | "PAUSED" | "CANCELLED" | "EXPIRED";
            /**
             * Format: date-time
             * @description When the trial ends or ended.
             */
            trial_end_date: string | null;
        };
        SubscriptionTrialStartedEvent: {
            /**
             * Format: uuid
             * @description The event. The same one may arrive more than once: process each id once.
             */
            event_id: string;
            /**
             * @description What happened.
             * @constant
             */
            event_type: "subscription.trial_started";
            /**
             * Format: date-time
             * @description When it happened, on the merchant's clock.
             */
            occurred_at: string;
            /** @description Your merchant number. */
            merchant_id: number;
            data: components["schemas"]["SubscriptionTrialEventData"];
        };
        TestDelivery: {
            /** @description Whether the receiver answered 200. */
            delivered: boolean;
            /** @description What it answered; null: nothing. */
            status_code: number | null;
            /** @description How long it took, in milliseconds. */
            duration_ms: number;
            /** @description Why it counts as failed. Only then. */
            error?: string;
        };
        Transaction: {
            /** @description The transaction. */
            transaction_id: string;
            /** @description Your own id of the order. */
            order_id: string;
            /** @description Whether the acquirer has confirmed the money. It stays true after refunds. */
            verified: boolean;
            /**
             * @description `PENDING`: ask again later. Deliver only when it is `SUCCESS` and `verified` is true.
             * @enum {string}
             */
            status: "PENDING" | "SUCCESS" | "FAILED" | "CANCELLED" | "EXPIRED" | "REFUNDED";
            /** @description The amount of the order. */
            amount: string;
            /** @description ISO 4217 code; BDT throughout this API. */
            currency: string;
            /** @description The processing fee; zero until the payment is confirmed. */
            charge_amount: string;
            /** @description The payment service, as in `BKASH`; empty while none was used. */
            payment_method: string;
            /** @description The acquirer's number of the payment; empty until it is confirmed. */
            payment_reference_id: string;
            /** @description The customer, as the checkout named them. */
            customer: {
                /** @description As sent. */
                name: string;
                /** @description As sent. */
                email: string;
                /** @description As sent. */
                phone: string;
                /** @description As sent. */
                address: string;
                /** @description As sent. */
                city: string;
                /** @description As sent. */
                postcode: string;
                /** @description As sent. */
                country: string;
                /** @description As sent; `{}` without any. */
                metadata: {
                    [key: string]: unknown;
                };
            };
            /** @description Why it failed, as in `CARD_DECLINED`. Only when it failed. */
            error_code?: string;
            /** @description The same in a sentence. Only when it failed. */
            error_message?: string;
            emi?: components["schemas"]["EmiPlan"];
        };
        UpdateWebhookEndpointAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["WebhookEndpoint"];
            /** @description Empty. */
            meta: Record<string, never>;
        };
        VerificationMeta: {
            /**
             * Format: date-time
             * @description When this was asked, on the merchant's clock.
             */
            timestamp: string;
            /** @description The HTTP status once more. */
            status_code: number;
        };
        VerifyTransactionAnswer: {
            /**
             * @description Always true in an answer of 200 or 201.
             * @constant
             */
            success: true;
            /** @description A sentence for people, in English. Programs read the other members. */
            message: string;
            data: components["schemas"]["Transaction"];
            meta: components["schemas"]["VerificationMeta"];
        };
        WebhookEndpoint: {
            /** @description The endpoint. */
            id: number;
            /**
             * Format: uuid
             * @description The same endpoint by its uuid.
             */
            uuid: string;
            /**
             * Format: uri
             * @description Where events are delivered.
             */
            endpoint_url: string;
            /** @description Which events; `*` is all of them. */
            event_types: ("payment.succeeded" | "payment.failed" | "payment.cancelled" | "payment.expired" | "refund.initiated" | "refund.processing" | "refund.completed" | "refund.failed" | "refund.cancelled" | "subscription.created" | "subscription.trial_started" | "subscription.trial_ending" | "subscription.trial_ended" | "subscription.activated" | "subscription.payment_succeeded" | "subscription.payment_failed" | "subscription.period_skipped" | "subscription.cancelled" | "subscription.expired" | "subscription.paused" | "subscription.resumed" | "invoice.created" | "dispute.created" | "dispute.updated" | "dispute.closed" | "*")[];
            /**
             * @description How x-webhook-signature is written: bare, or with `sha256=` before it.
             * @enum {string}
             */
            signature_format: "hex" | "prefixed";
            /** @description Whether it receives anything. */
            is_active: boolean;
            /** @description Why the gateway switched it off; null: it did not. */
            disabled_reason: string | null;
            /**
             * Format: date-time
             * @description When it was registered.
             */
            created_at: string;
        };
        WebhookEndpointChange: {
            /**
             * Format: uri
             * @description Where events are to be delivered: `https`, on a public host.
             */
            endpoint_url?: string;
            /** @description Which events; `*` is all of them. */
            event_types?: ("payment.succeeded" | "payment.failed" | "payment.cancelled" | "payment.expired" | "refund.initiated" | "refund.processing" | "refund.completed" | "refund.failed" | "refund.cancelled" | "subscription.created" | "subscription.trial_started" | "subscription.trial_ending" | "subscription.trial_ended" | "subscription.activated" | "subscription.payment_succeeded" | "subscription.payment_failed" | "subscription.period_skipped" | "subscription.cancelled" | "subscription.expired" | "subscription.paused" | "subscription.resumed" | "invoice.created" | "dispute.created" | "dispute.updated" | "dispute.closed" | "*")[];
            /**
             * @description How x-webhook-signature is written: bare hexadecimal, or with `sha256=` before it.
             * @enum {string}
             */
            signature_format?: "hex" | "prefixed";
            /** @description `false`: nothing is delivered to it. */
            is_active?: boolean;
        };
        WebhookEndpointWithSecret: {
            /** @description The endpoint. */
            id: number;
            /**
             * Format: uuid
             * @description The same endpoint by its uuid.
             */
            uuid: string;
            /**
             * Format: uri
             * @description Where events are delivered.
             */
            endpoint_url: string;
            /** @description Which events; `*` is all of them. */
            event_types: ("payment.succeeded" | "payment.failed" | "payment.cancelled" | "payment.expired" | "refund.initiated" | "refund.processing" | "refund.completed" | "refund.failed" | "refund.cancelled" | "subscription.created" | "subscription.trial_started" | "subscription.trial_ending" | "subscription.trial_ended" | "subscription.activated" | "subscription.payment_succeeded" | "subscription.payment_failed" | "subscription.period_skipped" | "subscription.cancelled" | "subscription.expired" | "subscription.paused" | "subscription.resumed" | "invoice.created" | "dispute.created" | "dispute.updated" | "dispute.closed" | "*")[];
            /**
             * @description How x-webhook-signature is written: bare, or with `sha256=` before it.
             * @enum {string}
             */
            signature_format: "hex" | "prefixed";
            /** @description Whether it receives anything. */
            is_active: boolean;
            /** @description Why the gateway switched it off; null: it did not. */
            disabled_reason: string | null;
            /**
             * Format: date-time
             * @description When it was registered.
             */
            created_at: string;
            /** @description What signs its deliveries. Only this answer shows it. */
            secret: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    createCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckoutOrder"];
            };
        };
        responses: {
            /** @description The session is open. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateCheckoutAnswer"];
                };
            };
        };
    };
    expireCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The checkout session. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session can no longer be paid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExpireCheckoutAnswer"];
                };
            };
        };
    };
    verifyTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The transaction_id of the checkout, which begins with `txn`. Your own order_id finds nothing here. */
                transaction_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transaction as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifyTransactionAnswer"];
                };
            };
        };
    };
    listPayments: {
        parameters: {
            query?: {
                /** @description Only payments of this status. */
                status?: "PENDING" | "SUCCESS" | "FAILED" | "CANCELLED" | "EXPIRED" | "REFUNDED";
                /** @description Only payments that this finds: an id, how an order_id begins, a name, an e-mail address, a phone number or an amount. */
                q?: string;
                /** @description Only payments from this moment on. */
                from?: string;
                /** @description Only payments before this moment. */
                to?: string;
                /** @description Which page of the list, from 1. */
                page?: number;
                /** @description The most that a page holds. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payments. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListPaymentsAnswer"];
                };
            };
        };
    };
    createRefund: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRefund"];
            };
        };
        responses: {
            /** @description The refund is accepted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateRefundAnswer"];
                };
            };
        };
    };
    getRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The refund. */
                refund_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The refund as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetRefundAnswer"];
                };
            };
        };
    };
    cancelRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The refund. */
                refund_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The refund is cancelled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelRefundAnswer"];
                };
            };
        };
    };
    listRefunds: {
        parameters: {
            query?: {
                /** @description Only refunds from this day on, in UTC. */
                from_date?: string;
                /** @description Only refunds up to this day, in UTC; the day itself belongs to it. */
                to_date?: string;
                /** @description Only refunds of this state. */
                status?: "pending" | "processing" | "completed" | "failed" | "cancelled";
                /** @description Which page of the list, from 1. */
                page?: number;
                /** @description The most that a page holds. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of refunds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRefundsAnswer"];
                };
            };
        };
    };
    createRefundBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRefundBatch"];
            };
        };
        responses: {
            /** @description The batch is accepted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateRefundBatchAnswer"];
                };
            };
        };
    };
    getRefundBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The batch of refunds. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The batch as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetRefundBatchAnswer"];
                };
            };
        };
    };
    listPaymentLinks: {
        parameters: {
            query?: {
                /** @description Only links of this status. */
                status?: "open" | "paid" | "expired" | "disabled";
                /** @description Which page of the list, from 1. */
                page?: number;
                /** @description The most that a page holds. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of links. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListPaymentLinksAnswer"];
                };
            };
        };
    };
    createPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPaymentLink"];
            };
        };
        responses: {
            /** @description The link can be paid. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatePaymentLinkAnswer"];
                };
            };
        };
    };
    getPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment link. */
                link_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetPaymentLinkAnswer"];
                };
            };
        };
    };
    disablePaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment link. */
                link_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link is disabled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisablePaymentLinkAnswer"];
                };
            };
        };
    };
    calculateEmi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmiQuestion"];
            };
        };
        responses: {
            /** @description The figures of each plan. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CalculateEmiAnswer"];
                };
            };
        };
    };
    listEmiOptions: {
        parameters: {
            query?: {
                /** @description `cards` adds the cards that each plan is for. */
                include?: "cards";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plans of each bank. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListEmiOptionsAnswer"];
                };
            };
        };
    };
    listPlans: {
        parameters: {
            query?: {
                /** @description Whether archived plans are listed too. */
                include_inactive?: boolean;
                /** @description Which page of the list, from 1. */
                page?: number;
                /** @description The most that a page holds. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of plans. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListPlansAnswer"];
                };
            };
        };
    };
    createPlan: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPlan"];
            };
        };
        responses: {
            /** @description The new plan. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
        };
    };
    getPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The plan, by its `id` or its `uuid`. */
                plan_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plan. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
        };
    };
    archivePlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The plan, by its `id` or its `uuid`. */
                plan_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archived plan. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
        };
    };
    updatePlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The plan, by its `id` or its `uuid`. */
                plan_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlanChange"];
            };
        };
        responses: {
            /** @description The changed plan. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
        };
    };
    restorePlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The plan, by its `id` or its `uuid`. */
                plan_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plan, which can be subscribed to again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                /** @description Only those of this customer. */
                customer_id?: number;
                /** @description Only those of this status. */
                subscription_status?: "PENDING" | "TRIALING" | "ACTIVE" | "PAST_DUE" | "PAUSED" | "CANCELLED" | "EXPIRED";
                /** @description Which page of the list, from 1. */
                page?: number;
                /** @description The most that a page holds. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of subscriptions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSubscriptionsAnswer"];
                };
            };
        };
    };
    createSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSubscription"];
            };
        };
        responses: {
            /** @description The new subscription. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    getSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The subscription, by its `uuid` or its `id`. */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    updateSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The subscription, by its `uuid` or its `id`. */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionChange"];
            };
        };
        responses: {
            /** @description The changed subscription. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    listBillingHistory: {
        parameters: {
            query?: {
                /** @description Which page of the list, from 1. */
                page?: number;
                /** @description The most that a page holds. */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @description The subscription, by its `uuid` or its `id`. */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of periods. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListBillingHistoryAnswer"];
                };
            };
        };
    };
    cancelSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The subscription, by its `uuid` or its `id`. */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Cancellation"];
            };
        };
        responses: {
            /** @description The cancelled subscription. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    createSubscriptionCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The subscription, by its `uuid` or its `id`. */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SubscriptionCheckout"];
            };
        };
        responses: {
            /** @description The session is open. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateSubscriptionCheckoutAnswer"];
                };
            };
        };
    };
    generateInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The subscription, by its `uuid` or its `id`. */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoice. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
        };
    };
    pauseSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The subscription, by its `uuid` or its `id`. */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The paused subscription. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    resumeSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The subscription, by its `uuid` or its `id`. */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The active subscription. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                /** @description Only the customer with this e-mail address, in whatever case. */
                email?: string;
                /** @description Which page of the list, from 1. */
                page?: number;
                /** @description The most that a page holds. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of customers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListCustomersAnswer"];
                };
            };
        };
    };
    getCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The customer, by its `id` or its `uuid`. */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCustomerAnswer"];
                };
            };
        };
    };
    createPortalSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPortalSession"];
            };
        };
        responses: {
            /** @description The way in. Only this answer shows it. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatePortalSessionAnswer"];
                };
            };
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                /** @description Only those of this subscription, by its `id` or its `uuid`. */
                subscription_id?: string;
                /** @description Only those of this status. */
                status?: "PENDING" | "PAID" | "VOID";
                /** @description Which page of the list, from 1. */
                page?: number;
                /** @description The most that a page holds. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of invoices. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListInvoicesAnswer"];
                };
            };
        };
    };
    getInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The invoice, by its `invoice_id` or its `uuid`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoice as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
        };
    };
    downloadInvoice: {
        parameters: {
            query?: {
                /** @description The language of the page. */
                lang?: "en" | "bn";
            };
            header?: never;
            path: {
                /** @description The invoice, by its `invoice_id` or its `uuid`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
        };
    };
    voidInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The invoice, by its `invoice_id` or its `uuid`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The void invoice. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
        };
    };
    getBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance in BDT. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetBalanceAnswer"];
                };
            };
        };
    };
    listBalanceEntries: {
        parameters: {
            query?: {
                /** @description The account. */
                account?: "merchant_balance" | "acquirer_clearing" | "fees" | "refunds" | "payouts" | "disputes" | "dispute_claims";
                /** @description Which page of the list, from 1. */
                page?: number;
                /** @description The most that a page holds. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListBalanceEntriesAnswer"];
                };
            };
        };
    };
    downloadStatement: {
        parameters: {
            query: {
                /** @description The first day, in UTC. */
                from_date: string;
                /** @description The last day, in UTC; at most 366 days with the first. */
                to_date: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    listDisputes: {
        parameters: {
            query?: {
                /** @description Only disputes of this status. */
                status?: "inquiry" | "needs_response" | "under_review" | "won" | "lost" | "closed";
                /** @description Only disputes of this payment. */
                transaction_id?: string;
                /** @description Which page of the list, from 1. */
                page?: number;
                /** @description The most that a page holds. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of disputes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDisputesAnswer"];
                };
            };
        };
    };
    getDispute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The dispute. */
                dispute_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The dispute as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetDisputeAnswer"];
                };
            };
        };
    };
    getIpnSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetIpnSecretAnswer"];
                };
            };
        };
    };
    rotateIpnSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotateIpnSecretAnswer"];
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description Which page of the list, from 1. */
                page?: number;
                /** @description The most that a page holds. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of endpoints. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWebhookEndpointsAnswer"];
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWebhookEndpoint"];
            };
        };
        responses: {
            /** @description The endpoint with its secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateWebhookEndpointAnswer"];
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint, by its `id` or its `uuid`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint without its secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetWebhookEndpointAnswer"];
                };
            };
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint, by its `id` or its `uuid`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteWebhookEndpointAnswer"];
                };
            };
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint, by its `id` or its `uuid`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointChange"];
            };
        };
        responses: {
            /** @description The changed endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateWebhookEndpointAnswer"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint, by its `id` or its `uuid`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint with its new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotateWebhookSecretAnswer"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description Only those to this endpoint, by its `id` or its `uuid`. */
                endpoint_id?: string;
                /** @description Only those of this event. */
                event_id?: string;
                /** @description Only those of events of this type. */
                event_type?: string;
                /** @description Only those after the one with this `id`, oldest first; `start`: from the oldest on. Without `page`. */
                after?: string;
                /** @description Only those of this status. */
                status?: "pending" | "delivered" | "failed";
                /** @description Which page of the list, from 1. */
                page?: number;
                /** @description The most that a page holds. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDeliveriesAnswer"];
                };
            };
        };
    };
    redeliverFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RedeliverySince"];
            };
        };
        responses: {
            /** @description They are on their way again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedeliverFailedAnswer"];
                };
            };
        };
    };
    redeliver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The delivery, by its `id`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is on its way again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedeliverAnswer"];
                };
            };
        };
    };
    sendTestEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SampleEvent"];
            };
        };
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendTestEventAnswer"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Only events of this type. */
                event_type?: "payment.succeeded" | "payment.failed" | "payment.cancelled" | "payment.expired" | "refund.initiated" | "refund.processing" | "refund.completed" | "refund.failed" | "refund.cancelled" | "subscription.created" | "subscription.trial_started" | "subscription.trial_ending" | "subscription.trial_ended" | "subscription.activated" | "subscription.payment_succeeded" | "subscription.payment_failed" | "subscription.period_skipped" | "subscription.cancelled" | "subscription.expired" | "subscription.paused" | "subscription.resumed" | "invoice.created" | "dispute.created" | "dispute.updated" | "dispute.closed";
                /** @description Only events from this moment on. */
                from?: string;
                /** @description Only events before this moment. */
                to?: string;
                /** @description Only events after the one with this `event_id`, oldest first; `start`: from the oldest on. Without `page`. */
                after?: string;
                /** @description Which page of the list, from 1. */
                page?: number;
                /** @description The most that a page holds. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListEventsAnswer"];
                };
            };
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The event. */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event, in the shape in which it is delivered. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetEventAnswer"];
                };
            };
        };
    };
    getSandbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Everything that decides an outcome in the sandbox. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSandboxAnswer"];
                };
            };
        };
    };
    getClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clock. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetClockAnswer"];
                };
            };
        };
    };
    moveClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClockMove"];
            };
        };
        responses: {
            /** @description The clock has moved. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MoveClockAnswer"];
                };
            };
        };
    };
    cancelSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The checkout session. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How the payment ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelSessionAnswer"];
                };
            };
        };
    };
    paySession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The checkout session. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxPayment"];
            };
        };
        responses: {
            /** @description How the payment ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaySessionAnswer"];
                };
            };
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenApi"];
                };
            };
        };
    };
}
