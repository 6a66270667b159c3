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
         * @description Returns all orders in the order in which they were placed, except those that were cancelled. There are no
         *     parameters: filtering and pagination are planned for version 2.
         *
         *     The response has an `ETag`. Send it as `If-None-Match` with the next request: while the list is unchanged, the
         *     response is 304 without a body.
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
         * @description Cancels a pending order; it then leaves the list. An order that has shipped cannot be cancelled: the response is
         *     409.
         *
         *     Of any number of concurrent requests to cancel an order, exactly one gets 204; the others get 404 with the code
         *     `order_already_cancelled`. Retrying is safe: after a lost response or a 503, that code means that the order is
         *     cancelled, possibly by an earlier attempt.
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
         * @description Returns the pet if any order refers to it, including cancelled orders.
         *
         *     **Deprecated** since 1 January 2026; it ends on 31 December 2027. Use the `petId` of the listed orders instead.
         *     The operation is `experimental`: a pet may gain fields.
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
         * @description An order placed in the store. No field is required; an absent field is omitted, never null.
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
         * @description A pet that an order refers to.
         * @example {
         *       "id": 504
         *     }
         */
        Pet: {
            /**
             * Format: int64
             * @description Unique pet identifier.
             */
            id: bigint;
        };
        /**
         * @description The body of every response with status 400 or above.
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
         * @description Machine-readable error code, listed under "Errors". Later versions may add codes.
         * @example order_not_found
         */
        ErrorCode: "invalid_request" | "unauthorized" | "forbidden" | "order_not_found" | "order_already_cancelled" | "order_already_shipped" | "pet_not_found" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "precondition_failed" | "payload_too_large" | "uri_too_long" | "unsupported_media_type" | "expectation_failed" | "rate_limited" | "headers_too_large" | "internal_error" | "not_implemented" | "unavailable";
    };
    responses: {
        /** @description The request is malformed. */
        InvalidRequest: {
            headers: {
                "RateLimit-Policy"?: string;
                RateLimit?: string;
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The identifier is not a 64-bit integer in plain decimal digits, or the request is otherwise malformed. */
        InvalidIdentifier: {
            headers: {
                "RateLimit-Policy"?: string;
                RateLimit?: string;
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The API key is missing or invalid. */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": string;
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The API key is read-only. */
        Forbidden: {
            headers: {
                "WWW-Authenticate": string;
                "RateLimit-Policy"?: string;
                RateLimit?: string;
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The path does not support this method. */
        MethodNotAllowed: {
            headers: {
                Allow: string;
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `Accept` excludes `application/json`. */
        NotAcceptable: {
            headers: {
                "RateLimit-Policy"?: string;
                RateLimit?: string;
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request took too long to arrive. */
        RequestTimeout: {
            headers: {
                "RateLimit-Policy"?: string;
                RateLimit?: string;
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A precondition, such as `If-Match`, is not met. */
        PreconditionFailed: {
            headers: {
                "RateLimit-Policy"?: string;
                RateLimit?: string;
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request body is too large. */
        PayloadTooLarge: {
            headers: {
                "RateLimit-Policy"?: string;
                RateLimit?: string;
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The media type of the body is not supported. */
        UnsupportedMediaType: {
            headers: {
                "RateLimit-Policy"?: string;
                RateLimit?: string;
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The URL exceeds 16 KiB. */
        UriTooLong: {
            headers: {
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `Expect` is not `100-continue`. */
        ExpectationFailed: {
            headers: {
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests. */
        RateLimited: {
            headers: {
                "Retry-After"?: number;
                "RateLimit-Policy"?: string;
                RateLimit?: string;
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request line and the headers exceed 16 KiB or 1,000 fields. */
        HeadersTooLarge: {
            headers: {
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The server failed; quote the `X-Request-Id` when you report it. */
        InternalError: {
            headers: {
                "RateLimit-Policy"?: string;
                RateLimit?: string;
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The server does not know this method. */
        NotImplemented: {
            headers: {
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The server is overloaded, or the database is unavailable. */
        Unavailable: {
            headers: {
                "Retry-After"?: number;
                "RateLimit-Policy"?: string;
                RateLimit?: string;
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
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
                    ETag: string;
                    "Cache-Control": string;
                    Vary: string;
                    "RateLimit-Policy"?: string;
                    RateLimit?: string;
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"][];
                };
            };
            /** @description The list has not changed since the one identified by `If-None-Match`. No body. */
            304: {
                headers: {
                    ETag: string;
                    "Cache-Control": string;
                    Vary: string;
                    "RateLimit-Policy"?: string;
                    RateLimit?: string;
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
        security: {
            apiKey: never;
        };
    };
    cancelOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the order to cancel, in plain decimal digits.
                 * @example 1007
                 */
                orderId: bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order has been cancelled. No body. */
            204: {
                headers: {
                    "RateLimit-Policy"?: string;
                    RateLimit?: string;
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidIdentifier"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The order does not exist, or has already been cancelled. */
            404: {
                headers: {
                    "RateLimit-Policy"?: string;
                    RateLimit?: string;
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The order has shipped and can no longer be cancelled. */
            409: {
                headers: {
                    "RateLimit-Policy"?: string;
                    RateLimit?: string;
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
        security: {
            apiKey: never;
        };
    };
    getPetById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the pet, in plain decimal digits.
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
                    Deprecation?: string;
                    Sunset?: string;
                    "RateLimit-Policy"?: string;
                    RateLimit?: string;
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pet"];
                };
            };
            /** @description The identifier is not a 64-bit integer in plain decimal digits, or the request is otherwise malformed. */
            400: {
                headers: {
                    Deprecation?: string;
                    Sunset?: string;
                    "RateLimit-Policy"?: string;
                    RateLimit?: string;
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing or invalid. */
            401: {
                headers: {
                    "WWW-Authenticate": string;
                    Deprecation?: string;
                    Sunset?: string;
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No order refers to this pet. */
            404: {
                headers: {
                    Deprecation?: string;
                    Sunset?: string;
                    "RateLimit-Policy"?: string;
                    RateLimit?: string;
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            /** @description `Accept` excludes `application/json`. */
            406: {
                headers: {
                    Deprecation?: string;
                    Sunset?: string;
                    "RateLimit-Policy"?: string;
                    RateLimit?: string;
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description A precondition, such as `If-Match`, is not met. */
            412: {
                headers: {
                    Deprecation?: string;
                    Sunset?: string;
                    "RateLimit-Policy"?: string;
                    RateLimit?: string;
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            /** @description Too many requests. */
            429: {
                headers: {
                    "Retry-After"?: number;
                    Deprecation?: string;
                    Sunset?: string;
                    "RateLimit-Policy"?: string;
                    RateLimit?: string;
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            /** @description The server failed; quote the `X-Request-Id` when you report it. */
            500: {
                headers: {
                    Deprecation?: string;
                    Sunset?: string;
                    "RateLimit-Policy"?: string;
                    RateLimit?: string;
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            501: components["responses"]["NotImplemented"];
            /** @description The server is overloaded, or the database is unavailable. */
            503: {
                headers: {
                    "Retry-After"?: number;
                    Deprecation?: string;
                    Sunset?: string;
                    "RateLimit-Policy"?: string;
                    RateLimit?: string;
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
        security: {
            apiKey: never;
        };
    };
}
/** Requests as handlers receive them, where they differ: with what has a default. */
export namespace received {
    export interface operations {}
}
