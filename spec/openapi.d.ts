// Generated from openapi.yaml by `npm run types`. Do not edit.

export interface paths {
    "/store/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all orders
         * @description Returns all orders placed in the store, in the order in which they were placed, without those that were
         *     cancelled. There are no parameters: filtering and pagination are planned for version 2.
         *
         *     The answer carries an `ETag`. Send it back as `If-None-Match` and an unchanged list costs a 304 without a body.
         *
         *     ```sh
         *     curl -H "Authorization: Bearer $API_KEY" http://127.0.0.1:3000/v1/store/orders
         *     ```
         */
        get: operations["listOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders/{orderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Cancel an order
         * @description Cancels an order by its identifier. Only an order that is still pending can be cancelled; it then leaves the list.
         *     A shipped order cannot be reversed and is answered 409.
         *
         *     Of any number of concurrent cancels of one order exactly one is answered 204; the others get 404 with the
         *     code `order_already_cancelled`. It is safe to retry: after a lost answer, that code says that the first try worked.
         *
         *     Orders have no `ETag` and no modification date; the list's `ETag` is not an order's. A request with `If-Match`,
         *     other than `If-Match: *`, or with `If-Unmodified-Since` is therefore answered 412, and nothing is done.
         *
         *     ```sh
         *     curl -X DELETE -i -H "Authorization: Bearer $API_KEY" http://127.0.0.1:3000/v1/store/orders/1007
         *     ```
         */
        delete: operations["cancelOrder"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pets/{petId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up a pet
         * @deprecated
         * @description Answers with the pet if any order in the store, cancelled ones included, names it.
         *
         *     **Deprecated.** Use the `petId` of the listed orders instead. The dates in `x-deprecated-since` and `x-sunset`
         *     are placeholders: the owner of this service sets the real ones. The shape of a pet is not settled beyond its
         *     identifier, hence `experimental`.
         *
         *     ```sh
         *     curl -i -H "Authorization: Bearer $API_KEY" http://127.0.0.1:3000/v1/pets/504
         *     ```
         */
        get: operations["getPetById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description An order placed in the store. No field is required; an absent one is left out, never null.
         * @example {
         *       "id": 1007,
         *       "petId": 504,
         *       "quantity": 2,
         *       "shipDate": "2026-12-04T09:00:00.000Z",
         *       "complete": false
         *     }
         */
        Order: {
            /**
             * Format: int64
             * @description Unique order identifier.
             */
            id?: bigint;
            /**
             * Format: int64
             * @description Identifier of the animal in the order.
             */
            petId?: bigint;
            /** @description Number of units ordered. */
            quantity?: number;
            /**
             * Format: date-time
             * @description Expected or actual ship date, in UTC.
             */
            shipDate?: string;
            /** @description Whether the order has been fulfilled. */
            complete?: boolean;
        };
        /**
         * @description An animal that an order names.
         * @example {
         *       "id": 504
         *     }
         */
        Pet: {
            /**
             * Format: int64
             * @description Identifier of the animal.
             */
            id: bigint;
        };
        /**
         * @description The body of every answer of 400 and above.
         * @example {
         *       "code": "order_not_found",
         *       "message": "No order has this identifier.",
         *       "status": 404
         *     }
         */
        Error: {
            code: components["schemas"]["ErrorCode"];
            /** @description Human-readable description. */
            message: string;
            /** @description The HTTP status code. */
            status: number;
        };
        /**
         * @description Machine-readable error code. The table under "Errors" says when each is used.
         * @enum {string}
         */
        ErrorCode: "invalid_request" | "unauthorized" | "order_not_found" | "order_already_cancelled" | "order_already_shipped" | "pet_not_found" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "precondition_failed" | "payload_too_large" | "uri_too_long" | "expectation_failed" | "rate_limited" | "headers_too_large" | "internal_error" | "unavailable";
    };
    responses: {
        /** @description The identifier is not a 64-bit integer in plain decimal digits, or the request is otherwise malformed. */
        InvalidRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The API key is missing or wrong. */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description Any other answer that an HTTP server may give: 405, 406, 408, 412, 413, 414, 417, 429, 431, 500 or 503, as the table
         *     under "Errors" lists them.
         */
        Default: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Names this state of the list, weakly; the same on every instance and after a restart.
         * @example W/"1b0yAk5vPzg4Ci2JTCVO7A"
         */
        ETag: string;
        /**
         * @description The list may be kept by its reader, and is to be checked with `If-None-Match` before it is used again.
         * @example private, no-cache
         */
        CacheControl: string;
        /**
         * @description The request headers that this answer depends on.
         * @example Accept, Accept-Encoding
         */
        Vary: string;
        /**
         * @description The request's id, as sent in `X-Request-Id` or made by the server; it stands in the server's log.
         * @example 0f9d2c0e-6c1f-4b43-9a55-6f0b8d8b2a10
         */
        RequestId: string;
        /**
         * @description The challenge of RFC 6750; with `error="invalid_token"` when a key was sent and is wrong.
         * @example Bearer realm="store-orders"
         */
        WWWAuthenticate: string;
        /**
         * @description Since when the operation is deprecated, in Unix seconds (RFC 9745).
         * @example @1767225600
         */
        Deprecation: string;
        /**
         * @description From when on the operation may be gone (RFC 8594).
         * @example Fri, 31 Dec 2027 00:00:00 GMT
         */
        Sunset: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listOrders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All orders. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"][];
                };
            };
            /** @description The list is still the one that `If-None-Match` names. No body. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["Default"];
        };
    };
    cancelOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the order to cancel, in plain decimal digits.
                 * @example 1007
                 */
                orderId: bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order is cancelled. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The order does not exist, or has been cancelled before. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The order has already shipped and cannot be cancelled. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getPetById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the pet, in plain decimal digits.
                 * @example 504
                 */
                petId: bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pet. */
            200: {
                headers: {
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pet"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description No order in the store names this pet. */
            404: {
                headers: {
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
}
